CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_json_text_low_cardinality_v1` (`__tenant` String, `p0` Nullable(String), `p1` Nullable(Bool), `p2` Nullable(Int8), `p3` Nullable(Int64), `p4` Nullable(UInt8), `p5` Nullable(UInt64), `p6` Nullable(Float64), `p7` Nullable(UUID), `p8` Nullable(Decimal(18, 2)), `p9` Nullable(Decimal(76, 20)))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:42112fa109e225f25149535e1f59669181948829ccd5d9640259b454c428baf7","dataset":"shop.json-text-low-cardinality","protection":{},"version":1}'
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
FROM (SELECT __t0.`tenant_id` AS __k0, JSONExtract(__t0.`doc`, 'p0', 'Nullable(String)') AS __k1, accurateCastOrNull(JSONExtract(__t0.`doc`, 'p1', 'Nullable(String)'), 'Bool') AS __k2, accurateCastOrNull(JSONExtract(__t0.`doc`, 'p2', 'Nullable(String)'), 'Int8') AS __k3, accurateCastOrNull(JSONExtract(__t0.`doc`, 'p3', 'Nullable(String)'), 'Int64') AS __k4, accurateCastOrNull(JSONExtract(__t0.`doc`, 'p4', 'Nullable(String)'), 'UInt8') AS __k5, accurateCastOrNull(JSONExtract(__t0.`doc`, 'p5', 'Nullable(String)'), 'UInt64') AS __k6, accurateCastOrNull(JSONExtract(__t0.`doc`, 'p6', 'Nullable(String)'), 'Float64') AS __k7, accurateCastOrNull(JSONExtract(__t0.`doc`, 'p7', 'Nullable(String)'), 'UUID') AS __k8, if(match(JSONExtract(__t0.`doc`, 'p8', 'Nullable(String)'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(JSONExtract(__t0.`doc`, 'p8', 'Nullable(String)'), 'Decimal(18, 2)'), NULL) AS __k9, if(match(JSONExtract(__t0.`doc`, 'p9', 'Nullable(String)'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(JSONExtract(__t0.`doc`, 'p9', 'Nullable(String)'), 'Decimal(76, 20)'), NULL) AS __k10
  FROM `wow`.`p_json_text_low_cardinality` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`doc`)) = 'Tuple(String, LowCardinality(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
