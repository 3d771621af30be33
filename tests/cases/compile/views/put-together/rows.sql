INSERT INTO wow.vk_put_together VALUES ('T-a', 1, 10), ('T-a', 1, 5), ('T-b', 1, 100);
