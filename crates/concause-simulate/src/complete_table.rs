//! Complete tables of concepts that are defined by a formula, from machine learning.

use concause::random::Random;

use super::unnamed::{SignedVariable, UnnamedData};
use super::{AllowedRange, SimulateError, Variable};

/// The complete table of a concept: each combination of values once, with T as defined.
///
/// More rows repeat the table, fewer are a random part of it. More predictors are fair coins.
#[derive(Clone, Debug, PartialEq)]
pub struct CompleteTable {
    /// The concept.
    pub concept: Concept,
    /// The probability that the outcome of a row is recorded wrongly.
    pub errors: f64,
}

/// A concept that is defined by a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Concept {
    /// The first of the MONK's problems (Thrun et al. 1991): head = body, or the jacket is red.
    Monk1,
    /// The second: exactly two of the six attributes have their first value. As a disjunction it has 15 terms, each of
    /// all six attributes.
    Monk2,
    /// The third: the jacket is green and a sword is held, or the jacket is not blue and the body is no octagon. The
    /// published training set has 5 % errors.
    Monk3,
    /// The end of a game of tic-tac-toe that x began: whether x has won (Aha 1991). The attributes are the nine squares
    /// with the values x, o and b (blank); each of the eight lines is a term.
    TicTacToe,
    /// The multiplexer of six bits: two bits are the address of one of the other four, which is the outcome.
    Multiplexer6,
}

/// One attribute of a concept is required to have, or not to have, a value.
struct Requirement {
    attribute: usize,
    value: u16,
    negated: bool,
}

fn has(attribute: usize, value: u16) -> Requirement {
    Requirement { attribute, value, negated: false }
}

fn lacks(attribute: usize, value: u16) -> Requirement {
    Requirement { attribute, value, negated: true }
}

/// The values of the attributes of the MONK's problems: head, body, smiling, holding, jacket, tie.
const MONK: [&[&str]; 6] = [
    &["round", "square", "octagon"],
    &["round", "square", "octagon"],
    &["yes", "no"],
    &["sword", "balloon", "flag"],
    &["red", "yellow", "green", "blue"],
    &["yes", "no"],
];

/// The squares of each line of the board.
const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Concept {
    /// The values of each attribute.
    fn attributes(self) -> Vec<&'static [&'static str]> {
        match self {
            Concept::Monk1 | Concept::Monk2 | Concept::Monk3 => MONK.to_vec(),
            Concept::TicTacToe => vec![&["x", "o", "b"]; 9],
            Concept::Multiplexer6 => vec![&["0", "1"]; 6],
        }
    }

    /// The terms of which at least one holds where T=1.
    fn terms(self) -> Vec<Vec<Requirement>> {
        match self {
            Concept::Monk1 => {
                let mut terms: Vec<Vec<Requirement>> =
                    (0..3).map(|shape| vec![has(0, shape), has(1, shape)]).collect();
                terms.push(vec![has(4, 0)]);
                terms
            }
            Concept::Monk2 => {
                let pairs = (0..6).flat_map(|first| (first + 1..6).map(move |second| [first, second]));
                let term = |pair: [usize; 2]| {
                    let literal = |attribute| {
                        if pair.contains(&attribute) { has(attribute, 0) } else { lacks(attribute, 0) }
                    };
                    (0..6).map(literal).collect()
                };
                pairs.map(term).collect()
            }
            Concept::Monk3 => vec![vec![has(4, 2), has(3, 0)], vec![lacks(4, 3), lacks(1, 2)]],
            Concept::TicTacToe => {
                LINES.iter().map(|line| line.iter().map(|&square| has(square, 0)).collect()).collect()
            }
            Concept::Multiplexer6 => (0..4)
                .map(|address| {
                    vec![has(0, address >> 1), has(1, address & 1), has(2 + usize::from(address), 1)]
                })
                .collect(),
        }
    }

    /// All rows, each as the codes of its values.
    fn rows(self) -> Vec<Vec<u16>> {
        if self == Concept::TicTacToe {
            let mut ends = Vec::new();
            play(&mut vec![BLANK; 9], 0, &mut ends);
            ends.sort_unstable();
            ends.dedup();
            return ends;
        }
        let mut rows = vec![Vec::new()];
        for values in self.attributes() {
            let codes = 0..values.len() as u16;
            let extend = |row: &Vec<u16>| -> Vec<Vec<u16>> {
                codes.clone().map(|code| [row.as_slice(), &[code]].concat()).collect()
            };
            rows = rows.iter().flat_map(extend).collect();
        }
        rows
    }

    /// The number of rows and of attributes.
    pub(crate) fn size(self) -> (usize, usize) {
        (self.rows().len(), self.attributes().len())
    }
}

const BLANK: u16 = 2;

/// Continues a game in all ways and collects the boards at its end.
fn play(board: &mut Vec<u16>, player: u16, ends: &mut Vec<Vec<u16>>) {
    let other = 1 - player;
    let is_won = LINES.iter().any(|line| line.iter().all(|&square| board[square] == other));
    if is_won || !board.contains(&BLANK) {
        ends.push(board.clone());
        return;
    }
    for square in 0..9 {
        if board[square] == BLANK {
            board[square] = player;
            play(board, other, ends);
            board[square] = BLANK;
        }
    }
}

impl CompleteTable {
    pub(crate) fn check(&self, predictors: usize) -> Result<(), SimulateError> {
        AllowedRange::at_least(self.concept.attributes().len() as f64)
            .check_count("predictors", predictors)?;
        AllowedRange::HALF_OPEN_UNIT.check("errors", self.errors)
    }

    pub(crate) fn generate(&self, rows: usize, predictors: usize, random: &mut Random) -> UnnamedData {
        let (attributes, terms) = (self.concept.attributes(), self.concept.terms());
        let mut table = self.concept.rows();
        random.shuffle(&mut table);
        let row = |number: usize| &table[number % table.len()];
        let holds = |row: &[u16]| {
            let is_met = |literal: &Requirement| (row[literal.attribute] == literal.value) != literal.negated;
            terms.iter().any(|term| term.iter().all(is_met))
        };
        let mut outcome: Vec<bool> = (0..rows).map(|number| holds(row(number))).collect();
        if self.errors > 0.0 {
            outcome.iter_mut().for_each(|case| *case ^= random.chance(self.errors));
        }
        let mut columns: Vec<Variable> = Vec::with_capacity(predictors);
        for (attribute, values) in attributes.iter().enumerate() {
            let codes = (0..rows).map(|number| row(number)[attribute]).collect();
            columns.push(Variable::nominal(
                String::new(),
                values.iter().map(|&value| value.to_owned()).collect(),
                codes,
            ));
        }
        for _ in attributes.len()..predictors {
            let bits: Vec<bool> = (0..rows).map(|_| random.chance(0.5)).collect();
            columns.push(Variable::binary(String::new(), &bits));
        }
        let literal = |requirement: &Requirement| name_requirement(requirement, &columns);
        let causes = terms.iter().map(|term| term.iter().map(literal).collect()).collect();
        UnnamedData { columns, causes, outcome }
    }
}

/// The literal of a requirement: a binary column or its negation, or a value of a nominal attribute.
fn name_requirement(requirement: &Requirement, columns: &[Variable]) -> SignedVariable {
    let &Requirement { attribute, value, negated } = requirement;
    let variable = &columns[attribute];
    match variable.code_of_true() {
        Some(one) => SignedVariable::new(attribute, negated ^ (value != one)),
        None => {
            let condition = format!("={}", variable.values[usize::from(value)]);
            SignedVariable { column: attribute, negated, condition }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generate(concept: Concept, rows: usize, predictors: usize, errors: f64) -> UnnamedData {
        CompleteTable { concept, errors }.generate(rows, predictors, &mut Random::new(51))
    }

    #[test]
    fn tables_have_the_published_numbers_of_rows_and_cases() {
        for (concept, rows, attributes, cases, terms) in [
            (Concept::Monk1, 432, 6, 216, 4),
            (Concept::Monk2, 432, 6, 142, 15),
            (Concept::Monk3, 432, 6, 228, 2),
            (Concept::TicTacToe, 958, 9, 626, 8),
            (Concept::Multiplexer6, 64, 6, 32, 4),
        ] {
            assert_eq!(concept.size(), (rows, attributes));
            let data = generate(concept, rows, attributes, 0.0);
            assert_eq!(data.outcome.iter().filter(|&&case| case).count(), cases, "{concept:?}");
            assert_eq!(data.causes.len(), terms);
            let mut distinct: Vec<Vec<u16>> =
                (0..rows).map(|row| data.columns.iter().map(|column| column.codes[row]).collect()).collect();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), rows);
        }
    }

    #[test]
    fn the_multiplexer_selects_a_bit() {
        let data = generate(Concept::Multiplexer6, 64, 6, 0.0);
        for (row, &case) in data.outcome.iter().enumerate() {
            let bit = |column: usize| data.columns[column].codes[row];
            assert_eq!(case, bit(2 + usize::from(2 * bit(0) + bit(1))) == 1);
        }
        let negated: Vec<Vec<bool>> =
            data.causes.iter().map(|cause| cause.iter().map(|literal| literal.negated).collect()).collect();
        let (yes, no) = (false, true);
        assert_eq!(negated, [[no, no, yes], [no, yes, yes], [yes, no, yes], [yes, yes, yes]]);
    }

    #[test]
    fn the_second_problem_counts_first_values() {
        let data = generate(Concept::Monk2, 432, 6, 0.0);
        for (row, &case) in data.outcome.iter().enumerate() {
            let first = data.columns.iter().filter(|column| column.codes[row] == 0).count();
            assert_eq!(case, first == 2);
        }
    }

    #[test]
    fn more_rows_repeat_the_table_and_more_predictors_are_noise() {
        let data = generate(Concept::Monk1, 432 * 50, 8, 0.1);
        assert_eq!(data.columns.len(), 8);
        let plain = generate(Concept::Monk1, 432 * 50, 6, 0.0);
        assert_eq!(data.columns[..6], plain.columns[..6]);
        assert_eq!(plain.outcome.iter().filter(|&&case| case).count(), 216 * 50);
        let errors = data.outcome.iter().zip(&plain.outcome).filter(|(one, other)| one != other).count();
        assert!((errors as f64 - 2160.0).abs() < 6.0 * 44.1, "{errors}");
        let few = CompleteTable { concept: Concept::Monk1, errors: 0.0 };
        assert_eq!(few.check(5).unwrap_err().to_string(), "predictors must be at least 6, but is 5");
        assert_eq!(few.generate(10, 6, &mut Random::new(1)).outcome.len(), 10);
    }
}
