CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_unique_declared_filtered_v1` (`__tenant` String, `id` String, `s` Nullable(String), `day` Date, `note` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:cb810c0fc9603c74242f032e5356990cbdd8beab12f23445dbdd9002c8604aef","dataset":"shop.unique-declared-filtered","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `s`,
  __s0.__k3 AS `day`,
  __s0.__k4 AS `note`
FROM (SELECT __m0.__k0 AS __k0, __m0.__k1 AS __k1, __m0.__k2 AS __k2, __m0.__k3 AS __k3, __m0.__k4 AS __k4
  FROM (SELECT CAST(__t0.`tenant_id`, 'String') AS __k0, __t0.`id` AS __k1, accurateCastOrNull(__t0.`state`.`s`, 'String') AS __k2, __t0.`day` AS __k3, __t0.`note` AS __k4, __t0.`gone` AS __l5
    FROM `wow`.`unique_declared_filtered` AS __t0
    PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`ver`, __t0.`gone`, __t0.`day`, __t0.`state`, __t0.`note`)) = 'Tuple(LowCardinality(String), String, UInt64, Bool, Date, JSON, Nullable(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) ORDER BY __t0.`ver` DESC LIMIT 1 BY __t0.`tenant_id`, __t0.`id`) AS __m0
  WHERE NOT __m0.__l5) AS __s0
WHERE (ifNull(__s0.__k2 = 'NEW', 0)) AND ((__s0.__k3 = CAST('2026-01-01', 'Date')))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
