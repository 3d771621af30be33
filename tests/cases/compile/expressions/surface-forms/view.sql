CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_surface_forms_v1` (`__tenant` String, `__owner` String, `__space` String, `a` Nullable(Int64), `b` Nullable(Decimal(38, 6)), `c` Nullable(Float64), `d` Nullable(Decimal(38, 2)), `e` Nullable(UUID), `f` Nullable(Date32), `g` Nullable(Decimal(18, 2)), `h` Nullable(Int64), `i` String, `j` Decimal(18, 1), `k` String, `l` Nullable(Decimal(38, 2)))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:0b867f1674e1287f921ac671a4b99e41bef02cf2714c14cd915ee02b9c9e745a","dataset":"shop.surface-forms","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `__space`,
  toInt64OrNull(__s0.__k3) AS `a`,
  CAST((CAST(__s0.__k4, 'Nullable(Decimal(76, 6))') / CAST('3', 'Decimal(76, 0)')), 'Nullable(Decimal(38, 6))') AS `b`,
  divideOrNull(__s0.__k5, 0) AS `c`,
  (CAST(__s0.__k4, 'Nullable(Decimal(38, 2))') * CAST(__s0.__k5, 'Nullable(Decimal(38, 0))')) AS `d`,
  toUUIDOrNull(__s0.__k6) AS `e`,
  if(match(__s0.__k6, '^(19|2[012])'), toDate32(parseDateTime64OrNull(__s0.__k6, '%Y-%m-%d', 'UTC'), 'UTC'), NULL) AS `f`,
  toDecimal64OrNull(__s0.__k6, 2) AS `g`,
  intDivOrNull(__s0.__k5, CAST(__s0.__k7, 'Int64')) AS `h`,
  if(__s0.__k7 = 0, leftUTF8(__s0.__k6, 0), substringUTF8(__s0.__k6, if(__s0.__k7 = 0, 1, __s0.__k7))) AS `i`,
  if((__s0.__k3 = 'PAID'), CAST('1', 'Decimal(18, 1)'), CAST('2.5', 'Decimal(18, 1)')) AS `j`,
  coalesce(__s0.__k3, 'none') AS `k`,
  (CAST(__s0.__k4, 'Nullable(Decimal(38, 2))') + CAST('0.1', 'Decimal(38, 2)')) AS `l`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`owner_id` AS __k1, __t0.`space_id` AS __k2, accurateCastOrNull(__t0.`state`.`status`, 'String') AS __k3, if(match(accurateCastOrNull(__t0.`state`.`amount`, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`amount`, 'String'), 'Decimal(18, 2)'), NULL) AS __k4, if(isNull(dynamicElement(__t0.`state`.`items`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`items`, 'String'), 'Int64'), dynamicElement(__t0.`state`.`items`, 'Int64')) AS __k5, __t0.`id` AS __k6, __t0.`version` AS __k7
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`version`, __t0.`deleted`, __t0.`state`)) = 'Tuple(String, String, String, String, UInt32, Bool, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
