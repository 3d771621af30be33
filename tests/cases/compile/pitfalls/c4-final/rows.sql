INSERT INTO wow.c4 VALUES ('T-a', '1', 1, 0), ('T-a', '2', 1, 0), ('T-a', '3', 5, 0), ('T-b', '3', 9, 0);
INSERT INTO wow.c4 VALUES ('T-a', '1', 2, 0), ('T-a', '3', 4, 0);
INSERT INTO wow.c4 VALUES ('T-a', '2', 2, 1);
INSERT INTO wow.c4 VALUES ('T-a', '4', 1, 1);
INSERT INTO wow.c4 VALUES ('T-a', '4', 2, 0);
