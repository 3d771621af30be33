CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_joined_to_itself_v1` (`__tenant` String, `__owner` String, `__space` String, `id` String, `previous` Nullable(String), `amount` Nullable(Decimal(18, 2)))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:5259a1b3a4e86d5e9a51f2aa41d295a498f67abbe16d01fcb49ed7260946298b","dataset":"shop.joined-to-itself","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k2 AS `__owner`,
  __s0.__k3 AS `__space`,
  __s0.__k4 AS `id`,
  __s1.__k1 AS `previous`,
  __s1.__k2 AS `amount`
FROM (SELECT __t0.`tenant_id` AS __k0, accurateCastOrNull(__t0.`state`.`customerId`, 'String') AS __k1, __t0.`owner_id` AS __k2, __t0.`space_id` AS __k3, __t0.`id` AS __k4
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`deleted`, __t0.`state`)) = 'Tuple(String, String, String, String, Bool, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
ALL LEFT JOIN (SELECT __t1.`tenant_id` AS __k0, __t1.`id` AS __k1, if(match(accurateCastOrNull(__t1.`state`.`amount`, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__t1.`state`.`amount`, 'String'), 'Decimal(18, 2)'), NULL) AS __k2
  FROM `wow`.`shop_order_state` AS __t1 FINAL
  PREWHERE __t1.`tenant_id` = CAST(if(toTypeName((__t1.`tenant_id`, __t1.`id`, __t1.`deleted`, __t1.`state`)) = 'Tuple(String, String, Bool, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE NOT __t1.`deleted`) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1
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
