CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_json_typed_every_type_v1` (`__tenant` String, `id` String, `n` Nullable(Decimal(9, 2)), `e` Nullable(String), `t` Nullable(DateTime64(3, 'UTC')), `s` Nullable(String), `l` Array(Nullable(String)), `u` Nullable(Int64), `free` Nullable(String))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:97b601ec84537daabb9599a50f93701ad31d3600b25bd0b1bb748689ef4da926","dataset":"shop.json-typed-every-type","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `n`,
  __s0.__k3 AS `e`,
  __s0.__k4 AS `t`,
  __s0.__k5 AS `s`,
  __s0.__k6 AS `l`,
  __s0.__k7 AS `u`,
  __s0.__k8 AS `free`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, CAST(__t0.`doc`.`n`, 'Nullable(Decimal(9, 2))') AS __k2, accurateCastOrNull(toString(__t0.`doc`.`e`), 'String') AS __k3, CAST(__t0.`doc`.`t`, 'Nullable(DateTime64(3, \'UTC\'))') AS __k4, CAST(__t0.`doc`.`s`, 'Nullable(String)') AS __k5, CAST(__t0.`doc`.`l`, 'Array(Nullable(String))') AS __k6, accurateCastOrNull(toString(__t0.`doc`.`u`), 'Int64') AS __k7, accurateCastOrNull(__t0.`doc`.`free`, 'String') AS __k8
  FROM `wow`.`p_typed` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`doc`)) = 'Tuple(String, String, JSON(e Enum8(\'a\' = 1), l Array(String), n Decimal(9, 2), s String, t DateTime64(3, \'UTC\'), u UInt8, SKIP hidden))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
