CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_aggregate_declared_v1` (`__tenant` String, `__owner` String, `day` Date, `n` UInt64, `amount` Nullable(Decimal(38, 2)), `top` DateTime('UTC'), `label` String, `users` UInt64, `peak` UInt8, `bits` UInt16)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:e3eb26e5021ba02258f4ed8d456bbf7c5f10f76ea26f32a7d25d0efa9a73247d","dataset":"shop.aggregate-declared","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `day`,
  __s0.__k3 AS `n`,
  __s0.__k4 AS `amount`,
  __s0.__k5 AS `top`,
  __s0.__k6 AS `label`,
  __s0.__k7 AS `users`,
  __s0.__k8 AS `peak`,
  __s0.__k9 AS `bits`
FROM (SELECT __m0.__g0 AS __k0, __m0.__g1 AS __k1, __m0.__g2 AS __k2, __m0.__g3 AS __k3, __m0.__g4 AS __k4, __m0.__g5 AS __k5, __m0.__g6 AS __k6, __m0.__g7 AS __k7, __m0.__g8 AS __k8, __m0.__g9 AS __k9
  FROM (SELECT __t0.`tenant_id` AS __g0, __t0.`owner_id` AS __g1, __t0.`day` AS __g2, sum(__t0.`n`) AS __g3, sum(__t0.`amount`) AS __g4, max(__t0.`top`) AS __g5, any(CAST(__t0.`label`, 'String')) AS __g6, uniqExactMerge(__t0.`users`) AS __g7, max(CAST(__t0.`peak`, 'UInt8')) AS __g8, groupBitOr(__t0.`bits`) AS __g9
    FROM `wow`.`aggregate_declared` AS __t0
    PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`day`, __t0.`n`, __t0.`amount`, __t0.`top`, __t0.`label`, __t0.`users`, __t0.`peak`, __t0.`bits`)) = 'Tuple(String, String, Date, UInt32, Nullable(Decimal(18, 2)), DateTime(\'UTC\'), LowCardinality(String), AggregateFunction(uniqExact, String), SimpleAggregateFunction(max, UInt8), UInt16)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) GROUP BY __t0.`tenant_id`, __t0.`owner_id`, __t0.`day`
    SETTINGS aggregate_functions_null_for_empty = 0) AS __m0
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __m0.__g1 = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)'))) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
