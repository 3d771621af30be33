INSERT INTO wow.versioned_collapsing VALUES ('T-a', '1', 1, 1, 1), ('T-b', '1', 9, 1, 9);
INSERT INTO wow.versioned_collapsing VALUES ('T-a', '1', 1, -1, 1), ('T-a', '1', 2, 1, 2);
INSERT INTO wow.versioned_collapsing VALUES ('T-a', '2', 1, 1, 1);
INSERT INTO wow.versioned_collapsing VALUES ('T-a', '2', 2, 1, 2);
INSERT INTO wow.versioned_collapsing VALUES ('T-a', '3', 1, -1, 1);
INSERT INTO wow.versioned_collapsing VALUES ('T-a', '4', 1, 1, 1), ('T-a', '4', 1, -1, 1);
