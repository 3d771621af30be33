CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_type_1_v1` (`__tenant` String, `p` Array(Nullable(String)))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:0db3c3103dfa12586dd82e3e490c21ae90d07ac355607d20360d83dd9b85c166","dataset":"shop.type-1","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `p`
FROM (SELECT __t0.`tenant_id` AS __k0, JSONExtract(ifNull(toJSONString(__t0.`doc`.`a`), ''), 'Array(Nullable(String))') AS __k1
  FROM `wow`.`p_type_1` AS __t0
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
