-- List
-- rows
SELECT __q.`id` AS `id`, __q.`u8` AS `u8`, __q.`i64` AS `i64`, __q.`u256` AS `u256`, __q.`d10` AS `d10`, __q.`f32` AS `f32`, __q.`f64` AS `f64`, __q.`day` AS `day`, __q.`day32` AS `day32`, __q.`second` AS `second`, __q.`milli` AS `milli`, __q.`tenth` AS `tenth`, __q.`nano` AS `nano`, __q.`milliseconds` AS `milliseconds`, __q.`numbers` AS `numbers`, __q.`uuid` AS `uuid`, __q.`ip4` AS `ip4`, __q.`ip6` AS `ip6`, __q.`fixed` AS `fixed`, __q.`document` AS `document`, __q.`anything` AS `anything` FROM (SELECT __v.`id`, __v.`u8`, __v.`i64`, __v.`u256`, __v.`d10`, __v.`f32`, __v.`f64`, __v.`day`, __v.`day32`, __v.`second`, __v.`milli`, __v.`tenth`, __v.`nano`, __v.`milliseconds`, __v.`numbers`, __v.`uuid`, __v.`ip4`, __v.`ip6`, __v.`fixed`, __v.`document`, __v.`anything` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q ORDER BY __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- st = t1
-- l = 100
