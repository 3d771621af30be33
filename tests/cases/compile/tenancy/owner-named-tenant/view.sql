CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_owner_named_tenant_v1` (`__tenant` String, `__owner` String, `__space` String, `id` String, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:df1ccfbbf40cc72247fb0a72e5a2854f47eba364dffe20a8a53b801217174d8c","dataset":"shop.owner-named-tenant","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k1 AS `__space`,
  __s0.__k2 AS `id`,
  __s0.__k3 AS `v`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`tenant` AS __k1, __t0.`id` AS __k2, __t0.`v` AS __k3
  FROM `wow`.`t_owner_named_tenant` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`, __t0.`tenant`)) = 'Tuple(String, String, UInt32, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) AND (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`tenant` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`tenant` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)'))) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
