INSERT INTO wow.t_low_cardinality_merged VALUES ('T-a', 'a', 1), ('T-b', 'a', 2);
INSERT INTO wow.t_low_cardinality_merged VALUES ('T-a', 'a', 3);
