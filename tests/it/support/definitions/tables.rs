//! The tables of the generated world: every model, every type of tenant, columns named so that a careless view would
//! take one for another.

use serde_json::{Value as Json, json};

use super::value::{Kind, Value};

/// How rows of one key make up a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Every row counts.
    Plain,
    Replacing,
    /// The engine's own mark of deletion.
    ReplacingDeleted,
    /// A mark that the declaration names.
    DeclaredDeleted,
    Collapsing,
    Versioned,
    /// Rows that the engine keeps, of which the declaration says which one counts.
    DeclaredUnique,
    /// A view of a table in which every row counts.
    View,
    /// The same in memory.
    Memory,
}

/// Whose the rows are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tenancy {
    /// The type of the column.
    Column(&'static str),
    /// All rows belong to the tenant of this place.
    Value(usize),
    /// A platform dimension.
    Shared,
}

/// A value that definitions may read.
#[derive(Clone, Debug)]
pub struct Column {
    /// What it is in a record.
    pub field: &'static str,
    pub name: String,
    pub path: &'static str,
    pub kind: Kind,
    /// The type without what a join bridges.
    pub column_type: &'static str,
    /// Whether readers may see it only masked.
    pub protected: bool,
}

impl Column {
    /// Whether rows of the other tenant hold a secret in it, where they hold any.
    pub fn is_spoiled(&self) -> bool {
        ["parent", "label", "other", "number", "count", "amount", "day", "tags"].contains(&self.field)
    }
}

/// A row as readers should see it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The place of its tenant; none for a platform dimension.
    pub tenant: Option<usize>,
    pub owner: String,
    pub space: String,
    /// The values of the table's columns.
    pub values: Vec<Value>,
}

/// One table with what is declared of it.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub model: Model,
    pub tenancy: Tenancy,
    /// Whether rows have an owner, and a space.
    pub limits: [bool; 2],
    /// Whether the sorting key starts with the tenant.
    pub tenant_first: bool,
    names: Names,
    pub columns: Vec<Column>,
    /// The rows that count.
    pub rows: Vec<Row>,
}

/// What the columns of a table are called. Each list has names that mean something else in another.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    pub tenant: &'static str,
    pub id: &'static str,
    pub parent: &'static str,
    pub label: &'static str,
    pub deleted: &'static str,
    /// A JSON column with paths named like scope columns.
    pub json: &'static str,
    /// A tuple with such members; never read.
    tuple: &'static str,
    /// A Nested column.
    nested: &'static str,
    nested_id: &'static str,
}

const NAMES: [Names; 3] = [
    Names {
        tenant: "tenant_id",
        id: "id",
        parent: "parent",
        label: "label",
        deleted: "deleted",
        json: "state",
        tuple: "_v",
        nested: "items",
        nested_id: "items.id",
    },
    Names {
        tenant: "tenant",
        id: "_v",
        parent: "o",
        label: "deleted",
        deleted: "gone",
        json: "id",
        tuple: "tenant_id",
        nested: "select",
        nested_id: "select.tenant",
    },
    Names {
        tenant: "state",
        id: "tenant_id",
        parent: "id",
        label: "from",
        deleted: "deleted",
        json: "tenant",
        tuple: "o",
        nested: "_v",
        nested_id: "_v.id",
    },
];

/// All tables: of each type of tenant every model, and one that all tenants share.
pub fn all() -> Vec<Table> {
    use Model::{
        Collapsing, DeclaredDeleted, DeclaredUnique, Memory, Plain, Replacing, ReplacingDeleted, Versioned, View,
    };
    let mut tables = Vec::new();
    for column_type in ["String", "LowCardinality(String)", "UInt32", "Int64", "UUID"] {
        for model in [Plain, Replacing, ReplacingDeleted, DeclaredDeleted, Collapsing, Versioned, DeclaredUnique, View]
        {
            tables.push(Table::new(tables.len(), model, Tenancy::Column(column_type), true));
        }
        tables.push(Table::new(tables.len(), Plain, Tenancy::Column(column_type), false));
        tables.push(Table::new(tables.len(), DeclaredDeleted, Tenancy::Column(column_type), false));
        tables.push(Table::new(tables.len(), Memory, Tenancy::Column(column_type), false));
    }
    for model in [Plain, Replacing] {
        for tenant in [0, 1] {
            tables.push(Table::new(tables.len(), model, Tenancy::Value(tenant), false));
        }
    }
    tables.push(Table::new(tables.len(), Plain, Tenancy::Shared, false));
    tables
}

impl Table {
    fn new(index: usize, model: Model, tenancy: Tenancy, tenant_first: bool) -> Self {
        let names = NAMES[index % NAMES.len()];
        let limits = match tenancy {
            Tenancy::Shared => [false, false],
            _ => [[false, false], [true, false], [true, true]][index / 2 % 3],
        };
        let name = format!("t{index}_{model:?}").to_lowercase();
        let mut table =
            Self { name, model, tenancy, limits, tenant_first, names, columns: Vec::new(), rows: Vec::new() };
        table.columns = table.readable();
        table
    }

    pub fn source_id(&self) -> String {
        format!("default:wow:{}", self.name)
    }

    /// The group of tables that can be joined: their tenants have one type.
    pub fn family(&self) -> &'static str {
        match self.tenancy {
            Tenancy::Column("LowCardinality(String)") | Tenancy::Value(_) => "String",
            Tenancy::Column(column_type) => column_type,
            Tenancy::Shared => "",
        }
    }

    fn has_tenant_column(&self) -> bool {
        matches!(self.tenancy, Tenancy::Column(_))
    }

    fn readable(&self) -> Vec<Column> {
        let names = &self.names;
        let tenant = match self.family() {
            "String" => ("tenant", names.tenant, "", Kind::Text, "String"),
            "UUID" => ("tenant", names.tenant, "", Kind::Opaque, "UUID"),
            other => ("tenant", names.tenant, "", Kind::Whole, other),
        };
        let mut columns = vec![
            ("id", names.id, "", Kind::Text, "String"),
            ("parent", names.parent, "", Kind::Text, "String"),
            ("number", "number", "", Kind::Whole, "Int64"),
            ("count", "count", "", Kind::Whole, "UInt32"),
            ("label", names.label, "", Kind::Text, "String"),
            ("grade", "grade", "", Kind::Text, "String"),
            ("amount", "amount", "", Kind::Money, "Decimal(18, 2)"),
            ("day", "day", "", Kind::Day, "Date32"),
            ("other", names.json, "tenant_id", Kind::Text, "String"),
            ("parent", names.json, "parent", Kind::Text, "String"),
            ("number", names.json, "inner.number", Kind::Whole, "Int64"),
            ("tags", names.nested_id, "", Kind::List, "Array(String)"),
            ("mail", "mail", "", Kind::Text, "String"),
            ("phone", "phone", "", Kind::Text, "String"),
            ("wage", "wage", "", Kind::Whole, "Int64"),
            ("secret", names.json, "secret", Kind::Text, "String"),
            ("secrets", "secrets", "", Kind::List, "Array(String)"),
        ];
        columns.extend(self.has_tenant_column().then_some(tenant));
        columns.extend(self.limits[0].then_some(("owner", "owner_id", "", Kind::Text, "String")));
        columns.extend(self.limits[1].then_some(("space", "space_id", "", Kind::Text, "String")));
        let column = |(field, name, path, kind, column_type): (_, &str, _, _, _)| Column {
            field,
            name: name.to_owned(),
            path,
            kind,
            column_type,
            protected: ["mail", "phone", "wage", "secret", "secrets"].contains(&field),
        };
        columns.into_iter().map(column).collect()
    }

    /// Names in it that an alias or an output could be taken for.
    pub fn captures(&self) -> Vec<&'static str> {
        let names = &self.names;
        vec![
            names.tenant,
            names.id,
            names.parent,
            names.label,
            names.deleted,
            names.json,
            names.tuple,
            names.nested,
            "number",
            "count",
            "owner_id",
            "version",
        ]
    }

    /// The table that holds the rows.
    pub fn base(&self) -> String {
        if self.model == Model::View { format!("{}_base", self.name) } else { self.name.clone() }
    }

    /// The statement that creates the view, where it is one.
    pub fn create_view(&self) -> Option<String> {
        let statement = format!("CREATE VIEW wow.{} AS SELECT * FROM wow.{}", self.name, self.base());
        (self.model == Model::View).then_some(statement)
    }

    /// The statement that creates the table, in the database `wow`.
    pub fn create(&self) -> String {
        let names = &self.names;
        let engine = match self.model {
            Model::Plain | Model::DeclaredUnique | Model::View => "MergeTree".to_owned(),
            Model::Memory => "Memory".to_owned(),
            Model::Replacing | Model::DeclaredDeleted => "ReplacingMergeTree(version)".to_owned(),
            Model::ReplacingDeleted => format!("ReplacingMergeTree(version, {})", names.deleted),
            Model::Collapsing => "CollapsingMergeTree(sign)".to_owned(),
            Model::Versioned => "VersionedCollapsingMergeTree(sign, version)".to_owned(),
        };
        let (tenant, key) = match (&self.tenancy, self.tenant_first) {
            (Tenancy::Column(column_type), first) => {
                let key = if first { [names.tenant, names.id] } else { [names.id, names.tenant] };
                (format!("`{}` {column_type}, ", names.tenant), format!("(`{}`, `{}`)", key[0], key[1]))
            }
            _ => (String::new(), format!("`{}`", names.id)),
        };
        let stored = match self.model {
            Model::Memory => String::new(),
            _ => format!(" ORDER BY {key} SETTINGS index_granularity = 4"),
        };
        format!(
            "CREATE TABLE wow.{} ({tenant}owner_id String, space_id String, `{}` String, `{}` Nullable(String), \
             number Nullable(Int64), count UInt32, `{}` LowCardinality(String), grade Enum8('gold' = 1, 'basic' = 2), \
             amount Decimal(18, 2), day Date32, `{}` JSON(tenant_id String, tenant String, state String), \
             `{}` Tuple(tenant_id String, id String, state String), `{}` Nested(id String, tenant String), \
             mail String, phone Nullable(String), wage Int64, secrets Array(String), \
             version UInt32, sign Int8, `{}` UInt8) ENGINE = {engine}{stored}",
            self.base(),
            names.id,
            names.parent,
            names.label,
            names.json,
            names.tuple,
            names.nested,
            names.deleted
        )
    }

    /// A row to insert: a record, and what the model adds.
    pub fn line(&self, record: &Record, version: usize, sign: i8, deleted: bool) -> Json {
        let names = &self.names;
        let of = |field: &str| record.value(field).json();
        let nested = |member: &str| format!("{}.{member}", names.nested);
        let other = of("other");
        let mut document = json!({ "tenant_id": other, "tenant": other, "state": other, "secret": of("secret") });
        for (path, field) in [("parent", "parent"), ("inner", "number")] {
            let value = of(field);
            if !value.is_null() {
                document[path] = if path == "inner" { json!({ "number": value }) } else { value };
            }
        }
        let mut line = json!({
            "owner_id": of("owner"), "space_id": of("space"), (names.id): of("id"), (names.parent): of("parent"),
            "number": of("number"), "count": of("count"), (names.label): of("label"), "grade": of("grade"),
            "amount": of("amount"), "day": of("day"), (names.json): document,
            (names.tuple): { "tenant_id": other, "id": other, "state": other },
            (nested("id")): of("tags"), (nested("tenant")): of("tags"),
            "mail": of("mail"), "phone": of("phone"), "wage": of("wage"), "secrets": of("secrets"),
            "version": version, "sign": sign, (names.deleted): u8::from(deleted),
        });
        if self.has_tenant_column() {
            line[names.tenant] = of("tenant");
        }
        line
    }

    /// The declaration; `tenants` are their texts.
    pub fn declaration(&self, tenants: &[String; 2]) -> Json {
        let column = |column: &Column| {
            let level = match column.field {
                "mail" => json!({ "level": "Confidential", "mask": { "keepPrefix": 2, "keepSuffix": 2 } }),
                "phone" => json!({ "level": "Display", "mask": { "keepPrefix": 1 } }),
                "wage" | "secret" | "secrets" => json!({ "level": "Confidential" }),
                _ => json!({ "level": "Public" }),
            };
            let mut declared = json!({ "name": column.name, "sensitivity": level });
            if !column.path.is_empty() {
                declared["path"] = json!(column.path);
                declared["type"] = json!(column.column_type);
            }
            declared
        };
        let mut declaration = json!({
            "connection": "default", "database": "wow", "table": self.name,
            "columns": self.columns.iter().map(column).collect::<Vec<_>>(),
        });
        match &self.tenancy {
            Tenancy::Column(_) => declaration["tenant"] = json!({ "column": self.names.tenant }),
            Tenancy::Value(tenant) => declaration["tenant"] = json!({ "value": tenants[*tenant] }),
            Tenancy::Shared => declaration["platformDimension"] = json!(true),
        }
        for (name, column) in [("owner", "owner_id"), ("space", "space_id")] {
            if self.limits[usize::from(name == "space")] {
                declaration[name] = json!({ "column": column });
            }
        }
        if matches!(self.model, Model::DeclaredDeleted | Model::DeclaredUnique) {
            let Names { tenant, id, deleted, .. } = self.names;
            let key = if self.tenant_first { [tenant, id] } else { [id, tenant] };
            declaration["model"] = json!({ "kind": "Unique", "key": key, "version": "version", "deleted": deleted });
        }
        declaration
    }

    /// The values that readers see of a record.
    pub fn row(&self, record: &Record, tenant: Option<usize>) -> Row {
        let text = |field: &str| match record.value(field) {
            Value::Text(text) => text,
            other => unreachable!("{field} is {other:?}"),
        };
        let values = self.columns.iter().map(|column| record.value(column.field)).collect();
        Row { tenant, owner: text("owner"), space: text("space"), values }
    }
}

/// What a row says, by field.
#[derive(Clone, Debug, Default)]
pub struct Record(pub std::collections::BTreeMap<&'static str, Value>);

impl Record {
    pub fn value(&self, field: &str) -> Value {
        self.0.get(field).cloned().unwrap_or(Value::Null)
    }
}
