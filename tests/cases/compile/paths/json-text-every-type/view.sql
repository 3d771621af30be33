CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_json_text_every_type_v1` (`__tenant` String, `id` String, `c0` Nullable(Date32), `c1` Nullable(DateTime64(3, 'UTC')), `c2` Array(Nullable(String)), `c3` Array(Nullable(Int64)), `c4` Map(String, Nullable(Int64)), `c5` Array(Nullable(Decimal(9, 2))), `c6` Nullable(Bool), `c7` Nullable(Int64), `c8` Map(String, Nullable(String)), `c9` Nullable(UUID), `c10` Nullable(Float64))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:c666c67bce825c98ac0ee88409b397a17fbb40955bbdf9729c11f2809444ca6f","dataset":"shop.json-text-every-type","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `c0`,
  __s0.__k3 AS `c1`,
  __s0.__k4 AS `c2`,
  __s0.__k5 AS `c3`,
  __s0.__k6 AS `c4`,
  __s0.__k7 AS `c5`,
  __s0.__k8 AS `c6`,
  __s0.__k9 AS `c7`,
  __s0.__k10 AS `c8`,
  __s0.__k11 AS `c9`,
  __s0.__k12 AS `c10`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, if(match(JSONExtract(__t0.`doc`, 'd', 'Nullable(String)'), '^(19|2[012])'), toDate32(parseDateTime64OrNull(JSONExtract(__t0.`doc`, 'd', 'Nullable(String)'), '%Y-%m-%d', 'UTC'), 'UTC'), NULL) AS __k2, fromUnixTimestamp64Milli(toInt64(floor(CAST(if(match(JSONExtract(__t0.`doc`, 't', 'Nullable(String)'), '^(19|2[012])'), coalesce(parseDateTime64OrNull(JSONExtract(__t0.`doc`, 't', 'Nullable(String)'), '%Y-%m-%d %H:%i:%s', 'UTC'), parseDateTime64OrNull(JSONExtract(__t0.`doc`, 't', 'Nullable(String)'), '%Y-%m-%dT%H:%i:%s', 'UTC'), toTimezone(parseDateTime64OrNull(JSONExtract(__t0.`doc`, 't', 'Nullable(String)'), '%Y-%m-%dT%H:%i:%sZ', 'UTC'), 'UTC'), parseDateTime64OrNull(JSONExtract(__t0.`doc`, 't', 'Nullable(String)'), '%Y-%m-%d %H:%i:%s.%f', 'UTC'), parseDateTime64OrNull(JSONExtract(__t0.`doc`, 't', 'Nullable(String)'), '%Y-%m-%dT%H:%i:%s.%f', 'UTC'), toTimezone(parseDateTime64OrNull(JSONExtract(__t0.`doc`, 't', 'Nullable(String)'), '%Y-%m-%dT%H:%i:%s.%fZ', 'UTC'), 'UTC')), NULL), 'Nullable(Decimal(38, 6))'), 3) * 1000), 'UTC') AS __k3, JSONExtract(__t0.`doc`, 'a', 'Array(Nullable(String))') AS __k4, arrayMap(__e -> accurateCastOrNull(__e, 'Int64'), JSONExtract(__t0.`doc`, 'n', 'Array(Nullable(String))')) AS __k5, mapApply((__k, __e) -> (__k, accurateCastOrNull(__e, 'Int64')), JSONExtract(__t0.`doc`, 'm', 'Map(String, Nullable(String))')) AS __k6, arrayMap(__e -> if(match(__e, '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(__e, 'Decimal(9, 2)'), NULL), JSONExtract(__t0.`doc`, 'p', 'Array(Nullable(String))')) AS __k7, accurateCastOrNull(JSONExtract(__t0.`doc`, 'b', 'Nullable(String)'), 'Bool') AS __k8, accurateCastOrNull(JSONExtract(__t0.`doc`, 'i', 'Nullable(String)'), 'Int64') AS __k9, JSONExtract(__t0.`doc`, 'o', 'm', 'Map(String, Nullable(String))') AS __k10, accurateCastOrNull(JSONExtract(__t0.`doc`, 'u', 'Nullable(String)'), 'UUID') AS __k11, accurateCastOrNull(JSONExtract(__t0.`doc`, 'f', 'Nullable(String)'), 'Float64') AS __k12
  FROM `wow`.`p_json_text_every_type` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`doc`)) = 'Tuple(String, String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
