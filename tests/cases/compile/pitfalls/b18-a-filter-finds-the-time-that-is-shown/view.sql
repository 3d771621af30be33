CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_b18_a_filter_finds_the_time_that_is_shown_v1` (`__tenant` String, `id` String, `shown` String)
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:df5abd9586611c2318c3dda24cb287661e75e8925e3fc5f505549b61269d6fc6","dataset":"shop.b18-a-filter-finds-the-time-that-is-shown","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  toString(__s0.__k2, 'Asia/Tokyo') AS `shown`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, __t0.`at` AS __k2, __t0.`seconds` AS __k3
  FROM `wow`.`b18` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`at`, __t0.`seconds`)) = 'Tuple(String, String, DateTime64(3), DateTime)', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
WHERE ((__s0.__k2 = toDateTime64('2026-01-01 09:30:00.25', 3, 'Asia/Tokyo'))) AND ((__s0.__k3 >= toDateTime('2026-01-01 09:30:00', 'Asia/Tokyo'))) AND ((__s0.__k3 < toDateTime('2026-01-01 09:30:01', 'Asia/Tokyo')))
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
