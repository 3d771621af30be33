CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_level_of_the_column_covers_its_paths_v1` (`__tenant` String, `a` Nullable(String), `m` Nullable(Int64))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:490982ce22f3b0ba288a1263cd2963e1ef22db50fd628e497cb31e62aa5e2a9b","dataset":"shop.level-of-the-column-covers-its-paths","protection":{"a":{"level":"Confidential"},"m":{"level":"Confidential","withheld":true}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  if(isNull(__s0.__k1), NULL, repeat('*', least(lengthUTF8(__s0.__k1), 1000))) AS `a`,
  CAST(NULL, 'Nullable(Int64)') AS `m`
FROM (SELECT __t0.`tenant_id` AS __k0, accurateCastOrNull(__t0.`doc`.`a`, 'String') AS __k1, if(isNull(dynamicElement(__t0.`doc`.`m`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`doc`.`m`, 'String'), 'Int64'), dynamicElement(__t0.`doc`.`m`, 'Int64')) AS __k2
  FROM `wow`.`p_level_of_the_column_covers_its_paths` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`doc`)) = 'Tuple(String, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
