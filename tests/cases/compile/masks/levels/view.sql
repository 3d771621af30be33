CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_levels_v1` (`__tenant` String, `id` String, `name` String, `email` String, `phone` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:d77f48a05f14925a7818fccb0773b8af0894b3a65d778279050e2eb9c5b7c82d","dataset":"shop.levels","protection":{"email":{"level":"Confidential","mask":{"keepPrefix":2,"keepSuffix":4}},"name":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}},"phone":{"comparable":true,"level":"Display","mask":{"keepPrefix":0,"keepSuffix":3}}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  if(lengthUTF8(toValidUTF8(__s0.__k2)) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k2), 1), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)) - 1, 1000)))) AS `name`,
  if(lengthUTF8(toValidUTF8(__s0.__k3)) <= 6, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k3)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k3), 2), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k3)) - 6, 1000)), rightUTF8(toValidUTF8(__s0.__k3), 4))) AS `email`,
  __s0.__k4 AS `phone`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`id` AS __k1, __t0.`name` AS __k2, __t0.`email` AS __k3, __t0.`phone` AS __k4
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`name`, __t0.`email`, __t0.`phone`)) = 'Tuple(LowCardinality(String), String, String, String, Nullable(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
