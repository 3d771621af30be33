-- Single
-- rows
SELECT __q.`order_id` AS `order_id`, if(lengthUTF8(__q.`customer`) <= 1, repeat('*', least(lengthUTF8(__q.`customer`), 1000)), concat(leftUTF8(__q.`customer`, 1), repeat('*', least(lengthUTF8(__q.`customer`) - 1, 1000)))) AS `customer`, __q.`phone` AS `phone`, __q.`card` AS `card`, CAST(NULL, 'Nullable(UInt32)') AS `credit`, __q.`month` AS `month`, __q.`placed_at` AS `placed_at`, __q.`amount` AS `amount`, __q.`quantity` AS `quantity`, __q.`note` AS `note`, __q.`paid` AS `paid`, __q.`tags` AS `tags`, __q.`labels` AS `labels`, arrayMap(__x -> repeat('*', least(lengthUTF8(__x), 1000)), __q.`secrets`) AS `secrets`, __q.`items` AS `items`, __q.`attributes` AS `attributes` FROM (SELECT __v.`order_id`, __v.`customer`, __v.`phone`, __v.`card`, __v.`credit`, __v.`month`, __v.`placed_at`, __v.`amount`, __v.`quantity`, __v.`note`, __v.`paid`, __v.`tags`, __v.`labels`, __v.`secrets`, __v.`items`, __v.`attributes` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`order_id` = {p0:String}, 0) ORDER BY __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = o-1
-- st = t1
-- l = 1
