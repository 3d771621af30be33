//! ClickHouse accounts as data: who exists, what each may do, and which settings it may change.
//!
//! Knows how an account looks in `users.xml`. It does not know where a ClickHouse runs, and it
//! never keeps a password in clear text. The same accounts as SQL for a real server stand in `sql/`.

mod product;
mod users_xml;

pub use product::{Limit, ReaderLimits, admin, catalog, on_nodes, reader};
pub(super) use users_xml::escaped;
pub use users_xml::{LocalSession, render_users_xml};

use std::fmt;

use crate::canonical;
use crate::sql::Identifier;

/// One ClickHouse account with a settings profile of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its name: lower-case letters, digits and `_`, because it becomes an XML element.
    pub name: String,
    /// The SHA-256 of its password, in hex. The password itself is forgotten.
    pub password_sha256: String,
    /// The settings of its profile, in the order they are written.
    pub settings: Vec<ProfileSetting>,
    /// Its grants, each without the user: `GRANT SELECT ON shop.*`.
    pub grants: Vec<String>,
}

impl Account {
    /// An account that may do nothing yet.
    pub fn new(name: &str, password: &str) -> Self {
        Account {
            name: name.to_owned(),
            password_sha256: canonical::hex(password.as_bytes()),
            settings: Vec::new(),
            grants: Vec::new(),
        }
    }

    /// Adds a setting to the profile.
    #[must_use]
    pub fn with_setting(mut self, setting: ProfileSetting) -> Self {
        self.settings.push(setting);
        self
    }

    /// Adds `GRANT <privileges> ON <scope>`.
    #[must_use]
    pub fn with_grant(mut self, privileges: &str, scope: impl fmt::Display) -> Self {
        self.grants.push(format!("GRANT {privileges} ON {scope}"));
        self
    }

    /// Whether the name can stand in `users.xml`.
    pub fn has_valid_name(&self) -> bool {
        self.name.starts_with(|first: char| first.is_ascii_lowercase())
            && self.name.chars().all(|character| matches!(character, 'a'..='z' | '0'..='9' | '_'))
    }
}

/// One setting of a profile: its value (if the profile states one) and who may change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileSetting {
    /// The setting's name in ClickHouse.
    pub name: String,
    /// The value that holds when a query states none; the server's default if absent.
    pub value: Option<String>,
    /// What a query may do to it.
    pub rule: SettingRule,
}

/// What a query of the account may do to a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingRule {
    /// No constraint: free for an account that is not read-only, fixed for one that is.
    Unconstrained,
    /// Fixed, for every account.
    Constant,
    /// May be set to any value, also by a read-only account.
    Changeable,
    /// May be set within these limits, also by a read-only account.
    Between {
        /// The smallest value allowed. 1 refuses 0, which means "no limit" in ClickHouse.
        min: u64,
        /// The largest value allowed.
        max: u64,
    },
}

impl ProfileSetting {
    /// A value without a constraint.
    pub fn value(name: &str, value: impl fmt::Display) -> Self {
        Self::of(name, Some(value.to_string()), SettingRule::Unconstrained)
    }

    /// A value that nothing changes.
    pub fn constant(name: &str, value: impl fmt::Display) -> Self {
        Self::of(name, Some(value.to_string()), SettingRule::Constant)
    }

    /// The server's default, and nothing changes it.
    pub fn locked(name: &str) -> Self {
        Self::of(name, None, SettingRule::Constant)
    }

    /// Free for each query, also for a read-only account.
    pub fn changeable(name: &str) -> Self {
        Self::of(name, None, SettingRule::Changeable)
    }

    /// Free for each query, with a value for the queries that state none.
    pub fn changeable_from(name: &str, value: impl fmt::Display) -> Self {
        Self::of(name, Some(value.to_string()), SettingRule::Changeable)
    }

    /// A limit that a query may state between 1 and `limit.max`.
    pub fn limited(name: &str, limit: Limit) -> Self {
        let rule = SettingRule::Between { min: 1, max: limit.max };
        Self::of(name, Some(limit.value.to_string()), rule)
    }

    fn of(name: &str, value: Option<String>, rule: SettingRule) -> Self {
        ProfileSetting { name: name.to_owned(), value, rule }
    }
}

/// The databases that a grant is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantScope {
    /// All tables of one database.
    Database(String),
    /// All tables of every database whose name starts so, also of those created later.
    DatabasePrefix(String),
}

impl GrantScope {
    /// All tables of one database.
    pub fn database(name: &str) -> Self {
        GrantScope::Database(name.to_owned())
    }

    /// All tables of every database whose name starts with `prefix`.
    pub fn database_prefix(prefix: &str) -> Self {
        GrantScope::DatabasePrefix(prefix.to_owned())
    }
}

impl fmt::Display for GrantScope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrantScope::Database(name) => write!(formatter, "{}.*", Identifier::new(name)),
            GrantScope::DatabasePrefix(prefix) => write!(formatter, "{}*.*", Identifier::new(prefix)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_kept_as_its_hash_only() {
        let account = Account::new("reader", "secret");
        assert_eq!(account.password_sha256, "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b");
    }

    #[test]
    fn scopes_quote_their_names() {
        assert_eq!(GrantScope::database("sh`op").to_string(), "`sh\\`op`.*");
        assert_eq!(GrantScope::database_prefix("t_").to_string(), "`t_`*.*");
    }

    #[test]
    fn names_that_are_no_xml_elements_are_seen() {
        assert!(Account::new("order_sink", "").has_valid_name());
        for name in ["", "1a", "a b", "A", "a/b"] {
            assert!(!Account::new(name, "").has_valid_name(), "`{name}`");
        }
    }
}
