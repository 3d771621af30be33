//! Whether finding every fit of a regular expression reads each character a bounded number of times.
//!
//! RE2 looks for one fit after the other, and reads on behind each as long as a better one could still come: for `a.*b|a`
//! to the end of the line, for every `a` anew. A text of 64 KiB takes 20 seconds then, one of a mebibyte hours, and no
//! time limit ends the work on a row (26.7, measured). Reading on does harm where a repetition without an end
//!
//! - must be followed by something, so that it can have read in vain;
//! - is not part of every fit, so that others are found in what it read;
//! - and can begin again in what it read: it takes each character that must stand before it.

use regex_syntax::ast::{
    AssertionKind, Ast, ClassPerl, ClassPerlKind, ClassSet, ClassSetItem, Flag, Flags, FlagsItemKind, GroupKind,
    Repetition, RepetitionKind, RepetitionRange,
};

/// The part of a pattern that would be read again for every fit, if there is one.
pub(super) fn read_again<'p>(pattern: &'p str, parsed: &Ast) -> Option<&'p str> {
    let mut search = Search { flags: Vec::new(), before: Vec::new() };
    note_flags(parsed, &mut search.flags);
    let found = search.visit(parsed, false, false)?;
    pattern.get(found.span.start.offset..found.span.end.offset)
}

struct Search {
    /// All flags that stand anywhere.
    flags: Vec<Flag>,
    /// The characters that stand before the place in every fit that comes there.
    before: Vec<char>,
}

impl Search {
    /// `others`: whether there are fits without this part; `more`: whether something must follow it.
    fn visit<'a>(&mut self, ast: &'a Ast, others: bool, more: bool) -> Option<&'a Repetition> {
        match ast {
            Ast::Group(group) => self.visit(&group.ast, others, more),
            Ast::Concat(concat) => {
                let known = self.before.len();
                let found = concat.asts.iter().enumerate().find_map(|(index, part)| {
                    let more = more || concat.asts[index + 1..].iter().any(takes_part);
                    let found = self.visit(part, others, more);
                    literals(part, &mut self.before);
                    found
                });
                self.before.truncate(known);
                found
            }
            Ast::Alternation(alternation) => {
                // A branch that begins at the start of the text is found once.
                let again = |branch: &Ast| self.has(Flag::MultiLine) || !begins_the_text(branch);
                let again: Vec<bool> = alternation.asts.iter().map(again).collect();
                alternation.asts.iter().enumerate().find_map(|(index, branch)| {
                    let others = others || again.iter().enumerate().any(|(other, again)| other != index && *again);
                    self.visit(branch, others, more)
                })
            }
            Ast::Repetition(repetition) => {
                let (least, endless) = extent(&repetition.op.kind);
                let begins_again = self.before.iter().all(|before| self.takes(&repetition.ast, *before));
                if endless && more && others && begins_again {
                    return Some(repetition);
                }
                let more = more || least > 1 && takes_part(&repetition.ast);
                self.visit(&repetition.ast, others || least == 0, more)
            }
            _ => None,
        }
    }

    fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }

    /// Whether a character can stand in a fit of the part; what is not known can.
    fn takes(&self, ast: &Ast, wanted: char) -> bool {
        match ast {
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => false,
            Ast::Dot(_) => wanted != '\n' || self.has(Flag::DotMatchesNewLine),
            _ if self.has(Flag::CaseInsensitive) && wanted.is_alphabetic() => true,
            Ast::Literal(literal) => literal.c == wanted,
            Ast::ClassPerl(class) => of_class(class, wanted),
            Ast::ClassUnicode(_) => true,
            Ast::ClassBracketed(class) => match &class.kind {
                ClassSet::Item(item) => of_item(item, wanted).is_none_or(|holds| holds != class.negated),
                ClassSet::BinaryOp(_) => true,
            },
            Ast::Repetition(repetition) => self.takes(&repetition.ast, wanted),
            Ast::Group(group) => self.takes(&group.ast, wanted),
            Ast::Alternation(alternation) => alternation.asts.iter().any(|part| self.takes(part, wanted)),
            Ast::Concat(concat) => concat.asts.iter().any(|part| self.takes(part, wanted)),
        }
    }
}

/// The least number of repetitions, and whether there is no greatest.
fn extent(kind: &RepetitionKind) -> (u32, bool) {
    match kind {
        RepetitionKind::ZeroOrOne => (0, false),
        RepetitionKind::ZeroOrMore => (0, true),
        RepetitionKind::OneOrMore => (1, true),
        RepetitionKind::Range(RepetitionRange::AtLeast(least)) => (*least, true),
        RepetitionKind::Range(RepetitionRange::Exactly(least) | RepetitionRange::Bounded(least, _)) => (*least, false),
    }
}

/// Whether the part says something of every fit: characters, or what stands at its place.
fn takes_part(ast: &Ast) -> bool {
    match ast {
        Ast::Empty(_) | Ast::Flags(_) => false,
        Ast::Repetition(repetition) => extent(&repetition.op.kind).0 > 0 && takes_part(&repetition.ast),
        Ast::Group(group) => takes_part(&group.ast),
        Ast::Alternation(alternation) => alternation.asts.iter().all(takes_part),
        Ast::Concat(concat) => concat.asts.iter().any(takes_part),
        _ => true,
    }
}

/// Adds the characters that stand in every fit of the part.
fn literals(ast: &Ast, found: &mut Vec<char>) {
    match ast {
        Ast::Literal(literal) => found.push(literal.c),
        Ast::Group(group) => literals(&group.ast, found),
        Ast::Concat(concat) => concat.asts.iter().for_each(|part| literals(part, found)),
        Ast::Repetition(repetition) if extent(&repetition.op.kind).0 > 0 => literals(&repetition.ast, found),
        _ => {}
    }
}

fn begins_the_text(ast: &Ast) -> bool {
    match ast {
        Ast::Assertion(assertion) => matches!(assertion.kind, AssertionKind::StartLine | AssertionKind::StartText),
        Ast::Group(group) => begins_the_text(&group.ast),
        Ast::Concat(concat) => concat.asts.first().is_some_and(begins_the_text),
        Ast::Alternation(alternation) => alternation.asts.iter().all(begins_the_text),
        _ => false,
    }
}

fn note_flags(ast: &Ast, found: &mut Vec<Flag>) {
    let mut note = |flags: &Flags| {
        found.extend(flags.items.iter().filter_map(|item| match item.kind {
            FlagsItemKind::Flag(flag) => Some(flag),
            FlagsItemKind::Negation => None,
        }));
    };
    match ast {
        Ast::Flags(set) => note(&set.flags),
        Ast::Group(group) => {
            if let GroupKind::NonCapturing(flags) = &group.kind {
                note(flags);
            }
            note_flags(&group.ast, found);
        }
        Ast::Repetition(repetition) => note_flags(&repetition.ast, found),
        Ast::Alternation(alternation) => alternation.asts.iter().for_each(|part| note_flags(part, found)),
        Ast::Concat(concat) => concat.asts.iter().for_each(|part| note_flags(part, found)),
        _ => {}
    }
}

/// Classes hold ASCII alone (RE2 reference: `\d`, `\s`, `\w`).
fn of_class(class: &ClassPerl, wanted: char) -> bool {
    let holds = match class.kind {
        ClassPerlKind::Digit => wanted.is_ascii_digit(),
        ClassPerlKind::Space => matches!(wanted, ' ' | '\t' | '\n' | '\r' | '\x0c'),
        ClassPerlKind::Word => wanted.is_ascii_alphanumeric() || wanted == '_',
    };
    holds != class.negated
}

/// Whether a set holds a character; none where that is not known.
fn of_item(item: &ClassSetItem, wanted: char) -> Option<bool> {
    match item {
        ClassSetItem::Empty(_) => Some(false),
        ClassSetItem::Literal(literal) => Some(literal.c == wanted),
        ClassSetItem::Range(range) => Some((range.start.c..=range.end.c).contains(&wanted)),
        ClassSetItem::Perl(class) => Some(of_class(class, wanted)),
        ClassSetItem::Ascii(_) | ClassSetItem::Unicode(_) | ClassSetItem::Bracketed(_) => None,
        // One part that holds it decides, whatever is not known of the others.
        ClassSetItem::Union(union) => {
            let parts: Vec<Option<bool>> = union.items.iter().map(|item| of_item(item, wanted)).collect();
            match parts.contains(&Some(true)) {
                true => Some(true),
                false if parts.contains(&None) => None,
                false => Some(false),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str) -> Option<&str> {
        let parsed = regex_syntax::ast::parse::Parser::new().parse(pattern).expect("a regular expression");
        read_again(pattern, &parsed)
    }

    #[test]
    fn a_repetition_that_can_read_in_vain_again_and_again_is_found() {
        for (pattern, repetition) in [
            ("a.*b|a", ".*"),
            ("a|a.*?b", ".*?"),
            ("a(?:.*b)?", ".*"),
            ("(?:[a-z]*b)*", "[a-z]*"),
            ("c|a(?:x|[^x]{2,}b)", "[^x]{2,}"),
            ("<[^>]*>|&nbsp;", "[^>]*"),
            ("a+$|a", "a+"),
            ("(?m)^a|\\s+$", "\\s+"),
            ("(?:a.*){2}|a", ".*"),
            ("(?i)a[^a]*b|a", "[^a]*"),
            ("(?:'x)?[^']*!|a", "[^']*"),
            ("(?:ab|c)[^a]*b|c", "[^a]*"),
            ("\n(?s:.*)b|a", ".*"),
            ("x[^\\pL]*b|x", "[^\\pL]*"),
        ] {
            assert_eq!(found(pattern), Some(repetition), "{pattern}");
        }
    }

    #[test]
    fn what_reads_each_character_a_few_times_passes() {
        for pattern in [
            "",
            "\\d+",
            "a.*b",
            "(?:a.*b)+",
            "(a|b)*c",
            "\\d+(?:\\.\\d+)?",
            "\\w+(?:\\s\\w+)*",
            "a.*|b",
            "a{0,9}b|a",
            "a[^a]*b|a",
            "\"[^\"]*\"|\\w+",
            "<[^<>]*>|&nbsp;",
            "#[\\da-f]*;|[a-z]",
            "^\\s+|\\s+$",
            "\n.*b|a",
            "(?:ab|ac)x",
        ] {
            assert_eq!(found(pattern), None, "{pattern}");
        }
    }
}
