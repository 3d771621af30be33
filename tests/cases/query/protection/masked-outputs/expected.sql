-- Single
-- rows
SELECT if(lengthUTF8(toValidUTF8(__q.`customer`)) <= 1, repeat('*', least(lengthUTF8(toValidUTF8(__q.`customer`)), 1000)), concat(leftUTF8(toValidUTF8(__q.`customer`), 1), repeat('*', least(lengthUTF8(toValidUTF8(__q.`customer`)) - 1, 1000)))) AS `customer`, __q.`phone` AS `phone`, __q.`card` AS `card`, CAST(NULL, 'Nullable(UInt32)') AS `credit`, arrayMap(__x -> repeat('*', least(lengthUTF8(__x), 1000)), __q.`secrets`) AS `secrets` FROM (SELECT __v.`order_id`, __v.`customer`, __v.`phone`, __v.`card`, __v.`credit`, __v.`secrets` FROM `wow_datasets`.`ds_shop_orders_v3` AS __v WHERE __v.`__tenant` = {st:String}) AS __q ORDER BY __q.`order_id` ASC NULLS FIRST LIMIT {l:UInt64}
-- st = t1
-- l = 1
