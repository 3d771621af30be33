-- The databases of Analytics Catalog. Placeholders: none. See README.md.

CREATE DATABASE IF NOT EXISTS wow_datasets
    COMMENT 'Published datasets: versioned views, and nothing else. Readers have their grant here.';

CREATE DATABASE IF NOT EXISTS wow_datasets_data
    COMMENT 'Data of materialized datasets. No reader has a grant here: these tables have no tenant fence.';

CREATE DATABASE IF NOT EXISTS wow_catalog
    COMMENT 'One catalog table per sink account, in which it describes the tables that it keeps.';
