CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_b7_a_decimal_is_divided_exactly_v1` (`__tenant` String, `id` String, `fiftieth` Decimal(38, 6), `third` Decimal(38, 6), `squared` Decimal(38, 4))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:fb49bc2c423a1fe9e06802eb54b34fe35700140c94a1fdc63141c3bfc6a04750","dataset":"shop.b7-a-decimal-is-divided-exactly","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  CAST((CAST(__s0.__k2, 'Decimal(76, 6)') / CAST('50', 'Decimal(76, 0)')), 'Decimal(38, 6)') AS `fiftieth`,
  CAST((CAST(__s0.__k2, 'Decimal(76, 6)') / CAST('3', 'Decimal(76, 0)')), 'Decimal(38, 6)') AS `third`,
  (CAST(__s0.__k2, 'Decimal(38, 2)') * CAST(__s0.__k2, 'Decimal(38, 2)')) AS `squared`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`id` AS __k1, __t0.`credit` AS __k2
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`credit`)) = 'Tuple(LowCardinality(String), String, Decimal(18, 2))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
