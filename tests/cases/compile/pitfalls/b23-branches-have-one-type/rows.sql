INSERT INTO wow.shop_order_state VALUES
  ('T-a', '', '', 'o-1', 1, false, '2026-01-05 10:00:00', '{"amount":2.25}'),
  ('T-a', '', '', 'o-2', 2, false, '2026-01-06 10:00:00', '{"items":-4}');
