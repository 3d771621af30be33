INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u-1', 's-1', 'o-1', 1, false, '2026-01-05 10:00:00', '{"customerId":"c-1","status":"PAID","amount":100}'),
  ('T-a', 'u-1', 's-1', 'o-2', 1, false, '2026-01-06 10:00:00', '{"customerId":"c-2","amount":50}'),
  ('T-a', 'u-2', 's-1', 'o-3', 1, false, '2026-01-07 10:00:00', '{"amount":7}'),
  ('T-b', 'u-1', 's-1', 'o-1', 1, false, '2026-03-05 10:00:00', '{"customerId":"c-1","status":"PAID","amount":99}');

INSERT INTO crm.customers (tenant, id, name, region, tier, visits) VALUES
  ('T-a', 'c-1', 'Grace', 'north', 'gold', 0), ('T-b', 'c-2', 'B', 'south', 'basic', 9);
