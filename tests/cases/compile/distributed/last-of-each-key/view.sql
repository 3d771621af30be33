CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_last_of_each_key_v1` (`__tenant` String, `id` String, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:5ff3af2a40d94bd94b0e53f8ee88c056c46bc312ab00b2282e4302483cf515b4","dataset":"shop.last-of-each-key","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `v`
FROM (SELECT __m0.__k0 AS __k0, __m0.__k1 AS __k1, __m0.__k2 AS __k2
  FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`v` AS __k2
    FROM `wow`.`di_last_of_each_key` AS __t0
    PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`)) = 'Tuple(String, String, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) ORDER BY __t0.`v` DESC LIMIT 1 BY __t0.`tenant_id`, __t0.`id`) AS __m0) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0,
  skip_unavailable_shards = 0,
  distributed_group_by_no_merge = 0,
  distributed_product_mode = 'deny',
  allow_nondeterministic_optimize_skip_unused_shards = 0
