INSERT INTO wow.c_whole VALUES ('T-a', '1', ['a'], ['x', NULL], {'k': 1}, {'k': 'a'}, NULL, 7, [[1], []], 's', 'abc');
