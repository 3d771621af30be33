//! Names → values: which sources a definition reads, and what a reference stands for.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::conventions;
use super::diagnostic::{Code, Diagnostic, available};
use super::join::{ResolvedJoin, add_join};
use super::names;
use super::parse::{self, ExpressionProblem, ProblemCode};
use super::predicate::{self, TypedFilter};
use super::read::SourceRead;
use super::typing::{self, Context, References, ResolvedReference, TypedExpression};
use super::{CompileInput, SourceInForce};
use crate::api::sensitivity::Sensitivity;
use crate::sql::ColumnType;

/// The sources of a definition, the subject first, then in the order of the joins.
pub(super) struct Resolved<'a> {
    pub reads: Vec<SourceRead<'a>>,
    pub joins: Vec<ResolvedJoin>,
    /// All references so far: the read and the value in it.
    pub values: Vec<(usize, usize)>,
    /// The subject's tenant value; none for a platform dimension.
    pub root_tenant: Option<usize>,
    pub time_zone: &'a str,
}

impl<'a> Resolved<'a> {
    /// The read and the value that a reference stands for.
    pub(super) fn target(&self, reference: usize) -> (&SourceRead<'a>, usize) {
        let (read, value) = self.values[reference];
        (&self.reads[read], value)
    }

    /// The SQL of a reference outside the reads.
    pub(super) fn outer(&self, reference: usize) -> String {
        let (read, value) = self.target(reference);
        read.outer(value)
    }

    /// The protection of the value that a reference stands for.
    pub(super) fn protection(&self, reference: usize) -> &Sensitivity {
        let (read, value) = self.target(reference);
        &read.value(value).protection
    }

    /// A reference as people write it.
    pub(super) fn written(&self, reference: usize) -> String {
        let (read, value) = self.target(reference);
        let (column, path) = &read.value(value).name;
        let dot = if path.is_empty() { "" } else { "." };
        format!("{}.{column}{dot}{path}", read.alias)
    }

    /// Parses and types an expression over the sources that are joined so far.
    pub(super) fn expression(
        &mut self,
        text: &str,
        path: &str,
        found: &mut Vec<Diagnostic>,
    ) -> Option<TypedExpression> {
        let tree = match parse::parse(text) {
            Ok(tree) => tree,
            Err(problem) => {
                found.push(from_problem(problem, path));
                return None;
            }
        };
        self.checked(path, found, |references, context| typing::check(&tree, references, context))
    }

    /// Runs a check of the expression language, and turns its problems and those of the references into diagnostics.
    fn checked<Typed>(
        &mut self,
        path: &str,
        found: &mut Vec<Diagnostic>,
        check: impl FnOnce(&mut dyn References, &Context<'_>) -> Result<Typed, Vec<ExpressionProblem>>,
    ) -> Option<Typed> {
        let context = Context { time_zone: self.time_zone };
        let mut references = Lookup { resolved: self, path, failures: Vec::new() };
        let result = check(&mut references, &context);
        found.append(&mut references.failures);
        match result {
            Ok(typed) => Some(typed),
            Err(problems) => {
                let own = problems.into_iter().filter(|problem| problem.code != ProblemCode::UnknownReference);
                found.extend(own.map(|problem| from_problem(problem, path)));
                None
            }
        }
    }

    /// Parses and types a condition.
    pub(super) fn filter(&mut self, text: &str, path: &str, found: &mut Vec<Diagnostic>) -> Option<TypedFilter> {
        let tree = match parse::parse(text) {
            Ok(tree) => tree,
            Err(problem) => {
                found.push(from_problem(problem, path));
                return None;
            }
        };
        self.checked(path, found, |references, context| predicate::check_filter(&tree, references, context))
    }

    /// The value that a plain reference `alias.column.path` stands for.
    pub(super) fn reference(&mut self, segments: &[String], path: &str) -> Result<usize, Diagnostic> {
        let Some((alias, inside)) = segments.split_first() else {
            return Err(Diagnostic::new(Code::SyntaxError, path, "An empty reference."));
        };
        let Some(read) = self.reads.iter_mut().find(|read| read.alias == *alias) else {
            let aliases: Vec<&str> = self.reads.iter().map(|read| read.alias).collect();
            return Err(Diagnostic::new(Code::UnknownAlias, path, format!("No source is joined as `{alias}` here."))
                .help(available(alias, &aliases, "aliases")));
        };
        if inside.is_empty() {
            return Err(Diagnostic::new(Code::SyntaxError, path, format!("`{alias}` names a source, not a value."))
                .help(format!("Write `{alias}.<column>`.")));
        }
        let value = read.add(inside, path)?;
        let target = (read.index, value);
        if let Some(index) = self.values.iter().position(|value| *value == target) {
            return Ok(index);
        }
        self.values.push(target);
        Ok(self.values.len() - 1)
    }

    /// The type of a reference outside the reads.
    pub(super) fn reference_type(&self, reference: usize) -> ColumnType {
        let (read, value) = self.target(reference);
        read.outer_type(value)
    }
}

/// Answers the type checker's questions, and keeps the diagnostics of those that have no answer.
struct Lookup<'r, 'a> {
    resolved: &'r mut Resolved<'a>,
    path: &'r str,
    failures: Vec<Diagnostic>,
}

impl References for Lookup<'_, '_> {
    fn resolve(&mut self, segments: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        match self.resolved.reference(segments, self.path) {
            Ok(id) => Ok(ResolvedReference { id, column_type: self.resolved.reference_type(id) }),
            Err(diagnostic) => {
                self.failures.push(diagnostic.at(span.clone()));
                Err(ExpressionProblem { code: ProblemCode::UnknownReference, span, message: String::new(), help: None })
            }
        }
    }
}

/// A problem of the expression language as a diagnostic at a path.
pub(super) fn from_problem(problem: ExpressionProblem, path: &str) -> Diagnostic {
    let code = match problem.code {
        ProblemCode::SyntaxError => Code::SyntaxError,
        ProblemCode::UnknownFunction => Code::UnknownFunction,
        ProblemCode::FunctionNotAllowed => Code::FunctionNotAllowed,
        ProblemCode::TypeMismatch | ProblemCode::NotBoolean => Code::TypeMismatch,
        ProblemCode::WrongArguments => Code::WrongArguments,
        ProblemCode::UnknownReference | ProblemCode::ReferenceNotAllowed => Code::UndeclaredColumn,
        ProblemCode::TooLong | ProblemCode::TooDeep | ProblemCode::TooManyNodes | ProblemCode::TooLarge => {
            Code::LimitExceeded
        }
    };
    let mut diagnostic = Diagnostic::new(code, path, sentence(&problem.message)).at(problem.span);
    diagnostic.help = problem.help.map(|help| sentence(&help));
    diagnostic
}

/// Problems of expressions are written as parts of a sentence.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_uppercase);
    let end = if text.ends_with(['.', '?']) { "" } else { "." };
    format!("{}{}{end}", first.collect::<String>(), characters.as_str())
}

/// Finds the sources and joins of a definition. What could be resolved is returned together with all that could not.
pub(super) fn resolve<'a>(
    input: &CompileInput<'a>,
    time_zone: &'a str,
    found: &mut Vec<Diagnostic>,
) -> Option<Resolved<'a>> {
    let definition = &input.spec.definition;
    let mut aliases: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, source) in definition.sources.iter().enumerate() {
        let path = format!("spec.definition.sources[{index}].alias");
        names::check_inner_name(&source.alias, "alias", &path, found);
        if aliases.insert(&source.alias, index).is_some() {
            found.push(Diagnostic::new(
                Code::DuplicateName,
                path,
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
    let mut resolved =
        Resolved { reads: Vec::new(), joins: Vec::new(), values: Vec::new(), root_tenant: None, time_zone };
    let mut complete = true;
    for (position, (source, join)) in order.into_iter().enumerate() {
        let entry = &definition.sources[source];
        let path = format!("spec.definition.sources[{source}].sourceId");
        let read = source_in_force(input, &entry.source_id, &path, found).and_then(|in_force| {
            let catalog = input.catalogs.get(&in_force.declaration.connection);
            let convention = catalog.and_then(|known| conventions::of_source(&in_force.declaration, known, &path));
            found.extend(convention);
            let table = table_of(input, in_force, &path, found)?;
            match SourceRead::new(position, &entry.alias, &entry.source_id, &in_force.declaration, table, &path) {
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
            let help = match known.is_empty() {
                true => "Declare it as an AnalyticsSource, or let its owner allow this namespace.".to_owned(),
                false => available(source_id, &known, "sources"),
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
    let connections: BTreeSet<&str> =
        input.spec.definition.sources.iter().filter_map(|source| source.source_id.split(':').next()).collect();
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

/// Refuses protected values in an expression, until their lineage is followed.
pub(super) fn check_public(
    resolved: &Resolved<'_>,
    references: &[usize],
    path: &str,
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    for &reference in references {
        if resolved.protection(reference).is_protected() {
            found.push(
                Diagnostic::new(
                    Code::ProtectedValue,
                    path,
                    format!("`{}` is protected and cannot be part of a {what} yet.", resolved.written(reference)),
                )
                .help("A protected value can be a column of its own (`from`), masked as its source says."),
            );
        }
    }
}
