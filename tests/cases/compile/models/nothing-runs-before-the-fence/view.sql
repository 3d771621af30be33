CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_nothing_runs_before_the_fence_v1` (`__tenant` String, `id` String, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:29f0fc52b8c15ad266b70836a49e9998eb6be8e7f82137e6dd455860957680e5","dataset":"shop.nothing-runs-before-the-fence","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `v`
FROM (SELECT __m0.__k0 AS __k0, __m0.__k1 AS __k1, __m0.__k2 AS __k2
  FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`v` AS __k2
    FROM `wow`.`m_secret` AS __t0
    PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`)) = 'Tuple(String, String, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) ORDER BY __t0.`v` DESC LIMIT 1 BY __t0.`tenant_id`, __t0.`id`) AS __m0) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
