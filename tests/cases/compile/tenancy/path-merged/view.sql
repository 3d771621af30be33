CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_path_merged_v1` (`__tenant` String, `id` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:e838e0a49be457e5d4586564c802e129380fe7691ac03ed6a0023b87899032af","dataset":"shop.path-merged","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`
FROM (SELECT getSubcolumn(__t0.`doc`, 'tenant') AS __k0, __t0.`id` AS __k1
  FROM `wow`.`t_path_merged` AS __t0
  FINAL
  WHERE __t0.`doc`.`tenant` = CAST(if(toTypeName((__t0.`doc`, __t0.`id`)) = 'Tuple(JSON(n UInt32, tenant String, who Nullable(String)), String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) AND getSubcolumn(__t0.`doc`, 'tenant') = CAST(if(toTypeName((__t0.`doc`, __t0.`id`)) = 'Tuple(JSON(n UInt32, tenant String, who Nullable(String)), String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
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
