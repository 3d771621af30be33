-- List
-- rows
SELECT __q.`id` AS `id` FROM (SELECT __v.`id`, __v.`ip4` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`ip4` IN {p0:Array(IPv4)}, 0) ORDER BY __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = ['1.2.3.4']
-- st = t1
-- l = 100
