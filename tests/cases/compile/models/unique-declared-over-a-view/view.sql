CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_unique_declared_over_a_view_v1` (`__tenant` String, `__owner` String, `id` String, `s` Nullable(String), `day` Date, `note` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:2ff1f70122df364509eceb6bd2ea924fefcf0e2b175f4ec910e1cf45a941cb03","dataset":"shop.unique-declared-over-a-view","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `__owner`,
  __s0.__k2 AS `id`,
  __s0.__k3 AS `s`,
  __s0.__k4 AS `day`,
  __s0.__k5 AS `note`
FROM (SELECT __m0.__k0 AS __k0, __m0.__k1 AS __k1, __m0.__k2 AS __k2, __m0.__k3 AS __k3, __m0.__k4 AS __k4, __m0.__k5 AS __k5
  FROM (SELECT CAST(__t0.`tenant_id`, 'String') AS __k0, __t0.`owner_id` AS __k1, __t0.`id` AS __k2, accurateCastOrNull(__t0.`state`.`s`, 'String') AS __k3, __t0.`day` AS __k4, __t0.`note` AS __k5, __t0.`owner_id` AS __l6, __t0.`gone` AS __l7
    FROM `wow`.`unique_declared_over_a_view` AS __t0
    WHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`ver`, __t0.`gone`, __t0.`owner_id`, __t0.`day`, __t0.`state`, __t0.`note`)) = 'Tuple(LowCardinality(String), String, UInt64, Bool, String, Date, JSON, Nullable(String))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String) ORDER BY __t0.`ver` DESC LIMIT 1 BY __t0.`tenant_id`, __t0.`id`
    SETTINGS optimize_move_to_prewhere = 0) AS __m0
  WHERE (JSONExtractRaw(getSetting('log_comment'), 'owner') = 'null' OR __m0.__l6 = JSONExtract(getSetting('log_comment'), 'owner', 'Nullable(String)')) AND NOT __m0.__l7) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
