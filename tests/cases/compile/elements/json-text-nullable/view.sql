CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_json_text_nullable_v1` (`__tenant` String, `id` String, `items` Array(Tuple(sku Nullable(String), qty Nullable(Int64), price Nullable(Decimal(9, 2)), made Tuple(on Nullable(Date32), by Nullable(String)))))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:06cec08ecd5c7dfad60b69e577ee23ca3bf25ed168c426c8d0a2bda90ff25806","dataset":"shop.json-text-nullable","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `items`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, CAST(arrayMap(__e -> tuple(tupleElement(__e, 1), accurateCastOrNull(tupleElement(__e, 2), 'Int64'), if(match(tupleElement(__e, 3), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(tupleElement(__e, 3), 'Decimal(9, 2)'), NULL), tuple(if(match(tupleElement(tupleElement(__e, 4), 1), '^(19|2[012])'), toDate32(parseDateTime64OrNull(tupleElement(tupleElement(__e, 4), 1), '%Y-%m-%d', 'UTC'), 'UTC'), NULL), tupleElement(tupleElement(__e, 4), 2))), JSONExtract(ifNull(__t0.`doc`, ''), 'items', 'Array(Tuple(sku Nullable(String), qty Nullable(String), price Nullable(String), made Tuple(on Nullable(String), by Nullable(String))))')), 'Array(Tuple(sku Nullable(String), qty Nullable(Int64), price Nullable(Decimal(9, 2)), made Tuple(on Nullable(Date32), by Nullable(String))))') AS __k2
  FROM `wow`.`el_json_text_nullable` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`doc`)) = 'Tuple(String, String, Nullable(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
