CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_nested_columns_v1` (`__tenant` String, `sku` Array(String), `qty` Array(UInt32))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:a9cfa1cda783728dd9b0cb818b66fc7f31b7056d44f14a6961a38f3de8c18763","dataset":"shop.nested-columns","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `sku`,
  __s0.__k2 AS `qty`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`items.sku` AS __k1, __t0.`items.qty` AS __k2
  FROM `wow`.`p_nested_columns` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`items.sku`, __t0.`items.qty`)) = 'Tuple(String, Array(String), Array(UInt32))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
