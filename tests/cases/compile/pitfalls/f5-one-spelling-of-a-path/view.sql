CREATE VIEW IF NOT EXISTS `wow_datasets`.`ds_shop_f5_one_spelling_of_a_path_v1` (`__tenant` String, `id` String, `a` Nullable(Int64), `b` Nullable(Int64), `c` Nullable(Int64), `d` Nullable(Int64))
DEFINER = `catalog` SQL SECURITY DEFINER
COMMENT '{"catalog":"8f0c","contentHash":"sha256:3282f9315172fc5e34108cc53ea52d920a6208be5551177ca0d7bfb87ff9d2c3","dataset":"shop.f5-one-spelling-of-a-path","protection":{},"version":1}'
AS SELECT __s0.__k0 AS `__tenant`,
  __s0.__k1 AS `id`,
  __s0.__k2 AS `a`,
  __s0.__k3 AS `b`,
  __s0.__k4 AS `c`,
  __s0.__k5 AS `d`
FROM (SELECT __t0.`tenant_id` AS __k0, __t0.`id` AS __k1, if(isNull(dynamicElement(__t0.`a`.`x`.`y`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`a`.`x`.`y`, 'String'), 'Int64'), dynamicElement(__t0.`a`.`x`.`y`, 'Int64')) AS __k2, if(isNull(dynamicElement(__t0.`b`.`x`.`y`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`b`.`x`.`y`, 'String'), 'Int64'), dynamicElement(__t0.`b`.`x`.`y`, 'Int64')) AS __k3, CAST(__t0.`c`.`x`.`y`, 'Nullable(Int64)') AS __k4, if(isNull(dynamicElement(__t0.`d`.`x`.`y`, 'Int64')), accurateCastOrNull(accurateCastOrNull(__t0.`d`.`x`.`y`, 'String'), 'Int64'), dynamicElement(__t0.`d`.`x`.`y`, 'Int64')) AS __k5
  FROM `wow`.`f5` AS __t0
  PREWHERE __t0.`tenant_id` = CAST(if(toTypeName((__t0.`tenant_id`, __t0.`id`, __t0.`a`, __t0.`b`, __t0.`c`, __t0.`d`)) = 'Tuple(String, String, JSON, JSON(x JSON), JSON(`x.y` Int64), Nullable(JSON))', JSONExtract(getSetting('log_comment'), 'tenant', 'Nullable(String)'), NULL) AS String)) AS __s0
SETTINGS use_variant_as_common_type = 0,
  print_pretty_type_names = 0,
  enable_named_columns_in_function_tuple = 0,
  cast_keep_nullable = 0,
  transform_null_in = 0,
  final = 0,
  do_not_merge_across_partitions_select_final = 0,
  apply_deleted_mask = 1,
  optimize_move_to_prewhere_if_final = 0
