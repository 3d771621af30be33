INSERT INTO wow.t_path_merged (doc, id) VALUES ('{"tenant":"T-a","n":1}', '1'), ('{"tenant":"T-b","n":2}', '1');
INSERT INTO wow.t_path_merged (doc, id) VALUES ('{"tenant":"T-a","n":3}', '1');
