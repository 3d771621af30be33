-- List
-- rows
SELECT __q.`order_id` AS `order_id` FROM (SELECT __v.`order_id` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT ((NOT (ifNull(__q.`order_id` = {p0:String}, 0)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) ORDER BY __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = o-1
-- st = t1
-- l = 100
