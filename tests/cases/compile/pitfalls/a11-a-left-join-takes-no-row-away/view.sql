CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_a11_a_left_join_takes_no_row_away_v1` (`__tenant` String, `__owner` String, `__space` String, `order` String, `carrier` Nullable(String), `weight` Nullable(Float64))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:839447aedf30006a6c7bc617f059cc20a1783e9fa721b8580d5aca3521c13f30","dataset":"shop.a11-a-left-join-takes-no-row-away","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k3 AS `__owner`,
  __s0.__k4 AS `__space`,
  __s0.__k1 AS `order`,
  __s1.__k3 AS `carrier`,
  __s1.__k4 AS `weight`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`owner_id` AS __k2, __t0.`owner_id` AS __k3, __t0.`space_id` AS __k4
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`deleted`)) = 'Tuple(String, String, String, String, Bool)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
ALL LEFT JOIN (SELECT __t1.`tenant_id` AS __k0, __t1.`order_id` AS __k1, __t1.`owner_id` AS __k2, __t1.`carrier` AS __k3, __t1.`weight` AS __k4
  FROM `wow`.`shipments` AS __t1 FINAL
  PREWHERE __t1.`tenant_id` = CAST(if(toTypeName((__t1.`tenant_id`, __t1.`order_id`, __t1.`owner_id`, __t1.`carrier`, __t1.`weight`)) = 'Tuple(String, String, String, Nullable(String), Float64)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1 AND __s0.__k2 = __s1.__k2
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
