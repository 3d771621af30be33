CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_joined_by_the_tenant_v1` (`__tenant` String, `id` UInt32, `v` Int64)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:fee7b8ffadf4df7098d4d544a0a7a6d2dc7a1a3eefefbae27e0e0fc03595faca","dataset":"shop.joined-by-the-tenant","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `v`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`v` AS __k2
  FROM `wow`.`vk_joined_by_the_tena_v` AS __t0
  WHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`)) = 'Tuple(String, UInt32, Int64)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  SETTINGS optimize_move_to_prewhere = 0) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
