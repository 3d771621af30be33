INSERT INTO wow.g_base SELECT 'T-a', 'o1', '2026-01-01', 4000000000, 1.5, '2026-01-01 00:00:00', 'l', uniqExactState('u1'), 3, 1;
INSERT INTO wow.g_base SELECT 'T-a', 'o1', '2026-01-01', 4000000000, NULL, '2026-01-02 00:00:00', 'l', uniqExactState('u2'), 2, 4;
INSERT INTO wow.g_base SELECT 'T-a', 'o2', '2026-01-01', 1, NULL, '2026-01-02 00:00:00', 'k', uniqExactState('u2'), 2, 4;
INSERT INTO wow.g_base SELECT 'T-b', 'o1', '2026-01-01', 7, 100, '2026-01-02 00:00:00', 'b', uniqExactState('u9'), 9, 8;
