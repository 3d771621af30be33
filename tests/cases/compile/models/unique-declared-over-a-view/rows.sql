INSERT INTO wow.u_base VALUES ('T-a', '1', 1, false, 'o1', '2026-01-01', '{"s":"NEW"}', 'n'), ('T-b', '1', 99, false, 'o1', '2026-01-01', '{"s":"B"}', 'n');
INSERT INTO wow.u_base VALUES ('T-a', '1', 2, false, 'o2', '2026-02-01', '{"s":"PAID"}', NULL), ('T-a', '2', 1, false, 'o1', '2026-01-01', '{"s":"NEW"}', 'x');
INSERT INTO wow.u_base VALUES ('T-a', '3', 1, false, 'o1', '2026-01-01', '{"s":"NEW"}', 'x');
INSERT INTO wow.u_base VALUES ('T-a', '3', 2, true, 'o1', '2026-01-01', '{"s":"NEW"}', 'x');
INSERT INTO wow.u_base VALUES ('T-a', '4', 3, false, 'o1', '2026-01-01', '{"s":"BACK"}', 'x');
INSERT INTO wow.u_base VALUES ('T-a', '4', 2, true, 'o1', '2026-01-01', '{"s":"GONE"}', 'x');
