INSERT INTO wow.b18 SELECT 'T-a', 'in Tokyo', toDateTime64('2026-01-01 00:30:00.250', 3, 'UTC'), toDateTime('2026-01-01 00:30:00', 'UTC');
INSERT INTO wow.b18 SELECT 'T-a', 'in UTC', toDateTime64('2026-01-01 09:30:00.250', 3, 'UTC'), toDateTime('2026-01-01 09:30:00', 'UTC');
