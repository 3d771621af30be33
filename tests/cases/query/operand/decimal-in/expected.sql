-- List
-- rows
SELECT __q.`id` AS `id` FROM (SELECT __v.`id`, __v.`d10` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`d10` IN {p0:Array(Decimal(10, 2))}, 0) ORDER BY __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = [1.00,2.50]
-- st = t1
-- l = 100
