INSERT INTO wow.nothing_runs_before_ SELECT 'T-a', 1, 1 UNION ALL SELECT 'T-b', 99, 7 FROM numbers(90);
