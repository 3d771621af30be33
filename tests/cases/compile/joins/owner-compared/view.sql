CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_owner_compared_v1` (`__tenant` String, `__owner` String, `__space` String, `id` String, `carrier` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:50f4ee6866f1f1007b190404b96879c1feb7a481fe22c00d82684c99be10f73f","dataset":"shop.owner-compared","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k3 AS `__owner`,
  __s0.__k4 AS `__space`,
  __s0.__k1 AS `id`,
  __s1.__k3 AS `carrier`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`owner_id` AS __k2, __t0.`owner_id` AS __k3, __t0.`space_id` AS __k4
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`deleted`)) = 'Tuple(String, String, String, String, Bool)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
ALL INNER JOIN (SELECT __t1.`tenant_id` AS __k0, __t1.`order_id` AS __k1, __t1.`owner_id` AS __k2, __t1.`carrier` AS __k3
  FROM `wow`.`shipments` AS __t1 FINAL
  PREWHERE __t1.`tenant_id` = CAST(if(toTypeName((__t1.`tenant_id`, __t1.`order_id`, __t1.`owner_id`, __t1.`carrier`)) = 'Tuple(String, String, String, Nullable(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1 AND __s0.__k2 = __s1.__k2
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
