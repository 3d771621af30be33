CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_identity_table_v1` (`__tenant` String, `id` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:d7d61accc894b16b9aab7b8f536cb0683e1da4d894a922ed2b8ccd4d316810ba","dataset":"shop.identity-table","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1
  FROM `wow`.`s_identity` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`)) = 'Tuple(String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
