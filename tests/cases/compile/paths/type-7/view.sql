CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_type_7_v1` (`__tenant` String, `p` Nullable(Int64))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:7305650c854250066e5a6b502ed3997b764cf21adeddca13e20089583508a260","dataset":"shop.type-7","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `p`
FROM (SELECT __t0.`tenant_id` AS __k0, if(isNull(dynamicElement(__t0.`doc`.`a`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`a`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`a`, 'Int64')) AS __k1
  FROM `wow`.`p_type_7` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`doc`)) = 'Tuple(String, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
