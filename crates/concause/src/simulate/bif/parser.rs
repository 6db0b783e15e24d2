//! From tokens to blocks: what a BIF file says, before the names in it are looked up.

use super::Error;
use super::tokens::{Token, tokens};

/// A `variable` block.
#[derive(Debug)]
pub(super) struct VariableBlock {
    pub line: usize,
    pub name: String,
    pub values: Vec<String>,
}

/// A `probability` block.
#[derive(Debug)]
pub(super) struct ProbabilityBlock {
    pub line: usize,
    /// The variable, then its parents.
    pub names: Vec<String>,
    pub entries: Vec<Entry>,
}

/// One line of a `probability` block.
#[derive(Debug)]
pub(super) struct Entry {
    pub line: usize,
    pub place: Place,
    pub numbers: Vec<f64>,
}

/// Which part of the table an entry fills.
#[derive(Debug, PartialEq)]
pub(super) enum Place {
    /// All of it.
    Table,
    /// The configurations without a row of their own.
    Default,
    /// One configuration of the parents, by their values.
    Row(Vec<String>),
}

/// All blocks of a file.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    pub name: String,
    pub variables: Vec<VariableBlock>,
    pub probabilities: Vec<ProbabilityBlock>,
}

/// Reads all blocks.
pub(super) fn blocks(text: &str) -> Result<Blocks, Error> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0 };
    let mut blocks = Blocks::default();
    while let Some((line, token)) = parser.tokens.get(parser.next).cloned() {
        parser.next += 1;
        match &token {
            Token::Word(word) if word == "network" => blocks.name = parser.network()?,
            Token::Word(word) if word == "variable" => blocks.variables.push(parser.variable(line)?),
            Token::Word(word) if word == "probability" => {
                blocks.probabilities.push(parser.probability(line)?);
            }
            _ => return Err(wanted(line, "'network', 'variable' or 'probability'", Some(&token))),
        }
    }
    Ok(blocks)
}

fn wanted(line: usize, what: &str, found: Option<&Token>) -> Error {
    let found = found.map_or("the file ends".into(), |token| format!("found {}", token.shown()));
    Error::new(line, format!("expected {what} but {found}"))
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
}

impl Parser {
    /// The line of the next token, or of the last one.
    fn line(&self) -> usize {
        self.tokens.get(self.next).or(self.tokens.last()).map_or(1, |(line, _)| *line)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn word(&mut self, what: &str) -> Result<String, Error> {
        match self.peek() {
            Some(Token::Word(word)) => {
                let word = word.clone();
                self.next += 1;
                Ok(word)
            }
            other => Err(wanted(self.line(), what, other)),
        }
    }

    fn keyword(&mut self, keyword: &str) -> Result<(), Error> {
        let line = self.line();
        let what = format!("'{keyword}'");
        let word = self.word(&what)?;
        if word == keyword { Ok(()) } else { Err(wanted(line, &what, Some(&Token::Word(word)))) }
    }

    fn mark(&mut self, mark: char) -> Result<(), Error> {
        if self.takes(mark) { Ok(()) } else { Err(wanted(self.line(), &format!("'{mark}'"), self.peek())) }
    }

    /// Takes the mark if it comes next.
    fn takes(&mut self, mark: char) -> bool {
        let comes = self.peek() == Some(&Token::Mark(mark));
        self.next += usize::from(comes);
        comes
    }

    /// Words up to a mark, which is taken as well.
    fn words_until(&mut self, mark: char, what: &str) -> Result<Vec<String>, Error> {
        let mut words = Vec::new();
        while !self.takes(mark) {
            words.push(self.word(&format!("{what} or '{mark}'"))?);
        }
        Ok(words)
    }

    /// Skips a `property` up to its semicolon.
    fn skip_property(&mut self) -> Result<(), Error> {
        let line = self.line();
        while !self.takes(';') {
            if self.peek().is_none() {
                return Err(Error::new(line, "the property is never closed with ;"));
            }
            self.next += 1;
        }
        Ok(())
    }

    /// The name of the network; its properties are skipped.
    fn network(&mut self) -> Result<String, Error> {
        let name = self.word("the name of the network")?;
        self.mark('{')?;
        while !self.takes('}') {
            self.keyword("property")?;
            self.skip_property()?;
        }
        Ok(name)
    }

    fn variable(&mut self, line: usize) -> Result<VariableBlock, Error> {
        let name = self.word("the name of a variable")?;
        let mut values = None;
        self.mark('{')?;
        while !self.takes('}') {
            let entry_line = self.line();
            match self.word("'type', 'property' or '}'")?.as_str() {
                "property" => self.skip_property()?,
                "type" if values.is_some() => {
                    return Err(Error::new(entry_line, format!("'{name}' has a second type")));
                }
                "type" => values = Some(self.values(&name)?),
                other => {
                    let found = Token::Word(other.to_owned());
                    return Err(wanted(entry_line, "'type', 'property' or '}'", Some(&found)));
                }
            }
        }
        let values = values.ok_or_else(|| Error::new(line, format!("'{name}' has no type")))?;
        Ok(VariableBlock { line, name, values })
    }

    /// `discrete [ 2 ] { a, b };`
    fn values(&mut self, name: &str) -> Result<Vec<String>, Error> {
        let line = self.line();
        self.keyword("discrete")?;
        self.mark('[')?;
        let number_line = self.line();
        let number = self.word("the number of values")?;
        let number: usize = number
            .parse()
            .map_err(|_| wanted(number_line, "the number of values", Some(&Token::Word(number))))?;
        self.mark(']')?;
        self.mark('{')?;
        let values = self.words_until('}', "a value")?;
        self.mark(';')?;
        if values.len() != number {
            let sentence = format!("'{name}' should have {number} values but has {}", values.len());
            return Err(Error::new(line, sentence));
        }
        if values.is_empty() || values.len() > usize::from(u16::MAX) {
            let sentence = format!("'{name}' must have 1 to {} values but has {number}", u16::MAX);
            return Err(Error::new(line, sentence));
        }
        if let Some(twice) = repeated(&values) {
            return Err(Error::new(line, format!("'{name}' has the value '{twice}' twice")));
        }
        Ok(values)
    }

    fn probability(&mut self, line: usize) -> Result<ProbabilityBlock, Error> {
        self.mark('(')?;
        let names = self.words_until(')', "the name of a variable")?;
        if names.is_empty() {
            return Err(Error::new(line, "the probability names no variable"));
        }
        if let Some(twice) = repeated(&names) {
            return Err(Error::new(line, format!("the probability names '{twice}' twice")));
        }
        self.mark('{')?;
        let mut entries = Vec::new();
        while !self.takes('}') {
            let line = self.line();
            let place = if self.takes('(') {
                Place::Row(self.words_until(')', "a value")?)
            } else {
                match self.word("'table', 'default', a configuration or '}'")?.as_str() {
                    "table" => Place::Table,
                    "default" => Place::Default,
                    "property" => {
                        self.skip_property()?;
                        continue;
                    }
                    other => {
                        let found = Token::Word(other.to_owned());
                        return Err(wanted(line, "'table', 'default', a configuration or '}'", Some(&found)));
                    }
                }
            };
            entries.push(Entry { line, place, numbers: self.numbers()? });
        }
        Ok(ProbabilityBlock { line, names, entries })
    }

    fn numbers(&mut self) -> Result<Vec<f64>, Error> {
        let mut numbers = Vec::new();
        while !self.takes(';') {
            let line = self.line();
            let word = self.word("a probability or ';'")?;
            match word.parse::<f64>() {
                Ok(number) if (0.0..=1.0).contains(&number) => numbers.push(number),
                Ok(_) => {
                    return Err(Error::new(
                        line,
                        format!("{word} is no probability: it is not within 0 and 1"),
                    ));
                }
                Err(_) => return Err(wanted(line, "a probability or ';'", Some(&Token::Word(word)))),
            }
        }
        Ok(numbers)
    }
}

/// A name that occurs twice.
fn repeated(names: &[String]) -> Option<&String> {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}
