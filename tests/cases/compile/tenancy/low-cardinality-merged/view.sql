CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_low_cardinality_merged_v1` (`__tenant` String, `id` String, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:ed10fc4f2479f52a25a1dc04bcd4e0f7130c5be94d1b99e6afac5c2bf1a0ea04","dataset":"shop.low-cardinality-merged","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `v`
FROM (SELECT CAST(__t0.`tenant_id`, 'String') AS __k0, __t0.`id` AS __k1, __t0.`v` AS __k2
  FROM `wow`.`t_low_cardinality_merged` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`)) = 'Tuple(LowCardinality(String), String, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
