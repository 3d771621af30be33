INSERT INTO crm.regions VALUES ('n', 'North', 1.5);
