CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_native_v1` (`__tenant` String, `id` String, `items` Array(Tuple(sku Nullable(String), qty Nullable(UInt32), kind Nullable(String), made Tuple(by Nullable(String)))))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:34d99b415b854ce89525222a8eeaabcd3daa66b694a3095863ce52f6c34846ae","dataset":"shop.native","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `items`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, CAST(arrayMap(__e -> tuple(CAST(tupleElement(__e, 'sku'), 'Nullable(String)'), CAST(tupleElement(__e, 'qty'), 'Nullable(UInt32)'), CAST(tupleElement(__e, 'kind'), 'Nullable(String)'), tuple(CAST(tupleElement(tupleElement(__e, 'made'), 'by'), 'Nullable(String)'))), __t0.`items`), 'Array(Tuple(sku Nullable(String), qty Nullable(UInt32), kind Nullable(String), made Tuple(by Nullable(String))))') AS __k2
  FROM `wow`.`el_native` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`items`)) = 'Tuple(String, String, Array(Tuple(sku LowCardinality(String), qty UInt32, kind Enum8(\'x\' = 1), made Tuple(by Nullable(String)))))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
