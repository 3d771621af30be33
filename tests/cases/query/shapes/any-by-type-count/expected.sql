-- Count
-- total
SELECT count() AS `__total` FROM (SELECT __v.`order_id` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`order_id` = {p0:String}, 0)
-- p0 = o-1
-- st = t1
