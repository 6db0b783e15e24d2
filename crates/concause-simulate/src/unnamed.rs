//! Generated data whose columns have no names yet. Naming shuffles them, so that their order carries no information.

use concause::random::Random;

use super::{GENERATOR, Recipe, Simulated, Truth, Variable};

/// The name of the target.
const TARGET: &str = "T";

/// A column or its negation in a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignedVariable {
    pub column: usize,
    pub negated: bool,
    /// What the value of a nominal or numeric variable must be, such as `=a` or `>=0.5`. It follows the name of the
    /// variable, and is empty for a binary column and for a variable as a whole.
    pub condition: String,
}

impl SignedVariable {
    pub fn new(column: usize, negated: bool) -> Self {
        Self { column, negated, condition: String::new() }
    }

    pub fn positive(column: usize) -> Self {
        Self::new(column, false)
    }
}

/// Columns without names, the causes among them, and the outcome.
pub(crate) struct UnnamedData {
    pub columns: Vec<Variable>,
    pub causes: Vec<Vec<SignedVariable>>,
    pub outcome: Vec<bool>,
}

impl UnnamedData {
    /// Shuffles the columns, names them V1, V2, … and appends the target.
    pub fn shuffle_and_name(self, recipe: &Recipe, seed: u64, random: &mut Random) -> Simulated {
        let mut places: Vec<usize> = (0..self.columns.len()).collect();
        random.shuffle(&mut places);
        let mut named: Vec<(usize, Variable)> = places.iter().copied().zip(self.columns).collect();
        named.sort_by_key(|(place, _)| *place);
        let mut variables: Vec<Variable> = named.into_iter().map(|(_, variable)| variable).collect();
        for (place, variable) in variables.iter_mut().enumerate() {
            variable.name = format!("V{}", place + 1);
        }

        let place =
            |literal: &SignedVariable| (places[literal.column], literal.negated, literal.condition.clone());
        let mut causes: Vec<Vec<(usize, bool, String)>> =
            self.causes.iter().map(|cause| cause.iter().map(place).collect()).collect();
        causes.iter_mut().for_each(|cause| cause.sort_unstable());
        causes.sort_unstable_by(|left, right| left.len().cmp(&right.len()).then(left.cmp(right)));
        let name = |(place, negated, condition): &(usize, bool, String)| {
            format!("{}{}{condition}", if *negated { "!" } else { "" }, variables[*place].name)
        };
        let names = |is_listed: fn(&Variable) -> bool| -> Vec<String> {
            let listed = variables.iter().filter(|variable| is_listed(variable));
            listed.map(|variable| variable.name.clone()).collect()
        };
        let truth = Truth {
            target: TARGET.into(),
            causes: causes.iter().map(|cause| cause.iter().map(name).collect()).collect(),
            nominal: names(|variable| !variable.numeric && variable.code_of_true().is_none()),
            numeric: names(|variable| variable.numeric),
            generator: GENERATOR,
            recipe: recipe.name.clone(),
            seed,
            parameters: recipe.parameters(),
        };
        variables.push(Variable::binary(TARGET.into(), &self.outcome));
        Simulated { variables, truth }
    }
}
