CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_fingerprint_v1` (`__tenant` String, `a` String, `b` String, `computed` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:a74db5ec36d6051690fb5a672b0954c2502dabb6edf595586db2185fb88e213d","dataset":"shop.fingerprint","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `a`,
  __s0.__k2 AS `b`,
  __s0.__k3 AS `computed`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`a` AS __k1, __t0.`b` AS __k2, __t0.`computed` AS __k3
  FROM `wow`.`d_fingerprint` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`a`, __t0.`b`, __t0.`computed`)) = 'Tuple(String, String, String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
