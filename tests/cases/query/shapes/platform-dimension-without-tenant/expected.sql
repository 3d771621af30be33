-- List
-- rows
SELECT __q.`code` AS `code`, __q.`label` AS `label` FROM (SELECT __v.`code`, __v.`label` FROM `wow_datasets`.`ds_ref_regions_v1` AS __v) AS __q WHERE ifNull(__q.`code` = {p0:String}, 0) LIMIT {l:UInt64}
-- p0 = eu
-- l = 100
