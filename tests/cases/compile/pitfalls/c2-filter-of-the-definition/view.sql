CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_c2_filter_of_the_definition_v1` (`__tenant` String, `id` String, `day` Date)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:62f8d2b6cd51369bb36edaf5773c5a3fe26383a86510211612b21e9a0b58bd43","dataset":"shop.c2-filter-of-the-definition","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `day`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`day` AS __k2
  FROM `wow`.`c2f` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`day`)) = 'Tuple(String, String, Date)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
WHERE ((__s0.__k2 = CAST('2026-01-01', 'Date')))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
