CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_defaults_v1` (`__tenant` String, `d` UInt32, `m` String, `a` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:48836b1d44776e45c7e9ea6a0f8882c8edbb3f603ce884cbe924418b8bde20f3","dataset":"shop.defaults","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `d`,
  __s0.__k2 AS `m`,
  __s0.__k3 AS `a`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`d` AS __k1, __t0.`m` AS __k2, __t0.`a` AS __k3
  FROM `wow`.`c_defaults` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`d`, __t0.`m`, __t0.`a`)) = 'Tuple(String, UInt32, String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
