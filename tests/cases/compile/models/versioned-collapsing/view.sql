CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_versioned_collapsing_v1` (`__tenant` String, `id` String, `a` UInt8)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:2ab5143f89a984b398da78b5dd39b8d8ba31f0dcd40afede1416ab34826c682b","dataset":"shop.versioned-collapsing","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `a`
FROM (SELECT __m0.__k0 AS __k0, __m0.__k1 AS __k1, __m0.__k2 AS __k2
  FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`a` AS __k2
    FROM `wow`.`versioned_collapsing` AS __t0 FINAL
    PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`a`, __t0.`sign`, __t0.`ver`)) = 'Tuple(String, String, UInt8, Int8, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
    WHERE __t0.`sign` = 1 ORDER BY __t0.`ver` DESC LIMIT 1 BY __t0.`tenant_id`, __t0.`id`) AS __m0) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
