CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_level_of_a_part_covers_the_whole_v1` (`__tenant` String, `a` Nullable(String), `ab` Nullable(String), `b` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:648281de4d4b3ab63a09cd231287329e70aa46e41872b77e5c96d6797431a73c","dataset":"shop.level-of-a-part-covers-the-whole","protection":{"a":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":0}},"b":{"level":"Display","mask":{"keepPrefix":2,"keepSuffix":0}}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  if(lengthUTF8(toValidUTF8(__s0.__k1)) <= 2, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k1)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k1), 2), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k1)) - 2, 1000)))) AS `a`,
  __s0.__k2 AS `ab`,
  if(lengthUTF8(toValidUTF8(__s0.__k3)) <= 2, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k3)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k3), 2), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k3)) - 2, 1000)))) AS `b`
FROM (SELECT __t0.`tenant_id` AS __k0, accurateCastOrNull(__t0.`doc`.`a`, 'String') AS __k1, accurateCastOrNull(__t0.`doc`.`ab`, 'String') AS __k2, accurateCastOrNull(__t0.`doc`.`a`.`b`, 'String') AS __k3
  FROM `wow`.`p_level_of_a_part_covers_the_whole` AS __t0
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
