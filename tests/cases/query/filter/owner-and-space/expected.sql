-- List
-- rows
SELECT __q.`order_id` AS `order_id` FROM (SELECT __v.`order_id`, __v.`__owner`, __v.`__space` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String} AND __v.`__owner` = {so:String} AND __v.`__space` = {ss:String}) AS __q WHERE ifNull(__q.`__owner` = {p0:String}, 0) AND ifNull(__q.`__space` = {p1:String}, 0) ORDER BY __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = o
-- p1 = s
-- st = t1
-- so = o1
-- ss = s1
-- l = 100
