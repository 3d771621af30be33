-- List
-- rows
SELECT __q.`order_id` AS `order_id` FROM (SELECT __v.`order_id`, __v.`note` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`note` NOT IN {p0:Array(String)}, 1) ORDER BY __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = ['x','it\'s \\ \t\n\0']
-- st = t1
-- l = 100
