CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_versions_nothing_runs_before_the_fence_v1` (`__tenant` UUID, `tenant_id` UUID, `id` UInt8, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:5bf544c0ee5670ce516d505c334861ff813ad13716d66b86bafee4d79123de84","dataset":"shop.versions-nothing-runs-before-the-fence","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `tenant_id`,
  __s0.__k2 AS `id`,
  __s0.__k3 AS `v`
FROM (SELECT __m0.__k0 AS __k0, __m0.__k1 AS __k1, __m0.__k2 AS __k2, __m0.__k3 AS __k3
  FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`tenant_id` AS __k1, __t0.`id` AS __k2, __t0.`v` AS __k3
    FROM `wow`.`versions_nothing_run` AS __t0 FINAL
    PREWHERE __t0.`tenant_id` = accurateCastOrNull(CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`, __t0.`sign`, __t0.`version`)) = 'Tuple(UUID, UInt8, UInt32, Int8, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String), 'UUID') AND toString(accurateCastOrNull(CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`, __t0.`sign`, __t0.`version`)) = 'Tuple(UUID, UInt8, UInt32, Int8, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String), 'UUID')) = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`, __t0.`sign`, __t0.`version`)) = 'Tuple(UUID, UInt8, UInt32, Int8, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
    WHERE __t0.`sign` = 1 ORDER BY __t0.`version` DESC LIMIT 1 BY __t0.`tenant_id`, __t0.`id`) AS __m0) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
