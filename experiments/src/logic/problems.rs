//! The logic problems: their recipes, their rules in words, and what can be expected of a search.

use concause_bench::error::ToolError;
use concause_simulate::Recipe;

/// A logic problem.
pub(super) struct LogicProblem {
    /// The name on the page.
    pub title: &'static str,
    /// The recipe of its complete table.
    recipe: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    /// The largest conjunction of the search.
    pub max_level: usize,
    /// The rule in words.
    pub rule: &'static str,
    /// What the reader should know about the problem.
    pub note: &'static str,
    /// Whether a search takes so long that only one order of the columns is searched.
    pub is_slow: bool,
    /// Whether a quick run includes the problem.
    pub is_in_quick_run: bool,
}

impl LogicProblem {
    /// The recipe with the parameters of the problem.
    pub fn recipe(&self) -> Result<Recipe, ToolError> {
        let unknown = || ToolError::UnknownRecipe(self.recipe.into());
        let mut recipe = Recipe::named(self.recipe).ok_or_else(unknown)?;
        for (name, value) in self.parameters {
            recipe.set(name, value)?;
        }
        Ok(recipe)
    }
}

const fn problem(title: &'static str, recipe: &'static str, rule: &'static str) -> LogicProblem {
    LogicProblem {
        title,
        recipe,
        parameters: &[],
        max_level: 2,
        rule,
        note: "",
        is_slow: false,
        is_in_quick_run: false,
    }
}

const MONK_2: &str = "Exactly two of the six attributes have their first value (Thrun et al. 1991).";

const MONK_3: &str = "The jacket is green and a sword is held, or the jacket is not blue and the body is not an octagon \
                      (Thrun et al. 1991).";

const MULTIPLEXER: &str =
    "Two of the six bits are the address of one of the other four, which is the outcome.";

/// All problems in the order of the page.
pub(super) const PROBLEMS: [LogicProblem; 8] = [
    LogicProblem {
        note: "The attributes are the shapes of head and body (round, square, octagon), smiling, what is held (sword, \
               balloon, flag), the colour of the jacket (red, yellow, green, blue) and tie.",
        is_in_quick_run: true,
        ..problem(
            "MONK-1",
            "monk-1",
            "Head and body have the same shape, or the jacket is red (Thrun et al. 1991).",
        )
    },
    LogicProblem {
        note: "No conjunction of two columns can express *exactly two*: each of the 15 terms of the rule has a literal \
               of all six attributes. Only a table with a free risk for each combination of the six columns can, and \
               smaller tables explain little, so that a search that changes few terms at a time has nothing to follow.",
        ..problem("MONK-2", "monk-2", MONK_2)
    },
    LogicProblem {
        max_level: 6,
        note: "The same data, searched for conjunctions of up to six columns, which can express the rule. Each term of \
               the rule holds in a few rows only, and its parts explain little.",
        is_slow: true,
        ..problem("MONK-2 to level 6", "monk-2", MONK_2)
    },
    LogicProblem {
        note: "The data have no errors, unlike the published training set.",
        ..problem("MONK-3", "monk-3", MONK_3)
    },
    LogicProblem {
        parameters: &[("errors", "0.05")],
        note: "The outcome of each row is wrong with probability 5 %, as in the published training set.",
        ..problem("MONK-3 with errors", "monk-3", MONK_3)
    },
    LogicProblem {
        max_level: 3,
        note: "The rows are all boards at the end of a game of tic-tac-toe that x began (Aha 1991). Each square has the \
               value x, o or b (blank). The eight lines share squares: each is a conjunction of three columns. The rule \
               is not the only one that fits: x has won every board without o on a diagonal, because every line of o \
               has a square of each diagonal, and on a full board such a diagonal is a line of x. On the diagonals, \
               *not o* may therefore take the place of *x*.",
        ..problem("Tic-tac-toe", "tic-tac-toe", "Three x in a row, column or diagonal: x has won.")
    },
    LogicProblem {
        max_level: 3,
        note: "Each term of the rule has two address bits and one other bit. No address bit is associated with the \
               outcome by itself. There is one row for each combination of bits.",
        is_in_quick_run: true,
        ..problem("6-multiplexer", "multiplexer-6", MULTIPLEXER)
    },
    LogicProblem {
        parameters: &[("rows", "640")],
        max_level: 3,
        note: "The same table with every row ten times, as if each combination of bits had been observed ten times.",
        ..problem("6-multiplexer × 10", "multiplexer-6", MULTIPLEXER)
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_have_the_published_numbers_of_rows_and_cases() {
        let expected = [
            ("MONK-1", 432, 216, 4),
            ("MONK-2", 432, 142, 15),
            ("MONK-2 to level 6", 432, 142, 15),
            ("MONK-3", 432, 228, 2),
            ("Tic-tac-toe", 958, 626, 8),
            ("6-multiplexer", 64, 32, 4),
            ("6-multiplexer × 10", 640, 320, 4),
        ];
        let without_errors = PROBLEMS.iter().filter(|problem| problem.title != "MONK-3 with errors");
        let numbers = without_errors.map(|problem| {
            let simulated = problem.recipe().unwrap().simulate(1).unwrap();
            let dataset = simulated.dataset();
            (problem.title, dataset.rows(), dataset.positive(), simulated.truth.causes.len())
        });
        assert_eq!(numbers.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn errors_change_about_one_row_in_twenty() {
        let problem = PROBLEMS.iter().find(|problem| problem.title == "MONK-3 with errors").unwrap();
        let dataset = problem.recipe().unwrap().simulate(1).unwrap().dataset();
        assert_eq!(dataset.rows(), 432);
        assert!((200..256).contains(&dataset.positive()), "{}", dataset.positive());
    }
}
