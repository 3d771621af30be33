INSERT INTO wow.e_replacing_is_deleted VALUES ('T-a', '1', 1, 0), ('T-a', '2', 1, 0), ('T-b', '1', 1, 0);
INSERT INTO wow.e_replacing_is_deleted VALUES ('T-a', '1', 2, 1);
