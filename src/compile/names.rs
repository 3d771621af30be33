//! Names that people choose, and the view names made of them (design 4.1).

use super::diagnostic::{Code, Diagnostic};

/// The longest view name, suffixes included; below the file-name limit for any short database name (ClickHouse facts 14).
const VIEW_NAME_LIMIT: usize = 180;
/// ClickHouse's limit for database and table name together.
const FILE_NAME_LIMIT: usize = 213;
/// `_v` and ten digits, and `_local` for the view of one node.
const LONGEST_SUFFIX: usize = 12 + 6;

/// The stable part of a dataset's view names: `ds_<context>_<name>`, dashes folded.
pub fn view_prefix(context: &str, name: &str) -> String {
    format!("ds_{context}_{name}").replace('-', "_")
}

/// The view of a version.
pub fn view_name(context: &str, name: &str, version: u64) -> String {
    format!("{}_v{version}", view_prefix(context, name))
}

/// Checks a dataset's context and name.
pub fn check_dataset_name(context: &str, name: &str, datasets_database: &str, found: &mut Vec<Diagnostic>) {
    for (path, part) in [("spec.context", context), ("spec.name", name)] {
        let mut characters = part.chars();
        let valid = characters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && characters.all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        if !valid {
            found.push(
                Diagnostic::new(Code::InvalidName, path, format!("`{part}` is not a name."))
                    .help("A name starts with a letter and goes on with letters, digits, `_` and `-`."),
            );
        }
    }
    let folded = name.replace('-', "_");
    let ends_in_version = folded
        .rsplit_once("_v")
        .is_some_and(|(_, digits)| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    if ends_in_version || folded.ends_with("_local") {
        found.push(
            Diagnostic::new(
                Code::ReservedName,
                "spec.name",
                format!("`{name}` ends like a name that the operator makes."),
            )
            .help("Names that end in `_v` and digits, or in `_local`, are reserved for versions and nodes."),
        );
    }
    let limit = VIEW_NAME_LIMIT.min(FILE_NAME_LIMIT.saturating_sub(datasets_database.len()));
    let length = view_prefix(context, name).len() + LONGEST_SUFFIX;
    if length > limit {
        let over = length - limit;
        found.push(
            Diagnostic::new(
                Code::NameTooLong,
                "spec.name",
                format!("The view's name would have {length} bytes; {limit} are possible."),
            )
            .help(format!("Shorten context and name by {over} characters together.")),
        );
    }
}

/// Checks an alias or a column name; `what` says which, `path` where it stands.
pub fn check_inner_name(name: &str, what: &str, path: impl Fn() -> String, found: &mut Vec<Diagnostic>) {
    let mut characters = name.chars();
    let valid = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if name.starts_with("__") {
        found.push(
            Diagnostic::new(Code::ReservedName, path(), format!("The {what} `{name}` starts with `__`."))
                .help("Names that start with `__` belong to the operator."),
        );
    } else if !valid {
        found.push(
            Diagnostic::new(Code::InvalidName, path(), format!("`{name}` is no name for {} {what}.", article(what)))
                .help("A name starts with a letter or `_` and goes on with letters, digits and `_`."),
        );
    }
}

fn article(what: &str) -> &'static str {
    if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(context: &str, name: &str) -> Vec<Code> {
        let mut found = Vec::new();
        check_dataset_name(context, name, "wow_datasets", &mut found);
        found.into_iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn two_ids_can_fold_to_one_view_name() {
        assert_eq!(view_name("a_b", "c", 1), view_name("a", "b-c", 1));
    }

    #[test]
    fn names_like_the_operators_own_are_refused() {
        assert_eq!(codes("shop", "orders"), []);
        assert_eq!(codes("shop", "orders_v2"), [Code::ReservedName]);
        assert_eq!(codes("shop", "orders-v2"), [Code::ReservedName]);
        assert_eq!(codes("shop", "orders_local"), [Code::ReservedName]);
        assert_eq!(codes("shop", "orders_vat"), []);
        assert_eq!(codes("1shop", "or.ders"), [Code::InvalidName, Code::InvalidName]);
    }

    #[test]
    fn the_longest_suffix_counts() {
        let fits = 180 - LONGEST_SUFFIX - "ds_c_".len();
        assert_eq!(codes("c", &"n".repeat(fits)), []);
        assert_eq!(codes("c", &"n".repeat(fits + 1)), [Code::NameTooLong]);
    }
}
