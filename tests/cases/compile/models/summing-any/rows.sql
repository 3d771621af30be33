INSERT INTO wow.summing_any VALUES ('T-a', '2026-01-01', 1, 1.50, 'a', true, NULL, 1);
INSERT INTO wow.summing_any VALUES ('T-a', '2026-01-01', 2, 2.25, 'a', true, 7, 1);
