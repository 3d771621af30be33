-- List
-- rows
SELECT __q.`order_id` AS `order_id` FROM (SELECT __v.`order_id`, __v.`month`, __v.`amount`, __v.`quantity` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`quantity` = {p0:UInt8}, 0) ORDER BY __q.`amount` DESC NULLS LAST, __q.`month` ASC NULLS FIRST, __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = 3
-- st = t1
-- l = 7
