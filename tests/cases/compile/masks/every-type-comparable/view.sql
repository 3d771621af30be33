CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_every_type_comparable_v1` (`__tenant` String, `s` String, `n` Nullable(String), `l` LowCardinality(String), `ln` LowCardinality(Nullable(String)), `f` FixedString(4), `e` String, `en` Nullable(String), `a` Array(String), `an` Array(Nullable(String)), `al` Array(LowCardinality(String)), `aa` Array(Array(String)), `u` UInt64, `d` Decimal(18, 2), `t` DateTime64(3), `b` Bool, `uu` UUID, `lu` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:81adb128fb55b256468a19f44c128040511da84030d60cc93a14a4e8cc0fd89c","dataset":"shop.every-type-comparable","protection":{"a":{"comparable":true,"level":"Display"},"aa":{"comparable":true,"level":"Display"},"al":{"comparable":true,"level":"Display"},"an":{"comparable":true,"level":"Display"},"b":{"comparable":true,"level":"Display","withheld":true},"d":{"comparable":true,"level":"Display","withheld":true},"e":{"comparable":true,"level":"Display"},"en":{"comparable":true,"level":"Display"},"f":{"comparable":true,"level":"Display"},"l":{"comparable":true,"level":"Display"},"ln":{"comparable":true,"level":"Display"},"lu":{"comparable":true,"level":"Display","withheld":true},"n":{"comparable":true,"level":"Display"},"s":{"comparable":true,"level":"Display"},"t":{"comparable":true,"level":"Display","withheld":true},"u":{"comparable":true,"level":"Display","withheld":true},"uu":{"comparable":true,"level":"Display","withheld":true}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `s`,
  __s0.__k2 AS `n`,
  __s0.__k3 AS `l`,
  __s0.__k4 AS `ln`,
  __s0.__k5 AS `f`,
  __s0.__k6 AS `e`,
  __s0.__k7 AS `en`,
  __s0.__k8 AS `a`,
  __s0.__k9 AS `an`,
  __s0.__k10 AS `al`,
  __s0.__k11 AS `aa`,
  __s0.__k12 AS `u`,
  __s0.__k13 AS `d`,
  __s0.__k14 AS `t`,
  __s0.__k15 AS `b`,
  __s0.__k16 AS `uu`,
  __s0.__k17 AS `lu`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`s` AS __k1, __t0.`n` AS __k2, __t0.`l` AS __k3, __t0.`ln` AS __k4, __t0.`f` AS __k5, toString(__t0.`e`) AS __k6, toString(__t0.`en`) AS __k7, __t0.`a` AS __k8, __t0.`an` AS __k9, __t0.`al` AS __k10, __t0.`aa` AS __k11, __t0.`u` AS __k12, __t0.`d` AS __k13, __t0.`t` AS __k14, __t0.`b` AS __k15, __t0.`uu` AS __k16, CAST(__t0.`lu`, 'UInt32') AS __k17
  FROM `wow`.`m_every_type_comparable` AS __t0
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
