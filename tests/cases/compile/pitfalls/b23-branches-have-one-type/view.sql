CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_b23_branches_have_one_type_v1` (`__tenant` String, `__owner` String, `__space` String, `id` String, `either` Decimal(18, 1), `first` Int64, `last` Nullable(Decimal(38, 2)))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:aaf55feff858dba8a4c4209603f89a4e98097e729441c93ec2ba5b3605fe7de5","dataset":"shop.b23-branches-have-one-type","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `__space`,
  __s0.__k3 AS `id`,
  if((__s0.__k4 > 1), CAST(__s0.__k4, 'Decimal(18, 1)'), CAST('1.5', 'Decimal(18, 1)')) AS `either`,
  coalesce(__s0.__k5, CAST(__s0.__k4, 'Int64')) AS `first`,
  multiIf((__s0.__k4 = 1), CAST(__s0.__k6, 'Nullable(Decimal(38, 2))'), (__s0.__k4 = 2), CAST(__s0.__k4, 'Decimal(38, 2)'), CAST('0', 'Decimal(38, 2)')) AS `last`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`owner_id` AS __k1, __t0.`space_id` AS __k2, __t0.`id` AS __k3, __t0.`version` AS __k4, if(isNull(dynamicElement(__t0.`state`.`items`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`items`, 'String'), 'Int64'), dynamicElement(__t0.`state`.`items`, 'Int64')) AS __k5, if(match(accurateCastOrNull(__t0.`state`.`amount`, 'String'), '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$'), accurateCastOrNull(accurateCastOrNull(__t0.`state`.`amount`, 'String'), 'Decimal(18, 2)'), NULL) AS __k6
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
