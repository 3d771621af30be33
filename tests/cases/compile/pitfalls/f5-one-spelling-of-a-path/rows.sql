INSERT INTO wow.f5 VALUES ('T-a', '1', '{"x":{"y":42}}', '{"x":{"y":42}}', '{"x":{"y":42}}', '{"x":{"y":42}}');
INSERT INTO wow.f5 VALUES ('T-a', '2', '{"x":{}}', '{"x":{}}', '{}', NULL);
