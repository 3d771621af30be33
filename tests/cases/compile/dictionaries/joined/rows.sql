INSERT INTO wow.dc_codes_base VALUES ('1', 'one');
INSERT INTO wow.dc_orders VALUES ('T-a', '1', 1), ('T-a', '2', 2), ('T-b', '1', 9);
