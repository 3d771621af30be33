//! Random definitions over the generated world.

use std::collections::BTreeSet;

use analytics_catalog::api::AnalyticsDatasetSpec;
use analytics_catalog::sql::ColumnType;
use serde_json::json;

use super::tables::{Table, Tenancy};
use super::value::{Expression, Kind, Value};
use crate::support::filters::Chance;

/// What definitions are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Public values, whose results are computed here.
    Rows,
    /// The same, computing more with texts.
    ForeignSecrets,
    /// Protected values.
    Protected,
}

/// A definition, as it is computed here and as it is given to the compiler.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Alias, and the place of the table; the subject first.
    pub sources: Vec<(String, usize)>,
    pub joins: Vec<Join>,
    pub outputs: Vec<Output>,
    pub filters: Vec<Expression>,
    pub spec: AnalyticsDatasetSpec,
}

#[derive(Clone, Debug)]
pub struct Join {
    pub left: bool,
    pub keys: Vec<(Expression, Expression)>,
}

#[derive(Clone, Debug)]
pub struct Output {
    pub name: String,
    pub kind: Kind,
    pub expression: Expression,
}

/// Names that mean something to SQL, to ClickHouse, to our own SQL with an underscore less, or to the query language.
const NAMES: [&str; 40] = [
    "select",
    "from",
    "where",
    "final",
    "join",
    "on",
    "and",
    "or",
    "not",
    "in",
    "is",
    "null",
    "true",
    "as",
    "by",
    "limit",
    "prewhere",
    "settings",
    "array",
    "tuple",
    "t0",
    "s0",
    "k0",
    "_t0",
    "_s0",
    "_k0",
    "_s1",
    "_q",
    "_tenant",
    "_part",
    "_table",
    "_shard_num",
    "_row_exists",
    "tenant",
    "owner",
    "space",
    "log_comment",
    "Tenant_id",
    "x",
    "row",
];
/// Words that the expression language takes for its own.
const RESERVED: [&str; 11] = ["and", "or", "not", "in", "is", "null", "true", "false", "between", "like", "case"];

/// What is drawn from.
pub struct Generator<'w> {
    pub tables: &'w [Table],
    pub about: About,
    /// Texts of the language over `p.c0` …, with the types that these have.
    pub probes: &'w [(String, Vec<ColumnType>)],
}

/// The sources of a definition while it is made.
pub(super) struct Draft<'w> {
    pub tables: Vec<&'w Table>,
}

impl Generator<'_> {
    /// The definition of a number.
    pub fn definition(&self, chance: &mut Chance, number: usize) -> Definition {
        let family = *chance.one_of(&["String", "String", "UInt32", "Int64", "UUID"]);
        let of_family: Vec<usize> =
            (0..self.tables.len()).filter(|index| self.tables[*index].family() == family).collect();
        let shared: Vec<usize> =
            (0..self.tables.len()).filter(|index| self.tables[*index].tenancy == Tenancy::Shared).collect();
        let mut places = vec![*chance.one_of(&of_family)];
        for _ in 0..*chance.one_of(&[0, 0, 1, 1, 1, 2, 2, 3, 4]) {
            places.push(match chance.below(8) {
                0 => *chance.one_of(&shared),
                1 => places[0],
                _ => *chance.one_of(&of_family),
            });
        }
        let aliases = self.aliases(chance, &places);
        let mut draft = Draft { tables: vec![&self.tables[places[0]]] };
        let (mut joins, mut written) = (Vec::new(), Vec::new());
        for place in &places[1..] {
            draft.tables.push(&self.tables[*place]);
            let join = self.join(chance, &draft);
            written.push(self.written_join(chance, &draft, &aliases, &join));
            joins.push(join);
        }
        let outputs = self.outputs(chance, &draft, &aliases);
        let filters: Vec<Expression> =
            (0..*chance.one_of(&[0, 0, 1, 1, 2, 3])).map(|_| self.filter(chance, &draft)).collect();
        let text = |chance: &mut Chance, expression: &Expression| written_text(chance, &draft, &aliases, expression);
        let columns: Vec<_> = outputs
            .iter()
            .map(|output| match &output.expression {
                plain @ Expression::Column(..) => json!({ "name": output.name, "from": text(chance, plain) }),
                computed => json!({ "name": output.name, "expression": text(chance, computed) }),
            })
            .collect();
        let conditions: Vec<_> = filters.iter().map(|filter| text(chance, filter)).collect();
        let sources = aliases.iter().zip(&places);
        let sources: Vec<(String, usize)> = sources.map(|(alias, place)| (alias.clone(), *place)).collect();
        let listed =
            sources.iter().map(|(alias, place)| json!({ "alias": alias, "sourceId": self.tables[*place].source_id() }));
        let spec = json!({
            "context": "shop", "name": format!("g{number}"),
            "definition": {
                "sources": listed.collect::<Vec<_>>(), "subject": aliases[0], "joins": written, "columns": columns,
                "filters": conditions,
            },
        });
        let spec = serde_json::from_value(spec).expect("a dataset");
        Definition { sources, joins, outputs, filters, spec }
    }

    /// Aliases: names of columns, JSON columns, tuples and Nested columns of these very tables, keywords, and plain ones.
    fn aliases(&self, chance: &mut Chance, places: &[usize]) -> Vec<String> {
        let pool: Vec<&str> = places.iter().flat_map(|place| self.tables[*place].captures()).collect();
        let mut aliases: Vec<String> = Vec::new();
        while aliases.len() < places.len() {
            let name = match chance.below(3) {
                0 => *chance.one_of(&NAMES),
                _ => *chance.one_of(&pool),
            };
            if !aliases.iter().any(|alias| alias == name) {
                aliases.push(name.to_owned());
            }
        }
        aliases
    }

    fn join(&self, chance: &mut Chance, draft: &Draft<'_>) -> Join {
        let right = draft.tables.len() - 1;
        let mut keys = Vec::new();
        while keys.is_empty() || keys.len() < 3 && chance.once_in(4) {
            let left = chance.below(right);
            keys.push(self.key(chance, draft, left, right));
        }
        // What is protected must be in the answers to be looked for.
        let left = chance.once_in(2) || self.about == About::Protected && !chance.once_in(4);
        Join { left, keys }
    }

    /// A condition of all rows; over secrets often one that is computed, and leaves no row out.
    fn filter(&self, chance: &mut Chance, draft: &Draft<'_>) -> Expression {
        let condition = self.condition(chance, draft, 2);
        let always = Expression::IsNull(Box::new(Expression::Column(0, 0)), true);
        match self.about {
            About::Rows => condition,
            About::ForeignSecrets if chance.once_in(2) => condition,
            _ => Expression::Or(vec![condition, always]),
        }
    }

    /// Two sides of one type, the right one of the source that is joined.
    fn key(&self, chance: &mut Chance, draft: &Draft<'_>, left: usize, right: usize) -> (Expression, Expression) {
        let of = |chance: &mut Chance, source: usize, fields: &[&str]| {
            let columns = &draft.tables[source].columns;
            let fitting: Vec<usize> =
                (0..columns.len()).filter(|index| fields.contains(&columns[*index].field)).collect();
            Expression::Column(source, *chance.one_of(&fitting))
        };
        if self.about == About::Protected && chance.once_in(2) {
            let fields: &[&str] = &["mail", "phone", "secret"];
            return (of(chance, left, fields), of(chance, right, fields));
        }
        let call = |name, expression: Expression| Expression::Call(name, vec![expression]);
        match chance.below(12) {
            // the foreign key, either way round
            0..5 => (of(chance, left, &["parent"]), of(chance, right, &["id"])),
            5 => (of(chance, left, &["id"]), of(chance, right, &["id"])),
            6 => (of(chance, left, &["id"]), of(chance, right, &["parent"])),
            7 => (of(chance, left, &["number"]), of(chance, right, &["number"])),
            8 => (call("upper", of(chance, left, &["parent"])), call("upper", of(chance, right, &["id", "parent"]))),
            9 => {
                let joined = |side| Expression::Call("concat", vec![side, Expression::Literal(Value::text("-"))]);
                (joined(of(chance, left, &["parent", "id"])), joined(of(chance, right, &["id"])))
            }
            // what only rows of the other tenant would have in common
            10 => (of(chance, left, &["other"]), of(chance, right, &["id", "label", "other"])),
            _ => (call("toString", of(chance, left, &["number"])), of(chance, right, &["label"])),
        }
    }

    /// A join as it is written: the tenant equality stated, the other way round, or left out.
    fn written_join(
        &self,
        chance: &mut Chance,
        draft: &Draft<'_>,
        aliases: &[String],
        join: &Join,
    ) -> serde_json::Value {
        let right = draft.tables.len() - 1;
        let pair = |chance: &mut Chance, (left, right): &(Expression, Expression)| {
            let left = written_text(chance, draft, aliases, left);
            json!({ "left": left, "right": written_text(chance, draft, aliases, right) })
        };
        let mut on: Vec<_> = join.keys.iter().map(|key| pair(chance, key)).collect();
        let tenant = |source: usize| {
            let columns = &draft.tables[source].columns;
            let index = columns.iter().position(|column| column.field == "tenant")?;
            Some(Expression::Column(source, index))
        };
        let stated = tenant(chance.below(right)).zip(tenant(right)).filter(|_| chance.once_in(2));
        if let Some((left, right)) = stated {
            let place = chance.below(on.len() + 1);
            let key = if chance.once_in(2) { (left, right) } else { (right, left) };
            on.insert(place, pair(chance, &key));
        }
        let mut written = json!({ "alias": aliases[right], "on": on });
        if join.left || chance.once_in(2) {
            written["kind"] = json!(if join.left { "Left" } else { "Inner" });
        }
        if chance.once_in(3) {
            written["cardinality"] = json!(chance.one_of(&["One", "Many"]));
        }
        written
    }

    fn outputs(&self, chance: &mut Chance, draft: &Draft<'_>, aliases: &[String]) -> Vec<Output> {
        let captures: Vec<&str> = draft.tables.iter().flat_map(|table| table.captures()).collect();
        let mut taken = BTreeSet::new();
        let mut outputs = Vec::new();
        let wanted = if self.about == About::Protected { 8 } else { 3 + chance.below(4) };
        while outputs.len() < wanted {
            let name = match chance.below(4) {
                0 => *chance.one_of(&NAMES),
                1 => chance.one_of(aliases).as_str(),
                _ => *chance.one_of(&captures),
            };
            if !taken.insert(name.to_owned()) {
                continue;
            }
            let (kind, expression) = match chance.below(6) {
                0..3 => self.column(chance, draft, None),
                3 => (Kind::Whole, self.condition(chance, draft, 1)),
                4 if self.about == About::Protected => (Kind::Opaque, self.probe(chance, draft)),
                _ => {
                    let kind = *chance.one_of(&[Kind::Text, Kind::Text, Kind::Whole, Kind::Day]);
                    (kind, self.expression(chance, draft, kind, 2))
                }
            };
            // A constant alone reads nothing, and its type is narrower than what is asked for.
            outputs.push(Output { name: name.to_owned(), kind, expression });
        }
        outputs
    }
}

/// The text of an expression; names are quoted where they must be, and sometimes where they need not.
fn written_text(chance: &mut Chance, draft: &Draft<'_>, aliases: &[String], expression: &Expression) -> String {
    let quoted = chance.once_in(3);
    expression.text(&|source, index| {
        let column = &draft.tables[source].columns[index];
        let path = Some(column.path).filter(|path| !path.is_empty());
        let parts = std::iter::once(aliases[source].as_str()).chain(column.name.split('.'));
        let parts = parts.chain(path.into_iter().flat_map(|path| path.split('.')));
        let quote = |part: &str| match quoted || RESERVED.contains(&part.to_lowercase().as_str()) {
            true => format!("`{part}`"),
            false => part.to_owned(),
        };
        parts.map(quote).collect::<Vec<_>>().join(".")
    })
}
