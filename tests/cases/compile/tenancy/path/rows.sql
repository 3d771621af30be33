INSERT INTO wow.t_path (doc, id) VALUES ('{"tenant":"T-a","n":1}', '1'), ('{"tenant":"T-b","n":2}', '2'), ('{"n":3}', '3');
