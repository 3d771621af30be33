//! Tokens → tree: the grammar of design 4.3, loosest first: `or`; `and`; `not`; comparison; `+ -`; `* / %`; `-`; the
//! rest. Knows neither functions nor types.

use std::ops::Range;

use super::expression::{ArithmeticOperator, CompareOperator, Expression, ExpressionKind};
pub use super::lexer::KEYWORDS;
use super::lexer::{CLOSED_WORDS, Token, TokenKind, tokens};
pub use super::problem::{ExpressionProblem, ProblemCode};

/// The longest text (design 4.3).
pub const MAX_CHARACTERS: usize = 4096;
/// The deepest nesting (design 4.3).
pub const MAX_DEPTH: usize = 64;
/// The most nodes (design 4.3).
pub const MAX_NODES: usize = 1000;

/// Reads an expression.
///
/// # Errors
/// If the text is not of the grammar or beyond a limit: the first place where that shows.
pub fn parse(text: &str) -> Result<Expression, ExpressionProblem> {
    let characters = text.chars().count();
    if characters > MAX_CHARACTERS {
        let message = format!("the expression has {characters} characters; at most {MAX_CHARACTERS} are allowed");
        return Err(ExpressionProblem::new(ProblemCode::TooLong, 0..text.len(), message)
            .help("split it into several columns, or move the work into the source"));
    }
    let mut parser = Parser { text, tokens: tokens(text)?, next: 0, nodes: 0, nesting: 0 };
    let (expression, _) = parser.or()?;
    match parser.peek() {
        None => Ok(expression),
        Some(token) => Err(parser.unexpected(token.span.clone(), "the end or an operator")),
    }
}

/// A node and how deep it is.
type Parsed = Result<(Expression, usize), ExpressionProblem>;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    next: usize,
    nodes: usize,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn or(&mut self) -> Parsed {
        self.chain("or", Self::and, ExpressionKind::Or)
    }

    fn and(&mut self) -> Parsed {
        self.chain("and", Self::not, ExpressionKind::And)
    }

    fn chain(
        &mut self,
        word: &str,
        operand: fn(&mut Self) -> Parsed,
        make: fn(Vec<Expression>) -> ExpressionKind,
    ) -> Parsed {
        let (first, mut depth) = operand(self)?;
        if !self.at_word(word) {
            return Ok((first, depth));
        }
        let start = first.span.start;
        let mut operands = vec![first];
        while self.word(word) {
            let (next, next_depth) = operand(self)?;
            depth = depth.max(next_depth);
            operands.push(next);
        }
        let end = operands.last().map_or(start, |last| last.span.end);
        self.node(make(operands), start..end, depth)
    }

    fn not(&mut self) -> Parsed {
        let start = self.position();
        if !self.word("not") {
            return self.comparison();
        }
        let (operand, depth) = self.nested(start, Self::not)?;
        let span = start..operand.span.end;
        self.node(ExpressionKind::Not(Box::new(operand)), span, depth)
    }

    fn comparison(&mut self) -> Parsed {
        let (left, depth) = self.sum()?;
        let start = left.span.start;
        if let Some(operator) = self.compare_operator() {
            let (right, right_depth) = self.sum()?;
            let span = start..right.span.end;
            if self.compare_operator().is_some() {
                let problem = ExpressionProblem::new(ProblemCode::SyntaxError, span, "comparisons cannot be chained");
                return Err(problem.help("join two comparisons with `and`: `a < b and b < c`"));
            }
            let kind = ExpressionKind::Compare(operator, Box::new(left), Box::new(right));
            return self.node(kind, span, depth.max(right_depth));
        }
        if self.word("is") {
            let negated = self.word("not");
            let end = self.end_of_next();
            if !self.word("null") {
                return Err(self.unexpected(self.position()..end, "`null` or `not null` after `is`"));
            }
            return self.node(ExpressionKind::IsNull { operand: Box::new(left), negated }, start..end, depth);
        }
        let negated = (self.at_word("not")
            && (self.word_at(self.next + 1, "in") || self.word_at(self.next + 1, "between")))
            && self.word("not");
        if self.word("in") {
            let (items, end, items_depth) = self.list()?;
            let kind = ExpressionKind::In { operand: Box::new(left), items, negated };
            return self.node(kind, start..end, depth.max(items_depth));
        }
        if self.word("between") {
            let (low, low_depth) = self.sum()?;
            if !self.word("and") {
                return Err(
                    self.unexpected(self.position()..self.end_of_next(), "`and` with the upper end of `between`")
                );
            }
            let (high, high_depth) = self.sum()?;
            let span = start..high.span.end;
            let (operand, low, high) = (Box::new(left), Box::new(low), Box::new(high));
            let kind = ExpressionKind::Between { operand, low, high, negated };
            return self.node(kind, span, depth.max(low_depth).max(high_depth));
        }
        Ok((left, depth))
    }

    fn list(&mut self) -> Result<(Vec<Expression>, usize, usize), ExpressionProblem> {
        let open = self.position();
        if !self.sign("(") {
            return Err(self.unexpected(open..self.end_of_next(), "a list in parentheses after `in`"));
        }
        let (items, end, depth) = self.arguments(open)?;
        if items.is_empty() {
            let problem = ExpressionProblem::new(ProblemCode::SyntaxError, open..end, "the list after `in` is empty");
            return Err(problem.help("name at least one value"));
        }
        Ok((items, end, depth))
    }

    fn sum(&mut self) -> Parsed {
        self.left_to_right(&[("+", ArithmeticOperator::Plus), ("-", ArithmeticOperator::Minus)], Self::product)
    }

    fn product(&mut self) -> Parsed {
        const OPERATORS: [(&str, ArithmeticOperator); 3] =
            [("*", ArithmeticOperator::Multiply), ("/", ArithmeticOperator::Divide), ("%", ArithmeticOperator::Modulo)];
        self.left_to_right(&OPERATORS, Self::unary)
    }

    fn left_to_right(&mut self, operators: &[(&str, ArithmeticOperator)], operand: fn(&mut Self) -> Parsed) -> Parsed {
        let (mut left, mut depth) = operand(self)?;
        while let Some((_, operator)) = operators.iter().copied().find(|(sign, _)| self.sign(sign)) {
            let (right, right_depth) = operand(self)?;
            let span = left.span.start..right.span.end;
            let kind = ExpressionKind::Arithmetic(operator, Box::new(left), Box::new(right));
            (left, depth) = self.node(kind, span, depth.max(right_depth))?;
        }
        Ok((left, depth))
    }

    fn unary(&mut self) -> Parsed {
        let start = self.position();
        if !self.sign("-") {
            return self.primary();
        }
        let (operand, depth) = self.nested(start, Self::unary)?;
        let span = start..operand.span.end;
        self.node(ExpressionKind::Negate(Box::new(operand)), span, depth)
    }

    fn primary(&mut self) -> Parsed {
        let Some(token) = self.tokens.get(self.next).cloned() else {
            return Err(self.unexpected(self.text.len()..self.text.len(), "a value"));
        };
        match token.kind {
            TokenKind::Number(number) => self.leaf(ExpressionKind::Number(number), token.span),
            TokenKind::Text(value) => self.leaf(ExpressionKind::Text(value.into_owned()), token.span),
            TokenKind::Sign("(") => {
                self.next += 1;
                let (inner, depth) = self.nested(token.span.start, Self::or)?;
                if self.peek_sign(",") {
                    let problem = ExpressionProblem::new(ProblemCode::SyntaxError, token.span, "there are no tuples");
                    return Err(problem.help("a list stands only after `in`: `x in (1, 2)`"));
                }
                self.close(token.span.start)?;
                // Parentheses count for depth and nothing else: the tree has no node for them.
                Ok((inner, self.deeper(token.span, depth)?))
            }
            TokenKind::Word { text, quoted } => self.word_value(&text, quoted, token.span),
            TokenKind::Sign("+") => {
                let problem = ExpressionProblem::new(ProblemCode::SyntaxError, token.span, "there is no unary `+`");
                Err(problem.help("leave it out"))
            }
            TokenKind::Sign(_) => Err(self.unexpected(token.span, "a value")),
        }
    }

    fn word_value(&mut self, word: &str, quoted: bool, span: Range<usize>) -> Parsed {
        if !quoted {
            match KEYWORDS.into_iter().find(|keyword| word.eq_ignore_ascii_case(keyword)) {
                Some("null") => return self.leaf(ExpressionKind::Null, span),
                Some("true") => return self.leaf(ExpressionKind::Boolean(true), span),
                Some("false") => return self.leaf(ExpressionKind::Boolean(false), span),
                Some(_) => return Err(self.unexpected(span, "a value")),
                None => {}
            }
            let open = matches!(self.tokens.get(self.next + 1), Some(token) if token.kind == TokenKind::Sign("("));
            let closed = CLOSED_WORDS.iter().find(|(closed, _)| {
                word.eq_ignore_ascii_case(closed)
                    && (!open || matches!(*closed, "select" | "case" | "cast" | "interval"))
            });
            let dotted = matches!(self.tokens.get(self.next + 1), Some(token) if token.kind == TokenKind::Sign("."));
            if let Some((_, instead)) = closed.filter(|_| !dotted) {
                let problem =
                    ExpressionProblem::new(ProblemCode::SyntaxError, span, format!("there is no `{word}` here"));
                return Err(problem.help(*instead));
            }
            if open {
                self.next += 2;
                let (arguments, end, depth) = self.arguments(span.start)?;
                let whole = span.start..end;
                return self.node(
                    ExpressionKind::Call { name: word.to_owned(), name_span: span, arguments },
                    whole,
                    depth,
                );
            }
        }
        self.next += 1;
        let mut path = vec![word.to_owned()];
        let mut end = span.end;
        while self.sign(".") {
            match self.tokens.get(self.next).map(|token| (&token.kind, token.span.clone())) {
                Some((TokenKind::Word { text, .. }, segment)) => {
                    path.push(text.to_string());
                    end = segment.end;
                    self.next += 1;
                }
                _ => {
                    let problem = self.unexpected(self.position()..self.end_of_next(), "a name after `.`");
                    return Err(problem.help("names of other characters are written in backticks: `` o.`order no` ``"));
                }
            }
        }
        if self.peek_sign("(") {
            let problem =
                ExpressionProblem::new(ProblemCode::SyntaxError, span.start..end, "only plain names are functions");
            return Err(problem.help("a function is called like `lower(o.name)`"));
        }
        self.node(ExpressionKind::Reference(path), span.start..end, 0)
    }

    /// Arguments up to the closing parenthesis, whose end is given too; the opening one is read already.
    fn arguments(&mut self, open: usize) -> Result<(Vec<Expression>, usize, usize), ExpressionProblem> {
        let (mut arguments, mut depth) = (Vec::new(), 0);
        if !self.peek_sign(")") {
            loop {
                let (argument, argument_depth) = self.nested(open, Self::or)?;
                depth = depth.max(argument_depth);
                arguments.push(argument);
                if !self.sign(",") {
                    break;
                }
            }
        }
        let end = self.close(open)?;
        Ok((arguments, end, depth))
    }

    fn close(&mut self, open: usize) -> Result<usize, ExpressionProblem> {
        let end = self.end_of_next();
        if self.sign(")") {
            return Ok(end);
        }
        match self.peek() {
            Some(token) => Err(self.unexpected(token.span.clone(), "`)`, `,` or an operator")),
            None => {
                let problem = ExpressionProblem::new(
                    ProblemCode::SyntaxError,
                    open..self.text.len(),
                    "the parenthesis that starts here does not close",
                );
                Err(problem.help("add `)`"))
            }
        }
    }

    /// One level further down, so that no text can exhaust the stack.
    fn nested(&mut self, from: usize, inner: fn(&mut Self) -> Parsed) -> Parsed {
        self.nesting += 1;
        if self.nesting > MAX_DEPTH {
            return Err(too_deep(from..self.position().max(from)));
        }
        let parsed = inner(self);
        self.nesting -= 1;
        parsed
    }

    fn leaf(&mut self, kind: ExpressionKind, span: Range<usize>) -> Parsed {
        self.next += 1;
        self.node(kind, span, 0)
    }

    fn node(&mut self, kind: ExpressionKind, span: Range<usize>, depth: usize) -> Parsed {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("the expression has more than {MAX_NODES} parts");
            return Err(ExpressionProblem::new(ProblemCode::TooManyNodes, span, message)
                .help("split it into several columns, or join a table that holds the list"));
        }
        let depth = self.deeper(span.clone(), depth)?;
        Ok((Expression { kind, span }, depth))
    }

    fn deeper(&self, span: Range<usize>, depth: usize) -> Result<usize, ExpressionProblem> {
        if depth >= MAX_DEPTH { Err(too_deep(span)) } else { Ok(depth + 1) }
    }

    fn compare_operator(&mut self) -> Option<CompareOperator> {
        const OPERATORS: [(&str, CompareOperator); 7] = [
            ("=", CompareOperator::Equal),
            ("!=", CompareOperator::NotEqual),
            ("<>", CompareOperator::NotEqual),
            ("<=", CompareOperator::LessOrEqual),
            (">=", CompareOperator::GreaterOrEqual),
            ("<", CompareOperator::Less),
            (">", CompareOperator::Greater),
        ];
        OPERATORS.into_iter().find(|(sign, _)| self.sign(sign)).map(|(_, operator)| operator)
    }

    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.next)
    }

    fn position(&self) -> usize {
        self.peek().map_or(self.text.len(), |token| token.span.start)
    }

    fn end_of_next(&self) -> usize {
        self.peek().map_or(self.text.len(), |token| token.span.end)
    }

    fn peek_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token { kind: TokenKind::Sign(found), .. }) if *found == sign)
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = self.peek_sign(sign);
        self.next += usize::from(found);
        found
    }

    fn word_at(&self, index: usize, word: &str) -> bool {
        matches!(self.tokens.get(index), Some(Token { kind: TokenKind::Word { text, quoted: false }, .. }) if text.eq_ignore_ascii_case(word))
    }

    fn at_word(&self, word: &str) -> bool {
        self.word_at(self.next, word)
    }

    fn word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.next += usize::from(found);
        found
    }

    /// `expected` names what could stand here.
    fn unexpected(&self, span: Range<usize>, expected: &str) -> ExpressionProblem {
        let found = &self.text[span.clone()];
        let message = match found {
            "" => format!("the expression ends where {expected} should stand"),
            found => format!("`{found}` stands where {expected} should"),
        };
        let problem = ExpressionProblem::new(ProblemCode::SyntaxError, span, message);
        match CLOSED_WORDS.iter().find(|(word, _)| found.eq_ignore_ascii_case(word)) {
            Some((_, instead)) => problem.help(*instead),
            None if found == "." => problem.help("a path goes on with a name: `o.state.status`"),
            None => problem,
        }
    }
}

fn too_deep(span: Range<usize>) -> ExpressionProblem {
    ExpressionProblem::new(ProblemCode::TooDeep, span, format!("the expression is nested more than {MAX_DEPTH} deep"))
        .help("`multiIf` and `in` say in one level what nested calls say in many")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> &'static str {
        parse(text).map_or_else(|problem| problem.code.as_str(), |_| "ok")
    }

    #[test]
    fn hostile_texts_end_at_a_limit_and_not_at_the_stack() {
        for text in
            ["(".repeat(4096), "- ".repeat(2048), "not ".repeat(1024), "f(".repeat(2048), "a+".repeat(2047) + "a"]
        {
            assert_eq!(code(&text), "TooDeep", "{}…", &text[..8]);
        }
        assert_eq!(code(&"x".repeat(4097)), "TooLong");
        assert_eq!(code(&format!("a in ({}1)", "1,".repeat(1100))), "TooManyNodes");
        assert_eq!(code(&format!("{}a{}", "(".repeat(60), ")".repeat(60))), "ok");
        assert_eq!(code(&["a.b = 1"; 100].join(" or ")), "ok");
    }

    #[test]
    fn precedence_is_that_of_the_design() {
        let same = |left: &str, right: &str| {
            let shape = |text: &str| format!("{:?}", parse(text).map(strip)).replace(char::is_whitespace, "");
            assert_eq!(shape(left), shape(right), "{left} / {right}");
        };
        same("a or b and c", "a or (b and c)");
        same("not a = b and c", "(not (a = b)) and c");
        same("a + b * -c", "a + (b * (-c))");
        same("a - b - c", "(a - b) - c");
        same("a + 1 between b and c and d", "((a + 1) between b and c) and d");
        same("not a in (1)", "not (a in (1))");
        same("a NOT IN (1) OR b IS NOT NULL", "(a not in (1)) or (b is not null)");
    }

    fn strip(mut expression: Expression) -> Expression {
        fn clear(expression: &mut Expression) {
            expression.span = 0..0;
            match &mut expression.kind {
                ExpressionKind::Negate(inner) | ExpressionKind::Not(inner) => clear(inner),
                ExpressionKind::Arithmetic(_, left, right) | ExpressionKind::Compare(_, left, right) => {
                    clear(left);
                    clear(right);
                }
                ExpressionKind::In { operand, items, .. } => {
                    clear(operand);
                    items.iter_mut().for_each(clear);
                }
                ExpressionKind::Between { operand, low, high, .. } => {
                    [operand, low, high].into_iter().for_each(|e| clear(e))
                }
                ExpressionKind::IsNull { operand, .. } => clear(operand),
                ExpressionKind::And(all) | ExpressionKind::Or(all) => all.iter_mut().for_each(clear),
                ExpressionKind::Call { arguments, .. } => arguments.iter_mut().for_each(clear),
                _ => {}
            }
        }
        clear(&mut expression);
        expression
    }

    #[test]
    fn no_text_makes_it_panic() {
        const PARTS: [&str; 34] = [
            "a",
            ".",
            "b",
            "`x y`",
            "(",
            ")",
            ",",
            "+",
            "-",
            "--",
            "*",
            "/",
            "%",
            "=",
            "!=",
            "<",
            ">=",
            " and ",
            " or ",
            "not ",
            " in ",
            " between ",
            " is ",
            "null",
            "'t'",
            "'",
            "`",
            "1",
            "1.5e",
            "é",
            "\\",
            "f(",
            "like",
            " ",
        ];
        let mut state = 1u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(PARTS[(state >> 33) as usize % PARTS.len()]);
            }
            if let Err(problem) = parse(&text) {
                assert!(text.get(problem.span.clone()).is_some(), "{text}: {problem:?}");
            }
        }
    }
}
