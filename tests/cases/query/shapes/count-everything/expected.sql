-- Count
-- total
SELECT count() AS `__total` FROM (SELECT 1 FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q
-- st = t1
