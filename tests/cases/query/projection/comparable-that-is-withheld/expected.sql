-- List
-- rows
SELECT CAST(map(), 'Map(String, String)') AS `secret_map`, CAST(NULL, 'Nullable(Int64)') AS `secret_number` FROM (SELECT __v.`secret_map`, __v.`secret_number` FROM `wow_datasets`.`ds_bad_record_v1` AS __v WHERE __v.`__tenant` = {st:String}) AS __q WHERE ifNull(__q.`secret_number` = {p0:Int64}, 0) LIMIT {l:UInt64}
-- p0 = 5
-- st = t1
-- l = 100
