INSERT INTO wow.vk_window_of_the_tena VALUES ('T-a', 1, 10), ('T-a', 1, 5), ('T-b', 1, 100);
