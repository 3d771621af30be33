CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_summing_any_v1` (`__tenant` String, `day` Date, `label` String, `n` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:0bb9ec7634e97d87060e61cef38836495103936f2a47fa93a060ab8680356dc7","dataset":"shop.summing-any","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `day`,
  __s0.__k2 AS `label`,
  __s0.__k3 AS `n`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`day` AS __k1, __t0.`label` AS __k2, __t0.`n` AS __k3
  FROM `wow`.`summing_any` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`day`, __t0.`n`, __t0.`label`)) = 'Tuple(String, Date, UInt32, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
