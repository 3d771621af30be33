//! Names → sources: which sources a definition reads, and in which order they are joined.

use std::collections::{BTreeMap, BTreeSet};

use super::conventions;
use super::diagnostic::{Code, Diagnostic, available};
use super::join::add_join;
use super::names;
use super::read::SourceRead;
use super::reference::Resolved;
use super::{CompileInput, SourceInForce};

/// Finds the sources and joins of a definition. What could be resolved is returned together with all that could not.
pub(super) fn resolve<'a>(
    input: &CompileInput<'a>,
    time_zone: &'a str,
    found: &mut Vec<Diagnostic>,
) -> Option<Resolved<'a>> {
    let definition = &input.spec.definition;
    let mut aliases: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, source) in definition.sources.iter().enumerate() {
        let path = || format!("spec.definition.sources[{index}].alias");
        names::check_inner_name(&source.alias, "alias", path, found);
        if aliases.insert(&source.alias, index).is_some() {
            found.push(Diagnostic::new(
                Code::DuplicateName,
                path(),
                format!("The alias `{}` stands twice.", source.alias),
            ));
        }
    }
    let known: Vec<&str> = aliases.keys().copied().collect();
    let Some(&subject) = aliases.get(definition.subject.as_str()) else {
        found.push(
            Diagnostic::new(
                Code::UnknownAlias,
                "spec.definition.subject",
                format!("No source has the alias `{}`.", definition.subject),
            )
            .help(available(&definition.subject, &known, "aliases")),
        );
        return None;
    };
    let order = join_order(input, &aliases, subject, found)?;
    let mut resolved = Resolved {
        reads: Vec::with_capacity(order.len()),
        joins: Vec::new(),
        values: Vec::new(),
        root_tenant: None,
        time_zone,
    };
    let mut complete = true;
    for (position, (source, join)) in order.into_iter().enumerate() {
        let entry = &definition.sources[source];
        let path = format!("spec.definition.sources[{source}].sourceId");
        let read = source_in_force(input, &entry.source_id, &path, found).and_then(|in_force| {
            let catalog = input.catalogs.get(&in_force.declaration.connection);
            let convention = catalog.and_then(|known| conventions::of_source(&in_force.declaration, known, &path));
            found.extend(convention);
            let table = table_of(input, in_force, &path, found)?;
            match SourceRead::new(
                position,
                &entry.alias,
                &entry.source_id,
                &in_force.declaration,
                (table, catalog?),
                &path,
            ) {
                Ok(read) => Some(read),
                Err(diagnostic) => {
                    found.push(diagnostic);
                    None
                }
            }
        });
        let Some(read) = read else {
            complete = false;
            continue;
        };
        if complete {
            resolved.reads.push(read);
            match join {
                None => resolved.root_tenant = resolved.reads[0].add_tenant(),
                Some(join) => add_join(&mut resolved, &definition.joins, join, found),
            }
        }
    }
    check_one_connection(input, found);
    complete.then_some(resolved)
}

/// The sources in the order in which they are read: the subject, then as joined.
fn join_order(
    input: &CompileInput<'_>,
    aliases: &BTreeMap<&str, usize>,
    subject: usize,
    found: &mut Vec<Diagnostic>,
) -> Option<Vec<(usize, Option<usize>)>> {
    let definition = &input.spec.definition;
    let mut order = vec![(subject, None)];
    let mut seen: BTreeSet<usize> = [subject].into();
    let before = found.len();
    for (index, join) in definition.joins.iter().enumerate() {
        let path = format!("spec.definition.joins[{index}].alias");
        match aliases.get(join.alias.as_str()) {
            None => {
                let known: Vec<&str> = aliases.keys().copied().collect();
                found.push(
                    Diagnostic::new(Code::UnknownAlias, path, format!("No source has the alias `{}`.", join.alias))
                        .help(available(&join.alias, &known, "aliases")),
                );
            }
            Some(source) if *source == subject => found.push(
                Diagnostic::new(
                    Code::InvalidJoin,
                    path,
                    format!("`{}` is the subject; it is not joined to itself.", join.alias),
                )
                .help("The subject is read first, and the other sources are joined to it."),
            ),
            Some(source) if !seen.insert(*source) => {
                found.push(
                    Diagnostic::new(Code::DuplicateName, path, format!("`{}` is joined twice.", join.alias))
                        .help("To read a source twice, list it under two aliases."),
                );
            }
            Some(source) => order.push((*source, Some(index))),
        }
    }
    // An alias that is misspelt in its join, or stands twice, is told of already.
    let not_joined = |index: usize, alias: &str| !seen.contains(&index) && aliases.get(alias) == Some(&index);
    let misspelt = found[before..].iter().any(|diagnostic| diagnostic.code == Code::UnknownAlias);
    for (index, source) in definition.sources.iter().enumerate() {
        if misspelt || !not_joined(index, &source.alias) {
            continue;
        }
        found.push(
            Diagnostic::new(
                Code::AliasNotJoined,
                format!("spec.definition.sources[{index}].alias"),
                format!("`{}` is never joined.", source.alias),
            )
            .help("Add a join for it, or remove the source."),
        );
    }
    (found.len() == before).then_some(order)
}

fn source_in_force<'a>(
    input: &CompileInput<'a>,
    source_id: &str,
    path: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<&'a SourceInForce> {
    match input.sources.get(source_id) {
        None => {
            let known: Vec<&str> = input.sources.keys().map(String::as_str).collect();
            let has_form = source_id.split(':').filter(|part| !part.is_empty()).count() == 3;
            let form = if has_form { "" } else { "A source's ID is `<connection>:<database>:<table>`. " };
            let help = match known.is_empty() {
                true if has_form => {
                    "Declare it as an AnalyticsSource, or let its owner allow this namespace.".to_owned()
                }
                true => form.trim_end().to_owned(),
                false => format!("{form}{}", available(source_id, &known, "sources")),
            };
            found.push(
                Diagnostic::new(Code::SourceNotFound, path, format!("No source `{source_id}` may be used here."))
                    .help(help),
            );
            None
        }
        Some(source) => match &source.not_ready {
            None => Some(source),
            Some(why) => {
                found.push(
                    Diagnostic::new(
                        Code::SourceNotApproved,
                        path,
                        format!("The source `{source_id}` cannot be read yet: {why}"),
                    )
                    .help("The dataset goes on by itself once the source's declaration is in force."),
                );
                None
            }
        },
    }
}

fn table_of<'a>(
    input: &CompileInput<'a>,
    source: &'a SourceInForce,
    path: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<&'a crate::catalog::Table> {
    let declaration = &source.declaration;
    let table = input
        .catalogs
        .get(&declaration.connection)
        .and_then(|catalog| catalog.table(&declaration.database, &declaration.table));
    if table.is_none() {
        found.push(
            Diagnostic::new(
                Code::TableNotFound,
                path,
                format!("The table of `{}` does not exist, or is not visible to the operator.", declaration.id()),
            )
            .help("Create the table, or grant SELECT on it to the operator's account."),
        );
    }
    table
}

fn check_one_connection(input: &CompileInput<'_>, found: &mut Vec<Diagnostic>) {
    // An ID that no source has is a mistake of its own; it names no connection.
    let sources = input.spec.definition.sources.iter().map(|source| &source.source_id);
    let known = sources.filter(|id| input.sources.contains_key(*id));
    let connections: BTreeSet<&str> = known.filter_map(|id| id.split(':').next()).collect();
    if connections.len() > 1 {
        let names = connections.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        found.push(
            Diagnostic::new(
                Code::SeveralConnections,
                "spec.definition.sources",
                format!("The sources are on the connections {names}."),
            )
            .help("All sources of a definition share one connection."),
        );
    }
}
