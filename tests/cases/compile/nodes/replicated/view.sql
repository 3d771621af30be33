CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_replicated_v1` (`__tenant` String, `id` String, `name` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:2cc4029bf0826f5989445a40871c2fdc93cec3a5790c289c5256408d9ca2a205","dataset":"shop.replicated","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `name`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`id` AS __k1, __t0.`name` AS __k2
  FROM `wow`.`nc_i` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`name`)) = 'Tuple(LowCardinality(String), String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
