-- List
-- rows
SELECT __q.`id` AS `id` FROM (SELECT __v.`id`, __v.`uuid`, __v.`ip6` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q ORDER BY toString(__q.`uuid`) DESC NULLS LAST, toString(__q.`ip6`) ASC NULLS FIRST, __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- st = t1
-- l = 100
