-- Count
-- total
SELECT count() AS `__total` FROM (SELECT 1 FROM `wow_datasets`.`ds_ref_regions_v1` AS __v) AS __q
