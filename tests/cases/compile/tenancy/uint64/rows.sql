INSERT INTO wow.t_uint64 VALUES (7, 'a', 1), (8, 'b', 2), (0, 'zero', 3), (18446744073709551615, 'most', 4);
