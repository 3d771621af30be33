INSERT INTO wow.t_value VALUES ('x', 'a', 1), ('y', 'b', 2);
