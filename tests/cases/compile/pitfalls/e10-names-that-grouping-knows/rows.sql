INSERT INTO crm.customers (tenant, id, tier, region, visits) VALUES
  ('T-a', 'c-1', 'gold', 'n', 4), ('T-b', 'c-1', 'basic', 'n', 5);

INSERT INTO crm.regions VALUES ('n', 'North', 0);
