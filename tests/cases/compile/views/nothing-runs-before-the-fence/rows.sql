INSERT INTO wow.vb_secret VALUES ('T-b', 'SECRET', 7), ('T-a', '1', 1);
OPTIMIZE TABLE wow.vb_secret FINAL;
