INSERT INTO wow.el_native VALUES ('T-a', '1', [('a', 1, 'x', tuple('m')), ('b', 2, 'x', tuple(NULL))]), ('T-a', '2', []);
