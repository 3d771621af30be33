CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_coalescing_v1` (`__tenant` String, `id` String, `a` Nullable(UInt32), `b` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:a5033edd7ceac5c50c2f17b00682b82b9210c6742b4787f89185aa0e15e793ef","dataset":"shop.coalescing","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `a`,
  __s0.__k3 AS `b`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`a` AS __k2, __t0.`b` AS __k3
  FROM `wow`.`coalescing` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`a`, __t0.`b`)) = 'Tuple(String, String, Nullable(UInt32), Nullable(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
