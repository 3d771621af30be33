CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_dimension_as_subject_v1` (`code` String, `vat` Decimal(5, 2))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:e01fca4283a9c62f9b1d95bdb385db52700259d641600dc1c5d61456781312c2","dataset":"shop.dimension-as-subject","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `code`,
  __s0.__k1 AS `vat`
FROM (SELECT __t0.`code` AS __k0, __t0.`vat` AS __k1
  FROM `crm`.`regions` AS __t0
  PREWHERE 1 = CAST(if(toTypeName((__t0.`code`, __t0.`vat`)) = 'Tuple(String, Decimal(5, 2))', 1, NULL) AS UInt8)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
