INSERT INTO wow.m_secret VALUES ('T-b', 'SECRET', 7), ('T-a', '1', 1);
