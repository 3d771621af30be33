INSERT INTO wow.e_collapsing VALUES ('T-a', '1', 5, 1), ('T-b', '1', 9, 1);
INSERT INTO wow.e_collapsing VALUES ('T-a', '1', 5, -1), ('T-a', '1', 6, 1);
