//! Predictors, and a target whose risk depends on planted causes on a chosen scale.

use concause::random::Random;

use super::causes::{PlantedCondition, PlantedLiteral, value_name};
use super::unnamed::{SignedVariable, UnnamedData};
use super::{AllowedRange, PlantedCauses, Predictors, RiskScale, SimulateError, Uniform, Variable};

/// Predictors, and a target whose risk follows from the causes present in a row.
///
/// Causes may share columns, contain each other and contain negated columns. Nothing is split: the columns of a
/// combined cause are drawn like all others. They are associated with the target to the extent that their conjunction
/// is.
///
/// Some predictors may come after the target, as its effects and their effects. The effects of the target are single
/// causes of the [truth](super::Truth), because a search without knowledge of time cannot tell them from its causes.
#[derive(Clone, Debug, PartialEq)]
pub struct RiskModel {
    /// The scale on which the causes act.
    pub scale: RiskScale,
    /// The causes.
    pub causes: PlantedCauses,
    /// The effect of each cause that has none of its own, in the unit of the scale.
    pub effects: Uniform,
    /// The risk of a row without any cause.
    pub baseline: f64,
    /// The predictors.
    pub predictors: Predictors,
    /// The number of predictors that come after the target. They are binary.
    pub later: usize,
    /// The number of predictors that are effects of the target, among those that come after it.
    pub children: usize,
    /// Whether T is the risk rounded to 0 or 1, without any chance.
    pub rounded: bool,
    /// The probability that the outcome of a row is recorded wrongly.
    pub errors: f64,
}

impl Default for RiskModel {
    fn default() -> Self {
        Self {
            scale: RiskScale::Logistic,
            causes: PlantedCauses::default(),
            effects: Uniform { low: 0.8, high: 1.2 },
            baseline: 0.1,
            predictors: Predictors::default(),
            later: 0,
            children: 0,
            rounded: false,
            errors: 0.0,
        }
    }
}

/// A cause with the number of each literal for each code of its column.
struct LiteralTables {
    tables: Vec<(usize, Vec<f64>)>,
    coefficient: f64,
}

impl RiskModel {
    pub(crate) fn check(&self, predictors: usize) -> Result<(), SimulateError> {
        self.predictors.check()?;
        self.scale.allowed_baselines().check("baseline", self.baseline)?;
        let effects = self.scale.allowed_effects();
        self.effects.check_within("effects", effects)?;
        for effect in self.causes.0.iter().filter_map(|cause| cause.effect) {
            effect.check_within("causes", effects)?;
        }
        AllowedRange::HALF_OPEN_UNIT.check("errors", self.errors)?;
        AllowedRange::at_most(self.later as f64).check_count("children", self.children)?;
        let kinds = self.causes.predictor_kinds()?;
        let needed = self.predictors.count_needed(&kinds).saturating_add(self.later);
        if needed > predictors {
            return Err(SimulateError::CausesTooLarge { needed, predictors });
        }
        self.check_literals()?;
        let ranges = self.causes.0.iter().map(|cause| cause.effect.unwrap_or(self.effects));
        // The sums of numbers such as .1 may exceed 1 by rounding.
        for risk in self.scale.extreme_risks(self.baseline, ranges) {
            if !(-1e-9..=1.0 + 1e-9).contains(&risk) {
                return Err(SimulateError::ImpossibleRisk { risk });
            }
        }
        Ok(())
    }

    fn check_literals(&self) -> Result<(), SimulateError> {
        let fewest = self.predictors.values.iter().copied().min().unwrap_or(0);
        for literal in self.causes.literals() {
            match literal.condition {
                PlantedCondition::Value(value) if usize::from(value) >= fewest => {
                    return Err(SimulateError::TooFewValues { needed: usize::from(value) + 1 });
                }
                PlantedCondition::Linear
                    if !matches!(self.scale, RiskScale::Logistic | RiskScale::Probit) =>
                {
                    return Err(SimulateError::UnboundedCause { scale: self.scale.name() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(crate) fn generate(
        &self,
        rows: usize,
        predictors: usize,
        random: &mut Random,
    ) -> Result<UnnamedData, SimulateError> {
        let coefficients = self.draw_coefficients(random);
        let kinds = self.predictors.complete(self.causes.predictor_kinds()?, predictors - self.later);
        let mut columns = self.predictors.draw(&kinds, predictors, rows, random);
        let causes = self.draw_tables(&coefficients, &columns, random);
        let risks = self.risks(rows, &causes, &columns);
        let outcome: Vec<bool> = risks.iter().map(|&risk| self.draw_outcome(risk, random)).collect();
        let mut truth = self.literals();
        let target = Variable::binary(String::new(), &outcome);
        for later in 0..self.later {
            let parent = (later < self.children).then_some(&target);
            if parent.is_some() {
                truth.push(vec![SignedVariable::positive(columns.len())]);
            }
            columns.push(self.predictors.draw_later(&columns, parent, predictors, random));
        }
        self.predictors.remove_cells(&mut columns, random);
        Ok(UnnamedData { columns, causes: truth, outcome })
    }

    /// Draws the coefficient of each cause on the scale.
    fn draw_coefficients(&self, random: &mut Random) -> Vec<f64> {
        let effect = |effect: Option<Uniform>| effect.unwrap_or(self.effects).draw(random);
        let effects: Vec<f64> = self.causes.0.iter().map(|cause| cause.effect).map(effect).collect();
        effects.into_iter().map(|effect| self.scale.coefficient(effect)).collect()
    }

    /// The number of the column of each attribute of the causes: they are the first columns. Naming shuffles them.
    fn column_numbers(&self) -> impl Fn(&PlantedLiteral) -> usize {
        let names = self.causes.attributes();
        move |literal| names.iter().position(|&name| name == literal.attribute).unwrap_or(0)
    }

    fn draw_tables(
        &self,
        coefficients: &[f64],
        columns: &[Variable],
        random: &mut Random,
    ) -> Vec<LiteralTables> {
        let number = self.column_numbers();
        let mut causes = Vec::with_capacity(coefficients.len());
        for (cause, &coefficient) in self.causes.0.iter().zip(coefficients) {
            let mut tables = Vec::with_capacity(cause.literals.len());
            for literal in &cause.literals {
                let column = number(literal);
                tables.push((column, draw_table(literal, &columns[column], random)));
            }
            causes.push(LiteralTables { tables, coefficient });
        }
        causes
    }

    /// The causes as the truth names them.
    fn literals(&self) -> Vec<Vec<SignedVariable>> {
        let number = self.column_numbers();
        let name = |literal: &PlantedLiteral| {
            let (negated, condition) = match literal.condition {
                PlantedCondition::One => (literal.negated, String::new()),
                PlantedCondition::Value(value) => {
                    (literal.negated, format!("={}", value_name(usize::from(value))))
                }
                PlantedCondition::AtLeast(limit) if literal.negated => (false, format!("<{limit}")),
                PlantedCondition::AtLeast(limit) => (false, format!(">={limit}")),
                PlantedCondition::Levels | PlantedCondition::Linear => (false, String::new()),
            };
            SignedVariable { column: number(literal), negated, condition }
        };
        self.causes.0.iter().map(|cause| cause.literals.iter().map(name).collect()).collect()
    }

    /// The risk of each row.
    fn risks(&self, rows: usize, causes: &[LiteralTables], columns: &[Variable]) -> Vec<f64> {
        let mut links = vec![self.scale.link(self.baseline); rows];
        for cause in causes {
            for (row, link) in links.iter_mut().enumerate() {
                let literal =
                    |(column, table): &(usize, Vec<f64>)| table[usize::from(columns[*column].codes[row])];
                let presence: f64 = cause.tables.iter().map(literal).product();
                // The coefficient of a cause that is always sufficient is infinite.
                if presence != 0.0 {
                    *link += cause.coefficient * presence;
                }
            }
        }
        links.into_iter().map(|link| self.scale.risk(link)).collect()
    }

    fn draw_outcome(&self, risk: f64, random: &mut Random) -> bool {
        let outcome = if self.rounded { risk > 0.5 } else { random.chance(risk) };
        outcome ^ (self.errors > 0.0 && random.chance(self.errors))
    }
}

/// The number of a literal for each code of its column.
fn draw_table(literal: &PlantedLiteral, column: &Variable, random: &mut Random) -> Vec<f64> {
    let number = |code: usize| column.values[code].parse().unwrap_or(0.0);
    let mut table: Vec<f64> = (0..column.values.len())
        .map(|code| match literal.condition {
            PlantedCondition::One => f64::from(u8::from(code == 1)),
            PlantedCondition::Value(value) => f64::from(u8::from(code == usize::from(value))),
            PlantedCondition::AtLeast(limit) => f64::from(u8::from(number(code) >= limit)),
            PlantedCondition::Levels => code as f64 / (column.values.len() - 1).max(1) as f64,
            PlantedCondition::Linear => number(code),
        })
        .collect();
    if literal.condition == PlantedCondition::Levels {
        random.shuffle(&mut table);
    }
    if literal.negated {
        table.iter_mut().for_each(|number| *number = 1.0 - *number);
    }
    table
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Recipe, RecipeKind};

    const ROWS: usize = 200_000;

    /// The named models whose causes are conjunctions.
    fn models_of_conjunctions() -> Vec<(&'static str, RiskModel)> {
        let models = Recipe::NAMES.iter().filter_map(|(name, _)| {
            let RecipeKind::RiskModel(mut model) = Recipe::named(name)?.kind else { return None };
            let is_number = |literal: &PlantedLiteral| {
                matches!(literal.condition, PlantedCondition::Levels | PlantedCondition::Linear)
            };
            // The columns are as few as possible, and their cells are known.
            model.predictors = Predictors { nominal: 0, numeric: 0, missing: 0.0, ..model.predictors };
            let is_number_used = model.causes.literals().any(is_number);
            (!is_number_used).then_some((*name, model))
        });
        models.collect()
    }

    /// Whether a literal of the truth holds in a row.
    fn holds(literal: &SignedVariable, columns: &[Variable], row: usize) -> bool {
        let variable = &columns[literal.column];
        let code = variable.codes[row];
        let value = &variable.values[usize::from(code)];
        let number = || value.parse::<f64>().unwrap();
        let condition = literal.condition.as_str();
        let is_met = if let Some(limit) = condition.strip_prefix(">=") {
            number() >= limit.parse().unwrap()
        } else if let Some(limit) = condition.strip_prefix('<') {
            number() < limit.parse().unwrap()
        } else {
            condition.strip_prefix('=').map_or(code == 1, |required| required == value)
        };
        is_met != literal.negated
    }

    /// Rows in which the same causes are present have the risk of the model's formula, written out here once more.
    #[test]
    fn the_risks_of_every_recipe_follow_its_formula() {
        let models = models_of_conjunctions();
        assert_eq!(models.len(), 29);
        for (name, model) in models {
            let mut random = Random::new(31);
            let coefficients = model.draw_coefficients(&mut random.clone());
            let predictors = model.causes.attributes().len() + model.later;
            let data = model.generate(ROWS, predictors, &mut random).unwrap();
            // Rows and cases of each set of causes.
            let mut sets = BTreeMap::<Vec<bool>, [f64; 2]>::new();
            for row in 0..ROWS {
                let is_present = |cause: &Vec<SignedVariable>| {
                    cause.iter().all(|literal| holds(literal, &data.columns, row))
                };
                // The effects of the target follow the causes.
                let count = sets.entry(data.causes.iter().take(coefficients.len()).map(is_present).collect());
                let count = count.or_default();
                count[0] += 1.0;
                count[1] += f64::from(u8::from(data.outcome[row]));
            }
            assert!(sets.len() > coefficients.len(), "{name}");
            for (present, [rows, cases]) in sets {
                let present = coefficients.iter().zip(&present).filter(|pair| *pair.1).map(|pair| *pair.0);
                let present: Vec<f64> = present.collect();
                let risk = formula(&model, &present);
                let error = (risk * (1.0 - risk) / rows).sqrt();
                assert!(
                    (cases / rows - risk).abs() <= 6.0 * error + 5.0 / rows,
                    "{name} {present:?}: {risk}"
                );
            }
        }
    }

    /// The risk of a row in which causes with these coefficients are present.
    fn formula(model: &RiskModel, present: &[f64]) -> f64 {
        let (baseline, sum) = (model.baseline, present.iter().sum::<f64>());
        let odds = baseline / (1.0 - baseline);
        let risk = match model.scale {
            RiskScale::Logistic => odds * sum.exp() / (1.0 + odds * sum.exp()),
            // The coefficient is −ln(1 − q).
            RiskScale::Sufficient => {
                1.0 - present.iter().fold(1.0 - baseline, |rest, add| rest * (-add).exp())
            }
            RiskScale::Additive => baseline + sum,
            RiskScale::Multiplicative => present.iter().fold(baseline, |risk, add| risk * add.exp()),
            RiskScale::Probit => 0.5 * libm::erfc((1.281_551_565_544_6 - sum) / 2f64.sqrt()),
        };
        assert!(model.scale != RiskScale::Probit || baseline == 0.1, "the quantile above is that of .1");
        let risk = if model.rounded { risk.round() } else { risk };
        risk * (1.0 - model.errors) + (1.0 - risk) * model.errors
    }

    fn named_model(name: &str) -> RiskModel {
        let RecipeKind::RiskModel(model) = Recipe::named(name).unwrap().kind else { panic!("no risk model") };
        model
    }

    /// The logit of the share of cases among the rows selected.
    fn logit(outcome: &[bool], is_selected: impl Fn(usize) -> bool) -> f64 {
        let rows: Vec<bool> =
            (0..outcome.len()).filter(|&row| is_selected(row)).map(|row| outcome[row]).collect();
        let cases = rows.iter().filter(|&&case| case).count() as f64;
        (cases / (rows.len() as f64 - cases)).ln()
    }

    #[test]
    fn each_value_has_its_own_effect() {
        let mut model = named_model("singles-nominal");
        model.causes = "levels(A):2".parse().unwrap();
        (model.predictors.nominal, model.baseline) = (1, 0.2);
        let data = model.generate(ROWS, 1, &mut Random::new(33)).unwrap();
        assert_eq!(data.causes, [vec![SignedVariable::positive(0)]]);
        let codes = &data.columns[0].codes;
        let mut logits = [0, 1, 2, 3, 4].map(|code| logit(&data.outcome, |row| codes[row] == code));
        assert!(logits.windows(2).any(|pair| pair[0] > pair[1]), "the order is random: {logits:?}");
        logits.sort_by(f64::total_cmp);
        for (place, logit) in logits.iter().enumerate() {
            // The logit of the baseline, and steps of 2/4.
            let expected = 0.25f64.ln() + 0.5 * place as f64;
            assert!((logit - expected).abs() < 0.08, "{logits:?}");
        }
    }

    #[test]
    fn numbers_have_a_linear_effect() {
        let mut model = named_model("singles-numeric");
        model.causes = "linear(A):0.5".parse().unwrap();
        model.predictors.numeric = 1;
        let data = model.generate(ROWS, 1, &mut Random::new(34)).unwrap();
        let column = &data.columns[0];
        let number = |row: usize| column.values[usize::from(column.codes[row])].parse::<f64>().unwrap();
        for middle in [-1.0, 0.0, 1.0] {
            let logit = logit(&data.outcome, |row| (number(row) - middle).abs() < 0.15);
            assert!((logit - ((0.3f64 / 0.7).ln() + 0.5 * middle)).abs() < 0.1, "{middle}: {logit}");
        }
    }

    #[test]
    fn effects_of_the_target_depend_on_it_and_are_in_the_truth() {
        let mut model = named_model("network");
        (model.predictors.edges, model.predictors.neighbours) = (Uniform::always(1.0), 0.0);
        let data = model.generate(ROWS, 49, &mut Random::new(35)).unwrap();
        let singles: Vec<usize> =
            data.causes.iter().filter(|cause| cause.len() == 1).map(|cause| cause[0].column).collect();
        assert_eq!(singles, [0, 1, 2, 39, 40, 41]);
        for column in 39..49 {
            let codes = &data.columns[column].codes;
            let ratio =
                logit(&data.outcome, |row| codes[row] == 1) - logit(&data.outcome, |row| codes[row] == 0);
            let expected = if column < 42 { 1.0 } else { 0.0 };
            assert!((ratio.abs() - expected).abs() < 0.08, "{column}: {ratio}");
        }
    }

    #[test]
    fn columns_are_independent_with_the_requested_shares() {
        let predictors = Predictors { shares: Uniform::always(0.25), ..Predictors::default() };
        let model = RiskModel { predictors, ..RiskModel::default() };
        let data = model.generate(ROWS, 4, &mut Random::new(32)).unwrap();
        for (place, column) in data.columns.iter().enumerate() {
            let ones = |codes: &mut dyn Iterator<Item = bool>| codes.filter(|&one| one).count() as f64;
            let share = ones(&mut column.codes.iter().map(|&code| code == 1)) / ROWS as f64;
            assert!((share - 0.25).abs() < 6.0 * 0.433 / (ROWS as f64).sqrt(), "{share}");
            for other in &data.columns[..place] {
                let both = column.codes.iter().zip(&other.codes).map(|(one, other)| one + other == 2);
                let share = ones(&mut both.into_iter()) / ROWS as f64;
                assert!((share - 0.0625).abs() < 6.0 * 0.242 / (ROWS as f64).sqrt(), "{share}");
            }
        }
    }

    #[test]
    fn impossible_models_are_rejected() {
        let rejected = |name: &str, parameter: &str, value: &str| {
            let mut recipe = Recipe::named(name).unwrap();
            recipe.set(parameter, value).unwrap();
            assert_eq!(recipe.check(), recipe.simulate(1).map(|_| ()));
            recipe.check().unwrap_err().to_string()
        };
        for (name, parameter, value, sentence) in [
            (
                "sufficient",
                "effects",
                "0.5..1.5",
                "effects must be at least 0 and at most 1, but is 0.5..1.5",
            ),
            ("sufficient", "causes", "A, B&C:-1", "causes must be at least 0 and at most 1, but is -1"),
            (
                "additive",
                "baseline",
                "0.5",
                "the causes can give a risk of 1.4000, but a risk lies between 0 and 1: choose another baseline or \
                 smaller effects",
            ),
            ("probit", "baseline", "0", "baseline must be greater than 0 and less than 1, but is 0"),
            ("additive", "predictors", "8", "the causes need 9 predictors, but there are 8"),
            ("network", "predictors", "18", "the causes need 19 predictors, but there are 18"),
            ("hegel", "errors", "1", "errors must be at least 0 and less than 1, but is 1"),
            ("network", "children", "11", "children must be at most 10, but is 11"),
            ("network", "neighbours", "-1", "neighbours must be at least 0, but is -1"),
            ("missing", "missing", "1", "missing must be at least 0 and less than 1, but is 1"),
            ("attributes", "values", "3,27", "values must be at least 2 and at most 26, but is 27"),
            (
                "attributes",
                "causes",
                "A=d",
                "the causes need nominal attributes of 4 values: set values to 4 or larger numbers",
            ),
            (
                "attributes",
                "causes",
                "A=a, A>=0",
                "the attribute A of the causes must be either binary, nominal or numeric",
            ),
            (
                "sufficient",
                "causes",
                "linear(A)",
                "a cause that is linear in a number needs the scale logistic or probit, but the scale is sufficient",
            ),
        ] {
            assert_eq!(rejected(name, parameter, value), sentence);
        }
    }
}
