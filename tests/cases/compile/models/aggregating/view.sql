CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_aggregating_v1` (`__tenant` String, `day` Date, `qty` UInt64, `users` UInt64, `peak` UInt32, `last` String, `mean` Nullable(Float64), `amount` Decimal(38, 2), `twice` Nullable(UInt64))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:3b479f3bb9a944b5b42cc6ecb68fb367f7aecae47ac59475a3a5f03d20682627","dataset":"shop.aggregating","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `day`,
  __s0.__k2 AS `qty`,
  __s0.__k3 AS `users`,
  __s0.__k4 AS `peak`,
  __s0.__k5 AS `last`,
  __s0.__k6 AS `mean`,
  __s0.__k7 AS `amount`,
  accurateCastOrNull((CAST(__s0.__k2, 'Int128') * CAST('2', 'Int128')), 'UInt64') AS `twice`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`day` AS __k1, finalizeAggregation(__t0.`qty`) AS __k2, finalizeAggregation(__t0.`users`) AS __k3, CAST(__t0.`peak`, 'UInt32') AS __k4, finalizeAggregation(__t0.`last`) AS __k5, finalizeAggregation(__t0.`mean`) AS __k6, finalizeAggregation(__t0.`amount`) AS __k7
  FROM `wow`.`aggregating` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`day`, __t0.`qty`, __t0.`users`, __t0.`peak`, __t0.`last`, __t0.`mean`, __t0.`amount`)) = 'Tuple(String, Date, AggregateFunction(sum, UInt32), AggregateFunction(uniqExact, String), SimpleAggregateFunction(max, UInt32), AggregateFunction(argMax, String, DateTime64(3)), AggregateFunction(avg, Nullable(Float64)), AggregateFunction(sumIf, Decimal(18, 2), UInt8))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
