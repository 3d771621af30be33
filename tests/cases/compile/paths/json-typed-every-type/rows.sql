INSERT INTO wow.p_typed VALUES ('T-a', '1', '{"n":0.29,"e":"a","t":"2026-01-02 03:04:05.678","s":"x","l":["y"],"u":7,"free":"z"}');
