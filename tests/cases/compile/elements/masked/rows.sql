INSERT INTO wow.el_masked VALUES ('T-a', '1', '{"items":[{"sku":"a","email":"anna@x","salary":100,"open":5},{"sku":"b"}]}');
