CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_orders_v1` (`__tenant` String, `__owner` String, `__space` String, `order_id` String, `customer` Nullable(String), `month` Date32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:c66d914576f92225511846c25d51f238ef883a1784a20f2e06c00cc3df5632be","dataset":"shop.orders","protection":{"customer":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k2 AS `__owner`,
  __s0.__k3 AS `__space`,
  __s0.__k4 AS `order_id`,
  if(lengthUTF8(toValidUTF8(__s1.__k2)) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(__s1.__k2)), 1000)), concat(leftUTF8(toValidUTF8(__s1.__k2), 1), repeat('*', least(lengthUTF8(toValidUTF8(__s1.__k2)) - 1, 1000)))) AS `customer`,
  dateTrunc('month', fromUnixTimestamp64Second(toInt64(floor(CAST(toTimezone(__s0.__k5, 'UTC'), 'Decimal(38, 3)'), 0)), 'UTC'), 'UTC') AS `month`
FROM (SELECT __t0.`tenant_id` AS __k0, accurateCastOrNull(__t0.`state`.`customerId`, 'String') AS __k1, __t0.`owner_id` AS __k2, __t0.`space_id` AS __k3, __t0.`id` AS __k4, __t0.`created_at` AS __k5, accurateCastOrNull(__t0.`state`.`status`, 'String') AS __k6
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`deleted`, __t0.`created_at`, __t0.`state`)) = 'Tuple(String, String, String, String, Bool, DateTime64(3), JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
ALL LEFT JOIN (SELECT CAST(__t1.`tenant`, 'String') AS __k0, __t1.`id` AS __k1, __t1.`name` AS __k2
  FROM `crm`.`customers` AS __t1
  PREWHERE __t1.`tenant` = CAST(if(toTypeName((__t1.`tenant`, __t1.`id`, __t1.`name`)) = 'Tuple(LowCardinality(String), String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1
WHERE (ifNull(__s0.__k6 != 'CANCELLED', 1))
SETTINGS join_use_nulls = 1,
  use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
