CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_protected_in_a_computation_v1` (`__tenant` String, `id` String, `plain` String, `loud` String, `alone` String, `nested` Nullable(String), `strictest` String, `length` Nullable(UInt64), `known` Nullable(UInt8), `folded` Nullable(UInt8), `equal` Nullable(UInt8), `parts` Array(String), `stricter` String, `looser` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:69c394a36b1a2aff7bb5c87444673e219ad9fd377d17df74c62790008957d3d5","dataset":"shop.protected-in-a-computation","protection":{"alone":{"level":"Display"},"equal":{"level":"Display","withheld":true},"folded":{"level":"Display","withheld":true},"known":{"level":"Display","withheld":true},"length":{"level":"Display","withheld":true},"looser":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}},"loud":{"level":"Display"},"nested":{"level":"Display"},"parts":{"level":"Confidential"},"plain":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}},"stricter":{"level":"Confidential"},"strictest":{"level":"Confidential"}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  if(lengthUTF8(toValidUTF8(__s0.__k2)) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)), 1000)), concat(leftUTF8(toValidUTF8(__s0.__k2), 1), repeat('*', least(lengthUTF8(toValidUTF8(__s0.__k2)) - 1, 1000)))) AS `plain`,
  repeat('*', least(lengthUTF8(upperUTF8(__s0.__k2)), 1000)) AS `loud`,
  repeat('*', least(lengthUTF8(__s0.__k2), 1000)) AS `alone`,
  if(isNull(concat(lowerUTF8(coalesce(__s0.__k3, __s0.__k2)), '-', CAST(__s0.__k4, 'Nullable(String)'))), NULL, repeat('*', least(lengthUTF8(concat(lowerUTF8(coalesce(__s0.__k3, __s0.__k2)), '-', CAST(__s0.__k4, 'Nullable(String)'))), 1000))) AS `nested`,
  repeat('*', least(lengthUTF8(if((__s0.__k2 = 'x'), __s0.__k5, __s0.__k1)), 1000)) AS `strictest`,
  CAST(NULL, 'Nullable(UInt64)') AS `length`,
  CAST(NULL, 'Nullable(UInt8)') AS `known`,
  CAST(NULL, 'Nullable(UInt8)') AS `folded`,
  CAST(NULL, 'Nullable(UInt8)') AS `equal`,
  arrayMap(__x -> repeat('*', least(lengthUTF8(__x), 1000)), splitByString('@', __s0.__k5)) AS `parts`,
  repeat('*', least(lengthUTF8(upperUTF8(__s0.__k2)), 1000)) AS `stricter`,
  if(lengthUTF8(toValidUTF8(upperUTF8(__s0.__k2))) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(upperUTF8(__s0.__k2))), 1000)), concat(leftUTF8(toValidUTF8(upperUTF8(__s0.__k2)), 1), repeat('*', least(lengthUTF8(toValidUTF8(upperUTF8(__s0.__k2))) - 1, 1000)))) AS `looser`
FROM (SELECT CAST(__t0.`tenant`, 'String') AS __k0, __t0.`id` AS __k1, __t0.`name` AS __k2, __t0.`phone` AS __k3, __t0.`region` AS __k4, __t0.`email` AS __k5, __t0.`visits` AS __k6
  FROM `crm`.`customers` AS __t0
  PREWHERE __t0.`tenant` = CAST(if(toTypeName((__t0.`tenant`, __t0.`id`, __t0.`name`, __t0.`email`, __t0.`phone`, __t0.`region`, __t0.`visits`)) = 'Tuple(LowCardinality(String), String, String, String, Nullable(String), LowCardinality(Nullable(String)), UInt32)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
WHERE ((__s0.__k5 != 'a')) AND ((__s0.__k6 >= 0)) AND ((isNotNull(__s0.__k3) OR (__s0.__k2 = 'x')))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
