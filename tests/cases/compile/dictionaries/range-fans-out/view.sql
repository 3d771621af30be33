CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_range_fans_out_v1` (`__tenant` String, `id` String, `v` UInt32, `label` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:8a80af8eed4bb0ae0600538272a63ffc49f2deafc148945714ecc9dd0a41c418","dataset":"shop.range-fans-out","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `v`,
  __s1.__k1 AS `label`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`v` AS __k2
  FROM `wow`.`dc_orders2` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`)) = 'Tuple(String, String, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
ALL LEFT JOIN (SELECT __t1.`code` AS __k0, __t1.`label` AS __k1
  FROM `wow`.`dc_range` AS __t1
  WHERE 1 = CAST(if(toTypeName((__t1.`code`, __t1.`label`)) = 'Tuple(String, String)', 1, NULL) AS UInt8)) AS __s1 ON __s0.__k1 = __s1.__k0
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
