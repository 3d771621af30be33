//! What a reference stands for, and what the texts of a definition name: every value that a text speaks of is its
//! lineage, whether or not the SQL still reads it (design 4.8).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::diagnostic::{Code, Diagnostic, available};
use super::expression::{Expression, ExpressionKind};
use super::join::ResolvedJoin;
use super::lineage::Lineage;
use super::parse::{self, ExpressionProblem, ProblemCode};
use super::predicate::{self, TypedFilter};
use super::read::{ReadValue, SourceRead};
use super::typing::{self, Context, References, ResolvedReference, TypedExpression};
use crate::sql::{ColumnType, Identifier};

/// A checked text with the references that it names, sorted. The SQL may read fewer: `x is null` is false for a value
/// that is never null, and has still asked for it.
pub(super) struct Traced<Typed> {
    pub typed: Typed,
    pub names: Vec<usize>,
}

/// One of the conditions that all rows meet.
pub(super) struct Condition {
    /// Its part of the author's text.
    pub text: String,
    pub filter: Traced<TypedFilter>,
    pub tree: Expression,
}

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

    /// A reference by what it stands for, whatever the author calls it: the source, which of its reads if there are
    /// several, and the value. Two references that are written alike read the same.
    pub(super) fn normal(&self, reference: usize) -> String {
        let (read, value) = self.target(reference);
        let written = written(read.value(value));
        let mut normal = String::with_capacity(read.source_id.len() + written.len() + "``.``".len());
        Identifier::new(read.source_id).push_to(&mut normal);
        match self.occurrence(read.index) {
            1 => {}
            occurrence => normal.push_str(&format!("#{occurrence}")),
        }
        normal.push('.');
        Identifier::new(&written).push_to(&mut normal);
        normal
    }

    /// How many reads of the same source there are up to this one.
    pub(super) fn occurrence(&self, read: usize) -> usize {
        self.reads[..=read].iter().filter(|other| other.source_id == self.reads[read].source_id).count()
    }

    /// The source values that references stand for, and how their sources protect them.
    pub(super) fn lineage(&self, references: &[usize]) -> Lineage {
        let mut lineage = Lineage::default();
        for reference in references {
            let (read, value) = self.target(*reference);
            let value = read.value(value);
            lineage.add(read.source_id, &written(value), &value.protection);
        }
        lineage
    }

    /// Parses and types an expression over the sources that are joined so far.
    pub(super) fn expression(
        &mut self,
        text: &str,
        path: &str,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Traced<TypedExpression>> {
        match parse::parse(text) {
            Ok(tree) => self.typed(&tree, path, found),
            Err(problem) => {
                found.push(from_problem(problem, path));
                None
            }
        }
    }

    /// Types an expression that is parsed, over the sources that are joined so far.
    pub(super) fn typed(
        &mut self,
        tree: &Expression,
        path: &str,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Traced<TypedExpression>> {
        self.checked(path, found, |references, context| typing::check(tree, references, context))
    }

    /// Runs a check of the expression language, and turns its problems and those of the references into diagnostics.
    fn checked<Typed>(
        &mut self,
        path: &str,
        found: &mut Vec<Diagnostic>,
        check: impl FnOnce(&mut dyn References, &Context<'_>) -> Result<Typed, Vec<ExpressionProblem>>,
    ) -> Option<Traced<Typed>> {
        let context = Context { time_zone: self.time_zone };
        let mut references = Lookup { resolved: self, path, named: BTreeSet::new(), failures: Vec::new() };
        let result = check(&mut references, &context);
        found.append(&mut references.failures);
        let names = references.named.into_iter().collect();
        match result {
            Ok(typed) => Some(Traced { typed, names }),
            Err(problems) => {
                let own = problems.into_iter().filter(|problem| problem.code != ProblemCode::UnknownReference);
                found.extend(own.map(|problem| from_problem(problem, path)));
                None
            }
        }
    }

    /// Parses and types a filter: the conditions that it joins by `and`, each for itself.
    pub(super) fn filter(&mut self, text: &str, path: &str, found: &mut Vec<Diagnostic>) -> Vec<Condition> {
        let tree = match parse::parse(text) {
            Ok(tree) => tree,
            Err(problem) => {
                found.push(from_problem(problem, path));
                return Vec::new();
            }
        };
        let mut conditions = Vec::new();
        for tree in conjuncts(tree) {
            let filter =
                self.checked(path, found, |references, context| predicate::check_filter(&tree, references, context));
            let text = part(text, tree.span.clone()).to_owned();
            conditions.extend(filter.map(|filter| Condition { text, filter, tree }));
        }
        conditions
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
        let value = read.refer(inside, path)?;
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
    named: BTreeSet<usize>,
    failures: Vec<Diagnostic>,
}

impl References for Lookup<'_, '_> {
    fn resolve(&mut self, segments: &[String], span: Range<usize>) -> Result<ResolvedReference, ExpressionProblem> {
        match self.resolved.reference(segments, self.path) {
            Ok(id) => {
                self.named.insert(id);
                Ok(ResolvedReference { id, column_type: self.resolved.reference_type(id) })
            }
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

/// The parts of a condition that hold for every row, each of them.
fn conjuncts(tree: Expression) -> Vec<Expression> {
    match tree.kind {
        ExpressionKind::And(operands) => operands.into_iter().flat_map(conjuncts).collect(),
        _ => vec![tree],
    }
}

/// The part of a text, or all of it where the parentheses around the part stand outside.
fn part(text: &str, span: Range<usize>) -> &str {
    let part = text.get(span).unwrap_or(text);
    if part.matches('(').count() == part.matches(')').count() { part } else { text }
}

/// A value of a source as people write it.
fn written(value: &ReadValue) -> Cow<'_, str> {
    let (column, path) = &value.name;
    if path.is_empty() { Cow::Borrowed(column) } else { Cow::Owned(format!("{column}.{path}")) }
}
