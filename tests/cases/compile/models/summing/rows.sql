INSERT INTO wow.summing VALUES ('T-a', '2026-01-01', 1, 1.50, 'a', true, NULL, 1), ('T-b', '2026-01-01', 100, 100, 'b', true, 1, 1);
INSERT INTO wow.summing VALUES ('T-a', '2026-01-01', 2, 2.25, 'b', true, 7, 2), ('T-a', '2026-01-02', 1, 1, 'a', true, 1, 1);
