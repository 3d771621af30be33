INSERT INTO wow.m_arrays_and_maps VALUES ('T-a', '1', {'secret': 'secret'}, [7, 8]), ('T-b', '1', {'b': 'b'}, [9]);
