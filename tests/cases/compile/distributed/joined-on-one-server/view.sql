CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_joined_on_one_server_v1` (`__tenant` String, `id` String, `v` UInt32, `customer` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:d125ea02e0c5cf8497aed23c09d63495300b532dc6b81e0eeed2007c7c9682f4","dataset":"shop.joined-on-one-server","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k2 AS `id`,
  __s0.__k3 AS `v`,
  __s1.__k2 AS `customer`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`customer` AS __k1, __t0.`id` AS __k2, __t0.`v` AS __k3
  FROM `wow`.`jd_o` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`customer`, __t0.`v`)) = 'Tuple(String, String, String, UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
ALL LEFT JOIN (SELECT CAST(__t1.`tenant`, 'String') AS __k0, __t1.`id` AS __k1, __t1.`name` AS __k2
  FROM `wow`.`jd_c` AS __t1
  PREWHERE __t1.`tenant` = CAST(if(toTypeName((__t1.`tenant`, __t1.`id`, __t1.`name`)) = 'Tuple(LowCardinality(String), String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1
SETTINGS join_use_nulls = 1,
  use_variant_as_common_type = 0,
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
