CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_joined_on_one_shard_v1_local` (`__tenant` String, `id` String, `customer` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:ea8ed809d8297472f676e671559807fe325d0c88f208eba0d5fe671813189379","dataset":"shop.joined-on-one-shard","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k2 AS `id`,
  __s1.__k2 AS `customer`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`customer` AS __k1, __t0.`id` AS __k2
  FROM `wow`.`no_e_local` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`customer`)) = 'Tuple(String, String, String)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
ALL LEFT JOIN (SELECT CAST(__t1.`tenant`, 'String') AS __k0, __t1.`id` AS __k1, __t1.`name` AS __k2
  FROM `wow`.`nc_e_local` AS __t1 FINAL
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
  optimize_move_to_prewhere_if_final = 0

CREATE TABLE IF NOT EXISTS `wow_datasets`.`ds_shop_joined_on_one_shard_v1_dist` (`__tenant` String, `id` String, `customer` Nullable(String)) ENGINE = Distributed('c', 'wow_datasets', 'ds_shop_joined_on_one_shard_v1_local')
COMMENT '{"catalog":"8f0c","contentHash":"sha256:ea8ed809d8297472f676e671559807fe325d0c88f208eba0d5fe671813189379","dataset":"shop.joined-on-one-shard","protection":{},"version":1}'

CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_joined_on_one_shard_v1` (`__tenant` String, `id` String, `customer` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:ea8ed809d8297472f676e671559807fe325d0c88f208eba0d5fe671813189379","dataset":"shop.joined-on-one-shard","protection":{},"version":1}'
AS SELECT __q.`__tenant` AS `__tenant`,
  __q.`id` AS `id`,
  __q.`customer` AS `customer`
FROM `wow_datasets`.`ds_shop_joined_on_one_shard_v1_dist` AS __q
SETTINGS optimize_skip_unused_shards = 1,
  skip_unavailable_shards = 0
