//! The filter tree (query-language 2): the words, their shapes and their cost. Knows no dataset.

/// A filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterExpression {
    /// Everything.
    MatchAll,
    /// Nothing.
    MatchNone,
    /// All of them; never empty.
    And(Vec<FilterExpression>),
    /// At least one; never empty.
    Or(Vec<FilterExpression>),
    /// None of them; never empty.
    Nor(Vec<FilterExpression>),
    /// A condition on a system column (2.2).
    System(SystemFilter),
    /// A condition on a field (2.3).
    Field(FieldFilter),
    /// A condition on one element of an array of objects (2.6).
    ElementMatch {
        /// The array.
        field: String,
        /// What one element must meet; its paths are relative.
        predicate: Box<FilterExpression>,
    },
    /// A text search (2.7); no fields: the dataset's default ones.
    Search {
        /// The fields to search in.
        fields: Vec<String>,
    },
    /// A comparison of a computed value (2.8).
    Expression,
    /// A relative time window (part 3); without a field it reads the dataset's event time.
    RelativeTime {
        /// The field.
        field: Option<String>,
    },
}

/// A condition on a system column (2.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemFilter {
    /// The column's role.
    pub role: Role,
    /// The texts of which the column must hold one; empty for `DELETION`.
    pub values: Vec<String>,
    /// Whether the values came as a list, which the budget counts.
    pub list: bool,
}

/// The roles that a system filter addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Role {
    Identity,
    AggregateId,
    Tenant,
    Owner,
    Space,
    Deletion,
}

impl Role {
    /// The name under which a violation speaks of the column; it has no path of its own.
    pub(super) fn path(self) -> &'static str {
        match self {
            Self::Identity => "",
            Self::AggregateId => "aggregateId",
            Self::Tenant => "tenantId",
            Self::Owner => "ownerId",
            Self::Space => "spaceId",
            Self::Deletion => "deleted",
        }
    }
}

/// A condition on one field (2.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldFilter {
    /// What is asked.
    pub operator: Operator,
    /// The field's path or alias, as sent.
    pub field: String,
    /// What it is compared with.
    pub operands: Operands,
}

/// What a field is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Presence operators.
    None,
    /// One value; null only for `EQ` and `NE`.
    One(Scalar),
    /// `BETWEEN`: both ends belong to it.
    Range(Scalar, Scalar),
    /// A list; never empty, no nulls.
    Many(Vec<Scalar>),
    /// A literal piece of text.
    Literal {
        /// The piece.
        value: String,
        /// Whether upper and lower case are the same.
        ignore_case: bool,
    },
}

/// A JSON scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number's text with all its digits.
    Number(String),
    /// A text.
    Text(String),
}

/// The field operators, in the order in which the descriptor lists them (query-language 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // query-language 2.3 describes each
pub enum Operator {
    Eq,
    Ne,
    Gt,
    Gte,
    Lt,
    Lte,
    Contains,
    StartsWith,
    EndsWith,
    In,
    NotIn,
    Between,
    ContainsAll,
    IsEmpty,
    IsEmptyString,
    IsNotEmptyString,
    IsNull,
    IsNotNull,
    Exists,
    NotExists,
}

impl Operator {
    /// Every operator, in the descriptor's order.
    pub const ALL: [Self; 20] = [
        Self::Eq,
        Self::Ne,
        Self::Gt,
        Self::Gte,
        Self::Lt,
        Self::Lte,
        Self::Contains,
        Self::StartsWith,
        Self::EndsWith,
        Self::In,
        Self::NotIn,
        Self::Between,
        Self::ContainsAll,
        Self::IsEmpty,
        Self::IsEmptyString,
        Self::IsNotEmptyString,
        Self::IsNull,
        Self::IsNotNull,
        Self::Exists,
        Self::NotExists,
    ];

    /// The operator as it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "EQ",
            Self::Ne => "NE",
            Self::Gt => "GT",
            Self::Gte => "GTE",
            Self::Lt => "LT",
            Self::Lte => "LTE",
            Self::Contains => "CONTAINS",
            Self::StartsWith => "STARTS_WITH",
            Self::EndsWith => "ENDS_WITH",
            Self::In => "IN",
            Self::NotIn => "NOT_IN",
            Self::Between => "BETWEEN",
            Self::ContainsAll => "CONTAINS_ALL",
            Self::IsEmpty => "IS_EMPTY",
            Self::IsEmptyString => "IS_EMPTY_STRING",
            Self::IsNotEmptyString => "IS_NOT_EMPTY_STRING",
            Self::IsNull => "IS_NULL",
            Self::IsNotNull => "IS_NOT_NULL",
            Self::Exists => "EXISTS",
            Self::NotExists => "NOT_EXISTS",
        }
    }

    /// The operator of that word.
    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|operator| operator.as_str() == word)
    }

    /// Whether the operator is expensive whatever its operands (1.9).
    pub fn is_expensive(self) -> bool {
        matches!(
            self,
            Self::Ne
                | Self::NotIn
                | Self::IsNull
                | Self::IsNotNull
                | Self::NotExists
                | Self::IsEmpty
                | Self::IsNotEmptyString
                | Self::Contains
                | Self::EndsWith
        )
    }
}

impl FieldFilter {
    /// Whether this condition is expensive (1.9).
    pub(super) fn is_expensive(&self) -> bool {
        self.operator.is_expensive()
            || matches!((self.operator, &self.operands),
                (Operator::StartsWith, Operands::Literal { value, ignore_case }) if value.is_empty() || *ignore_case)
    }
}

impl FilterExpression {
    /// The filters directly below.
    pub(super) fn children(&self) -> &[FilterExpression] {
        match self {
            Self::And(operands) | Self::Or(operands) | Self::Nor(operands) => operands,
            Self::ElementMatch { predicate, .. } => std::slice::from_ref(predicate),
            _ => &[],
        }
    }

    /// The number of nodes, this one included (1.9).
    pub(super) fn nodes(&self) -> u64 {
        1 + self.children().iter().map(Self::nodes).sum::<u64>()
    }

    /// The length of the longest list of values (1.9).
    pub(super) fn longest_list(&self) -> u64 {
        let own = match self {
            Self::Field(FieldFilter { operands: Operands::Many(values), .. }) => values.len(),
            Self::System(SystemFilter { values, list: true, .. }) => values.len(),
            _ => 0,
        };
        self.children().iter().map(Self::longest_list).fold(own as u64, u64::max)
    }

    /// Whether any node is expensive (1.9).
    pub(super) fn is_expensive(&self) -> bool {
        let own = match self {
            Self::Nor(_) | Self::Expression => true,
            Self::Field(filter) => filter.is_expensive(),
            _ => false,
        };
        own || self.children().iter().any(Self::is_expensive)
    }

    /// Whether the filter provably matches everything (1.9).
    pub(super) fn matches_all(&self) -> bool {
        match self {
            Self::MatchAll => true,
            Self::And(operands) => operands.iter().all(Self::matches_all),
            Self::Or(operands) => operands.iter().any(Self::matches_all),
            _ => false,
        }
    }
}
