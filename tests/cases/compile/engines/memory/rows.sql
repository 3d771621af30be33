INSERT INTO wow.e_memory VALUES ('T-b', 'SECRET', 7), ('T-a', '1', 1);
