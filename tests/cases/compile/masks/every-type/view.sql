CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_every_type_v1` (`__tenant` String, `s` String, `n` Nullable(String), `l` String, `ln` Nullable(String), `f` String, `e` String, `en` Nullable(String), `a` Array(String), `an` Array(Nullable(String)), `al` Array(String), `aa` Array(Array(String)), `u` Nullable(UInt64), `d` Nullable(Decimal(18, 2)), `t` Nullable(DateTime64(3)), `b` Nullable(Bool), `uu` Nullable(UUID), `lu` Nullable(UInt32))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:9ba004fc8769ac8e9b709eb098165a4fac52965b792047376716715fe41784cb","dataset":"shop.every-type","protection":{"a":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"aa":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"al":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"an":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"b":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1},"withheld":true},"d":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1},"withheld":true},"e":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"en":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"f":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"l":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"ln":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"lu":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1},"withheld":true},"n":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"s":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1}},"t":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1},"withheld":true},"u":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1},"withheld":true},"uu":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":1},"withheld":true}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  if(lengthUTF8(__s0.__k1) <= 3, repeat('*', least(lengthUTF8(__s0.__k1), 1000)), concat(leftUTF8(__s0.__k1, 2), repeat('*', least(lengthUTF8(__s0.__k1) - 3, 1000)), rightUTF8(__s0.__k1, 1))) AS `s`,
  if(lengthUTF8(__s0.__k2) <= 3, repeat('*', least(lengthUTF8(__s0.__k2), 1000)), concat(leftUTF8(__s0.__k2, 2), repeat('*', least(lengthUTF8(__s0.__k2) - 3, 1000)), rightUTF8(__s0.__k2, 1))) AS `n`,
  if(lengthUTF8(CAST(__s0.__k3, 'String')) <= 3, repeat('*', least(lengthUTF8(CAST(__s0.__k3, 'String')), 1000)), concat(leftUTF8(CAST(__s0.__k3, 'String'), 2), repeat('*', least(lengthUTF8(CAST(__s0.__k3, 'String')) - 3, 1000)), rightUTF8(CAST(__s0.__k3, 'String'), 1))) AS `l`,
  if(lengthUTF8(CAST(__s0.__k4, 'Nullable(String)')) <= 3, repeat('*', least(lengthUTF8(CAST(__s0.__k4, 'Nullable(String)')), 1000)), concat(leftUTF8(CAST(__s0.__k4, 'Nullable(String)'), 2), repeat('*', least(lengthUTF8(CAST(__s0.__k4, 'Nullable(String)')) - 3, 1000)), rightUTF8(CAST(__s0.__k4, 'Nullable(String)'), 1))) AS `ln`,
  if(lengthUTF8(CAST(__s0.__k5, 'String')) <= 3, repeat('*', least(lengthUTF8(CAST(__s0.__k5, 'String')), 1000)), concat(leftUTF8(CAST(__s0.__k5, 'String'), 2), repeat('*', least(lengthUTF8(CAST(__s0.__k5, 'String')) - 3, 1000)), rightUTF8(CAST(__s0.__k5, 'String'), 1))) AS `f`,
  if(lengthUTF8(__s0.__k6) <= 3, repeat('*', least(lengthUTF8(__s0.__k6), 1000)), concat(leftUTF8(__s0.__k6, 2), repeat('*', least(lengthUTF8(__s0.__k6) - 3, 1000)), rightUTF8(__s0.__k6, 1))) AS `e`,
  if(lengthUTF8(__s0.__k7) <= 3, repeat('*', least(lengthUTF8(__s0.__k7), 1000)), concat(leftUTF8(__s0.__k7, 2), repeat('*', least(lengthUTF8(__s0.__k7) - 3, 1000)), rightUTF8(__s0.__k7, 1))) AS `en`,
  arrayMap(__x -> if(lengthUTF8(__x) <= 3, repeat('*', least(lengthUTF8(__x), 1000)), concat(leftUTF8(__x, 2), repeat('*', least(lengthUTF8(__x) - 3, 1000)), rightUTF8(__x, 1))), __s0.__k8) AS `a`,
  arrayMap(__x -> if(lengthUTF8(__x) <= 3, repeat('*', least(lengthUTF8(__x), 1000)), concat(leftUTF8(__x, 2), repeat('*', least(lengthUTF8(__x) - 3, 1000)), rightUTF8(__x, 1))), __s0.__k9) AS `an`,
  arrayMap(__x -> if(lengthUTF8(CAST(__x, 'String')) <= 3, repeat('*', least(lengthUTF8(CAST(__x, 'String')), 1000)), concat(leftUTF8(CAST(__x, 'String'), 2), repeat('*', least(lengthUTF8(CAST(__x, 'String')) - 3, 1000)), rightUTF8(CAST(__x, 'String'), 1))), __s0.__k10) AS `al`,
  arrayMap(__x -> arrayMap(__x -> if(lengthUTF8(__x) <= 3, repeat('*', least(lengthUTF8(__x), 1000)), concat(leftUTF8(__x, 2), repeat('*', least(lengthUTF8(__x) - 3, 1000)), rightUTF8(__x, 1))), __x), __s0.__k11) AS `aa`,
  CAST(NULL, 'Nullable(UInt64)') AS `u`,
  CAST(NULL, 'Nullable(Decimal(18, 2))') AS `d`,
  CAST(NULL, 'Nullable(DateTime64(3))') AS `t`,
  CAST(NULL, 'Nullable(Bool)') AS `b`,
  CAST(NULL, 'Nullable(UUID)') AS `uu`,
  CAST(NULL, 'Nullable(UInt32)') AS `lu`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`s` AS __k1, __t0.`n` AS __k2, __t0.`l` AS __k3, __t0.`ln` AS __k4, __t0.`f` AS __k5, toString(__t0.`e`) AS __k6, toString(__t0.`en`) AS __k7, __t0.`a` AS __k8, __t0.`an` AS __k9, __t0.`al` AS __k10, __t0.`aa` AS __k11, __t0.`u` AS __k12, __t0.`d` AS __k13, __t0.`t` AS __k14, __t0.`b` AS __k15, __t0.`uu` AS __k16, CAST(__t0.`lu`, 'UInt32') AS __k17
  FROM `wow`.`m_every_type` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`s`, __t0.`n`, __t0.`l`, __t0.`ln`, __t0.`f`, __t0.`a`, __t0.`an`, __t0.`al`, __t0.`aa`, __t0.`u`, __t0.`d`, __t0.`t`, __t0.`b`, __t0.`uu`, __t0.`lu`)) = 'Tuple(String, String, Nullable(String), LowCardinality(String), LowCardinality(Nullable(String)), FixedString(4), Array(String), Array(Nullable(String)), Array(LowCardinality(String)), Array(Array(String)), UInt64, Decimal(18, 2), DateTime64(3), Bool, UUID, LowCardinality(UInt32))' AND startsWith(toTypeName(__t0.`e`), 'Enum') AND startsWith(toTypeName(__t0.`en`), 'Nullable(Enum'), JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
