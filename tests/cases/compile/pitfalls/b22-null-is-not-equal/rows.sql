INSERT INTO crm.customers (tenant, id, tier, region) VALUES
  ('T-a', 'c-1', 'gold', 'north'), ('T-a', 'c-2', 'gold', 'south'), ('T-a', 'c-3', 'gold', 'west'), ('T-a', 'c-4', 'gold', NULL);
