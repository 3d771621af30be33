//! A filter lowered to SQL over one published dataset: two-valued, total, every operand a parameter
//! (query-language 2.3 to 2.5).

use std::collections::BTreeSet;

use jiff::tz::TimeZone;

use super::fields::{Domain, Field, Model};
use super::filter::{FieldFilter, FilterExpression, Operands, Operator, Role, Scalar, SystemFilter};
use super::instant;
use super::limits::{LONGEST_PARAMETER, MOST_PARAMETERS};
use super::operand::{self, Position};
use super::rejection::{Code, Rejection};
use super::render;
use super::rules;

/// A lowered filter, simplified as query-language 2.1 says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Everything,
    Nothing,
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Nor(Vec<Condition>),
    /// An SQL expression that is 0 or 1, never null.
    Test(String),
}

impl Condition {
    pub(super) fn and(conditions: Vec<Self>) -> Self {
        let mut kept = Vec::new();
        for condition in conditions {
            match condition {
                Self::Nothing => return Self::Nothing,
                Self::Everything => {}
                Self::And(nested) => kept.extend(nested),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Self::Everything,
            1 => kept.remove(0),
            _ => Self::And(kept),
        }
    }

    fn or(conditions: Vec<Self>) -> Self {
        let mut kept = Vec::new();
        for condition in conditions {
            match condition {
                Self::Everything => return Self::Everything,
                Self::Nothing => {}
                Self::Or(nested) => kept.extend(nested),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Self::Nothing,
            1 => kept.remove(0),
            _ => Self::Or(kept),
        }
    }

    fn nor(conditions: Vec<Self>) -> Self {
        let kept: Vec<Self> = conditions.into_iter().filter(|condition| *condition != Self::Nothing).collect();
        match () {
            () if kept.contains(&Self::Everything) => Self::Nothing,
            () if kept.is_empty() => Self::Everything,
            () => Self::Nor(kept),
        }
    }

    /// The condition as an SQL expression.
    pub(super) fn to_sql(&self) -> String {
        let joined = |conditions: &[Self], word: &str| {
            conditions.iter().map(Self::to_operand_sql).collect::<Vec<_>>().join(word)
        };
        match self {
            Self::Everything => "1".to_owned(),
            Self::Nothing => "0".to_owned(),
            Self::And(conditions) => joined(conditions, " AND "),
            Self::Or(conditions) => joined(conditions, " OR "),
            Self::Nor(conditions) => format!("NOT ({})", joined(conditions, " OR ")),
            Self::Test(sql) => sql.clone(),
        }
    }

    fn to_operand_sql(&self) -> String {
        match self {
            Self::And(_) | Self::Or(_) | Self::Nor(_) => format!("({})", self.to_sql()),
            _ => self.to_sql(),
        }
    }
}

/// What lowering gathers: the parameters, and which columns the statement reads.
pub(super) struct Binder<'a> {
    pub(super) model: &'a Model<'a>,
    zone: TimeZone,
    /// Name and escaped text of each parameter.
    pub(super) parameters: Vec<(String, String)>,
    /// Positions of the columns read.
    pub(super) columns: BTreeSet<usize>,
    /// Scope columns that the caller's own filter reads.
    pub(super) scope_columns: BTreeSet<&'static str>,
}

impl<'a> Binder<'a> {
    pub(super) fn new(model: &'a Model<'a>) -> Self {
        Self {
            model,
            zone: instant::zone(&model.record.time_zone),
            parameters: Vec::new(),
            columns: BTreeSet::new(),
            scope_columns: BTreeSet::new(),
        }
    }

    /// Adds a parameter of an escaped text; the placeholder is not typed yet.
    pub(super) fn parameter(&mut self, name: String, text: String) -> Result<String, Rejection> {
        if text.len() > LONGEST_PARAMETER {
            let message = format!(
                "the filter holds values of more than {LONGEST_PARAMETER} bytes, which ClickHouse does not take"
            );
            return Err(Rejection::new(Code::FilterTooLarge, "filter", message));
        }
        if self.parameters.len() == MOST_PARAMETERS {
            let message = format!("the filter holds more than {MOST_PARAMETERS} values of its own; use IN for lists");
            return Err(Rejection::new(Code::FilterTooLarge, "filter", message));
        }
        self.parameters.push((name.clone(), text));
        Ok(name)
    }

    fn next(&mut self, text: String, parameter_type: &str) -> Result<String, Rejection> {
        let name = self.parameter(format!("p{}", self.parameters.len()), text)?;
        Ok(format!("{{{name}:{parameter_type}}}"))
    }

    /// Lowers a filter, checking every field on the way in the order in which the filter names them.
    pub(super) fn lower(&mut self, filter: &FilterExpression) -> Result<Condition, Rejection> {
        Ok(match filter {
            FilterExpression::MatchAll => Condition::Everything,
            FilterExpression::MatchNone => Condition::Nothing,
            FilterExpression::And(operands) => Condition::and(self.lower_all(operands)?),
            FilterExpression::Or(operands) => Condition::or(self.lower_all(operands)?),
            FilterExpression::Nor(operands) => Condition::nor(self.lower_all(operands)?),
            FilterExpression::System(filter) => self.system(filter)?,
            FilterExpression::Field(filter) => self.field(filter)?,
            FilterExpression::ElementMatch { .. }
            | FilterExpression::Search { .. }
            | FilterExpression::Expression
            | FilterExpression::RelativeTime { .. } => return Err(rules::not_offered(self.model, filter)),
        })
    }

    fn lower_all(&mut self, operands: &[FilterExpression]) -> Result<Vec<Condition>, Rejection> {
        operands.iter().map(|operand| self.lower(operand)).collect()
    }

    fn system(&mut self, filter: &SystemFilter) -> Result<Condition, Rejection> {
        let scope = &self.model.record.scope;
        let (name, column) = match filter.role {
            Role::Identity => return self.identity(filter),
            Role::Tenant => (crate::api::record::TENANT_COLUMN, &scope.tenant),
            Role::Owner => (crate::api::record::OWNER_COLUMN, &scope.owner),
            Role::Space => (crate::api::record::SPACE_COLUMN, &scope.space),
            Role::AggregateId | Role::Deletion => return Err(rules::role_absent(filter.role)),
        };
        let column = column.as_ref().ok_or_else(|| rules::role_absent(filter.role))?;
        self.scope_columns.insert(name);
        let mut conditions = Vec::new();
        for value in &filter.values {
            let placeholder = self.next(operand::scalar_text(value), "String")?;
            let equal = render::scope_equality("__q", name, &column.column_type, &placeholder);
            conditions.push(Condition::Test(format!("ifNull({equal}, 0)")));
        }
        Ok(Condition::or(conditions))
    }

    fn identity(&mut self, filter: &SystemFilter) -> Result<Condition, Rejection> {
        let index = self.model.identity().ok_or_else(rules::no_identity)?;
        let field = &self.model.fields()[index];
        field.allows(Operator::In).map_err(|code| rules::refused(code, field, "ID"))?;
        let domain = field.domain.clone().ok_or_else(rules::no_identity)?;
        let positions = filter.values.iter().map(|text| operand::position_of_text(&domain, text, &self.zone)).collect();
        match filter.list {
            true => self.membership(index, &domain, positions, Operator::In),
            false => self.equality(index, &domain, positions, Operator::Eq),
        }
    }

    fn field(&mut self, filter: &FieldFilter) -> Result<Condition, Rejection> {
        let index = self.model.resolve(&filter.field)?;
        let field = &self.model.fields()[index];
        let operator = filter.operator;
        field.allows(operator).map_err(|code| rules::refused(code, field, operator.as_str()))?;
        let domain = field
            .domain
            .clone()
            .ok_or_else(|| rules::refused(Code::UnsupportedCapability, field, operator.as_str()))?;
        match &filter.operands {
            Operands::One(Scalar::Null) if operator == Operator::Ne => self.presence(index, Operator::IsNotNull),
            Operands::One(Scalar::Null) => self.presence(index, Operator::IsNull),
            Operands::None => self.presence(index, operator),
            Operands::Literal { value, ignore_case } => self.literal(index, &domain, operator, value, *ignore_case),
            Operands::One(value) => {
                let position = self.position(field, &domain, value)?;
                match operator {
                    Operator::Eq | Operator::Ne => self.equality(index, &domain, vec![position], operator),
                    _ => self.comparison(index, &domain, &position, operator),
                }
            }
            Operands::Range(lower, upper) => {
                let (lower, upper) = (self.position(field, &domain, lower)?, self.position(field, &domain, upper)?);
                Ok(Condition::and(vec![
                    self.comparison(index, &domain, &lower, Operator::Gte)?,
                    self.comparison(index, &domain, &upper, Operator::Lte)?,
                ]))
            }
            Operands::Many(values) => {
                let positions: Result<Vec<_>, _> =
                    values.iter().map(|value| self.position(field, &domain, value)).collect();
                self.membership(index, &domain, positions?, operator)
            }
        }
    }

    fn position(&self, field: &Field<'_>, domain: &Domain, value: &Scalar) -> Result<Position, Rejection> {
        operand::position(domain, value, &self.zone).map_err(|mismatch| {
            let message = format!("`{}` is compared with {}", field.path(), mismatch.0);
            Rejection::new(Code::ValueMismatch, field.path(), message)
        })
    }

    /// The column, or what it is compared as.
    fn compared(&mut self, index: usize) -> String {
        self.columns.insert(index);
        render::compared(&self.model.fields()[index])
    }

    /// Asked of the stored value itself, so that an index can answer.
    fn stored(&mut self, index: usize) -> String {
        self.columns.insert(index);
        render::column(&self.model.fields()[index])
    }

    fn equality(
        &mut self,
        index: usize,
        domain: &Domain,
        positions: Vec<Position>,
        operator: Operator,
    ) -> Result<Condition, Rejection> {
        let equal = operator == Operator::Eq;
        let Some(Position::At { text, exact: true }) = positions.into_iter().next() else {
            // no stored value can be equal
            return Ok(if equal { Condition::Nothing } else { Condition::Everything });
        };
        let placeholder = self.next(operand::scalar_text(&text), &operand::parameter_type(domain))?;
        let (value, compared) = (operand::restored(domain, &placeholder), self.compared(index));
        Ok(Condition::Test(match (self.model.fields()[index].array, equal) {
            (true, true) => format!("ifNull(has({compared}, {value}), 0)"),
            (true, false) => format!("NOT ifNull(has({compared}, {value}), 0)"),
            (false, true) => format!("ifNull({compared} = {value}, 0)"),
            (false, false) => format!("ifNull({compared} != {value}, 1)"),
        }))
    }

    fn comparison(
        &mut self,
        index: usize,
        domain: &Domain,
        position: &Position,
        operator: Operator,
    ) -> Result<Condition, Rejection> {
        let greater = matches!(operator, Operator::Gt | Operator::Gte);
        let (text, exact) = match position {
            Position::At { text, exact } => (text, *exact),
            Position::Below if greater => return self.presence(index, Operator::IsNotNull),
            Position::Above if !greater => return self.presence(index, Operator::IsNotNull),
            _ => return Ok(Condition::Nothing),
        };
        // between two values, both ends of the gap are decided by the lower one
        let sign = match (operator, exact) {
            (Operator::Gte, true) => ">=",
            (Operator::Gt | Operator::Gte, _) => ">",
            (Operator::Lt, true) => "<",
            _ => "<=",
        };
        let placeholder = self.next(operand::scalar_text(text), &operand::parameter_type(domain))?;
        let (value, compared) = (operand::restored(domain, &placeholder), self.compared(index));
        Ok(Condition::Test(format!("ifNull({compared} {sign} {value}, 0)")))
    }

    fn membership(
        &mut self,
        index: usize,
        domain: &Domain,
        positions: Vec<Position>,
        operator: Operator,
    ) -> Result<Condition, Rejection> {
        let asked = positions.len();
        let texts: Vec<String> = positions
            .into_iter()
            .filter_map(|position| match position {
                Position::At { text, exact: true } => Some(text),
                _ => None,
            })
            .collect();
        match operator {
            Operator::ContainsAll if texts.len() < asked => return Ok(Condition::Nothing),
            Operator::NotIn if texts.is_empty() => return Ok(Condition::Everything),
            _ if texts.is_empty() => return Ok(Condition::Nothing),
            _ => {}
        }
        let parameter_type = format!("Array({})", operand::parameter_type(domain));
        let placeholder = self.next(operand::array_text(domain, &texts), &parameter_type)?;
        let list = match operand::needs_restoring(domain) {
            true => format!("arrayMap(__y -> {}, {placeholder})", operand::restored(domain, "__y")),
            false => placeholder,
        };
        let compared = self.compared(index);
        let field = &self.model.fields()[index];
        if field.has_null_elements() {
            // hasAny and hasAll take a null element for the type's default: hasAny([NULL], [0]) is 1 (26.7)
            let any = format!("arrayExists(__x -> ifNull(__x IN {list}, 0), {compared})");
            return Ok(Condition::Test(match operator {
                Operator::ContainsAll => format!("arrayAll(__z -> ifNull(has({compared}, __z), 0), {list})"),
                Operator::NotIn => format!("NOT {any}"),
                _ => any,
            }));
        }
        Ok(Condition::Test(match (field.array, operator) {
            (true, Operator::ContainsAll) => format!("ifNull(hasAll({compared}, {list}), 0)"),
            (true, Operator::NotIn) => format!("NOT ifNull(hasAny({compared}, {list}), 0)"),
            (true, _) => format!("ifNull(hasAny({compared}, {list}), 0)"),
            (false, operator) => {
                // a computed array does not reach the primary key, rows do (26.7: 123 of 123 granules against 1)
                let set = match operand::needs_restoring(domain) {
                    true => format!("(SELECT arrayJoin({list}))"),
                    false => list,
                };
                match operator {
                    Operator::NotIn => format!("ifNull({compared} NOT IN {set}, 1)"),
                    _ => format!("ifNull({compared} IN {set}, 0)"),
                }
            }
        }))
    }

    fn literal(
        &mut self,
        index: usize,
        domain: &Domain,
        operator: Operator,
        value: &str,
        ignore_case: bool,
    ) -> Result<Condition, Rejection> {
        let placeholder = self.next(operand::scalar_text(value), &operand::parameter_type(domain))?;
        let compared = self.compared(index);
        let folded = |text: &str| if ignore_case { format!("lowerUTF8({text})") } else { text.to_owned() };
        let test = |text: &str| {
            let (text, piece) = (folded(text), folded(&placeholder));
            match operator {
                Operator::StartsWith => format!("ifNull(startsWith({text}, {piece}), 0)"),
                Operator::EndsWith => format!("ifNull(endsWith({text}, {piece}), 0)"),
                _ => format!("ifNull(position({text}, {piece}) > 0, 0)"),
            }
        };
        Ok(Condition::Test(match self.model.fields()[index].array {
            true => format!("arrayExists(__x -> {}, {compared})", test("__x")),
            false => test(&compared),
        }))
    }

    fn presence(&mut self, index: usize, operator: Operator) -> Result<Condition, Rejection> {
        let field = &self.model.fields()[index];
        let nullable = field.column_type.is_nullable();
        Ok(match operator {
            // a column exists for every row (query-language 2.5)
            Operator::Exists => Condition::Everything,
            Operator::NotExists => Condition::Nothing,
            Operator::IsNull if !nullable => Condition::Nothing,
            Operator::IsNull => Condition::Test(format!("isNull({})", self.stored(index))),
            Operator::IsNotNull if !nullable => Condition::Everything,
            Operator::IsNotNull => Condition::Test(format!("isNotNull({})", self.stored(index))),
            Operator::IsEmpty => Condition::Test(format!("empty({})", self.stored(index))),
            _ => {
                let compared = self.compared(index);
                let empty = operator == Operator::IsEmptyString;
                Condition::Test(format!("ifNull({compared} {} '', 0)", if empty { "=" } else { "!=" }))
            }
        })
    }
}
