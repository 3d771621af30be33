CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_cache_v1` (`label` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:299e93a068ad3dd39f529375025722c017860fa42d13214df068873704f5fb12","dataset":"shop.cache","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `label`
FROM (SELECT __t0.`label` AS __k0
  FROM `wow`.`dc_cache` AS __t0
  WHERE 1 = CAST(if(toTypeName(tuple(__t0.`label`)) = 'Tuple(String)', 1, NULL) AS UInt8)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 1
