//! The experiment `families`: causes that act on several scales, share columns, contain each other or contain
//! negations, and how reliable the probabilities of the joint method are. The baseline is forward selection by mBIC2.

use concause::dataset::Dataset;
use concause::progress::NoProgress;
use concause::search::{AttributeSet, Method, Posterior};
use concause_bench::error::ToolError;
use concause_bench::text_table::TextTable;
use concause_simulate::{Recipe, Simulated};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::experiment_run::{ExperimentPage, ExperimentRun, FIRST_SEED};
use crate::mbic2;
use crate::method_under_test::{MethodUnderTest, cause_columns, literal_columns, search};
use crate::numbers::{percent, two_decimals};

/// A recipe with its parameters and the level of the search.
struct Family {
    recipe: &'static str,
    parameters: &'static [(&'static str, &'static str)],
    max_level: usize,
    /// Whether its columns are the variables of the truth, so that probabilities can be compared with it.
    is_binary: bool,
    /// Whether the baseline runs. It counts all pairs of columns row by row, which takes too long if there are many.
    has_baseline: bool,
}

const fn family(recipe: &'static str, parameters: &'static [(&'static str, &'static str)]) -> Family {
    Family { recipe, parameters, max_level: 2, is_binary: true, has_baseline: true }
}

const FEW_ROWS: &[(&str, &str)] = &[("rows", "1000")];
const MANY_ROWS: &[(&str, &str)] = &[("rows", "50000")];

const FAMILIES: [Family; 34] = [
    family("logistic", &[]),
    family("logistic", FEW_ROWS),
    family("sufficient", &[]),
    family("sufficient", FEW_ROWS),
    family("additive", &[]),
    family("multiplicative", &[]),
    family("probit", &[]),
    family("shared-logistic", &[]),
    family("shared-sufficient", &[]),
    family("triangle-logistic", &[]),
    family("triangle-sufficient", &[]),
    family("nested-logistic", &[]),
    family("nested-sufficient", &[]),
    family("negation-logistic", &[]),
    family("negation-sufficient", &[]),
    family("network", &[]),
    Family { has_baseline: false, ..family("network", MANY_ROWS) },
    Family { is_binary: false, ..family("attributes", &[]) },
    family("missing", &[]),
    family("singles-logistic", FEW_ROWS),
    family("singles-logistic", &[]),
    family("singles-sufficient", &[]),
    family("singles-additive", &[]),
    family("singles-multiplicative", &[]),
    family("singles-probit", &[]),
    Family { has_baseline: false, ..family("singles-additive", MANY_ROWS) },
    Family { is_binary: false, has_baseline: false, ..family("singles-nominal", &[]) },
    Family { is_binary: false, has_baseline: false, ..family("singles-numeric", &[]) },
    family("shuffled", FEW_ROWS),
    family("hubin-1", &[]),
    Family { max_level: 4, ..family("hubin-3", &[]) },
    Family { max_level: 4, ..family("hubin-3-rounded", &[]) },
    Family { has_baseline: false, ..family("hegel", &[]) },
    family("logic-forest", &[]),
];

/// A method of concause, or the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FamilyMethod {
    Search(Method),
    /// Forward selection by mBIC2.
    Mbic2,
}

/// The methods, the joint method first.
const METHODS: [FamilyMethod; 3] =
    [FamilyMethod::Search(Method::JOINT), FamilyMethod::Search(Method::MH_PC_F), FamilyMethod::Mbic2];

/// What the page says about the baseline.
const BASELINE: &str = "`mBIC2` is a baseline that is not part of concause: forward selection of the terms of a \
    logistic model, with a backward pass, by the criterion mBIC2 = −2 ln L + k ln n + Σ_l [2 k_l ln(m_l/4) − 2 \
    ln(k_l!)] (Frommlet, Ruhaltinger, Twaróg and Bogdan 2012; a penalty for each level as in Bogdan, Ghosh and Doerge \
    2004). L is the likelihood, n the number of rows, k the number of terms, k_l the number of terms with l literals, \
    and m_l the number of possible ones. The terms are single columns and pairs of literals, negations included; \
    larger conjunctions are not selected, and the logistic scale is the only one. When no term improves the \
    criterion, the terms over the columns of each pair are replaced by others over the same columns if that improves \
    it, because forward selection alone often describes two single causes `A` and `B` by `A&B` and `!A&!B`. The \
    baseline is left out of recipes with many columns (`singles-nominal`, `singles-numeric`, `hegel`) or 50,000 rows, \
    where it would take too long.";

impl FamilyMethod {
    fn name(self) -> &'static str {
        match self {
            FamilyMethod::Search(method) => method.name(),
            FamilyMethod::Mbic2 => "mBIC2",
        }
    }
}

/// The result of a method on the data of one seed.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Outcome {
    combined_f1: f64,
    single_f1: f64,
    false_combined: usize,
    false_single: usize,
    is_exact: bool,
    /// The probability of each set of columns, and whether it is a true cause.
    probabilities: Vec<(f64, bool)>,
}

impl Family {
    fn recipe(&self) -> Result<Recipe, ToolError> {
        let mut recipe =
            Recipe::named(self.recipe).ok_or_else(|| ToolError::UnknownRecipe(self.recipe.into()))?;
        for (name, value) in self.parameters {
            recipe.set(name, value)?;
        }
        Ok(recipe)
    }

    fn key(&self, method: FamilyMethod, seeds: u64) -> String {
        let parameters: Vec<String> =
            self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("families/{}/{}/{}/{seeds}", self.recipe, parameters.join(","), method.name())
    }
}

/// Runs the experiment.
pub fn run_experiment(run: &ExperimentRun) -> Result<ExperimentPage, ToolError> {
    let families = if run.quick { &FAMILIES[..2] } else { &FAMILIES[..] };
    let seeds = run.seed_count(0.2);
    let bar = run.progress_bar("families", families.len() as u64);
    let mut table = TextTable::new([
        "recipe",
        "rows",
        "method",
        "F1 of combined causes",
        "F1 of single causes",
        "false combined",
        "false single",
        "exactly right",
    ]);
    let mut probabilities: Vec<(f64, bool)> = Vec::new();
    let mut means: Vec<(FamilyMethod, [f64; 3])> = Vec::new();
    for family in families {
        let recipe = family.recipe()?;
        for method in
            METHODS.into_iter().filter(|&method| family.has_baseline || method != FamilyMethod::Mbic2)
        {
            let key = family.key(method, seeds);
            let outcomes: Vec<Outcome> =
                run.store.get_or_compute(&key, || compute(&recipe, family, method, seeds))?;
            let mean = |value: &dyn Fn(&Outcome) -> f64| {
                outcomes.iter().map(value).sum::<f64>() / outcomes.len().max(1) as f64
            };
            let measures = [
                mean(&|outcome| outcome.combined_f1),
                mean(&|outcome| outcome.single_f1),
                mean(&|outcome| outcome.false_combined as f64),
                mean(&|outcome| outcome.false_single as f64),
                mean(&|outcome| f64::from(outcome.is_exact)),
            ];
            let head = [format!("`{}`", family.recipe), recipe.rows.to_string(), method.name().to_owned()];
            table.add_row(head.into_iter().chain(measures.map(two_decimals)));
            if family.has_baseline {
                means.push((method, [measures[0], measures[1], measures[4]]));
            }
            if family.is_binary {
                probabilities.extend(outcomes.into_iter().flat_map(|outcome| outcome.probabilities));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let reliability = reliability_table(&probabilities);
    let summary = summary_sentence(&means);
    let markdown = format!(
        "# Families of causes\n\nCauses that act on several scales of risk, share columns, contain each other or \
         contain negations, {seeds} seeds for each recipe (`concause simulate --list` describes the recipes). Causes \
         are matched by their sets of columns. Recipes without combined causes have an F1 of 1 if none is found.\n\n\
         {BASELINE}\n\n{}\n{summary}\n\n## Reliability of the probabilities\n\nAll sets of columns in the posteriors of \
         the joint method on the recipes with binary columns: of those with a probability in each tenth, the share \
         that are true causes.\n\n{}",
        table.to_markdown(),
        reliability.to_markdown()
    );
    Ok(ExperimentPage {
        markdown,
        files: vec![
            ("families.csv".into(), table.to_csv()),
            ("reliability.csv".into(), reliability.to_csv()),
        ],
        findings: vec![summary],
    })
}

fn compute(
    recipe: &Recipe,
    family: &Family,
    method: FamilyMethod,
    seeds: u64,
) -> Result<Vec<Outcome>, ToolError> {
    let seeds: Vec<u64> = (FIRST_SEED..FIRST_SEED + seeds).collect();
    let compute = |&seed: &u64| -> Result<Outcome, ToolError> {
        let simulated = recipe.simulate(seed)?;
        let dataset = simulated.dataset();
        let (causes, posterior) = match method {
            FamilyMethod::Search(method) => {
                let settings = MethodUnderTest { method, max_k: 3 }.settings(family.max_level);
                let findings = search(&dataset, &settings, &NoProgress)?;
                (cause_columns(&findings, &dataset), findings.posterior)
            }
            FamilyMethod::Mbic2 => {
                let terms = mbic2::select_terms(&dataset)?;
                (terms.iter().map(|term| literal_columns(term, &dataset)).collect(), None)
            }
        };
        Ok(outcome(&causes, posterior.as_ref(), &dataset, &simulated))
    };
    seeds.par_iter().map(compute).collect()
}

fn outcome(
    causes: &[Vec<String>],
    posterior: Option<&Posterior>,
    dataset: &Dataset,
    simulated: &Simulated,
) -> Outcome {
    let score = simulated.truth.score(causes);
    let sets = posterior.into_iter().flat_map(|posterior| &posterior.attribute_sets);
    let probability = |set: &AttributeSet| {
        let alone = set.terms.first().map(|(term, _)| literal_columns(term, dataset));
        (set.probability, simulated.truth.score(&alone.into_iter().collect::<Vec<_>>()).all.hits == 1)
    };
    Outcome {
        combined_f1: score.combined.f1(),
        single_f1: score.single.f1(),
        false_combined: score.combined.found - score.combined.hits,
        false_single: score.single.found - score.single.hits,
        is_exact: score.all.hits == score.all.found && score.all.hits == score.all.truth,
        probabilities: sets.map(probability).collect(),
    }
}

/// The means over all recipes with results of all methods.
fn summary_sentence(means: &[(FamilyMethod, [f64; 3])]) -> String {
    let recipes = means.len() / METHODS.len();
    let describe = |method: FamilyMethod| {
        let own = || means.iter().filter(|(other, _)| *other == method).map(|(_, measures)| measures);
        let [combined, single, exact] = [0, 1, 2].map(|measure| {
            two_decimals(own().map(|measures| measures[measure]).sum::<f64>() / recipes.max(1) as f64)
        });
        format!("{} {combined}, {single} and {exact}", method.name())
    };
    format!(
        "Means over the {recipes} recipes on which all methods ran, of the F1 of combined causes, the F1 of single \
         causes and the share of data sets that are exactly right: {}.",
        METHODS.map(describe).join("; ")
    )
}

/// The share of true causes for each tenth of probability.
fn reliability_table(probabilities: &[(f64, bool)]) -> TextTable {
    let mut table = TextTable::new(["probability", "sets of columns", "mean probability", "true causes"]);
    for tenth in 0..10usize {
        let in_tenth = |value: f64| ((value * 10.0) as usize).min(9) == tenth;
        let bin: Vec<(f64, bool)> =
            probabilities.iter().copied().filter(|(value, _)| in_tenth(*value)).collect();
        if bin.is_empty() {
            continue;
        }
        let share = |sum: f64| percent(sum / bin.len() as f64);
        table.add_row([
            format!("{:.1} to {:.1}", tenth as f64 / 10.0, (tenth + 1) as f64 / 10.0),
            bin.len().to_string(),
            share(bin.iter().map(|(value, _)| value).sum()),
            share(bin.iter().filter(|(_, is_true)| *is_true).count() as f64),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_a_valid_recipe() {
        for family in &FAMILIES {
            assert_eq!(family.recipe().unwrap().check(), Ok(()), "{}", family.recipe);
        }
    }

    #[test]
    fn probabilities_are_counted_by_tenth() {
        let table = reliability_table(&[(0.05, false), (0.95, true), (1.0, true), (0.97, false)]);
        let markdown = table.to_markdown();
        assert!(markdown.contains("0.0 to 0.1") && markdown.contains("66.7 %"), "{markdown}");
        assert_eq!(markdown.lines().count(), 4);
    }
}
