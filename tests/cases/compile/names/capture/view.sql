CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_capture_v1` (`__tenant` String, `__owner` String, `__space` String, `tenant_id` String, `state` String, `id` String, `deleted` UInt8, `owner_id` String, `created_at` String, `o` Nullable(String), `k0` UInt32, `_v` DateTime64(3))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:b25a767dc83a5d02d5668a1b0d43c8385433da76b8bbf919559e66a1ec71ddf2","dataset":"shop.capture","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `__space`,
  'T-a' AS `tenant_id`,
  'x' AS `state`,
  'one' AS `id`,
  (1 = 1) AS `deleted`,
  'u-1' AS `owner_id`,
  __s0.__k3 AS `created_at`,
  __s0.__k4 AS `o`,
  __s0.__k5 AS `k0`,
  __s0.__k6 AS `_v`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`owner_id` AS __k1, __t0.`space_id` AS __k2, __t0.`id` AS __k3, accurateCastOrNull(__t0.`state`.`status`, 'String') AS __k4, __t0.`version` AS __k5, __t0.`created_at` AS __k6, __t0.`tenant_id` AS __k7
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`version`, __t0.`deleted`, __t0.`created_at`, __t0.`state`)) = 'Tuple(String, String, String, String, UInt32, Bool, DateTime64(3), JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
WHERE ((__s0.__k7 = 'T-a')) AND ((__s0.__k3 != 'nobody'))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
