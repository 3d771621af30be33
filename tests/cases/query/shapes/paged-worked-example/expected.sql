-- Paged
-- rows
SELECT __q.`order_id` AS `order_id`, __q.`amount` AS `amount` FROM (SELECT __v.`order_id`, __v.`customer`, __v.`month`, __v.`amount` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`customer` = {p0:String}, 0) ORDER BY __q.`month` DESC NULLS LAST, __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64} OFFSET {o:UInt64}
-- p0 = acme
-- st = t1
-- l = 20
-- o = 20
-- total
SELECT count() AS `__total` FROM (SELECT __v.`customer` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`customer` = {p0:String}, 0)
-- p0 = acme
-- st = t1
