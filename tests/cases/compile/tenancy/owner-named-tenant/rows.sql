INSERT INTO wow.t_owner_named_tenant VALUES ('T-a', 'a', 1, 'u-1'), ('T-b', 'b', 2, 'u-1'), ('T-a', 'c', 3, 'T-a');
