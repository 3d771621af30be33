//! Where the values of a YAML text stand: a path such as `spec.columns[2].name` → bytes of the text, and a part of a
//! value → its own bytes, through quotes, escapes and folded lines.
//!
//! A second pass over the text, by the parser that the first one uses. It is as long as the text and no deeper than one
//! level of calls; aliases are followed, never copied.

use std::collections::BTreeMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle};

/// The values of a text.
#[derive(Clone, Debug, Default)]
pub struct Places {
    nodes: Vec<Node>,
    /// The outermost node of each document that is not empty.
    documents: Vec<usize>,
}

/// A node, as the outermost of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root(usize);

#[derive(Clone, Debug)]
struct Node {
    bytes: Range<usize>,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Scalar(String, ScalarStyle),
    Sequence(Vec<usize>),
    Mapping(Members),
    Alias(Option<usize>),
}

/// The members of a mapping.
#[derive(Clone, Debug, Default)]
struct Members {
    /// Keys and values in turn.
    nodes: Vec<usize>,
    /// The places of the keys among the nodes, by name; of two with one name the first counts. A text may hold a hundred
    /// thousand members, each with a mistake whose place is asked for.
    by_name: BTreeMap<String, usize>,
}

/// A found value: its node, and the node of its key where it is a member.
#[derive(Clone, Copy)]
struct Found {
    node: usize,
    key: Option<usize>,
    /// Whether the whole path was found, not only its beginning.
    whole: bool,
}

impl Places {
    /// Reads a text; what stands after a mistake in it has no places.
    pub fn read(text: &str) -> Self {
        let mut places = Self::default();
        let mut open: Vec<usize> = Vec::new();
        let mut anchors: BTreeMap<usize, usize> = BTreeMap::new();
        let mut parser = Parser::new_from_str(text);
        while let Some(Ok((event, span))) = parser.next_event() {
            let bytes = span.byte_range().unwrap_or_default();
            let (content, anchor) = match event {
                Event::Scalar(value, style, anchor, _) => (Content::Scalar(value.into_owned(), style), anchor),
                Event::SequenceStart(_, anchor, _) => (Content::Sequence(Vec::new()), anchor),
                Event::MappingStart(_, anchor, _) => (Content::Mapping(Members::default()), anchor),
                Event::Alias(anchor) => (Content::Alias(anchors.get(&anchor).copied()), 0),
                Event::SequenceEnd | Event::MappingEnd => {
                    if let Some(node) = open.pop() {
                        // A flow collection ends at its bracket, a block collection where the next thing begins.
                        let start = places.nodes[node].bytes.start;
                        places.nodes[node].bytes = start..bytes.end.max(start);
                    }
                    continue;
                }
                _ => continue,
            };
            let node = places.nodes.len();
            let opens = matches!(content, Content::Sequence(_) | Content::Mapping(_));
            let name = match (&content, open.last().map(|parent| &places.nodes[*parent].content)) {
                (Content::Scalar(name, _), Some(Content::Mapping(_))) => Some(name.clone()),
                _ => None,
            };
            places.nodes.push(Node { bytes, content });
            match open.last().map(|parent| &mut places.nodes[*parent].content) {
                Some(Content::Sequence(items)) => items.push(node),
                Some(Content::Mapping(members)) => members.push(node, name),
                _ => places.documents.push(node),
            }
            if anchor > 0 {
                anchors.insert(anchor, node);
            }
            if opens {
                open.push(node);
            }
        }
        places.documents.retain(|node| !places.nodes[*node].is_null());
        places
    }

    /// The outermost nodes of the documents that are not empty, in order.
    pub fn documents(&self) -> Vec<Root> {
        self.documents.iter().map(|node| Root(*node)).collect()
    }

    /// The items of a list object, each as an object of its own.
    pub fn items(&self, root: Root) -> Vec<Root> {
        match self.member(root.0, "items").map(|(_, node)| &self.nodes[self.followed(node)].content) {
            Some(Content::Sequence(items)) => items.iter().map(|node| Root(*node)).collect(),
            _ => Vec::new(),
        }
    }

    /// The bytes of the value at a path; of what contains it, where it is not there.
    pub fn value(&self, text: &str, root: Root, path: &str) -> Range<usize> {
        let found = self.find(root, path);
        match (found.key, found.whole) {
            // What is missing is missing from what its key names.
            (Some(key), false) => self.nodes[key].bytes.clone(),
            _ => self.shown(text, found),
        }
    }

    /// The bytes of the name of the member at a path.
    pub fn key(&self, text: &str, root: Root, path: &str) -> Range<usize> {
        let found = self.find(root, path);
        found.key.map_or_else(|| self.shown(text, found), |key| self.nodes[key].bytes.clone())
    }

    /// The bytes of a part of the text at a path; of all of it, where the part cannot be told.
    pub fn part(&self, text: &str, root: Root, path: &str, part: &Range<usize>) -> Range<usize> {
        let found = self.find(root, path);
        let node = &self.nodes[self.followed(found.node)];
        let exact = match &node.content {
            Content::Scalar(value, style) if found.whole => aligned(text, node.bytes.clone(), value, *style, part),
            _ => None,
        };
        exact.unwrap_or_else(|| self.value(text, root, path))
    }

    /// What is underlined for a value: a scalar or a flow collection on one line as a whole, else its first word.
    fn shown(&self, text: &str, found: Found) -> Range<usize> {
        let node = &self.nodes[found.node];
        match (&node.content, found.key) {
            // Nothing stands there, which is null.
            (Content::Scalar(..), Some(key)) if node.bytes.is_empty() => self.nodes[key].bytes.clone(),
            (Content::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded), _) => first_line(text, node.bytes.clone()),
            (Content::Scalar(..) | Content::Alias(_), _) => node.bytes.clone(),
            (Content::Sequence(_) | Content::Mapping(_), _)
                if text
                    .get(node.bytes.clone())
                    .is_some_and(|part| part.starts_with(['{', '[']) && !part.contains('\n')) =>
            {
                node.bytes.clone()
            }
            (_, Some(key)) => self.nodes[key].bytes.clone(),
            (Content::Sequence(items) | Content::Mapping(Members { nodes: items, .. }), None) => match items.first() {
                Some(first) if matches!(self.nodes[*first].content, Content::Scalar(..)) => {
                    self.nodes[*first].bytes.clone()
                }
                _ => node.bytes.start..node.bytes.start,
            },
        }
    }

    fn find(&self, root: Root, path: &str) -> Found {
        let mut found = Found { node: root.0, key: None, whole: true };
        let mut rest = path;
        while !rest.is_empty() {
            let node = self.followed(found.node);
            let next = match rest.strip_prefix('[') {
                Some(index) => self.item(node, index),
                None => self.longest_member(node, rest.strip_prefix('.').unwrap_or(rest)),
            };
            let Some((key, node, after)) = next else { return Found { whole: false, ..found } };
            // An item of a list has no key; where the list has one, that is not the item's.
            found = Found { node, key, whole: true };
            rest = after;
        }
        found
    }

    fn item<'p>(&self, node: usize, index: &'p str) -> Option<(Option<usize>, usize, &'p str)> {
        let (index, after) = index.split_once(']')?;
        match &self.nodes[node].content {
            Content::Sequence(items) => Some((None, *items.get(index.parse::<usize>().ok()?)?, after)),
            _ => None,
        }
    }

    /// The member whose name is the longest beginning of the path: names may hold dots.
    fn longest_member<'p>(&self, node: usize, path: &'p str) -> Option<(Option<usize>, usize, &'p str)> {
        let ends = path.char_indices().filter(|(_, c)| ['.', '['].contains(c)).map(|(at, _)| at).chain([path.len()]);
        let ends: Vec<usize> = ends.collect();
        ends.into_iter().rev().find_map(|end| {
            let (key, node) = self.member(node, &path[..end])?;
            Some((Some(key), node, &path[end..]))
        })
    }

    /// The key and the value of a member.
    fn member(&self, node: usize, name: &str) -> Option<(usize, usize)> {
        let node = self.followed(node);
        let Content::Mapping(members) = &self.nodes[node].content else { return None };
        let own = members.named(name).or_else(|| if name == "on" { members.named("true") } else { None });
        if own.is_some() {
            return own;
        }
        let merged = self.followed(members.named("<<")?.1);
        match &self.nodes[merged].content {
            // No further merge inside a merge: a text could make a circle of them.
            Content::Mapping(members) => members.named(name),
            _ => None,
        }
    }

    /// The node that an alias stands for; an anchor is never an alias itself.
    fn followed(&self, node: usize) -> usize {
        match self.nodes[node].content {
            Content::Alias(Some(target)) => target,
            _ => node,
        }
    }
}

impl Members {
    /// Takes over the next key, with its name if it is a scalar, or the next value.
    fn push(&mut self, node: usize, name: Option<String>) {
        let place = self.nodes.len();
        if let Some(name) = name.filter(|_| place.is_multiple_of(2)) {
            self.by_name.entry(name).or_insert(place);
        }
        self.nodes.push(node);
    }

    /// The key and the value of a name.
    fn named(&self, name: &str) -> Option<(usize, usize)> {
        let place = *self.by_name.get(name)?;
        Some((self.nodes[place], *self.nodes.get(place + 1)?))
    }
}

impl Node {
    fn is_null(&self) -> bool {
        let null = |value: &str| ["", "~", "null", "Null", "NULL"].contains(&value);
        matches!(&self.content, Content::Scalar(value, ScalarStyle::Plain) if null(value))
    }
}

fn first_line(text: &str, bytes: Range<usize>) -> Range<usize> {
    let part = text.get(bytes.clone()).unwrap_or_default();
    let start = bytes.start + (part.len() - part.trim_start().len());
    let line = part.trim_start().lines().next().unwrap_or_default();
    start..start + line.trim_end().len()
}

/// The bytes of the source of a part of a scalar's value.
///
/// Source and value are walked side by side. Where a line is folded or indented, the white space of the one is not that
/// of the other; every other character is, or is written as an escape.
fn aligned(
    text: &str,
    bytes: Range<usize>,
    value: &str,
    style: ScalarStyle,
    part: &Range<usize>,
) -> Option<Range<usize>> {
    let source = text.get(bytes.clone())?;
    let mut at = usize::from(matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted));
    let (mut start, mut end) = (None, None);
    for (offset, character) in value.char_indices() {
        let white = character.is_whitespace();
        if !white {
            at += white_space(source.get(at..)?, style);
        }
        let length = written_as(source.get(at..)?, character, style);
        let length = match (length, white) {
            (Some(length), _) => length,
            // A folded line break is a space of the value, or one of several breaks.
            (None, true) => source[at..].chars().next().filter(|next| next.is_whitespace()).map_or(0, char::len_utf8),
            (None, false) => return None,
        };
        if offset == part.start {
            start = Some(bytes.start + at);
        }
        if offset < part.end {
            end = Some(bytes.start + at + length);
        }
        at += length;
    }
    // The end of the text: what is missing there is missing behind its last character.
    let start = start.unwrap_or(bytes.start + at);
    Some(start..end.filter(|end| *end > start && !part.is_empty()).unwrap_or(start))
}

/// How many bytes of white space, and of line breaks that are escaped away, stand here.
fn white_space(source: &str, style: ScalarStyle) -> usize {
    let mut rest = source;
    loop {
        let trimmed = rest.trim_start();
        rest = match trimmed.strip_prefix('\\').filter(|after| after.starts_with(['\n', '\r'])) {
            Some(after) if style == ScalarStyle::DoubleQuoted => after,
            _ => return source.len() - trimmed.len(),
        };
    }
}

/// How many bytes of the source stand for a character of the value, if the source goes on with it.
fn written_as(source: &str, character: char, style: ScalarStyle) -> Option<usize> {
    if style == ScalarStyle::DoubleQuoted && source.starts_with('\\') {
        let digits = match source[1..].chars().next()? {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            other => return (!['\n', '\r'].contains(&other)).then(|| 1 + other.len_utf8()),
        };
        return source.get(..2 + digits).map(str::len);
    }
    if style == ScalarStyle::SingleQuoted && character == '\'' {
        return source.starts_with("''").then_some(2);
    }
    source.starts_with(character).then(|| character.len_utf8())
}

/// The lines of a text, for people.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self { starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// Line and column of a byte, both from 1, the column in characters.
    pub fn position(&self, text: &str, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let before = text.get(self.starts[line]..byte).unwrap_or_default();
        (line + 1, before.chars().count() + 1)
    }

    /// The byte of a line and a column, both from 1.
    pub fn byte(&self, text: &str, line: usize, column: usize) -> usize {
        let Some(start) = line.checked_sub(1).and_then(|line| self.starts.get(line)) else { return text.len() };
        let rest = &text[*start..];
        let line = rest.split('\n').next().unwrap_or_default();
        start + line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'t>(text: &'t str, path: &str) -> &'t str {
        let places = Places::read(text);
        &text[places.value(text, places.documents()[0], path)]
    }

    fn part<'t>(text: &'t str, path: &str, wanted: &str) -> &'t str {
        let places = Places::read(text);
        let root = places.documents()[0];
        let Content::Scalar(decoded, _) = &places.nodes[places.followed(places.find(root, path).node)].content else {
            panic!("{path} is no scalar")
        };
        let start = decoded.find(wanted).unwrap_or_else(|| panic!("{wanted} is in {decoded}"));
        &text[places.part(text, root, path, &(start..start + wanted.len()))]
    }

    #[test]
    fn values_are_found_in_block_and_flow_form() {
        let text = "a:\n  b: [x, {c: 'd'}]\n  e:\n  - f: 1\n    g: two\n  -\n    f: 3\n";
        assert_eq!(value(text, "a.b[1].c"), "'d'");
        assert_eq!(value(text, "a.b[1]"), "{c: 'd'}");
        assert_eq!(value(text, "a.b"), "[x, {c: 'd'}]");
        assert_eq!(value(text, "a.e[0].g"), "two");
        assert_eq!(value(text, "a.e[1].f"), "3");
        assert_eq!(value(text, "a.e[1]"), "f");
        assert_eq!(value(text, "a.e"), "e");
        assert_eq!(value(text, ""), "a");
    }

    #[test]
    fn what_is_not_there_is_shown_at_what_would_contain_it() {
        let text = "spec:\n  definition:\n    columns:\n    - name: x\n";
        assert_eq!(value(text, "spec.definition.subject"), "definition");
        assert_eq!(value(text, "spec.definition.columns[0].expression"), "name");
        assert_eq!(value(text, "spec.definition.columns[7].name"), "columns");
        assert_eq!(value(text, "metadata.name"), "spec");
        assert_eq!(value("a:\nb: 1\n", "a"), "a");
    }

    #[test]
    fn a_part_of_a_text_is_found_however_the_text_is_written() {
        assert_eq!(part("x: toDate(o.a) + 1\n", "x", "o.a"), "o.a");
        assert_eq!(part("x: 'lower(''a'') + o.b'\n", "x", "o.b"), "o.b");
        assert_eq!(part("x: 'lower(''a'') + o.b'\n", "x", "'a'"), "''a''");
        assert_eq!(part("x: \"a \\\"b\\\" \\u00e9 \\x41 o.b\"\n", "x", "o.b"), "o.b");
        assert_eq!(part("x: \"\\u00e9\\t o.b\"\n", "x", "\u{e9}"), "\\u00e9");
        assert_eq!(part("x: |\n  first\n    o.a  +\n  o.b\n", "x", "o.b"), "o.b");
        assert_eq!(part("x: >-\n  first\n  o.a +\n\n  o.b\ny: 1\n", "x", "o.b"), "o.b");
        assert_eq!(part("x: first\n  o.a +\n  o.b\ny: 1\n", "x", "o.b"), "o.b");
        assert_eq!(part("x: \"first \\\n    o.a +\n\n  o.b\"\n", "x", "o.b"), "o.b");
        assert_eq!(part("x: 'é ü o.b'\n", "x", "o.b"), "o.b");
    }

    #[test]
    fn an_empty_part_is_the_place_itself() {
        let text = "x: 'a + '\ny: 2\n";
        let places = Places::read(text);
        assert_eq!(places.part(text, places.documents()[0], "x", &(4..4)), 8..8);
    }

    #[test]
    fn documents_aliases_merges_and_the_word_on() {
        let text = "# nothing\n---\n---\nbase: &b {k: v}\nuse: *b\nmerged:\n  <<: *b\n  own: 1\njoins:\n- on: [{left: a}]\n- true: [{left: c}]\n...\n---\nsecond: 1\n";
        let places = Places::read(text);
        assert_eq!(places.documents().len(), 2);
        assert_eq!(value(text, "use.k"), "v");
        assert_eq!(value(text, "merged.k"), "v");
        assert_eq!(value(text, "joins[0].on[0].left"), "a");
        assert_eq!(value(text, "joins[1].on[0].left"), "c");
        assert_eq!(&text[places.value(text, places.documents()[1], "second")], "1");
    }

    #[test]
    fn of_two_members_of_one_name_the_first_is_found() {
        assert_eq!(value("a: 1\nb: 2\na: 3\n? [k]\n: 4\nc: 5\n", "a"), "1");
        assert_eq!(value("a: 1\nb: 2\na: 3\n? [k]\n: 4\nc: 5\n", "c"), "5");
    }

    // Looked through from the start for each, these would be minutes.
    #[test]
    fn each_of_a_hundred_thousand_members_is_found_at_once() {
        const MEMBERS: usize = 100_000;
        let text: String = (0..MEMBERS).map(|number| format!("member{number}: {number}\n")).collect();
        let places = Places::read(&text);
        let started = std::time::Instant::now();
        for number in 0..MEMBERS {
            let found = places.value(&text, places.documents()[0], &format!("member{number}"));
            assert_eq!(text[found], number.to_string());
        }
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn names_with_dots_are_names() {
        let text = "metadata:\n  annotations:\n    analytics.wow.dev/approve: x\n";
        assert_eq!(value(text, "metadata.annotations.analytics.wow.dev/approve"), "x");
    }

    #[test]
    fn lines_count_characters() {
        let text = "é: x\nab: y\n";
        let lines = Lines::of(text);
        assert_eq!(lines.position(text, text.find('x').expect("it is there")), (1, 4));
        assert_eq!(lines.position(text, text.find('y').expect("it is there")), (2, 5));
        assert_eq!(lines.byte(text, 2, 5), text.find('y').expect("it is there"));
        assert_eq!(lines.position(text, text.len()), (3, 1));
    }
}
