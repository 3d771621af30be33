INSERT INTO wow.el_o VALUES ('T-a', '1', 1), ('T-a', '9', 2);
INSERT INTO wow.el_lines VALUES ('T-a', '1', '{"items":[{"sku":"a"}]}');
