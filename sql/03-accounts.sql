-- The accounts and their grants. Run after 02-profiles.sql.
-- Placeholders: {catalog_password}, {reader_password}, {sink_account}, {sink_password}, {source_database}. See README.md.

-- The operator, and the definer of every view.
CREATE USER IF NOT EXISTS catalog
    IDENTIFIED WITH sha256_password BY '{catalog_password}'
    SETTINGS PROFILE 'analytics_catalog';

-- Reads what datasets may read. Repeat for each source database.
GRANT SHOW, SELECT, SHOW ROW POLICIES ON {source_database}.* TO catalog;
GRANT SHOW, SELECT ON wow_catalog.* TO catalog;

-- Keeps the views. Nobody else should be able to create views here: a view is trusted by its name and comment.
GRANT SHOW, SELECT, CREATE VIEW, DROP VIEW, ALTER MODIFY COMMENT ON wow_datasets.* TO catalog;

-- On each node of a cluster, where a version is a view on every node and a table over all of them.
-- Leave it out where one server is the whole of it.
GRANT CREATE TABLE, DROP TABLE ON wow_datasets.* TO catalog;
GRANT TABLE ENGINE ON Distributed TO catalog;

-- Keeps the data of materialized datasets and refreshes it. May be left out if none is materialized.
GRANT SHOW, SELECT, INSERT, CREATE TABLE, DROP TABLE, CREATE VIEW, DROP VIEW, ALTER TABLE, SYSTEM VIEWS
    ON wow_datasets_data.* TO catalog;
GRANT TABLE ENGINE ON AggregatingMergeTree TO catalog;
GRANT TABLE ENGINE ON MergeTree TO catalog;

-- What it observes.
GRANT SELECT ON system.tables TO catalog;
GRANT SELECT ON system.columns TO catalog;
GRANT SELECT ON system.databases TO catalog;
GRANT SELECT ON system.clusters TO catalog;
GRANT SELECT ON system.dictionaries TO catalog;
GRANT SELECT ON system.data_skipping_indices TO catalog;
GRANT SELECT ON system.row_policies TO catalog;
GRANT SELECT ON system.functions TO catalog;
GRANT SELECT ON system.settings TO catalog;
GRANT SELECT ON system.view_refreshes TO catalog;
GRANT SELECT ON system.grants TO catalog;

-- The query server.
CREATE USER IF NOT EXISTS reader
    IDENTIFIED WITH sha256_password BY '{reader_password}'
    SETTINGS PROFILE 'analytics_reader';

GRANT SELECT ON wow_datasets.* TO reader;

-- A sink. Its grant on its catalog table stands in 04-catalog-tables.sql. Repeat for each sink account.
CREATE USER IF NOT EXISTS {sink_account}
    IDENTIFIED WITH sha256_password BY '{sink_password}';

GRANT INSERT ON {source_database}.* TO {sink_account};
