INSERT INTO wow.c2 VALUES ('T-a', '1', '2026-01-01', 1), ('T-b', '1', '2026-01-01', 9);
INSERT INTO wow.c2 VALUES ('T-a', '1', '2026-02-01', 2);
