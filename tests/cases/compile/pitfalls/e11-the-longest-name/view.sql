CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_e11nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn_v1` (`__tenant` String, `id` String, `label` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:e58ddb5a9269aa6e6fd0acdb3f24a3d5d616bce42fcae88e158b081d9bd5bf37","dataset":"shop.e11nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k2 AS `id`,
  __s1.__k1 AS `label`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`region` AS __k1, __t0.`id` AS __k2
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`region`)) = 'Tuple(LowCardinality(String), String, LowCardinality(Nullable(String)))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
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
