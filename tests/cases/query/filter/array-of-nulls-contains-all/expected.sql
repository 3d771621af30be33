-- List
-- rows
SELECT __q.`order_id` AS `order_id` FROM (SELECT __v.`order_id`, __v.`labels` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE arrayAll(__z -> ifNull(has(__q.`labels`, __z), 0), {p0:Array(String)}) ORDER BY __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = ['a','']
-- st = t1
-- l = 100
