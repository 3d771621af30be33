INSERT INTO wow.t_owner_and_space VALUES ('T-a', 'a', 1, 7, 's'), ('T-a', 'b', 2, 8, 's');
