CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_every_kind_of_value_on_the_optional_side_v1` (`__tenant` String, `__owner` String, `__space` String, `id` String, `tenant` LowCardinality(Nullable(String)), `name` Nullable(String), `email` Nullable(String), `phone` Nullable(String), `region` LowCardinality(Nullable(String)), `tier` Nullable(String), `rank` Nullable(String), `tags` Array(String), `notes` Map(String, String), `credit` Nullable(Decimal(18, 2)), `visits` Nullable(UInt32), `uid` Nullable(UUID), `born` Nullable(Date32), `city` Nullable(String), `spent` Nullable(Decimal(38, 2)))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:0f4423ff6a220d9729403296533a914b99bbdc6046257438b285c50fe58ba54c","dataset":"shop.every-kind-of-value-on-the-optional-side","protection":{"email":{"level":"Confidential","mask":{"keepPrefix":2,"keepSuffix":4}},"name":{"level":"Display","mask":{"keepPrefix":1,"keepSuffix":0}},"phone":{"comparable":true,"level":"Display","mask":{"keepPrefix":0,"keepSuffix":3}}},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k2 AS `__owner`,
  __s0.__k3 AS `__space`,
  __s0.__k4 AS `id`,
  __s1.__k2 AS `tenant`,
  if(lengthUTF8(toValidUTF8(__s1.__k3)) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(__s1.__k3)), 1000)), concat(leftUTF8(toValidUTF8(__s1.__k3), 1), repeat('*', least(lengthUTF8(toValidUTF8(__s1.__k3)) - 1, 1000)))) AS `name`,
  if(lengthUTF8(toValidUTF8(__s1.__k4)) <= 6, repeat('*', least(lengthUTF8(toValidUTF8(__s1.__k4)), 1000)), concat(leftUTF8(toValidUTF8(__s1.__k4), 2), repeat('*', least(lengthUTF8(toValidUTF8(__s1.__k4)) - 6, 1000)), rightUTF8(toValidUTF8(__s1.__k4), 4))) AS `email`,
  __s1.__k5 AS `phone`,
  __s1.__k6 AS `region`,
  __s1.__k7 AS `tier`,
  __s1.__k8 AS `rank`,
  __s1.__k9 AS `tags`,
  __s1.__k10 AS `notes`,
  __s1.__k11 AS `credit`,
  __s1.__k12 AS `visits`,
  __s1.__k13 AS `uid`,
  __s1.__k14 AS `born`,
  __s1.__k15 AS `city`,
  (CAST(__s1.__k11, 'Nullable(Decimal(38, 2))') * CAST(__s1.__k12, 'Nullable(Decimal(38, 0))')) AS `spent`
FROM (SELECT __t0.`tenant_id` AS __k0, accurateCastOrNull(__t0.`state`.`customerId`, 'String') AS __k1, __t0.`owner_id` AS __k2, __t0.`space_id` AS __k3, __t0.`id` AS __k4
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`id`, __t0.`deleted`, __t0.`state`)) = 'Tuple(String, String, String, String, Bool, JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
ALL LEFT JOIN (SELECT CAST(__t1.`tenant`, 'String') AS __k0, __t1.`id` AS __k1, __t1.`tenant` AS __k2, __t1.`name` AS __k3, __t1.`email` AS __k4, __t1.`phone` AS __k5, __t1.`region` AS __k6, toString(__t1.`tier`) AS __k7, toString(__t1.`rank`) AS __k8, __t1.`tags` AS __k9, __t1.`notes` AS __k10, __t1.`credit` AS __k11, __t1.`visits` AS __k12, __t1.`uid` AS __k13, __t1.`born` AS __k14, JSONExtract(__t1.`body`, 'city', 'Nullable(String)') AS __k15
  FROM `crm`.`customers` AS __t1
  PREWHERE __t1.`tenant` = CAST(if(toTypeName((__t1.`tenant`, __t1.`id`, __t1.`name`, __t1.`email`, __t1.`phone`, __t1.`region`, __t1.`tags`, __t1.`notes`, __t1.`credit`, __t1.`visits`, __t1.`uid`, __t1.`born`, __t1.`body`)) = 'Tuple(LowCardinality(String), String, String, String, Nullable(String), LowCardinality(Nullable(String)), Array(String), Map(String, String), Decimal(18, 2), UInt32, UUID, Nullable(Date32), String)' AND startsWith(toTypeName(__t1.`tier`), 'Enum') AND startsWith(toTypeName(__t1.`rank`), 'Nullable(Enum'), JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s1 ON __s0.__k0 = __s1.__k0 AND __s0.__k1 = __s1.__k1
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
