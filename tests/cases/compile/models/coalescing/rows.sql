INSERT INTO wow.coalescing VALUES ('T-a', '1', 1, NULL), ('T-b', '1', 9, 'other');
INSERT INTO wow.coalescing VALUES ('T-a', '1', NULL, 'x'), ('T-a', '2', 5, 'y');
INSERT INTO wow.coalescing VALUES ('T-a', '1', 3, NULL);
