CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_own_stricter_v1` (`__tenant` String, `a` String, `b` String, `c` Nullable(String), `d` Nullable(Decimal(18, 2)), `e` Array(String), `f` String, `g` Nullable(UInt64))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:9509b59d9c7cad027c4c7480190683921d1ff3d2d24522fc51a3ad8ad1fc6916","dataset":"shop.own-stricter","protection":{"a":{"level":"Confidential"},"b":{"level":"Display"},"c":{"level":"Display","mask":{"keepPrefix":0,"keepSuffix":3}},"d":{"level":"Display","withheld":true},"e":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}},"f":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}},"g":{"level":"Confidential","withheld":true}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  repeat('*', least(lengthUTF8(__s0.__k1), 1000)) AS `a`,
  repeat('*', least(lengthUTF8(__s0.__k2), 1000)) AS `b`,
  if(lengthUTF8(toValidUTF8(__s0.__k3)) <= 3, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k3)), 1000)), concat(repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k3)) - 3, 1000)), rightUTF8(toValidUTF8(__s0.__k3), 3))) AS `c`,
  CAST(NULL, 'Nullable(Decimal(18, 2))') AS `d`,
  arrayMap(__x -> if(lengthUTF8(toValidUTF8(__x)) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(__x)), 1000)), concat(leftUTF8(toValidUTF8(__x), 1), repeat('*', least(lengthUTF8(toValidUTF8(__x)) - 1, 1000)))), __s0.__k5) AS `e`,
  if(lengthUTF8(toValidUTF8(upperUTF8(__s0.__k1))) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(upperUTF8(__s0.__k1))), 1000)), concat(leftUTF8(toValidUTF8(upperUTF8(__s0.__k1)), 1), repeat('*', least(lengthUTF8(toValidUTF8(upperUTF8(__s0.__k1))) - 1, 1000)))) AS `f`,
  CAST(NULL, 'Nullable(UInt64)') AS `g`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`id` AS __k1, __t0.`name` AS __k2, __t0.`phone` AS __k3, __t0.`credit` AS __k4, __t0.`tags` AS __k5, __t0.`visits` AS __k6
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`name`, __t0.`phone`, __t0.`tags`, __t0.`credit`, __t0.`visits`)) = 'Tuple(LowCardinality(String), String, String, Nullable(String), Array(String), Decimal(18, 2), UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
