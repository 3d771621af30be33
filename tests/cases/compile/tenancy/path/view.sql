CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_path_v1` (`__tenant` String, `id` String, `n` Nullable(UInt32))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:ccffb0eb2e321cb41a77bf803950daa984524440cadfa59048de3e9a25c6b56c","dataset":"shop.path","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `n`
FROM (SELECT getSubcolumn(__t0.`doc`, 'tenant') AS __k0, __t0.`id` AS __k1, CAST(__t0.`doc`.`n`, 'Nullable(UInt32)') AS __k2
  FROM `wow`.`t_path` AS __t0
  PREWHERE __t0.`doc`.`tenant` = CAST(if(toTypeName((__t0.`doc`, __t0.`id`)) = 'Tuple(JSON(n UInt32, tenant String, who Nullable(String)), String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) AND getSubcolumn(__t0.`doc`, 'tenant') = CAST(if(toTypeName((__t0.`doc`, __t0.`id`)) = 'Tuple(JSON(n UInt32, tenant String, who Nullable(String)), String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
