//! Data whose columns have no names yet: they are shuffled first, so that their places tell nothing.

use super::{GENERATOR, Random, Recipe, Simulated, Truth, Variable};
use crate::dataset::Target;

/// The name of the target.
const TARGET: &str = "T";

/// A column, or its opposite, in a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    pub column: usize,
    pub negated: bool,
}

impl Literal {
    pub fn plain(column: usize) -> Self {
        Self { column, negated: false }
    }
}

/// Nameless columns, the causes among them, and the outcome.
pub(super) struct Draft {
    pub columns: Vec<Variable>,
    pub causes: Vec<Vec<Literal>>,
    pub outcome: Vec<bool>,
}

impl Draft {
    /// Shuffles the columns, names them V1, V2, … and puts the target behind them.
    pub fn finish(self, recipe: &Recipe, seed: u64, random: &mut Random) -> Simulated {
        let mut places: Vec<usize> = (0..self.columns.len()).collect();
        random.shuffle(&mut places);
        let mut named: Vec<(usize, Variable)> = places.iter().copied().zip(self.columns).collect();
        named.sort_by_key(|(place, _)| *place);
        let mut variables: Vec<Variable> = named.into_iter().map(|(_, variable)| variable).collect();
        for (place, variable) in variables.iter_mut().enumerate() {
            variable.name = format!("V{}", place + 1);
        }

        let mut causes: Vec<Vec<(usize, bool)>> = self
            .causes
            .iter()
            .map(|cause| cause.iter().map(|literal| (places[literal.column], literal.negated)).collect())
            .collect();
        causes.iter_mut().for_each(|cause| cause.sort_unstable());
        causes.sort_unstable_by(|left, right| left.len().cmp(&right.len()).then(left.cmp(right)));
        let name = |&(place, negated): &(usize, bool)| {
            format!("{}{}", if negated { "!" } else { "" }, variables[place].name)
        };
        let truth = Truth {
            target: TARGET.into(),
            causes: causes.iter().map(|cause| cause.iter().map(name).collect()).collect(),
            nominal: variables
                .iter()
                .filter(|variable| variable.one().is_none())
                .map(|variable| variable.name.clone())
                .collect(),
            generator: GENERATOR,
            recipe: recipe.name.clone(),
            seed,
            parameters: recipe.parameters(),
        };
        variables.push(Variable::binary(TARGET.into(), &self.outcome));
        Simulated { variables, target: Target { name: TARGET.into(), value: None }, truth }
    }
}
