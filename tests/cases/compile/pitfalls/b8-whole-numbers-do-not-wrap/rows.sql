INSERT INTO wow.shop_order_state VALUES
  ('T-a', '', '', 'o-1', 4294967295, false, '2026-01-05 10:00:00', '{"items":9223372036854775807}'),
  ('T-a', '', '', 'o-2', 1, false, '2026-01-06 10:00:00', '{"items":4}');
