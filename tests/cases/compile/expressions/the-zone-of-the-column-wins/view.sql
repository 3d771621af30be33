CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_the_zone_of_the_column_wins_v1` (`__tenant` String, `__owner` String, `__space` String, `shipped_on` Date32, `placed_on` Date32, `delay` Int64)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:5c5fbfabe493cc292f161c568490191932e90b24d86055fb628cd85df7f610a0","dataset":"shop.the-zone-of-the-column-wins","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k3 AS `__owner`,
  __s0.__k4 AS `__space`,
  toDate32(__s1.__k3, 'Asia/Tokyo') AS `shipped_on`,
  toDate32(__s0.__k5, 'Europe/Berlin') AS `placed_on`,
  dateDiff('hour', __s0.__k5, __s1.__k3, 'Europe/Berlin') AS `delay`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`owner_id` AS __k2, __t0.`owner_id` AS __k3, __t0.`space_id` AS __k4, __t0.`created_at` AS __k5
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`deleted`, __t0.`created_at`)) = 'Tuple(String, String, String, String, Bool, DateTime64(3))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
ALL INNER JOIN (SELECT __t1.`tenant_id` AS __k0, __t1.`order_id` AS __k1, __t1.`owner_id` AS __k2, __t1.`shipped_at` AS __k3
  FROM `wow`.`shipments` AS __t1 FINAL
  PREWHERE __t1.`tenant_id` = CAST(if(toTypeName((__t1.`tenant_id`, __t1.`order_id`, __t1.`owner_id`, __t1.`shipped_at`)) = 'Tuple(String, String, String, DateTime64(3, \'Asia/Tokyo\'))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1 AND __s0.__k2 = __s1.__k2
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
