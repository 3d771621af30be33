//! Checks the declaration of a source against its table (design 3.1).

use std::collections::BTreeSet;

use super::diagnostic::{Code, Diagnostic, available};
use super::protection;
use super::read::SourceRead;
use super::scope_column::scope_column;
use super::stated::Stated;
use crate::api::source::{AnalyticsSourceSpec, SourceColumn};
use crate::catalog::{Catalog, Table};
use crate::sql::ColumnType;

/// What a declaration comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCheck {
    /// What is wrong with it.
    pub diagnostics: Vec<Diagnostic>,
    /// Columns of the table that it does not list.
    pub undeclared_columns: Vec<String>,
}

/// Checks a declaration against its table, and what of the catalog lies behind that.
pub fn check(declaration: &AnalyticsSourceSpec, table: &Table, catalog: &Catalog) -> SourceCheck {
    let mut found = Vec::new();
    let id = declaration.id();
    refuse_scope_shapes(declaration, &mut found);
    let reader = SourceRead::new(0, "source", &id, declaration, (table, catalog), "spec");
    let mut reader = match reader {
        Ok(reader) => Some(reader),
        Err(diagnostic) => {
            found.push(diagnostic);
            None
        }
    };
    for (name, limit) in [("owner", &declaration.owner), ("space", &declaration.space)] {
        if let Some(limit) = limit {
            found.extend(scope_column(table, &limit.column, &format!("spec.{name}.column")).err());
        }
    }
    let stated = Stated::of(declaration);
    let mut seen = BTreeSet::new();
    for (index, entry) in declaration.columns.iter().enumerate() {
        let path = format!("spec.columns[{index}]");
        if !seen.insert((&entry.name, &entry.path)) {
            found.push(Diagnostic::new(Code::DuplicateName, &path, format!("`{}` stands twice.", entry.written())));
        }
        found.extend(protection::masks_nothing(entry.sensitivity.as_ref(), || entry.written(), || path.clone()));
        match table.column(&entry.name) {
            None => {
                let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
                found.push(
                    Diagnostic::new(
                        Code::UnknownColumn,
                        format!("{path}.name"),
                        format!("The table has no column `{}`.", entry.name),
                    )
                    .help(available(&entry.name, &names, "columns")),
                );
            }
            Some(column) => {
                // Objects and arrays of them are listed so that their level covers their parts; as a whole they are not
                // read.
                let written =
                    if entry.path.is_empty() { Some(&column.column_type) } else { entry.column_type.as_ref() };
                let objects = written.and_then(|text| ColumnType::parse(text).ok()).filter(holds_objects);
                if let Some(objects) = objects {
                    if objects.contains_text() && !stated.has_level(&entry.name, &entry.path) {
                        found.push(level_not_stated(entry, &path));
                    }
                    continue;
                }
                let segments: Vec<String> = entry.written().split('.').map(str::to_owned).collect();
                found.extend(reader.as_mut().and_then(|reader| reader.add(&segments, &path).err()));
            }
        }
    }
    for (index, reference) in declaration.references.iter().enumerate() {
        if table.column(&reference.column).is_none() {
            let path = format!("spec.references[{index}].column");
            found.push(Diagnostic::new(
                Code::UnknownColumn,
                path,
                format!("The table has no column `{}`.", reference.column),
            ));
        }
    }
    let listed: BTreeSet<&str> = declaration.columns.iter().map(|entry| entry.name.as_str()).collect();
    let undeclared = table.columns.iter().filter(|column| !listed.contains(column.name.as_str()));
    SourceCheck { diagnostics: found, undeclared_columns: undeclared.map(|column| column.name.clone()).collect() }
}

/// Whether a type is of an object or of an array of objects.
fn holds_objects(column_type: &ColumnType) -> bool {
    match column_type {
        ColumnType::Json(_) => true,
        ColumnType::Array(element) => matches!(**element, ColumnType::Json(_) | ColumnType::Tuple(_)),
        _ => false,
    }
}

/// The CRD's own rules, for documents that never passed an API server.
pub(super) fn refuse_scope_shapes(declaration: &AnalyticsSourceSpec, found: &mut Vec<Diagnostic>) {
    let one_of = declaration.tenant.as_ref().is_none_or(|tenant| tenant.column.is_some() != tenant.value.is_some());
    if !one_of {
        found.push(Diagnostic::new(
            Code::InvalidDocument,
            "spec.tenant",
            "Exactly one of `column` and `value` is needed.",
        ));
    }
    if declaration.tenant.is_some() == declaration.platform_dimension {
        found.push(
            Diagnostic::new(
                Code::InvalidDocument,
                "spec.tenant",
                "Exactly one of `tenant` and `platformDimension: true` is needed.",
            )
            .help("A source says whose its rows are, or that every tenant shares them."),
        );
    }
    if declaration.platform_dimension && (declaration.owner.is_some() || declaration.space.is_some()) {
        found.push(Diagnostic::new(Code::InvalidDocument, "spec", "A platform dimension has no owner and no space."));
    }
}

pub(super) fn level_not_stated(entry: &SourceColumn, path: &str) -> Diagnostic {
    Diagnostic::new(Code::LevelNotStated, path, format!("`{}` contains text and states no level.", entry.written()))
        .help("State `sensitivity: {level: Public | Display | Confidential}`.")
}
