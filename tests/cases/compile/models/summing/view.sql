CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_summing_v1` (`__tenant` String, `day` Date, `n` UInt32, `amount` Decimal(18, 2), `opt` Nullable(Int32), `low` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:d49e3c1c519f1dd1a38b228d3d4597adefcc6c8a65c57ffd5391ff76ab650305","dataset":"shop.summing","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `day`,
  __s0.__k2 AS `n`,
  __s0.__k3 AS `amount`,
  __s0.__k4 AS `opt`,
  __s0.__k5 AS `low`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`day` AS __k1, __t0.`n` AS __k2, __t0.`amount` AS __k3, __t0.`opt` AS __k4, CAST(__t0.`low`, 'UInt32') AS __k5
  FROM `wow`.`summing` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`day`, __t0.`n`, __t0.`amount`, __t0.`opt`, __t0.`low`)) = 'Tuple(String, Date, UInt32, Decimal(18, 2), Nullable(Int32), LowCardinality(UInt32))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
WHERE ((__s0.__k2 >= 3))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
