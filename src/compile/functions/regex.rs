//! Regular expressions, checked as RE2 takes them: ClickHouse compiles them only when rows are read, and a wrong one
//! would throw there. `regex-syntax` reads almost the same language; what it takes and RE2 does not is refused here, and
//! so is what RE2 would compile into a large program (it runs over every row).

use regex_syntax::ast::parse::ParserBuilder;
use regex_syntax::ast::{
    AssertionKind, Ast, ClassSet, ClassSetItem, ClassUnicode, ClassUnicodeKind, Flag, Flags, FlagsItemKind, GroupKind,
    HexLiteralKind, Literal, LiteralKind, RepetitionKind, RepetitionRange, SpecialLiteralKind,
};

use super::rereading;

/// The longest regular expression, in bytes.
const LONGEST: usize = 256;
/// The most repetitions that RE2 takes, nested ones multiplied.
const MOST_REPETITIONS: u32 = 1000;
/// The most characters and sets of characters, each times its repetitions: RE2 keeps so many places in mind while it reads
/// a text, and of 1,000 it takes minutes for a megabyte (26.7, measured).
const MOST_PARTS: u32 = 300;

/// General categories and scripts: what RE2 knows behind `\p`. Of the scripts, those that are in use.
const CLASSES: [&str; 84] = [
    "Any",
    "C",
    "Cc",
    "Cf",
    "Co",
    "Cs",
    "L",
    "Ll",
    "Lm",
    "Lo",
    "Lt",
    "Lu",
    "M",
    "Mc",
    "Me",
    "Mn",
    "N",
    "Nd",
    "Nl",
    "No",
    "P",
    "Pc",
    "Pd",
    "Pe",
    "Pf",
    "Pi",
    "Po",
    "Ps",
    "S",
    "Sc",
    "Sk",
    "Sm",
    "So",
    "Z",
    "Zl",
    "Zp",
    "Zs",
    "Arabic",
    "Armenian",
    "Bengali",
    "Bopomofo",
    "Braille",
    "Canadian_Aboriginal",
    "Cherokee",
    "Common",
    "Coptic",
    "Cyrillic",
    "Devanagari",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hebrew",
    "Hiragana",
    "Inherited",
    "Javanese",
    "Kannada",
    "Katakana",
    "Khmer",
    "Lao",
    "Latin",
    "Limbu",
    "Malayalam",
    "Mongolian",
    "Myanmar",
    "Nko",
    "Ogham",
    "Oriya",
    "Runic",
    "Sinhala",
    "Syriac",
    "Tagalog",
    "Tamil",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Yi",
];

/// How many groups the regular expression captures.
///
/// # Errors
/// Why it is none, or none that is allowed.
pub(super) fn groups(pattern: &str) -> Result<usize, String> {
    if pattern.len() > LONGEST {
        return Err(format!("it has {} bytes; at most {LONGEST} are allowed", pattern.len()));
    }
    let parsed = parsed(pattern)?;
    let mut walk = Walk { groups: 0, parts: 0 };
    walk.check(&parsed, 1)?;
    Ok(walk.groups)
}

/// The part of a regular expression that is read again for every fit, if there is one.
pub(super) fn read_again(pattern: &str) -> Option<&str> {
    rereading::read_again(pattern, &parsed(pattern).ok()?)
}

fn parsed(pattern: &str) -> Result<Ast, String> {
    ParserBuilder::new().nest_limit(50).build().parse(pattern).map_err(|error| error.kind().to_string())
}

/// The growth that a replacement can cause, per byte: what is put in, and how often the match itself is.
///
/// # Errors
/// If it names a group that the regular expression has not.
pub(super) fn replacement(text: &str, groups: usize) -> Result<u64, String> {
    let (mut literal, mut repeated) = (0, 0);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(digit)) if digit.is_ascii_digit() => {
                let group = usize::from(digit - b'0');
                if group > groups {
                    return Err(format!("the regular expression has {groups} groups, and `\\{group}` names another"));
                }
                repeated += 1;
                bytes.next();
            }
            (b'\\', None) => return Err("a single backslash at the end says nothing; write `\\\\\\\\`".to_owned()),
            (b'\\', Some(_)) => {
                literal += 1;
                bytes.next();
            }
            _ => literal += 1,
        }
    }
    Ok(1 + literal + repeated)
}

struct Walk {
    groups: usize,
    parts: u32,
}

impl Walk {
    fn check(&mut self, ast: &Ast, times: u32) -> Result<(), String> {
        match ast {
            Ast::Empty(_) => Ok(()),
            Ast::Flags(set) => flags(&set.flags),
            Ast::Literal(letter) => literal(letter).and_then(|()| self.count(1, times)),
            Ast::Dot(_) | Ast::ClassPerl(_) => self.count(1, times),
            Ast::Assertion(assertion) => match assertion.kind {
                AssertionKind::StartLine
                | AssertionKind::EndLine
                | AssertionKind::StartText
                | AssertionKind::EndText
                | AssertionKind::WordBoundary
                | AssertionKind::NotWordBoundary => self.count(1, times),
                _ => Err("the half word boundaries are not known; `\\b` is".to_owned()),
            },
            Ast::ClassUnicode(class) => unicode(class).and_then(|()| self.count(1, times)),
            Ast::ClassBracketed(class) => {
                self.count(1, times)?;
                set(&class.kind)
            }
            Ast::Repetition(repetition) => {
                if matches!(*repetition.ast, Ast::Repetition(_) | Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_)) {
                    return Err(
                        "a repetition needs something that is no repetition itself; put it into `(?:…)`".to_owned()
                    );
                }
                let own = match &repetition.op.kind {
                    RepetitionKind::ZeroOrOne | RepetitionKind::ZeroOrMore | RepetitionKind::OneOrMore => 1,
                    RepetitionKind::Range(RepetitionRange::Exactly(most) | RepetitionRange::AtLeast(most)) => *most,
                    RepetitionKind::Range(RepetitionRange::Bounded(_, most)) => *most,
                };
                let times = times.saturating_mul(own.max(1));
                if times > MOST_REPETITIONS {
                    return Err(format!("it repeats a part {times} times; at most {MOST_REPETITIONS} are allowed"));
                }
                self.check(&repetition.ast, times)
            }
            Ast::Group(group) => {
                match &group.kind {
                    GroupKind::CaptureIndex(_) => self.groups += 1,
                    GroupKind::CaptureName { starts_with_p, name } => {
                        self.groups += 1;
                        if !starts_with_p {
                            return Err("a named group is written `(?P<name>…)`".to_owned());
                        }
                        if !name.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                            return Err("the name of a group is made of letters, digits and `_`".to_owned());
                        }
                    }
                    GroupKind::NonCapturing(set) => flags(set)?,
                }
                self.check(&group.ast, times)
            }
            Ast::Alternation(alternation) => alternation.asts.iter().try_for_each(|part| self.check(part, times)),
            Ast::Concat(concat) => concat.asts.iter().try_for_each(|part| self.check(part, times)),
        }
    }

    fn count(&mut self, parts: u32, times: u32) -> Result<(), String> {
        self.parts = self.parts.saturating_add(parts.saturating_mul(times));
        if self.parts > MOST_PARTS {
            return Err(format!("it has more than {MOST_PARTS} parts, repetitions counted; repeat less"));
        }
        Ok(())
    }
}

fn set(set: &ClassSet) -> Result<(), String> {
    match set {
        ClassSet::Item(item) => set_item(item),
        ClassSet::BinaryOp(_) => Err("sets of characters are not computed with `&&`, `--` or `~~`".to_owned()),
    }
}

fn set_item(item: &ClassSetItem) -> Result<(), String> {
    match item {
        ClassSetItem::Empty(_) | ClassSetItem::Ascii(_) | ClassSetItem::Perl(_) => Ok(()),
        ClassSetItem::Literal(letter) => literal(letter),
        ClassSetItem::Range(range) => literal(&range.start).and_then(|()| literal(&range.end)),
        ClassSetItem::Unicode(class) => unicode(class),
        ClassSetItem::Bracketed(_) => Err("inside `[…]` a `[` is written `\\[`".to_owned()),
        ClassSetItem::Union(union) => union.items.iter().try_for_each(set_item),
    }
}

fn literal(letter: &Literal) -> Result<(), String> {
    match letter.kind {
        LiteralKind::Verbatim | LiteralKind::Meta | LiteralKind::Superfluous => Ok(()),
        LiteralKind::HexFixed(HexLiteralKind::X) | LiteralKind::HexBrace(HexLiteralKind::X) => Ok(()),
        LiteralKind::Special(SpecialLiteralKind::Space) => Err("a space is written as it is".to_owned()),
        LiteralKind::Special(_) => Ok(()),
        LiteralKind::Octal | LiteralKind::HexFixed(_) | LiteralKind::HexBrace(_) => {
            Err("a character by its number is written `\\x{263a}`".to_owned())
        }
    }
}

fn unicode(class: &ClassUnicode) -> Result<(), String> {
    let known = match &class.kind {
        ClassUnicodeKind::OneLetter(letter) => CLASSES.contains(&letter.to_string().as_str()),
        ClassUnicodeKind::Named(name) => CLASSES.contains(&name.trim_start_matches('^')),
        ClassUnicodeKind::NamedValue { .. } => false,
    };
    if known {
        Ok(())
    } else {
        Err("after `\\p` stands a general category or a script, such as `\\p{L}` or `\\p{Han}`".to_owned())
    }
}

fn flags(set: &Flags) -> Result<(), String> {
    let known = set.items.iter().all(|item| match &item.kind {
        FlagsItemKind::Negation => true,
        FlagsItemKind::Flag(flag) => {
            matches!(flag, Flag::CaseInsensitive | Flag::MultiLine | Flag::DotMatchesNewLine | Flag::SwapGreed)
        }
    });
    if known { Ok(()) } else { Err("the flags are `i`, `m`, `s` and `U`".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_re2_takes_is_taken() {
        for (pattern, found) in [
            ("", 0),
            ("^\\d{4}-\\d\\d$", 0),
            ("(a|b)(?P<rest>.*)", 2),
            ("(?i:straße)|\\pL+|\\p{Greek}|\\p{^Lu}|\\PN", 0),
            ("[[:alpha:]_-]{1,300}?", 0),
            ("\\x{263a}\\x41\\n\\.\\-", 0),
        ] {
            assert_eq!(groups(pattern), Ok(found), "{pattern}");
        }
    }

    #[test]
    fn what_re2_refuses_is_refused() {
        for pattern in [
            "(",
            "a)",
            "[",
            "[z-a]",
            "a**",
            "a{2}{3}",
            "*a",
            "(?=a)",
            "(?<!a)",
            "(a)\\1",
            "(?x)a b",
            "(?u)a",
            "\\<a",
            "\\b{start}",
            "[a&&b]",
            "[a[b]]",
            "\\p{Alphabetic}",
            "\\p{sc=Greek}",
            "\\u1234",
            "\\q",
            "a{1001}",
            "(a{100}){100}",
            "(?<name>a)",
            "\\101",
            "^*",
            "\\",
        ] {
            assert!(groups(pattern).is_err(), "{pattern}");
        }
        assert!(groups(&"a".repeat(257)).is_err());
        assert!(groups("(?:\\pL{100}){5}").is_err());
        assert!(groups("(a?){999}b").is_err());
    }

    #[test]
    fn a_replacement_names_groups_that_there_are() {
        assert_eq!(replacement("a\\1\\0", 1), Ok(4));
        assert!(replacement("\\2", 1).is_err());
        assert!(replacement("a\\", 1).is_err());
    }
}
