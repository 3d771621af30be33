INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u-1', 's-1', 'o-1', 1, false, '2026-01-05 10:00:00', '{"customerId":"c-1","status":"PAID","amount":100}'),
  ('T-a', 'u-1', 's-1', 'o-2', 1, false, '2026-01-06 10:00:00', '{"customerId":"c-2","amount":50}'),
  ('T-a', 'u-2', 's-1', 'o-3', 1, false, '2026-01-07 10:00:00', '{"amount":7}'),
  ('T-b', 'u-1', 's-1', 'o-1', 1, false, '2026-03-05 10:00:00', '{"customerId":"c-1","status":"PAID","amount":99}');

INSERT INTO wow.shipments (tenant_id, order_id, owner_id, carrier, shipped_at, weight) VALUES
  ('T-a', 'o-1', 'u-1', 'DHL', '2026-01-06 00:00:00', 1.5),
  ('T-a', 'o-3', 'u-1', 'of another owner', '2026-01-06 00:00:00', 2),
  ('T-b', 'o-2', 'u-1', 'of another tenant', '2026-01-06 00:00:00', 3);
