CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_alias_like_a_json_column_v1` (`__tenant` String, `id` String, `tenant_id` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:d8b9f04fd4e0a9426a3b0e99c0eb732d28c31fe69cb5246ba26c2867a81decba","dataset":"shop.alias-like-a-json-column","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `tenant_id`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, CAST(__t0.`state`.`tenant_id`, 'Nullable(String)') AS __k2
  FROM `wow`.`n_json` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`state`)) = 'Tuple(String, String, JSON(tenant_id String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
WHERE (isNotNull(__s0.__k2))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
