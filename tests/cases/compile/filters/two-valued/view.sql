CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_two_valued_v1` (`__tenant` String, `__owner` String, `__space` String, `id` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:80d5dca8a607c92a50e7fa0c392d94a2b1d57f5e4c6fdf10daad9f10c83f8b99","dataset":"shop.two-valued","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `__space`,
  __s0.__k3 AS `id`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`owner_id` AS __k1, __t0.`space_id` AS __k2, __t0.`id` AS __k3, accurateCastOrNull(__t0.`state`.`status`, 'String') AS __k4, if(match(accurateCastOrNull(__t0.`state`.`amount`, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`amount`, 'String'), 'Decimal(18, 2)'), NULL) AS __k5, __t0.`created_at` AS __k6, if(isNull(dynamicElement(__t0.`state`.`items`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`items`, 'String'), 'Int64'), dynamicElement(__t0.`state`.`items`, 'Int64')) AS __k7, __t0.`version` AS __k8
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`version`, __t0.`deleted`, __t0.`created_at`, __t0.`state`)) = 'Tuple(String, String, String, String, UInt32, Bool, DateTime64(3), JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
WHERE (ifNull(__s0.__k4 != 'CANCELLED', 1)) AND (ifNull(__s0.__k4 != 'NEW', 1)) AND ((ifNull(__s0.__k5 > CAST('5', 'Decimal(18, 2)'), 0) OR isNull(__s0.__k5))) AND (ifNull((__s0.__k4 IN ('PAID', 'SHIPPED', 'NEW')), 0)) AND (ifNull((__s0.__k4 NOT IN ('X')), 1)) AND (((isNull(__s0.__k5) OR __s0.__k5 < CAST('1', 'Decimal(18, 2)')) OR (isNull(__s0.__k5) OR __s0.__k5 > CAST('2', 'Decimal(18, 2)')))) AND (((__s0.__k6 >= toDateTime64('2026-01-01 00:00:00', 3, 'UTC')) AND (__s0.__k6 <= toDateTime64('2026-12-31 00:00:00', 3, 'UTC')))) AND (((isNull(__s0.__k7) OR __s0.__k7 < 7) OR (isNull(__s0.__k7) OR __s0.__k7 > 9))) AND (((isNull(__s0.__k7) OR __s0.__k7 < 5) OR ((isNull(__s0.__k5) OR __s0.__k5 >= CAST('3', 'Decimal(18, 2)')) AND isNotNull(__s0.__k4)))) AND ((0 OR 1)) AND ((__s0.__k8 != 0))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
