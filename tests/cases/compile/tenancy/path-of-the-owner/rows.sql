INSERT INTO wow.t_path_o VALUES ('T-a', '1', '{"owner":1}'), ('T-a', '2', '{"owner":2}');
