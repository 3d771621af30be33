//! What can go wrong with ClickHouse, sorted by what the caller has to do about it.

use std::fmt;

/// The situations that callers tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarehouseErrorKind {
    /// No answer: refused, reset, timed out, or a broken stream.
    Unreachable,
    /// The account or its password is wrong.
    Unauthenticated,
    /// The account may not do this.
    Denied,
    /// The table, view or database does not exist.
    Missing,
    /// A view no longer fits its sources: the type guard spoke, or a column is gone (reference view, rule 9).
    Changed,
    /// A limit of time, memory, rows, bytes or concurrency was reached.
    Limit,
    /// Anything else.
    Other,
}

/// A failure of a statement. The text is for the operator's log: it may hold SQL and engine text, and of a caller's query
/// the caller's own values and rows. Never send it to a caller of the query server, and never log it of a caller's query.
#[derive(Clone, Debug)]
pub struct WarehouseError {
    /// What kind of situation it is.
    pub kind: WarehouseErrorKind,
    /// ClickHouse's error code, if the server spoke.
    pub code: Option<u32>,
    message: String,
    url: String,
}

impl WarehouseError {
    pub(super) fn from_client(error: clickhouse::error::Error, url: &str) -> Self {
        use clickhouse::error::Error;
        match error {
            Error::BadResponse(text) => Self::from_server_text(&text, url),
            Error::Network(cause) => Self::new(WarehouseErrorKind::Unreachable, chain(&*cause), url),
            Error::TimedOut => Self::new(WarehouseErrorKind::Unreachable, "timed out".to_owned(), url),
            other => Self::new(WarehouseErrorKind::Other, chain(&other), url),
        }
    }

    pub(super) fn undecodable(error: &dyn fmt::Display, url: &str) -> Self {
        Self::new(WarehouseErrorKind::Other, format!("answer could not be decoded: {error}"), url)
    }

    /// A server that holds a connection and says nothing.
    pub fn timed_out(after: std::time::Duration, url: &str) -> Self {
        Self::new(WarehouseErrorKind::Unreachable, format!("no answer within {} s", after.as_secs()), url)
    }

    /// The deadline of a query passed without a word of the server (query-language O4).
    pub(super) fn past_deadline(after: std::time::Duration, url: &str) -> Self {
        Self::new(WarehouseErrorKind::Limit, format!("no rows within {} s", after.as_secs()), url)
    }

    pub(super) fn broken_stream(url: &str) -> Self {
        Self::new(WarehouseErrorKind::Other, "the answer broke off with an exception of the server".to_owned(), url)
    }

    fn from_server_text(text: &str, url: &str) -> Self {
        let code = text
            .split("Code: ")
            .nth(1)
            .and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next())
            .and_then(|digits| digits.parse().ok());
        let kind = match code {
            // Of a shard, one code says that it lacks the view and that it does not answer.
            Some(ALL_CONNECTION_TRIES_FAILED) if !text.contains("There is no table") => WarehouseErrorKind::Unreachable,
            other => other.map_or(WarehouseErrorKind::Other, kind_of),
        };
        let mut error = Self::new(kind, text.trim().to_owned(), url);
        error.code = code;
        error
    }

    fn new(kind: WarehouseErrorKind, message: String, url: &str) -> Self {
        Self { kind, code: None, message, url: url.to_owned() }
    }

    /// What it is, the same for each failure of its kind: what a limit counted differs from one attempt to the next.
    pub fn in_general(&self) -> String {
        match self.kind {
            WarehouseErrorKind::Limit => {
                format!("a limit of time, memory or rows was reached at `{}`; the log has the server's words", self.url)
            }
            _ => self.to_string(),
        }
    }

    /// The server's first sentence, without its version and stack, cut to a length that fits a condition.
    pub fn short(&self) -> String {
        let text = self.message.split(" (version ").next().unwrap_or_default();
        let text = text.split("DB::Exception: ").last().unwrap_or(text);
        let end = text.char_indices().nth(400).map_or(text.len(), |(index, _)| index);
        text[..end].trim().to_owned()
    }
}

impl fmt::Display for WarehouseErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unreachable => "ClickHouse cannot be reached",
            Self::Unauthenticated => "ClickHouse refuses the account",
            Self::Denied => "the account lacks a grant",
            Self::Missing => "a table, view or database is missing",
            Self::Changed => "a source changed",
            Self::Limit => "a limit was reached",
            Self::Other => "the statement failed",
        })
    }
}

impl fmt::Display for WarehouseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at `{}`: {}", self.kind, self.url, self.short())
    }
}

impl std::error::Error for WarehouseError {}

/// No connection to any replica of a shard could be used.
const ALL_CONNECTION_TRIES_FAILED: u32 = 279;

/// The kind of a ClickHouse error code (`src/Common/ErrorCodes.cpp` of ClickHouse).
fn kind_of(code: u32) -> WarehouseErrorKind {
    match code {
        // UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED
        192..=194 | 516 => WarehouseErrorKind::Unauthenticated,
        // READONLY, ACCESS_DENIED, SETTING_CONSTRAINT_VIOLATION
        164 | 497 | 452 => WarehouseErrorKind::Denied,
        // UNKNOWN_TABLE, UNKNOWN_DATABASE
        60 | 81 => WarehouseErrorKind::Missing,
        // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN (the fence and guard), ILLEGAL_TYPE_OF_ARGUMENT, UNKNOWN_IDENTIFIER,
        // a shard that lacks the view
        349 | 43 | 47 | ALL_CONNECTION_TRIES_FAILED => WarehouseErrorKind::Changed,
        // SOCKET_TIMEOUT, NETWORK_ERROR: of a shard
        209 | 210 => WarehouseErrorKind::Unreachable,
        // TOO_MANY_ROWS, TIMEOUT_EXCEEDED, TOO_SLOW, SET_SIZE_LIMIT_EXCEEDED, MEMORY_LIMIT_EXCEEDED,
        // TOO_MANY_SIMULTANEOUS_QUERIES, TOO_MANY_BYTES, QUERY_WAS_CANCELLED, TOO_MANY_ROWS_OR_BYTES, SERVER_OVERLOADED
        158 | 159 | 160 | 191 | 241 | 202 | 307 | 394 | 396 | 745 => WarehouseErrorKind::Limit,
        _ => WarehouseErrorKind::Other,
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_text_is_sorted_by_its_code() {
        let text = "Code: 60. DB::Exception: Unknown table expression identifier 'a.b' in scope SELECT 1. (UNKNOWN_TABLE) (version 26.7.3.1 (official build))";
        let error = WarehouseError::from_server_text(text, "http://x");
        assert_eq!((error.kind, error.code), (WarehouseErrorKind::Missing, Some(60)));
        assert_eq!(error.short(), "Unknown table expression identifier 'a.b' in scope SELECT 1. (UNKNOWN_TABLE)");
    }

    #[test]
    fn a_shard_that_lacks_the_view_is_not_one_that_is_away() {
        let kind = |why: &str| {
            let text = format!(
                "Code: 279. DB::Exception: All connection tries failed. Log: \n\n{why}\n\n: While executing Remote. (ALL_CONNECTION_TRIES_FAILED)"
            );
            WarehouseError::from_server_text(&text, "http://x").kind
        };
        assert_eq!(kind("There is no table `d`.`ds_a_b_v1_local` on server: b:9000"), WarehouseErrorKind::Changed);
        assert_eq!(
            kind("Code: 210. DB::NetException: Connection refused (b:9000). (NETWORK_ERROR)"),
            WarehouseErrorKind::Unreachable
        );
    }

    #[test]
    fn what_a_limit_counted_stands_in_the_log_alone() {
        let limit = |amount: &str| {
            let text =
                format!("Code: 241. DB::Exception: Memory limit exceeded: would use {amount}. (MEMORY_LIMIT_EXCEEDED)");
            WarehouseError::from_server_text(&text, "http://x")
        };
        assert_ne!(limit("7.46 GiB").to_string(), limit("900 MiB").to_string());
        assert_eq!(limit("7.46 GiB").in_general(), limit("900 MiB").in_general());
    }
}
