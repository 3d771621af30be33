INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u', 's', 'paid', 1, false, '2026-01-05 10:00:00', '{"status":"PAID","amount":7}'),
  ('T-a', 'u', 's', 'no-amount', 1, false, '2026-01-05 10:00:00', '{"status":"SHIPPED"}'),
  ('T-a', 'u', 's', 'small', 1, false, '2026-01-05 10:00:00', '{"status":"PAID","amount":3}'),
  ('T-a', 'u', 's', 'no-status', 1, false, '2026-01-05 10:00:00', '{"amount":7}'),
  ('T-a', 'u', 's', 'many', 1, false, '2026-01-05 10:00:00', '{"status":"PAID","amount":7,"items":8}'),
  ('T-a', 'u', 's', 'late', 1, false, '2027-01-05 10:00:00', '{"status":"PAID","amount":7}'),
  ('T-b', 'u', 's', 'paid', 1, false, '2026-01-05 10:00:00', '{"status":"PAID","amount":7}');
