CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_a_dimension_v1` (`id` String, `v` UInt32)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:c8130f23f382b097b7716382da2be48c0ce3a5e54d7e793f6484798f2bd45ebf","dataset":"shop.a-dimension","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `id`,
  __s0.__k1 AS `v`
FROM (SELECT __t0.`id` AS __k0, __t0.`v` AS __k1
  FROM `wow`.`vw_dimension` AS __t0
  WHERE 1 = CAST(if(toTypeName((__t0.`id`, __t0.`v`)) = 'Tuple(String, UInt32)', 1, NULL) AS UInt8)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
