-- List
-- rows
SELECT __q.`id` AS `id` FROM (SELECT __v.`id`, __v.`day32` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`day32` >= {p0:Date32}, 0) ORDER BY __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = 1900-01-01
-- st = t1
-- l = 100
