CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_low_cardinality_numbers_v1` (`__tenant` UInt64, `__owner` UInt32, `id` String, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:37fc234a27a697220228a15d3a7c0b576c56d2fbe38ad271e6bb541a58b1a3a4","dataset":"shop.low-cardinality-numbers","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `id`,
  __s0.__k3 AS `v`
FROM (SELECT CAST(__t0.`tenant_id`, 'UInt64') AS __k0, CAST(__t0.`owner`, 'UInt32') AS __k1, __t0.`id` AS __k2, __t0.`v` AS __k3
  FROM `wow`.`t_low_cardinality_numbers` AS __t0
  PREWHERE __t0.`tenant_id` = accurateCastOrNull(CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`, __t0.`owner`)) = 'Tuple(LowCardinality(UInt64), String, UInt32, LowCardinality(UInt32))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String), 'UInt64') AND toString(accurateCastOrNull(CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`, __t0.`owner`)) = 'Tuple(LowCardinality(UInt64), String, UInt32, LowCardinality(UInt32))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String), 'UInt64')) = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`, __t0.`owner`)) = 'Tuple(LowCardinality(UInt64), String, UInt32, LowCardinality(UInt32))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) AND (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR (__t0.`owner` = accurateCastOrNull(JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)'), 'UInt32') AND toString(accurateCastOrNull(JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)'), 'UInt32')) = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')))) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
