-- List
-- rows
SELECT __q.`id` AS `id` FROM (SELECT __v.`id`, __v.`uuid` FROM `wow_datasets`.`ds_all_types_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`uuid` = {p0:UUID}, 0) ORDER BY __q.`id` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = 61f0c404-5cb3-11e7-907b-a6006ad3dba0
-- st = t1
-- l = 100
