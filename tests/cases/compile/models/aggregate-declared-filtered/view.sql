CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_aggregate_declared_filtered_v1` (`__tenant` String, `day` Date, `n` UInt64)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:1e1deae5ac99b126adbec1965e8d1d372738ad65bbf9cffc36c09f7d82b733c3","dataset":"shop.aggregate-declared-filtered","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `day`,
  __s0.__k2 AS `n`
FROM (SELECT __m0.__g0 AS __k0, __m0.__g2 AS __k1, __m0.__g3 AS __k2
  FROM (SELECT __t0.`tenant_id` AS __g0, __t0.`owner_id` AS __g1, __t0.`day` AS __g2, sum(__t0.`n`) AS __g3
    FROM `wow`.`aggregate_declared_filtered` AS __t0
    PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`day`, __t0.`n`)) = 'Tuple(String, String, Date, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) GROUP BY __t0.`tenant_id`, __t0.`owner_id`, __t0.`day`
    SETTINGS aggregate_functions_null_for_empty = 0) AS __m0) AS __s0
WHERE ((__s0.__k2 > 4000000000))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
