-- Count
-- total
SELECT count() AS `__total` FROM (SELECT __v.`customer` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`customer` = {p0:String}, 0)
-- p0 = acme
-- st = t1
