CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_b22_null_is_not_equal_v1` (`__tenant` String, `id` String, `elsewhere` Nullable(UInt8), `outside` Nullable(UInt8))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:15c9f6af72d0f49e91f4cb24d7859da712c3da6dd8b76ee640b387454d8d42f1","dataset":"shop.b22-null-is-not-equal","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  (CAST(__s0.__k2, 'Nullable(String)') != 'north') AS `elsewhere`,
  (CAST(__s0.__k2, 'Nullable(String)') NOT IN ('north', 'south')) AS `outside`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`id` AS __k1, __t0.`region` AS __k2
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`region`)) = 'Tuple(LowCardinality(String), String, LowCardinality(Nullable(String)))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
WHERE (ifNull(__s0.__k2 != 'north', 1)) AND (ifNull((__s0.__k2 NOT IN ('south')), 1))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
