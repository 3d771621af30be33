INSERT INTO wow.vb_dim VALUES ('T-a', '1', 1), ('T-b', '1', 7);
INSERT INTO wow.vb_dim VALUES ('T-a', '1', 2), ('T-a', '2', 5);
