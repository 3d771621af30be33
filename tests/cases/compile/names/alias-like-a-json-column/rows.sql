INSERT INTO wow.n_json VALUES ('T-a', '1', '{"tenant_id":"T-b"}'), ('T-b', '2', '{"tenant_id":"T-a"}');
