-- Paged
-- rows
SELECT __q.`od\`d\\name.x` AS `od\`d\\name.x`, __q.`amount` AS `amount` FROM (SELECT __v.`od\`d\\name.x`, __v.`amount`, __v.`__tenant` FROM `wow_datasets`.`ds_\`odd\\name` AS __v WHERE __v.`__tenant` = accurateCastOrNull({st:String}, 'UInt64') AND toString(accurateCastOrNull({st:String}, 'UInt64')) = {st:String} AND __v.`__owner` = accurateCastOrNull({so:String}, 'UUID') AND toString(accurateCastOrNull({so:String}, 'UUID')) = {so:String} AND toString(__v.`__space`) = {ss:String}) AS __q WHERE ifNull(__q.`__tenant` = accurateCastOrNull({p0:String}, 'UInt64') AND toString(accurateCastOrNull({p0:String}, 'UInt64')) = {p0:String}, 0) ORDER BY __q.`amount` ASC NULLS FIRST LIMIT {l:UInt64}
-- p0 = 07
-- st = 7
-- so = 61f0c404-5cb3-11e7-907b-a6006ad3dba0
-- ss = a
-- l = 10
-- total
SELECT count() AS `__total` FROM (SELECT __v.`__tenant` FROM `wow_datasets`.`ds_\`odd\\name` AS __v WHERE __v.`__tenant` = accurateCastOrNull({st:String}, 'UInt64') AND toString(accurateCastOrNull({st:String}, 'UInt64')) = {st:String} AND __v.`__owner` = accurateCastOrNull({so:String}, 'UUID') AND toString(accurateCastOrNull({so:String}, 'UUID')) = {so:String} AND toString(__v.`__space`) = {ss:String}) AS __q WHERE ifNull(__q.`__tenant` = accurateCastOrNull({p0:String}, 'UInt64') AND toString(accurateCastOrNull({p0:String}, 'UInt64')) = {p0:String}, 0)
-- p0 = 07
-- st = 7
-- so = 61f0c404-5cb3-11e7-907b-a6006ad3dba0
-- ss = a
