CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_alias_like_a_tuple_and_a_nested_column_v1` (`__tenant` String, `tenant_id` Array(String), `tup` String, `items` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:7e61943c35e801ad4cdc0e99c160fccbb43a845913ee6841048cf88399c69b69","dataset":"shop.alias-like-a-tuple-and-a-nested-column","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s1.__k2 AS `tenant_id`,
  __s0.__k1 AS `tup`,
  __s1.__k1 AS `items`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1
  FROM `wow`.`n_tuple` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`)) = 'Tuple(String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
ALL INNER JOIN (SELECT __t1.`tenant_id` AS __k0, __t1.`id` AS __k1, __t1.`items.tenant_id` AS __k2
  FROM `wow`.`n_tuple` AS __t1
  PREWHERE __t1.`tenant_id` = CAST(if(toTypeName((__t1.`tenant_id`, __t1.`id`, __t1.`items.tenant_id`)) = 'Tuple(String, String, Array(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1
SETTINGS join_use_nulls = 1,
  use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
