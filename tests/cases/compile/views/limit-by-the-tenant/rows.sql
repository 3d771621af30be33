INSERT INTO wow.vk_limit_by_the_tenan VALUES ('T-a', 1, 10), ('T-a', 1, 5), ('T-b', 1, 100);
