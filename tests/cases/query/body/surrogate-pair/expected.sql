-- List
-- rows
SELECT __q.`order_id` AS `order_id` FROM (SELECT __v.`order_id`, __v.`note` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`note` = {p0:String}, 0) ORDER BY __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = 😀
-- st = t1
-- l = 100
