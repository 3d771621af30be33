CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_b8_whole_numbers_do_not_wrap_v1` (`__tenant` String, `__owner` String, `__space` String, `id` String, `more` Nullable(Int64), `twice` Nullable(Int64), `sum_of_versions` UInt64, `before` Int64)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:8dfaaaa4cf3069fae86f5fa6f58029c4becd6ad12bfd009317d8e8a5c97b404f","dataset":"shop.b8-whole-numbers-do-not-wrap","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `__space`,
  __s0.__k3 AS `id`,
  accurateCastOrNull((CAST(__s0.__k4, 'Nullable(Int128)') + CAST('1', 'Int128')), 'Int64') AS `more`,
  accurateCastOrNull((CAST(__s0.__k4, 'Nullable(Int128)') * CAST('2', 'Int128')), 'Int64') AS `twice`,
  (__s0.__k5 + __s0.__k5) AS `sum_of_versions`,
  (__s0.__k5 - 5) AS `before`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`owner_id` AS __k1, __t0.`space_id` AS __k2, __t0.`id` AS __k3, if(isNull(dynamicElement(__t0.`state`.`items`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`items`, 'String'), 'Int64'), dynamicElement(__t0.`state`.`items`, 'Int64')) AS __k4, __t0.`version` AS __k5
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
