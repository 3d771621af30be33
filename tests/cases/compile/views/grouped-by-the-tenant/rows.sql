INSERT INTO wow.vk_grouped_by_the_ten VALUES ('T-a', 1, 10), ('T-a', 1, 5), ('T-b', 1, 100);
