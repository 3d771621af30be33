CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_e10_names_that_grouping_knows_v1` (`__tenant` String, `cube` String, `rollup` Nullable(String), `totals` UInt32, `grouping` UInt64, `final` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:2bebfe6950e9a9372d9576d7c8de372b12c83c2bddb7fd0e3d1de44c28e4ac70","dataset":"shop.e10-names-that-grouping-knows","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k2 AS `cube`,
  __s1.__k1 AS `rollup`,
  __s0.__k3 AS `totals`,
  (__s0.__k3 + 1) AS `grouping`,
  __s0.__k4 AS `final`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`region` AS __k1, __t0.`id` AS __k2, __t0.`visits` AS __k3, toString(__t0.`tier`) AS __k4
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`region`, __t0.`visits`)) = 'Tuple(LowCardinality(String), String, LowCardinality(Nullable(String)), UInt32)' AND startsWith(toTypeName(__t0.`tier`), 'Enum'), JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
ALL LEFT JOIN (SELECT __t1.`code` AS __k0, __t1.`label` AS __k1
  FROM `crm`.`regions` AS __t1
  PREWHERE 1 = CAST(if(toTypeName((__t1.`code`, __t1.`label`)) = 'Tuple(String, String)', 1, NULL) AS UInt8)) AS __s1 ON __s0.__k1 = __s1.__k0
SETTINGS join_use_nulls = 1,
  use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
