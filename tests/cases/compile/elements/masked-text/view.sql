CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_masked_text_v1` (`__tenant` String, `id` String, `items` Array(Tuple(sku Nullable(String), email Nullable(String), salary Nullable(Int64), open Nullable(Int64))))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:223370c56ed06d9a387790388ff690d04b07c3d124e523f17c23558dc612d74e","dataset":"shop.masked-text","protection":{"items":{"level":"Confidential"}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `items`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, CAST(arrayMap(__x -> tuple(tupleElement(__x, 1), if(lengthUTF8(toValidUTF8(tupleElement(__x, 2))) <= 2, repeat('*', least(lengthUTF8(toValidUTF8(tupleElement(__x, 2))), 1000)), concat(leftUTF8(toValidUTF8(tupleElement(__x, 2)), 2), repeat('*', least(lengthUTF8(toValidUTF8(tupleElement(__x, 2))) - 2, 1000)))), CAST(NULL, 'Nullable(Int64)'), tupleElement(__x, 4)), CAST(arrayMap(__e -> tuple(tupleElement(__e, 1), tupleElement(__e, 2), accurateCastOrNull(tupleElement(__e, 3), 'Int64'), accurateCastOrNull(tupleElement(__e, 4), 'Int64')), JSONExtract(__t0.`doc`, 'items', 'Array(Tuple(sku Nullable(String), email Nullable(String), salary Nullable(String), open Nullable(String)))')), 'Array(Tuple(sku Nullable(String), email Nullable(String), salary Nullable(Int64), open Nullable(Int64)))')), 'Array(Tuple(sku Nullable(String), email Nullable(String), salary Nullable(Int64), open Nullable(Int64)))') AS __k2
  FROM `wow`.`el_masked_text` AS __t0
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
