INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u-1', 's-1', 'o-1', 1, false, '2026-01-05 10:00:00', '{"customerId":"c-1","status":"PAID","amount":0.29}'),
  ('T-a', 'u-1', 's-1', 'o-2', 1, false, '2026-01-06 10:00:00', '{"customerId":"c-1","status":"CANCELLED","amount":4.06}'),
  ('T-a', 'u-2', 's-2', 'o-3', 1, false, '2026-02-07 10:00:00', '{"customerId":"c-9","amount":7}'),
  ('T-a', 'u-2', 's-1', 'o-4', 1, false, '2026-02-08 10:00:00', '{"customerId":"c-1","status":"PAID"}'),
  ('T-b', 'u-1', 's-1', 'o-1', 1, false, '2026-03-05 10:00:00', '{"customerId":"c-9","status":"PAID","amount":99}');
INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u-1', 's-1', 'o-1', 2, false, '2026-01-05 10:00:00', '{"customerId":"c-1","status":"SHIPPED","amount":0.29}'),
  ('T-a', 'u-2', 's-1', 'o-4', 2, true, '2026-02-08 10:00:00', '{"customerId":"c-1","status":"PAID"}');
