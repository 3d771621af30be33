CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_bytes_v1` (`__tenant` String, `id` String, `a` String, `b` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:764a3d6cfb80dacbf56ac649829c56d3a671b9fd0677e794c2f1278cb0a3efcd","dataset":"shop.bytes","protection":{"a":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":1}},"b":{"level":"Display"}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  if(lengthUTF8(toValidUTF8(__s0.__k2)) <= 2, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k2), 1), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)) - 2, 1000)), rightUTF8(toValidUTF8(__s0.__k2), 1))) AS `a`,
  repeat('*', least(lengthUTF8(__s0.__k2), 1000)) AS `b`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`txt` AS __k2
  FROM `wow`.`mk_bytes` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`txt`)) = 'Tuple(String, String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
