INSERT INTO crm.customers (tenant, id, tier, credit) VALUES
  ('T-a', 'c-1', 'gold', 300), ('T-a', 'c-2', 'gold', -9999999999999999.99), ('T-b', 'c-1', 'gold', 1);
