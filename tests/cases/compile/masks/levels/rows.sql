INSERT INTO crm.customers (tenant, id, name, email, phone, region, tier, rank, tags, notes, credit, visits, uid, born, body) VALUES
  ('T-a', 'c-1', 'Grace', 'grace@example.com', '12345', 'north', 'gold', 'a', ['x'], {'k': 'v'}, 10.50, 3, '00000000-0000-0000-0000-000000000001', '1950-01-02', '{"city":"Bonn"}'),
  ('T-b', 'c-9', '用户名', 'x', NULL, NULL, 'basic', NULL, [], {}, 0, 0, '00000000-0000-0000-0000-000000000002', NULL, 'no json'),
  ('T-b', 'c-1', 'B', 'b@b', '1', 'south', 'basic', NULL, [], {}, 1, 1, '00000000-0000-0000-0000-000000000003', NULL, '{}');
