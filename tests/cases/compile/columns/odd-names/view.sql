CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_odd_names_v1` (`__tenant` String, `a` String, `b` UInt8, `c` UInt8, `d` UInt16)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:1433b4df3d86a31bc4c17e0dfdf435a763dda4aeb5138020bd6ea038d458017f","dataset":"shop.odd-names","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `a`,
  __s0.__k2 AS `b`,
  __s0.__k3 AS `c`,
  (__s0.__k4 + 1) AS `d`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`order no` AS __k1, __t0.`it\`s \\x` AS __k2, __t0.`Straße` AS __k3, __t0.`quo'te` AS __k4
  FROM `wow`.`c_odd_names` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`order no`, __t0.`it\`s \\x`, __t0.`Straße`, __t0.`quo'te`)) = 'Tuple(String, String, UInt8, UInt8, UInt8)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
