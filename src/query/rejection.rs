//! Why a query is not run, in the words of the protocol (query-language 7).

/// The codes of query-language 7 that this server gives; added, never renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the page describes each; a second text here would drift from it
pub enum Code {
    EmptyBody,
    InvalidJson,
    BodyNotObject,
    UnknownProperty,
    UnknownType,
    UnknownValue,
    InvalidValue,
    InvalidRequest,
    SizeOutOfRange,
    FilterTooLarge,
    ExpensiveOperatorDisabled,
    CountRequiresFilter,
    UnknownField,
    UnsupportedCapability,
    ValueMismatch,
    NotCollection,
    NotSingleString,
    ModelSearchUnsupported,
    ProtectedComparison,
    NotProjectable,
    IncompleteProjection,
    SortTooMany,
    SortFieldDuplicate,
    IdentityUndefined,
    StorageUnsupported,
}

impl Code {
    /// The code as it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EmptyBody => "EMPTY_BODY",
            Self::InvalidJson => "INVALID_JSON",
            Self::BodyNotObject => "BODY_NOT_OBJECT",
            Self::UnknownProperty => "UNKNOWN_PROPERTY",
            Self::UnknownType => "UNKNOWN_TYPE",
            Self::UnknownValue => "UNKNOWN_VALUE",
            Self::InvalidValue => "INVALID_VALUE",
            Self::InvalidRequest => "INVALID_REQUEST",
            Self::SizeOutOfRange => "SIZE_OUT_OF_RANGE",
            Self::FilterTooLarge => "FILTER_TOO_LARGE",
            Self::ExpensiveOperatorDisabled => "EXPENSIVE_OPERATOR_DISABLED",
            Self::CountRequiresFilter => "COUNT_REQUIRES_FILTER",
            Self::UnknownField => "UNKNOWN_FIELD",
            Self::UnsupportedCapability => "UNSUPPORTED_CAPABILITY",
            Self::ValueMismatch => "VALUE_MISMATCH",
            Self::NotCollection => "NOT_COLLECTION",
            Self::NotSingleString => "NOT_SINGLE_STRING",
            Self::ModelSearchUnsupported => "MODEL_SEARCH_UNSUPPORTED",
            Self::ProtectedComparison => "PROTECTED_COMPARISON",
            Self::NotProjectable => "NOT_PROJECTABLE",
            Self::IncompleteProjection => "INCOMPLETE_PROJECTION",
            Self::SortTooMany => "SORT_TOO_MANY",
            Self::SortFieldDuplicate => "SORT_FIELD_DUPLICATE",
            Self::IdentityUndefined => "IDENTITY_UNDEFINED",
            Self::StorageUnsupported => "STORAGE_UNSUPPORTED",
        }
    }

    /// The `errorCode` that carries the code: the request itself is wrong, or the dataset does not allow it.
    fn error_code(self) -> &'static str {
        match self {
            Self::EmptyBody
            | Self::InvalidJson
            | Self::BodyNotObject
            | Self::UnknownProperty
            | Self::UnknownType
            | Self::UnknownValue
            | Self::InvalidValue
            | Self::InvalidRequest
            | Self::SizeOutOfRange
            | Self::FilterTooLarge
            | Self::ExpensiveOperatorDisabled
            | Self::CountRequiresFilter => "IllegalArgument",
            _ => "QuerySchemaValidation",
        }
    }
}

/// A refused query: the first violation found (query-language 7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The HTTP status.
    pub status: u16,
    /// `errorCode` of the answer.
    pub error_code: &'static str,
    /// `bindingErrors[0].code`; none where the answer carries no binding error.
    pub code: Option<&'static str>,
    /// `bindingErrors[0].name`: a path in the JSON, a column, or empty for a rule of the whole dataset.
    pub name: String,
    /// The text for people; not contract.
    pub message: String,
}

impl Rejection {
    /// A request that breaks a rule of the language or of the dataset.
    pub(crate) fn new(code: Code, name: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            status: 400,
            error_code: code.error_code(),
            code: Some(code.as_str()),
            name: shortened(&name.into()),
            message: message.into(),
        }
    }

    /// A caller without the scope that the dataset's rows demand (design 6.4).
    pub(crate) fn no_scope(part: &str) -> Self {
        Self {
            status: 403,
            error_code: "IllegalAccessQueryScope",
            code: None,
            name: String::new(),
            message: format!("this dataset is read within one {part}, and the request states none"),
        }
    }
}

/// The longest name from a request that an answer repeats.
const LONGEST_NAME: usize = 300;

/// A caller's own words, cut so that an answer cannot be as large as a request.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
