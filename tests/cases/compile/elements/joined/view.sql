CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_joined_v1` (`__tenant` String, `id` String, `v` UInt32, `items` Array(Tuple(sku Nullable(String), qty Nullable(Int64), price Nullable(Decimal(9, 2)), made Tuple(on Nullable(Date32), by Nullable(String)))))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:e15718fc63203d51faf090b39960b21c9f0824a54c318c65fe71110a6972d5c7","dataset":"shop.joined","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `v`,
  __s1.__k2 AS `items`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`v` AS __k2
  FROM `wow`.`el_o` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`)) = 'Tuple(String, String, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
ALL LEFT JOIN (SELECT __t1.`tenant_id` AS __k0, __t1.`id` AS __k1, if(empty(__t1.`doc`.`items`[].`sku`), CAST(arrayMap(__e -> tuple(tupleElement(__e, 1), accurateCastOrNull(tupleElement(__e, 2), 'Int64'), if(match(tupleElement(__e, 3), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(tupleElement(__e, 3), 'Decimal(9, 2)'), NULL), tuple(if(match(tupleElement(tupleElement(__e, 4), 1), '^(19|2[012])'), toDate32(parseDateTime64OrNull(tupleElement(tupleElement(__e, 4), 1), '%Y-%m-%d', 'UTC'), 'UTC'), NULL), tupleElement(tupleElement(__e, 4), 2))), JSONExtract(ifNull(toJSONString(__t1.`doc`.`items`), ''), 'Array(Tuple(sku Nullable(String), qty Nullable(String), price Nullable(String), made Tuple(on Nullable(String), by Nullable(String))))')), 'Array(Tuple(sku Nullable(String), qty Nullable(Int64), price Nullable(Decimal(9, 2)), made Tuple(on Nullable(Date32), by Nullable(String))))'), CAST(arrayMap((__e0, __e1, __e2, __e3, __e4) -> tuple(accurateCastOrNull(__e0, 'String'), if(isNull(dynamicElement(__e1, 'Int64')), accurateCastOrNull(accurateCastOrNull(__e1, 'String'), 'Int64'), dynamicElement(__e1, 'Int64')), if(match(accurateCastOrNull(__e2, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__e2, 'String'), 'Decimal(9, 2)'), NULL), tuple(if(match(accurateCastOrNull(__e3, 'String'), '^(19|2[012])'), toDate32(parseDateTime64OrNull(accurateCastOrNull(__e3, 'String'), '%Y-%m-%d', 'UTC'), 'UTC'), NULL), accurateCastOrNull(__e4, 'String'))), __t1.`doc`.`items`[].`sku`, __t1.`doc`.`items`[].`qty`, __t1.`doc`.`items`[].`price`, __t1.`doc`.`items`[].`made`.`on`, __t1.`doc`.`items`[].`made`.`by`), 'Array(Tuple(sku Nullable(String), qty Nullable(Int64), price Nullable(Decimal(9, 2)), made Tuple(on Nullable(Date32), by Nullable(String))))')) AS __k2
  FROM `wow`.`el_lines` AS __t1 FINAL
  PREWHERE __t1.`tenant_id` = CAST(if(toTypeName((__t1.`tenant_id`, __t1.`id`, __t1.`doc`)) = 'Tuple(String, String, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1
SETTINGS join_use_nulls = 1,
  use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
