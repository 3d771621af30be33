-- List
-- rows
SELECT __q.`a` AS `a` FROM (SELECT __v.`a` FROM `wow_datasets`.`ds_bad_record_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q LIMIT {l:UInt64}
-- st = t1
-- l = 100
