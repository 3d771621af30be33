//! The parts of a view's query, read from the text that the server writes: which expression each column is, what the rows
//! come from, and which clauses make rows of several ones. What is not understood is told apart from what is.

use super::text::{self, Kind, Token};

/// Some pieces that follow each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'t>(&'t [Token]);

/// A query of a view, in pieces.
pub(super) struct Query(Vec<Token>);

/// One `SELECT` of a query.
#[derive(Debug)]
pub(super) struct Select<'t> {
    /// Whether it has common table expressions.
    pub with: bool,
    /// What is selected: the expression and the name under which it is shown.
    pub items: Vec<(Part<'t>, Option<String>)>,
    /// What stands behind `FROM`.
    pub from: Part<'t>,
    /// The further clauses, by their first word, in order.
    pub clauses: Vec<(String, Part<'t>)>,
    /// All of it.
    pub whole: Part<'t>,
}

/// What stands behind `FROM`, or is joined.
#[derive(Debug)]
pub(super) struct Element<'t> {
    /// The path of a table's name, such as `database.table`; none for a query or a table function.
    pub table: Option<Vec<String>>,
    /// The query in parentheses.
    pub query: Option<Part<'t>>,
    /// The name by which columns of it are written.
    pub alias: Option<String>,
    /// What stands behind `ON`, for one that is joined.
    pub on: Option<Part<'t>>,
    /// The columns of `USING`.
    pub using: Vec<String>,
}

/// The words that start a clause behind `FROM`.
const CLAUSES: [&str; 12] = [
    "PREWHERE", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "ORDER", "LIMIT", "OFFSET", "FETCH", "SETTINGS",
    "WITH",
];
/// The words that may stand before `JOIN`.
const BEFORE_JOIN: [&str; 13] =
    ["GLOBAL", "LOCAL", "ALL", "ANY", "ASOF", "SEMI", "ANTI", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "PASTE"];

impl Query {
    pub(super) fn of(text: &str) -> Self {
        Self(text::tokens(text))
    }

    /// How many tables it reads with `FINAL`, in queries inside it too.
    pub(super) fn finals(&self) -> usize {
        let all = self.whole();
        let is_final = |at: &usize| all.is_word(*at, "FINAL") && !(*at > 0 && all.is_word(*at - 1, "AS"));
        // Behind FROM or JOIN, before the next word that ends what is read.
        let of_table = |at: &usize| {
            let depth = self.0[*at].depth;
            let words = (0..*at).rev().take_while(|before| self.0[*before].depth >= depth);
            let ends = |before: &usize| {
                self.0[*before].depth == depth
                    && (all.is_any(*before, &["FROM", "JOIN", "SELECT"]) || all.is_any(*before, &CLAUSES))
            };
            words.into_iter().find(ends).is_some_and(|before| all.is_any(before, &["FROM", "JOIN"]))
        };
        (0..self.0.len()).filter(is_final).filter(of_table).count()
    }

    /// All of it.
    pub(super) fn whole(&self) -> Part<'_> {
        Part(&self.0)
    }
}

impl<'t> Part<'t> {
    fn depth(self) -> usize {
        self.0.first().map_or(0, |token| token.depth)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    fn is_word(self, at: usize, word: &str) -> bool {
        self.0.get(at).is_some_and(|token| token.kind == Kind::Word && token.text.eq_ignore_ascii_case(word))
    }

    fn is_any(self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(at, word))
    }

    fn is_sign(self, at: usize, sign: &str) -> bool {
        self.0.get(at).is_some_and(|token| token.kind == Kind::Other && token.text == sign)
    }

    /// The places of a word at a depth.
    fn places(self, word: &str, depth: usize) -> Vec<usize> {
        (0..self.0.len()).filter(|at| self.0[*at].depth == depth && self.is_word(*at, word)).collect()
    }

    /// Whether a word without quotes stands anywhere in it.
    pub(super) fn has_word(self, word: &str) -> bool {
        (0..self.0.len()).any(|at| self.is_word(at, word))
    }

    /// Splits at a sign of the part's own depth.
    fn split(self, sign: &str) -> Vec<Self> {
        let depth = self.depth();
        let mut parts = Vec::new();
        let mut start = 0;
        for at in 0..self.0.len() {
            if self.0[at].depth == depth && self.is_sign(at, sign) {
                parts.push(Self(&self.0[start..at]));
                start = at + 1;
            }
        }
        parts.push(Self(&self.0[start..]));
        parts
    }

    /// The items of a list.
    pub(super) fn list(self) -> Vec<Self> {
        if self.is_empty() { Vec::new() } else { self.split(",") }
    }

    /// What stands in parentheses around the whole of it.
    fn inside(self) -> Option<Self> {
        let last = self.0.len().checked_sub(1)?;
        let depth = self.depth();
        let closes = (1..=last).find(|at| self.0[*at].depth == depth)?;
        (self.is_sign(0, "(") && self.is_sign(last, ")") && closes == last).then(|| Self(&self.0[1..last]))
    }

    /// The names of a path such as `a.b`.
    pub(super) fn path(self) -> Option<Vec<String>> {
        let names = self.split(".");
        let name = |part: &Self| match part.0 {
            [token] if token.kind != Kind::Other => Some(token.text.clone()),
            _ => None,
        };
        names.iter().map(name).collect()
    }

    /// Whether it is `*`, whatever is left out of it.
    pub(super) fn is_star(self) -> bool {
        (self.0.len() == 1 || self.is_word(1, "EXCEPT")) && self.is_sign(0, "*")
    }

    /// The `SELECT`s of a query: one, or several whose rows are put together. None where it is no query.
    pub(super) fn selects(self) -> Option<Vec<Select<'t>>> {
        if let Some(inside) = self.inside() {
            return inside.selects();
        }
        let depth = self.depth();
        let combines = |at: usize| {
            let next = if self.is_any(at + 1, &["ALL", "DISTINCT"]) { at + 2 } else { at + 1 };
            self.0[at].depth == depth
                && self.is_any(at, &["UNION", "INTERSECT", "EXCEPT"])
                && (self.is_any(next, &["SELECT", "WITH"])
                    || self.is_sign(next, "(") && self.is_any(next + 1, &["SELECT", "WITH"]))
        };
        let cuts: Vec<usize> = (0..self.0.len()).filter(|at| combines(*at)).collect();
        if cuts.is_empty() {
            return Some(vec![self.select()?]);
        }
        let mut selects = Vec::new();
        let mut start = 0;
        for cut in cuts.into_iter().chain([self.0.len()]) {
            selects.extend(Self(&self.0[start..cut]).selects()?);
            start = if self.is_any(cut + 1, &["ALL", "DISTINCT"]) { cut + 2 } else { cut + 1 };
        }
        Some(selects)
    }

    fn select(self) -> Option<Select<'t>> {
        let depth = self.depth();
        let with = self.is_word(0, "WITH");
        let start = self.places("SELECT", depth).into_iter().next().filter(|at| with || *at == 0)?;
        let from = self.places("FROM", depth).into_iter().find(|at| *at > start).unwrap_or(self.0.len());
        let first = if self.is_word(start + 1, "DISTINCT") { start + 2 } else { start + 1 };
        let items = Self(self.0.get(first..from)?).list().into_iter().map(Self::item).collect();
        let behind = Self(self.0.get(from + 1..).unwrap_or_default());
        let is_clause = |at: &usize| behind.0[*at].depth == depth && behind.is_any(*at, &CLAUSES);
        let starts: Vec<usize> = (0..behind.0.len()).filter(is_clause).collect();
        let end = starts.first().copied().unwrap_or(behind.0.len());
        let ends = starts.iter().skip(1).copied().chain([behind.0.len()]);
        let clauses = starts.iter().zip(ends).map(|(start, end)| {
            let by = if behind.is_word(start + 1, "BY") { 2 } else { 1 };
            (behind.0[*start].text.to_uppercase(), Self(&behind.0[(start + by).min(end)..end]))
        });
        Some(Select { with, items, from: Self(&behind.0[..end]), clauses: clauses.collect(), whole: self })
    }

    /// An expression and its name.
    fn item(self) -> (Self, Option<String>) {
        match self.places("AS", self.depth()).last() {
            Some(at) if at + 2 == self.0.len() => (Self(&self.0[..*at]), Some(self.0[at + 1].text.clone())),
            _ => (self, self.path().and_then(|mut path| path.pop())),
        }
    }

    /// The tables and queries of a `FROM`, with how they are joined; none where it is not understood.
    pub(super) fn elements(self) -> Option<Vec<Element<'t>>> {
        let depth = self.depth();
        let mut end = self.0.len();
        if let Some(array) = self.places("ARRAY", depth).into_iter().find(|at| self.is_word(at + 1, "JOIN")) {
            let before = if array > 0 && self.is_word(array - 1, "LEFT") { array - 1 } else { array };
            let behind = Self(&self.0[array + 2..]);
            if !behind.places("JOIN", depth).is_empty() {
                return None;
            }
            end = before;
        }
        let part = Self(&self.0[..end]);
        if part.split(",").len() > 1 {
            return None;
        }
        let mut elements = Vec::new();
        let mut start = 0;
        for join in part.places("JOIN", depth).into_iter().chain([end]) {
            let mut stop = join;
            while join < end && stop > start && part.is_any(stop - 1, &BEFORE_JOIN) {
                stop -= 1;
            }
            elements.push(Self(part.0.get(start..stop)?).element()?);
            start = join + 1;
        }
        Some(elements)
    }

    fn element(self) -> Option<Element<'t>> {
        let depth = self.depth();
        let condition = (0..self.0.len()).find(|at| self.0[*at].depth == depth && self.is_any(*at, &["ON", "USING"]));
        let read = Self(&self.0[..condition.unwrap_or(self.0.len())]);
        let behind = condition.map(|at| (self.is_word(at, "ON"), Self(&self.0[at + 1..])));
        let using = behind.filter(|(on, _)| !on).map(|(_, part)| part.inside().unwrap_or(part).list());
        let using = using.unwrap_or_default().into_iter().filter_map(|part| part.path()?.pop()).collect();
        let name_end = (0..read.0.len())
            .find(|at| *at > 0 && read.0[*at].depth == depth && read.is_any(*at, &["AS", "FINAL", "SAMPLE"]))
            .unwrap_or(read.0.len());
        let name = Self(&read.0[..name_end]);
        let rest = Self(&read.0[name_end..]);
        let alias = rest.is_word(0, "AS").then(|| rest.0.get(1).map(|token| token.text.clone())).flatten();
        let (table, query) = (name.path(), name.inside());
        let own = table.as_ref().and_then(|path| path.last().cloned());
        Some(Element {
            table,
            query,
            alias: alias.or(own),
            on: behind.filter(|(on, _)| *on).map(|(_, part)| part),
            using,
        })
    }

    /// The equalities of a condition that hold for every row that meets it.
    pub(super) fn equalities(self) -> Vec<(Self, Self)> {
        if let Some(inside) = self.inside() {
            return inside.equalities();
        }
        let depth = self.depth();
        let ands = self.places("AND", depth);
        if !ands.is_empty() {
            let starts = std::iter::once(0).chain(ands.iter().map(|at| at + 1));
            let ends = ands.iter().copied().chain([self.0.len()]);
            return starts.zip(ends).flat_map(|(start, end)| Self(&self.0[start..end]).equalities()).collect();
        }
        match self.split("=")[..] {
            [left, right] => vec![(left, right)],
            _ => Vec::new(),
        }
    }

    /// The windows that functions are computed over: what stands behind each `OVER`, in parentheses or as a name.
    pub(super) fn windows(self) -> Vec<Self> {
        let places = (0..self.0.len()).filter(|at| self.is_word(*at, "OVER"));
        places.map(|at| Self(&self.0[at + 1..]).first()).collect()
    }

    /// A definition such as `w AS (…)`, of a name.
    pub(super) fn definition(self, name: Self) -> Option<Self> {
        let of_name = |item: &Self| item.0.first().map(|token| &token.text) == name.0.first().map(|token| &token.text);
        let item = self.list().into_iter().find(of_name)?;
        Some(Self(item.0.get(2..)?))
    }

    /// The first piece, with all that its parenthesis holds.
    fn first(self) -> Self {
        let depth = self.depth();
        let end = match self.is_sign(0, "(") {
            true => (1..self.0.len()).find(|at| self.0[*at].depth == depth).map_or(self.0.len(), |at| at + 1),
            false => self.0.len().min(1),
        };
        Self(&self.0[..end])
    }

    /// What a window is partitioned by.
    pub(super) fn partition(self) -> Vec<Self> {
        let Some(inside) = self.inside().filter(|inside| inside.is_word(0, "PARTITION")) else { return Vec::new() };
        let depth = inside.depth();
        let end = (2..inside.0.len())
            .find(|at| inside.0[*at].depth == depth && inside.is_any(*at, &["ORDER", "ROWS", "RANGE", "GROUPS"]))
            .unwrap_or(inside.0.len());
        Self(inside.0.get(2..end).unwrap_or_default()).list()
    }

    /// What stands behind `BY`, as in `LIMIT 1 BY a, b`.
    pub(super) fn by(self) -> Vec<Self> {
        let depth = self.depth();
        let by = self.places("BY", depth).into_iter().next();
        by.map(|at| Self(&self.0[at + 1..]).list()).unwrap_or_default()
    }

    /// Whether a function of those is called, and not over a window.
    pub(super) fn calls(self, is_one: impl Fn(&str) -> bool) -> Option<String> {
        let called = (0..self.0.len()).find(|at| {
            self.0[*at].kind == Kind::Word && self.is_sign(at + 1, "(") && is_one(&self.0[*at].text) && {
                let arguments = Self(&self.0[at + 1..]).first();
                !self.is_word(at + 1 + arguments.0.len(), "OVER")
            }
        });
        called.map(|at| self.0[at].text.clone())
    }

    /// The pieces, as a text for comparison and for messages.
    pub(super) fn text(self) -> String {
        let mut text = String::new();
        for token in self.0 {
            let joined = token.kind == Kind::Other && matches!(token.text.as_str(), ")" | "]" | "," | ".");
            if !text.is_empty() && !joined && !text.ends_with(['(', '[', '.']) {
                text.push(' ');
            }
            text.push_str(&token.text);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_in_its_parts() {
        let query = Query::of(
            "SELECT a.t, if(x > 0, a.`tt`, 'FROM x') AS `FINAL`, sum(v) OVER (PARTITION BY a.t, k ORDER BY id) AS s \
             FROM w.sum AS a FINAL ALL LEFT JOIN (SELECT * FROM w.u) AS b ON (a.t = b.t) AND (a.id > b.id) \
             WHERE id IN (SELECT 1 FROM w.y) GROUP BY ALL LIMIT 1 BY a.t LIMIT 5",
        );
        let selects = query.whole().selects().expect("a query");
        let [select] = &selects[..] else { panic!("{selects:?}") };
        let names: Vec<_> = select.items.iter().map(|(_, name)| name.clone().unwrap_or_default()).collect();
        assert_eq!(names, ["t", "FINAL", "s"]);
        let clauses: Vec<_> = select.clauses.iter().map(|(word, part)| format!("{word} {}", part.text())).collect();
        assert_eq!(clauses, ["WHERE id IN (SELECT 1 FROM w.y)", "GROUP ALL", "LIMIT 1 BY a.t", "LIMIT 5"]);
        let elements = select.from.elements().expect("understood");
        assert_eq!(elements[0].table.as_deref(), Some(&["w".to_owned(), "sum".to_owned()][..]));
        assert_eq!(elements[1].alias.as_deref(), Some("b"));
        assert!(elements[1].query.is_some_and(|query| query.selects().is_some()));
        let equal: Vec<_> = elements[1].on.expect("a condition").equalities();
        assert_eq!(
            equal.iter().map(|(left, right)| (left.text(), right.text())).collect::<Vec<_>>(),
            [("a.t".to_owned(), "b.t".to_owned())]
        );
        assert_eq!(query.finals(), 1);
        let windows = select.whole.windows();
        assert_eq!(windows[0].partition().iter().map(|part| part.text()).collect::<Vec<_>>(), ["a.t", "k"]);
    }

    #[test]
    fn rows_put_together_are_read_from_each_query() {
        let query =
            Query::of("(SELECT t FROM a) UNION ALL SELECT * EXCEPT v FROM (SELECT t, v FROM b) EXCEPT SELECT t FROM c");
        let selects = query.whole().selects().expect("a query");
        assert_eq!(
            selects.iter().map(|select| select.from.text()).collect::<Vec<_>>(),
            ["a", "(SELECT t, v FROM b)", "c"]
        );
        assert!(Query::of("EXPLAIN x").whole().selects().is_none());
    }

    #[test]
    fn a_function_over_a_window_is_no_aggregation() {
        let calls = |text: &str| Query::of(text).whole().calls(|name| name == "sum");
        assert_eq!(calls("1 + sum(v) AS s").as_deref(), Some("sum"));
        assert_eq!(calls("sum(v + (1)) OVER (PARTITION BY t)"), None);
        assert_eq!(calls("'sum(' || sum"), None);
    }
}
