-- List
-- rows
SELECT __q.`id` AS `id` FROM (SELECT __v.`id`, __v.`milli` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`milli` IN (SELECT arrayJoin(arrayMap(__y -> fromUnixTimestamp64Milli(__y, 'UTC'), {p0:Array(Int64)}))), 0) ORDER BY __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = [1773819000000,1773819000001]
-- st = t1
-- l = 100
