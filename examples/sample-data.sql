-- Two tenants, acme and globex: the orders of a shop, and the customers of a CRM.
-- Run by the demo's ClickHouse at every start, so every statement may be repeated.

CREATE TABLE IF NOT EXISTS wow.shop_order_state
(
    tenant_id String,
    owner_id String,
    space_id String,
    id String,
    version UInt32,
    deleted Bool,
    created_at DateTime64(3),
    state JSON
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (tenant_id, id);

CREATE TABLE IF NOT EXISTS crm.customers
(
    tenant LowCardinality(String),
    id String,
    name String,
    email String,
    region String
)
ENGINE = ReplacingMergeTree
ORDER BY (tenant, id);

INSERT INTO crm.customers
SELECT * FROM VALUES('tenant String, id String, name String, email String, region String',
    ('acme', 'c-1', 'Grace Hopper', 'grace@acme.example', 'north'),
    ('acme', 'c-2', 'Alan Turing', 'alan@acme.example', 'south'),
    ('globex', 'c-1', 'Rosalind Franklin', 'rosalind@globex.example', 'north'),
    ('globex', 'c-9', 'Edsger Dijkstra', 'edsger@globex.example', 'west'))
WHERE (SELECT count() FROM crm.customers) = 0;

INSERT INTO wow.shop_order_state
SELECT tenant_id, owner_id, space_id, id, version, deleted, created_at, state::JSON
FROM VALUES('tenant_id String, owner_id String, space_id String, id String, version UInt32, deleted Bool, created_at String, state String',
    ('acme', 'u-1', 's-1', 'o-1', 1, false, '2026-01-05 10:00:00.000', '{"customerId":"c-1","status":"PAID","amount":120.50,"items":3}'),
    ('acme', 'u-1', 's-1', 'o-2', 1, false, '2026-01-19 15:30:00.000', '{"customerId":"c-2","status":"CANCELLED","amount":80}'),
    ('acme', 'u-2', 's-1', 'o-3', 1, false, '2026-02-02 09:12:00.000', '{"customerId":"c-2","status":"NEW","amount":19.99,"items":1}'),
    ('acme', 'u-2', 's-2', 'o-4', 1, false, '2026-02-11 18:45:00.000', '{"customerId":"c-7","amount":42}'),
    ('acme', 'u-1', 's-1', 'o-1', 2, false, '2026-01-05 10:00:00.000', '{"customerId":"c-1","status":"SHIPPED","amount":120.50,"items":3}'),
    ('acme', 'u-2', 's-1', 'o-5', 2, true, '2026-02-12 08:00:00.000', '{"customerId":"c-1","status":"PAID","amount":5}'),
    ('globex', 'u-8', 's-1', 'o-1', 1, false, '2026-01-07 11:00:00.000', '{"customerId":"c-9","status":"PAID","amount":999.00,"items":10}'),
    ('globex', 'u-8', 's-1', 'o-77', 1, false, '2026-03-01 12:00:00.000', '{"customerId":"c-1","status":"NEW","amount":1}'))
WHERE (SELECT count() FROM wow.shop_order_state) = 0;
