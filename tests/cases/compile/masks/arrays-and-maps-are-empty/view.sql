CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_arrays_and_maps_are_empty_v1` (`__tenant` String, `m` Map(String, String), `au` Array(UInt32))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:cba0888f7336cd53ceae3b18bc7bd6e69c4d91d49f44962722b781411abca6a6","dataset":"shop.arrays-and-maps-are-empty","protection":{"au":{"level":"Confidential","withheld":true},"m":{"level":"Display","withheld":true}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  CAST(map(), 'Map(String, String)') AS `m`,
  CAST([], 'Array(UInt32)') AS `au`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`m` AS __k1, __t0.`au` AS __k2
  FROM `wow`.`m_arrays_and_maps` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`m`, __t0.`au`)) = 'Tuple(String, Map(String, String), Array(UInt32))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
