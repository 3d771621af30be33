CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_like_v1` (`__tenant` String, `id` String, `a` Nullable(Int64), `b` Nullable(Int64), `c` Nullable(Int64), `d` Nullable(Int64), `e` Nullable(Int64), `f` Array(Tuple(keys Nullable(Int64), values Nullable(Int64), size Nullable(Int64), size1 Nullable(Int64))), `g` Array(Tuple(size0 Nullable(Int64))))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:b37bf882128c779759902485811a8f9d5177db8dd9f8c3ab711e8b621beb6a15","dataset":"shop.like","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `a`,
  __s0.__k3 AS `b`,
  __s0.__k4 AS `c`,
  __s0.__k5 AS `d`,
  __s0.__k6 AS `e`,
  __s0.__k7 AS `f`,
  __s0.__k8 AS `g`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, if(isNull(dynamicElement(__t0.`doc`.`null`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`null`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`null`, 'Int64')) AS __k2, if(isNull(dynamicElement(__t0.`doc`.`size0`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`size0`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`size0`, 'Int64')) AS __k3, if(isNull(dynamicElement(__t0.`doc`.`keys`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`keys`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`keys`, 'Int64')) AS __k4, if(isNull(dynamicElement(__t0.`doc`.`a`.`null`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`a`.`null`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`a`.`null`, 'Int64')) AS __k5, if(isNull(dynamicElement(__t0.`doc`.`a`.`size0`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`a`.`size0`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`a`.`size0`, 'Int64')) AS __k6, if(empty(__t0.`doc`.`items`[].`keys`), CAST(arrayMap(__e -> tuple(accurateCastOrNull(tupleElement(__e, 1), 'Int64'), accurateCastOrNull(tupleElement(__e, 2), 'Int64'), accurateCastOrNull(tupleElement(__e, 3), 'Int64'), accurateCastOrNull(tupleElement(__e, 4), 'Int64')), JSONExtract(ifNull(toJSONString(__t0.`doc`.`items`), ''), 'Array(Tuple(keys Nullable(String), values Nullable(String), size Nullable(String), size1 Nullable(String)))')), 'Array(Tuple(keys Nullable(Int64), values Nullable(Int64), size Nullable(Int64), size1 Nullable(Int64)))'), CAST(arrayMap((__e0, __e1, __e2, __e3) -> tuple(if(isNull(dynamicElement(__e0, 'Int64')), accurateCastOrNull(accurateCastOrNull(__e0, 'String'), 'Int64'), dynamicElement(__e0, 'Int64')), if(isNull(dynamicElement(__e1, 'Int64')), accurateCastOrNull(accurateCastOrNull(__e1, 'String'), 'Int64'), dynamicElement(__e1, 'Int64')), if(isNull(dynamicElement(__e2, 'Int64')), accurateCastOrNull(accurateCastOrNull(__e2, 'String'), 'Int64'), dynamicElement(__e2, 'Int64')), if(isNull(dynamicElement(__e3, 'Int64')), accurateCastOrNull(accurateCastOrNull(__e3, 'String'), 'Int64'), dynamicElement(__e3, 'Int64'))), __t0.`doc`.`items`[].`keys`, __t0.`doc`.`items`[].`values`, __t0.`doc`.`items`[].`size`, __t0.`doc`.`items`[].`size1`), 'Array(Tuple(keys Nullable(Int64), values Nullable(Int64), size Nullable(Int64), size1 Nullable(Int64)))')) AS __k7, CAST(arrayMap(__e -> tuple(accurateCastOrNull(tupleElement(__e, 1), 'Int64')), JSONExtract(__t0.`txt`, 'items', 'Array(Tuple(size0 Nullable(String)))')), 'Array(Tuple(size0 Nullable(Int64)))') AS __k8
  FROM `wow`.`el_like` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`doc`, __t0.`txt`)) = 'Tuple(String, String, JSON, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
