CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_in_the_zone_of_the_dataset_v1` (`__tenant` String, `__owner` String, `__space` String, `day` Date32, `month` Date32, `hour` UInt8, `utc` Date32, `text` String, `read` Nullable(DateTime64(0, 'Asia/Tokyo')), `late` UInt8)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:0b38c5059b63854c1eff0a2c29f2acf6153d5cce6a12f845d9721dc03fe633b9","dataset":"shop.in-the-zone-of-the-dataset","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `__space`,
  toDate32(__s0.__k3, 'Asia/Tokyo') AS `day`,
  dateTrunc('month', fromUnixTimestamp64Second(toInt64(floor(CAST(toTimezone(__s0.__k3, 'Asia/Tokyo'), 'Decimal(38, 3)'), 0)), 'Asia/Tokyo'), 'Asia/Tokyo') AS `month`,
  toHour(__s0.__k3, 'Asia/Tokyo') AS `hour`,
  toDate32(__s0.__k3, 'UTC') AS `utc`,
  toString(__s0.__k3, 'Asia/Tokyo') AS `text`,
  fromUnixTimestamp64Second(toInt64(floor(CAST(if(match(__s0.__k4, '^(19|2[012])'), coalesce(parseDateTime64OrNull(__s0.__k4, '%Y-%m-%d %H:%i:%s', 'Asia/Tokyo'), parseDateTime64OrNull(__s0.__k4, '%Y-%m-%dT%H:%i:%s', 'Asia/Tokyo'), toTimezone(parseDateTime64OrNull(__s0.__k4, '%Y-%m-%dT%H:%i:%sZ', 'UTC'), 'Asia/Tokyo'), parseDateTime64OrNull(__s0.__k4, '%Y-%m-%d %H:%i:%s.%f', 'Asia/Tokyo'), parseDateTime64OrNull(__s0.__k4, '%Y-%m-%dT%H:%i:%s.%f', 'Asia/Tokyo'), toTimezone(parseDateTime64OrNull(__s0.__k4, '%Y-%m-%dT%H:%i:%s.%fZ', 'UTC'), 'Asia/Tokyo')), NULL), 'Nullable(Decimal(38, 6))'), 0)), 'Asia/Tokyo') AS `read`,
  (__s0.__k3 > toDateTime64('2026-01-31 23:30:00', 3, 'Asia/Tokyo')) AS `late`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`owner_id` AS __k1, __t0.`space_id` AS __k2, __t0.`created_at` AS __k3, accurateCastOrNull(__t0.`state`.`status`, 'String') AS __k4
  FROM `wow`.`shop_order_state` AS __t0 FINAL
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`owner_id`, __t0.`space_id`, __t0.`deleted`, __t0.`created_at`, __t0.`state`)) = 'Tuple(String, String, String, Bool, DateTime64(3), JSON)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __t0.`owner_id` = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND (JSONExtractRaw(getSetting('log_comment'), 'space') = 'null' OR __t0.`space_id` = JSONExtract(getSetting('log_comment'), 'space', 'Nullable(String)')) AND NOT __t0.`deleted`) AS __s0
WHERE ((__s0.__k3 >= toDateTime64('2026-01-01 00:00:00', 3, 'Asia/Tokyo')))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
