-- List
-- rows
SELECT __q.`id` AS `id` FROM (SELECT __v.`id`, __v.`ip6` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(toString(__q.`ip6`) = {p0:String}, 0) ORDER BY __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = ::1
-- st = t1
-- l = 100
