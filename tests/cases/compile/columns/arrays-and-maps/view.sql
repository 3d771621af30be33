CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_arrays_and_maps_v1` (`__tenant` String, `ae` Array(String), `al` Array(LowCardinality(Nullable(String))), `m` Map(LowCardinality(String), UInt32), `me` Map(String, String), `ll` LowCardinality(Nullable(String)), `lu` UInt32, `aa` Array(Array(UInt8)), `si` LowCardinality(String), `fs` FixedString(3))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:4df4dff749386e0d312371f755f091363ee7ac7f6fc73ea81e37c25d2a4bfa9d","dataset":"shop.arrays-and-maps","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `ae`,
  __s0.__k2 AS `al`,
  __s0.__k3 AS `m`,
  __s0.__k4 AS `me`,
  __s0.__k5 AS `ll`,
  __s0.__k6 AS `lu`,
  __s0.__k7 AS `aa`,
  __s0.__k8 AS `si`,
  __s0.__k9 AS `fs`
FROM (SELECT __t0.`tenant_id` AS __k0, CAST(__t0.`ae`, 'Array(String)') AS __k1, __t0.`al` AS __k2, __t0.`m` AS __k3, CAST(__t0.`me`, 'Map(String, String)') AS __k4, __t0.`ll` AS __k5, CAST(__t0.`lu`, 'UInt32') AS __k6, __t0.`aa` AS __k7, CAST(__t0.`si`, 'LowCardinality(String)') AS __k8, __t0.`fs` AS __k9
  FROM `wow`.`c_whole` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`ae`, __t0.`al`, __t0.`m`, __t0.`me`, __t0.`ll`, __t0.`lu`, __t0.`aa`, __t0.`si`, __t0.`fs`)) = 'Tuple(String, Array(Enum8(\'a\' = 1)), Array(LowCardinality(Nullable(String))), Map(LowCardinality(String), UInt32), Map(String, Enum8(\'a\' = 1)), LowCardinality(Nullable(String)), LowCardinality(UInt32), Array(Array(UInt8)), SimpleAggregateFunction(max, LowCardinality(String)), FixedString(3))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
