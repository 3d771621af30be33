CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_every_change_v1` (`__tenant` String, `c0` UInt8, `c1` Float32, `c2` String, `c3` LowCardinality(String), `c4` Nullable(String), `c5` DateTime64(3), `c6` DateTime, `c7` Decimal(10, 2), `c8` Date, `c9` UUID, `c10` Bool, `c11` Array(UInt8), `c12` Map(String, UInt8), `c13` Nullable(Int64), `c14` String, `c15` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:8384a2455216e52e30ccbe86b9075f1f2d6b1da5d811d60234a6f6a6355602ff","dataset":"shop.every-change","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `c0`,
  __s0.__k2 AS `c1`,
  __s0.__k3 AS `c2`,
  __s0.__k4 AS `c3`,
  __s0.__k5 AS `c4`,
  __s0.__k6 AS `c5`,
  __s0.__k7 AS `c6`,
  __s0.__k8 AS `c7`,
  __s0.__k9 AS `c8`,
  __s0.__k10 AS `c9`,
  __s0.__k11 AS `c10`,
  __s0.__k12 AS `c11`,
  __s0.__k13 AS `c12`,
  __s0.__k14 AS `c13`,
  __s0.__k15 AS `c14`,
  __s0.__k16 AS `c15`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`c0` AS __k1, __t0.`c1` AS __k2, __t0.`c2` AS __k3, __t0.`c3` AS __k4, __t0.`c4` AS __k5, __t0.`c5` AS __k6, __t0.`c6` AS __k7, __t0.`c7` AS __k8, __t0.`c8` AS __k9, __t0.`c9` AS __k10, __t0.`c10` AS __k11, __t0.`c11` AS __k12, __t0.`c12` AS __k13, if(isNull(dynamicElement(__t0.`c13`.`k`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`c13`.`k`, 'String'), 'Int64'), dynamicElement(__t0.`c13`.`k`, 'Int64')) AS __k14, toString(__t0.`c14`) AS __k15, toString(__t0.`c15`) AS __k16
  FROM `wow`.`d_every_change` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`c0`, __t0.`c1`, __t0.`c2`, __t0.`c3`, __t0.`c4`, __t0.`c5`, __t0.`c6`, __t0.`c7`, __t0.`c8`, __t0.`c9`, __t0.`c10`, __t0.`c11`, __t0.`c12`, __t0.`c13`)) = 'Tuple(String, UInt8, Float32, String, LowCardinality(String), Nullable(String), DateTime64(3), DateTime, Decimal(10, 2), Date, UUID, Bool, Array(UInt8), Map(String, UInt8), JSON)' AND startsWith(toTypeName(__t0.`c14`), 'Enum') AND startsWith(toTypeName(__t0.`c15`), 'Nullable(Enum'), JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
