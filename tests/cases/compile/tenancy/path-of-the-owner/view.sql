CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_path_of_the_owner_v1` (`__tenant` String, `__owner` UInt32, `id` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:8907d43f60ddbc1518f33565facff2e10b0044bbd880bb79be28b7b542a70624","dataset":"shop.path-of-the-owner","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `id`
FROM (SELECT __t0.`tenant_id` AS __k0, getSubcolumn(__t0.`doc`, 'owner') AS __k1, __t0.`id` AS __k2
  FROM `wow`.`t_path_o` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`doc`)) = 'Tuple(String, String, JSON(owner UInt32))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) AND (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR (getSubcolumn(__t0.`doc`, 'owner') = accurateCastOrNull(JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)'), 'UInt32') AND toString(accurateCastOrNull(JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)'), 'UInt32')) = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')))) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
