-- The catalog table of one sink account. Run after 03-accounts.sql; repeat for each sink account.
-- Placeholders: {sink_account}. See README.md.
--
-- A row describes one table that the account keeps. The row with the highest revision counts. INSERT is granted to
-- this one account: the table's name says who wrote a row, which no column could (a sink could write any name there).
-- The columns and their meaning are a contract with sinks: columns may be added, none is changed or removed.

CREATE TABLE IF NOT EXISTS wow_catalog.wow_catalog_{sink_account}
(
    `database` String
        COMMENT 'Database of the described table, as ClickHouse spells it',
    `table` String
        COMMENT 'Name of the described table',
    `table_uuid` UUID
        COMMENT 'system.tables.uuid of the described table when this row was written; a table with another UUID is another table',
    `context` String
        COMMENT 'Context that the aggregate belongs to; must be one that the account is trusted with',
    `aggregate` String
        COMMENT 'Name of the aggregate within its context',
    `tenant_column` String
        COMMENT 'Column with the tenant of each row',
    `owner_column` String DEFAULT ''
        COMMENT 'Column with the owner of each row; empty if the table has none',
    `space_column` String DEFAULT ''
        COMMENT 'Column with the space of each row; empty if the table has none',
    `values` String
        COMMENT 'JSON array of the values that may be read, each an object: name, path (of a value inside a JSON column, else absent), type (a ClickHouse type), level (sensitivity)',
    `columns_hash` String
        COMMENT 'Hash of the names and types of all columns of the described table, in order, in lower-case hex; a row whose hash differs from the table does not count',
    `revision` UInt64
        COMMENT 'Grows with every row about the same table; the highest one counts',
    `deleted` Bool DEFAULT false
        COMMENT 'True if the account no longer keeps this table'
)
ENGINE = ReplacingMergeTree(revision)
ORDER BY (`database`, `table`)
COMMENT 'Tables kept by {sink_account}, described by itself';

GRANT INSERT ON wow_catalog.wow_catalog_{sink_account} TO {sink_account};
