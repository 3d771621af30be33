CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_own_levels_v1` (`__tenant` String, `id` String, `items` Array(Tuple(sku Nullable(String), email Nullable(String), open Nullable(Int64))))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:bb1e0ab419a41ee83dd724efa8d5dc8f7619bff9e559e66277310ef0fff3bde1","dataset":"shop.own-levels","protection":{"items":{"level":"Confidential"}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `items`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, CAST(arrayMap(__x -> tuple(if(isNull(tupleElement(__x, 1)), NULL, repeat('*', least(lengthUTF8(tupleElement(__x, 1)), 1000))), tupleElement(__x, 2), tupleElement(__x, 3)), if(empty(__t0.`doc`.`items`[].`sku`), CAST(arrayMap(__e -> tuple(tupleElement(__e, 1), tupleElement(__e, 2), accurateCastOrNull(tupleElement(__e, 3), 'Int64')), JSONExtract(ifNull(toJSONString(__t0.`doc`.`items`), ''), 'Array(Tuple(sku Nullable(String), email Nullable(String), open Nullable(String)))')), 'Array(Tuple(sku Nullable(String), email Nullable(String), open Nullable(Int64)))'), CAST(arrayMap((__e0, __e1, __e2) -> tuple(accurateCastOrNull(__e0, 'String'), accurateCastOrNull(__e1, 'String'), if(isNull(dynamicElement(__e2, 'Int64')), accurateCastOrNull(accurateCastOrNull(__e2, 'String'), 'Int64'), dynamicElement(__e2, 'Int64'))), __t0.`doc`.`items`[].`sku`, __t0.`doc`.`items`[].`email`, __t0.`doc`.`items`[].`open`), 'Array(Tuple(sku Nullable(String), email Nullable(String), open Nullable(Int64)))'))), 'Array(Tuple(sku Nullable(String), email Nullable(String), open Nullable(Int64)))') AS __k2
  FROM `wow`.`el_own` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`doc`)) = 'Tuple(String, String, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
