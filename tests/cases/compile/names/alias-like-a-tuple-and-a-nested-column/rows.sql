INSERT INTO wow.n_tuple VALUES ('T-a', '1', ('T-b', '1'), ['T-b'], ['9']), ('T-b', '1', ('T-a', '1'), ['T-a'], ['9']), ('T-b', '2', ('T-a', '1'), ['T-a'], ['9']);
