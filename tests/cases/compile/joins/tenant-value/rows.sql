INSERT INTO wow.shop_order_state VALUES ('T-a', 'u', 's', '1', 1, false, '2026-01-05 10:00:00', '{}'), ('T-b', 'u', 's', '1', 1, false, '2026-01-05 10:00:00', '{}');
INSERT INTO wow.j_value VALUES ('1', 7);
