INSERT INTO crm.customers (tenant, id, name, email, phone, region, visits) VALUES
  ('T-a', 'c-1', 'Grace', 'grace@example.com', '12345', 'north', 3),
  ('T-a', 'c-2', 'x', 'b', NULL, NULL, 4),
  ('T-a', 'c-3', 'Ada', 'ada@example.com', NULL, 'north', 5),
  ('T-b', 'c-1', 'B', 'b@b', '1', 'south', 6);
