-- List
-- rows
SELECT __q.`code` AS `code`, __q.`label` AS `label` FROM (SELECT __v.`code`, __v.`label` FROM `wow_datasets`.`ds_ref_regions_v1` AS __v) AS __q ORDER BY __q.`label` DESC NULLS LAST LIMIT {l:UInt64}
-- l = 100
