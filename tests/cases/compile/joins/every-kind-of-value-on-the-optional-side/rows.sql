INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u-1', 's-1', 'o-1', 1, false, '2026-01-05 10:00:00', '{"customerId":"c-1","status":"PAID","amount":0.29}'),
  ('T-a', 'u-1', 's-1', 'o-2', 1, false, '2026-01-06 10:00:00', '{"customerId":"c-1","status":"CANCELLED","amount":4.06}'),
  ('T-a', 'u-2', 's-2', 'o-3', 1, false, '2026-02-07 10:00:00', '{"customerId":"c-9","amount":7}'),
  ('T-a', 'u-2', 's-1', 'o-4', 1, false, '2026-02-08 10:00:00', '{"customerId":"c-1","status":"PAID"}'),
  ('T-b', 'u-1', 's-1', 'o-1', 1, false, '2026-03-05 10:00:00', '{"customerId":"c-9","status":"PAID","amount":99}');
INSERT INTO wow.shop_order_state VALUES
  ('T-a', 'u-1', 's-1', 'o-1', 2, false, '2026-01-05 10:00:00', '{"customerId":"c-1","status":"SHIPPED","amount":0.29}'),
  ('T-a', 'u-2', 's-1', 'o-4', 2, true, '2026-02-08 10:00:00', '{"customerId":"c-1","status":"PAID"}');

INSERT INTO crm.customers (tenant, id, name, email, phone, region, tier, rank, tags, notes, credit, visits, uid, born, body) VALUES
  ('T-a', 'c-1', 'Grace', 'grace@example.com', '12345', 'north', 'gold', 'a', ['x'], {'k': 'v'}, 10.50, 3, '00000000-0000-0000-0000-000000000001', '1950-01-02', '{"city":"Bonn"}'),
  ('T-b', 'c-9', '用户名', 'x', NULL, NULL, 'basic', NULL, [], {}, 0, 0, '00000000-0000-0000-0000-000000000002', NULL, 'no json'),
  ('T-b', 'c-1', 'B', 'b@b', '1', 'south', 'basic', NULL, [], {}, 1, 1, '00000000-0000-0000-0000-000000000003', NULL, '{}');
