CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_odd_names_v1` (`__tenant` String, `p0` Nullable(String), `p1` Nullable(String), `p2` Nullable(String), `p3` Nullable(String), `p4` Nullable(String), `p5` Nullable(String), `p6` Nullable(String), `p7` Nullable(String), `p8` Nullable(String), `p9` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:c8c344cb11e9502139572b6ccf6c74eac22973e9d401da1e3fb66dc1f3d2278b","dataset":"shop.odd-names","protection":{},"version":1}'
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
FROM (SELECT __t0.`tenant_id` AS __k0, accurateCastOrNull(__t0.`doc`.`a`.`b`.`c`, 'String') AS __k1, accurateCastOrNull(__t0.`doc`.`with space`, 'String') AS __k2, accurateCastOrNull(__t0.`doc`.`ümlaut`, 'String') AS __k3, accurateCastOrNull(__t0.`doc`.`quo'te`, 'String') AS __k4, accurateCastOrNull(__t0.`doc`.`back\`tick`, 'String') AS __k5, accurateCastOrNull(__t0.`doc`.`sla\\sh`, 'String') AS __k6, accurateCastOrNull(__t0.`doc`.`a-b`.`c d`, 'String') AS __k7, accurateCastOrNull(__t0.`doc`.`0`, 'String') AS __k8, accurateCastOrNull(__t0.`doc`.`SELECT`, 'String') AS __k9, accurateCastOrNull(__t0.`doc`.`Case`, 'String') AS __k10
  FROM `wow`.`p_odd_names` AS __t0
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
