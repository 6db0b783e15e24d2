//! How well the methods find the causes built into simulated data: the parts `small`, `large` and `hard`.

mod outcome;
mod page;
mod plan;

use concause::search::Unwatched;
use concause::simulate::Recipe;
use rayon::prelude::*;

pub use outcome::Outcome;
pub use plan::{Plan, Variation};

use crate::contestant::{Contestant, causes, search};
use crate::run::{FIRST_SEED, Run, Section};

/// Seeds are worked off and kept in ranges of so many.
const RANGE: u64 = 10;

/// The outcomes of a variation by contestant, in the order of [`Contestant::all`].
pub struct Measured {
    /// What was varied.
    pub variation: Variation,
    /// The contestants and what they found, seed by seed.
    pub outcomes: Vec<(Contestant, Vec<Outcome>)>,
}

/// Works off a plan and writes its page.
pub fn section(run: &Run, plan: &Plan) -> Result<Section, String> {
    let measured = measure(run, plan)?;
    Ok(page::section(plan, &measured))
}

/// All outcomes of a plan; what the store knows is not worked out again.
pub fn measure(run: &Run, plan: &Plan) -> Result<Vec<Measured>, String> {
    let seeds = |variation: &Variation| run.seeds_of(variation.share_of_seeds);
    let ranges = |variation: &Variation| -> Vec<(u64, u64)> {
        let end = FIRST_SEED + seeds(variation);
        (FIRST_SEED..end).step_by(RANGE as usize).map(|first| (first, end.min(first + RANGE))).collect()
    };
    let steps = plan.variations.iter().map(|variation| ranges(variation).len()).sum::<usize>();
    let bar = run.bar(plan.part, steps as u64);
    let mut all = Vec::new();
    for variation in &plan.variations {
        let mut outcomes: Vec<(Contestant, Vec<Outcome>)> =
            Contestant::all().into_iter().map(|contestant| (contestant, Vec::new())).collect();
        for (first, end) in ranges(variation) {
            let tasks: Vec<Task> = outcomes
                .iter()
                .map(|(contestant, _)| {
                    let last = FIRST_SEED + run.seeds_of(variation.share_for(contestant.method));
                    Task { contestant: *contestant, first, end: end.min(last) }
                })
                .collect();
            for ((_, outcomes), found) in outcomes.iter_mut().zip(measure_range(run, variation, &tasks)?) {
                outcomes.extend(found);
            }
            bar.inc(1);
        }
        all.push(Measured { variation: variation.clone(), outcomes });
    }
    bar.finish_and_clear();
    Ok(all)
}

/// A contestant and the seeds from `first` to before `end` that are its to do, if any.
struct Task {
    contestant: Contestant,
    first: u64,
    end: u64,
}

impl Task {
    fn key(&self, variation: &Variation) -> String {
        let budget = variation.max_tests as f64;
        format!(
            "{}/{}/budget {budget:e}/{}..{}",
            variation.key(),
            self.contestant.key(),
            self.first,
            self.end
        )
    }
}

/// The outcomes of a range of seeds, task by task. The data of a seed is made once for all of them.
fn measure_range(run: &Run, variation: &Variation, tasks: &[Task]) -> Result<Vec<Vec<Outcome>>, String> {
    let known: Vec<Option<Vec<Outcome>>> = tasks
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
    // Seed by seed, for every missing task: none where the seed is not one of its own.
    let by_seed: Vec<Vec<Option<Outcome>>> = (first..end)
        .into_par_iter()
        .map(|seed| outcomes(&recipe, variation, seed, &missing))
        .collect::<Result<_, String>>()?;
    let mut fresh = Vec::new();
    for (place, task) in missing.iter().enumerate() {
        let found: Vec<Outcome> = by_seed.iter().filter_map(|outcomes| outcomes[place].clone()).collect();
        run.store.put(&task.key(variation), &found)?;
        fresh.push(found);
    }
    let mut fresh = fresh.into_iter();
    Ok(known.into_iter().filter_map(|known| known.or_else(|| fresh.next())).collect())
}

fn outcomes(
    recipe: &Recipe,
    variation: &Variation,
    seed: u64,
    tasks: &[&Task],
) -> Result<Vec<Option<Outcome>>, String> {
    let simulated = recipe.simulate(seed)?;
    let dataset = simulated.dataset()?;
    let outcome = |task: &&Task| {
        if !(task.first..task.end).contains(&seed) {
            return None;
        }
        let mut settings = task.contestant.settings(variation.max_level);
        settings.max_tests = variation.max_tests;
        Some(match search(&dataset, &settings, &Unwatched) {
            Err(_) => Outcome::refused(seed),
            Ok(findings) => {
                let found = causes(&findings, &dataset);
                Outcome::of(seed, &found, &simulated.truth, findings.tests())
            }
        })
    };
    Ok(tasks.iter().map(outcome).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    fn run(store: Store, seeds: u64) -> Run {
        Run { seeds, quick: true, data: "/nowhere".into(), store, tells: false }
    }

    fn plan() -> Plan {
        let mut plan = Plan::small(true);
        plan.variations.retain(|variation| variation.recipe == "syn-7");
        plan
    }

    #[test]
    fn a_run_that_was_interrupted_gives_the_same_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(name));
        let expected = section(&run(Store::open(&whole).unwrap(), 12), &plan()).unwrap();
        assert!(expected.markdown.contains("mh-pc-f"));
        // As much as was kept when the power went: some lines, the last one in part.
        let bytes = std::fs::read(&whole).unwrap();
        for kept in [0, bytes.len() / 3, bytes.len() / 2 + 17] {
            std::fs::write(&cut, &bytes[..kept]).unwrap();
            let resumed = section(&run(Store::open(&cut).unwrap(), 12), &plan()).unwrap();
            assert_eq!(resumed, expected);
        }
        // Nothing is left to do.
        let again = section(&run(Store::open(&whole).unwrap(), 12), &plan()).unwrap();
        assert_eq!((again, std::fs::read(&whole).unwrap()), (expected, bytes));
    }

    #[test]
    fn what_the_budget_forbids_is_refused_and_said() {
        let folder = tempfile::tempdir().unwrap();
        let mut plan = plan();
        plan.variations.truncate(1);
        plan.variations[0].max_tests = 1;
        let section = section(&run(Store::open(&folder.path().join("s")).unwrap(), 2), &plan).unwrap();
        let mut lines = section.markdown.lines();
        let line = lines.find(|line| line.starts_with("| naive-s, max_k 3")).unwrap();
        assert!(line.contains("refused"), "{line}");
    }
}
