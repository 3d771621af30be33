CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_json_nullable_v1` (`__tenant` String, `p0` Nullable(String), `p1` Nullable(Bool), `p2` Nullable(Int8), `p3` Nullable(Int64), `p4` Nullable(UInt8), `p5` Nullable(UInt64), `p6` Nullable(Float64), `p7` Nullable(UUID), `p8` Nullable(Decimal(18, 2)), `p9` Nullable(Decimal(76, 20)))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:7c51dd9efd0ab0813084de9182df1c2229952c9bac629152648a4ccde6337fbd","dataset":"shop.json-nullable","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `p0`,
  __s0.__k2 AS `p1`,
  __s0.__k3 AS `p2`,
  __s0.__k4 AS `p3`,
  __s0.__k5 AS `p4`,
  __s0.__k6 AS `p5`,
  __s0.__k7 AS `p6`,
  __s0.__k8 AS `p7`,
  __s0.__k9 AS `p8`,
  __s0.__k10 AS `p9`
FROM (SELECT __t0.`tenant_id` AS __k0, accurateCastOrNull(__t0.`doc`.`p0`, 'String') AS __k1, if(isNull(dynamicElement(__t0.`doc`.`p1`, 'Bool')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p1`, 'String'), 'Bool'), dynamicElement(__t0.`doc`.`p1`, 'Bool')) AS __k2, if(isNull(dynamicElement(__t0.`doc`.`p2`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p2`, 'String'), 'Int8'), accurateCastOrNull(dynamicElement(__t0.`doc`.`p2`, 'Int64'), 'Int8')) AS __k3, if(isNull(dynamicElement(__t0.`doc`.`p3`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p3`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`p3`, 'Int64')) AS __k4, if(isNull(dynamicElement(__t0.`doc`.`p4`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p4`, 'String'), 'UInt8'), accurateCastOrNull(dynamicElement(__t0.`doc`.`p4`, 'Int64'), 'UInt8')) AS __k5, if(isNull(dynamicElement(__t0.`doc`.`p5`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p5`, 'String'), 'UInt64'), accurateCastOrNull(dynamicElement(__t0.`doc`.`p5`, 'Int64'), 'UInt64')) AS __k6, if(isNull(dynamicElement(__t0.`doc`.`p6`, 'Float64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p6`, 'String'), 'Float64'), dynamicElement(__t0.`doc`.`p6`, 'Float64')) AS __k7, accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p7`, 'String'), 'UUID') AS __k8, if(match(accurateCastOrNull(__t0.`doc`.`p8`, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p8`, 'String'), 'Decimal(18, 2)'), NULL) AS __k9, if(match(accurateCastOrNull(__t0.`doc`.`p9`, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`p9`, 'String'), 'Decimal(76, 20)'), NULL) AS __k10
  FROM `wow`.`p_json_nullable` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`doc`)) = 'Tuple(String, Nullable(JSON))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
