CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_own_looser_v1` (`__tenant` String, `a` String, `b` String, `c` String, `d` String, `e` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:7f832a3930d0e25ea7ab69b4d2e5ca2faa3d1bf0cbbc19023b41bad4fe7366e6","dataset":"shop.own-looser","protection":{"b":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":0}},"c":{"comparable":true,"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}},"d":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":4}},"e":{"level":"Confidential","mask":{"keepPrefix":3,"keepSuffix":0}}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `a`,
  if(lengthUTF8(toValidUTF8(__s0.__k1)) <= 2, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k1)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k1), 2), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k1)) - 2, 1000)))) AS `b`,
  __s0.__k1 AS `c`,
  if(lengthUTF8(toValidUTF8(__s0.__k2)) <= 6, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k2), 2), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)) - 6, 1000)), rightUTF8(toValidUTF8(__s0.__k2), 4))) AS `d`,
  if(lengthUTF8(toValidUTF8(__s0.__k2)) <= 3, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k2), 3), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)) - 3, 1000)))) AS `e`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`name` AS __k1, __t0.`email` AS __k2
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`name`, __t0.`email`)) = 'Tuple(LowCardinality(String), String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
