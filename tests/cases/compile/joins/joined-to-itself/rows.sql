INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u', 's', '1', 1, false, '2026-01-05 10:00:00', '{"customerId":"2","amount":1}'),
  ('T-a', 'u', 's', '2', 1, false, '2026-01-05 10:00:00', '{"customerId":"9","amount":0.29}'),
  ('T-b', 'u', 's', '9', 1, false, '2026-01-05 10:00:00', '{"customerId":"9","amount":3}');
