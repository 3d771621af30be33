INSERT INTO wow.shop_order_state VALUES ('T-a', 'u', 's', '1', 1, false, '2026-01-31 15:30:00', '{"status":"2026-02-01 00:30:00"}'), ('T-a', 'u', 's', '2', 1, false, '2025-12-31 14:59:59', '{}');
