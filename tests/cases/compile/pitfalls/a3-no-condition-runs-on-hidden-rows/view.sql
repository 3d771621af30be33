CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_a3_no_condition_runs_on_hidden_rows_v1` (`__tenant` String, `tenant_id` String, `id` UInt8, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:36817afdd0bb95687e3e6bb0a93d6791720679543c6dad15cd80379bbb200836","dataset":"shop.a3-no-condition-runs-on-hidden-rows","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `tenant_id`,
  __s0.__k2 AS `id`,
  __s0.__k3 AS `v`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`tenant_id` AS __k1, __t0.`id` AS __k2, __t0.`v` AS __k3
  FROM `wow`.`a3` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`v`)) = 'Tuple(String, UInt8, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
