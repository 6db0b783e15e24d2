//! How well the methods find the true causes of simulated data: the experiments `small`, `large` and `hard`.

mod page;
mod plan;
mod seed_result;

use concause::progress::NoProgress;
use concause_bench::error::ToolError;
use concause_simulate::Recipe;
use rayon::prelude::*;

pub use plan::{Plan, Variation};
pub use seed_result::{SeedResult, summarise};

use crate::experiment_run::{ExperimentPage, ExperimentRun, FIRST_SEED};
use crate::method_under_test::{MethodUnderTest, cause_columns, search};

/// The number of seeds that are computed and stored together.
const RANGE: u64 = 10;

/// The results of a variation by method.
pub struct VariationResults {
    /// The variation.
    pub variation: Variation,
    /// The methods and their results by seed.
    pub by_method: Vec<(MethodUnderTest, Vec<SeedResult>)>,
}

/// Runs the experiment of a plan.
pub fn run_experiment(run: &ExperimentRun, plan: &Plan) -> Result<ExperimentPage, ToolError> {
    let results = compute_plan(run, plan, &MethodUnderTest::all())?;
    Ok(page::write_page(plan, &results))
}

/// All results of some methods on the recipes of a plan. Those in the store are not computed again.
pub fn compute_plan(
    run: &ExperimentRun,
    plan: &Plan,
    methods: &[MethodUnderTest],
) -> Result<Vec<VariationResults>, ToolError> {
    let seeds = |variation: &Variation| run.seed_count(variation.share_of_seeds);
    let ranges = |variation: &Variation| -> Vec<(u64, u64)> {
        let end = FIRST_SEED + seeds(variation);
        (FIRST_SEED..end).step_by(RANGE as usize).map(|first| (first, end.min(first + RANGE))).collect()
    };
    let steps = plan.variations.iter().map(|variation| ranges(variation).len()).sum::<usize>();
    let bar = run.progress_bar(plan.experiment, steps as u64);
    let mut all = Vec::new();
    for variation in &plan.variations {
        let mut by_method: Vec<(MethodUnderTest, Vec<SeedResult>)> =
            methods.iter().map(|&entry| (entry, Vec::new())).collect();
        for (first, end) in ranges(variation) {
            let tasks: Vec<Task> = by_method
                .iter()
                .map(|(entry, _)| {
                    let last = FIRST_SEED + run.seed_count(variation.share_for(entry.method));
                    Task { entry: *entry, first, end: end.min(last) }
                })
                .collect();
            for ((_, results), found) in by_method.iter_mut().zip(compute_range(run, variation, &tasks)?) {
                results.extend(found);
            }
            bar.inc(1);
        }
        all.push(VariationResults { variation: variation.clone(), by_method });
    }
    bar.finish_and_clear();
    Ok(all)
}

/// A method and its range of seeds, from `first` to before `end`. The range may be empty.
struct Task {
    entry: MethodUnderTest,
    first: u64,
    end: u64,
}

impl Task {
    fn key(&self, variation: &Variation) -> String {
        let budget = variation.max_tests as f64;
        format!("{}/{}/budget {budget:e}/{}..{}", variation.key(), self.entry.key(), self.first, self.end)
    }
}

/// The results of a range of seeds by task. The data of a seed are simulated once for all tasks.
fn compute_range(
    run: &ExperimentRun,
    variation: &Variation,
    tasks: &[Task],
) -> Result<Vec<Vec<SeedResult>>, ToolError> {
    let known: Vec<Option<Vec<SeedResult>>> = tasks
        .iter()
        .map(
            |task| if task.first < task.end { run.store.get(&task.key(variation)) } else { Some(Vec::new()) },
        )
        .collect();
    let missing: Vec<&Task> =
        tasks.iter().zip(&known).filter_map(|(task, known)| known.is_none().then_some(task)).collect();
    let first = missing.iter().map(|task| task.first).min().unwrap_or(0);
    let end = missing.iter().map(|task| task.end).max().unwrap_or(0);
    let recipe = variation.recipe()?;
    // For each seed, the results of all missing tasks; none if the seed is outside the range of the task.
    let by_seed: Vec<Vec<Option<SeedResult>>> = (first..end)
        .into_par_iter()
        .map(|seed| compute_seed(&recipe, variation, seed, &missing))
        .collect::<Result<_, ToolError>>()?;
    let mut fresh = Vec::new();
    for (place, task) in missing.iter().enumerate() {
        let found: Vec<SeedResult> = by_seed.iter().filter_map(|results| results[place].clone()).collect();
        run.store.put(&task.key(variation), &found)?;
        fresh.push(found);
    }
    let mut fresh = fresh.into_iter();
    Ok(known.into_iter().filter_map(|known| known.or_else(|| fresh.next())).collect())
}

/// The results of one seed by task.
fn compute_seed(
    recipe: &Recipe,
    variation: &Variation,
    seed: u64,
    tasks: &[&Task],
) -> Result<Vec<Option<SeedResult>>, ToolError> {
    let simulated = recipe.simulate(seed)?;
    let dataset = simulated.dataset();
    let compute = |task: &&Task| {
        if !(task.first..task.end).contains(&seed) {
            return None;
        }
        let mut settings = task.entry.settings(variation.max_level);
        settings.max_tests = variation.max_tests;
        Some(match search(&dataset, &settings, &NoProgress) {
            Err(_) => SeedResult::refused(seed),
            Ok(findings) => {
                let found = cause_columns(&findings, &dataset);
                SeedResult::new(seed, &found, &simulated.truth, findings.tests())
            }
        })
    };
    Ok(tasks.iter().map(compute).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn run(store: Store, seeds: u64) -> ExperimentRun {
        ExperimentRun { seeds, quick: true, data: "/nowhere".into(), store, reports_progress: false }
    }

    fn plan() -> Plan {
        let mut plan = Plan::small(true);
        plan.variations.retain(|variation| variation.recipe == "syn-7");
        plan
    }

    #[test]
    fn an_interrupted_run_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let [complete, truncated] = ["complete", "truncated"].map(|name| folder.path().join(name));
        let expected = run_experiment(&run(Store::open(&complete).unwrap(), 12), &plan()).unwrap();
        assert!(expected.markdown.contains("mh-pc-f"));
        // A truncated file: some lines, the last one incomplete.
        let bytes = std::fs::read(&complete).unwrap();
        for length in [0, bytes.len() / 3, bytes.len() / 2 + 17] {
            std::fs::write(&truncated, &bytes[..length]).unwrap();
            let resumed = run_experiment(&run(Store::open(&truncated).unwrap(), 12), &plan()).unwrap();
            assert_eq!(resumed, expected);
        }
        // All results are stored.
        let again = run_experiment(&run(Store::open(&complete).unwrap(), 12), &plan()).unwrap();
        assert_eq!((again, std::fs::read(&complete).unwrap()), (expected, bytes));
    }

    #[test]
    fn searches_beyond_the_budget_are_marked_as_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = plan();
        plan.variations.truncate(1);
        plan.variations[0].max_tests = 1;
        let page = run_experiment(&run(Store::open(&folder.path().join("s")).unwrap(), 2), &plan).unwrap();
        let mut lines = page.markdown.lines();
        let line = lines.find(|line| line.starts_with("| naive-s, max_k 3")).unwrap();
        assert!(line.contains("refused"), "{line}");
    }
}
