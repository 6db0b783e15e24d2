//! MH-PC-X finds conjunctions where the published method cannot, and says why it found nothing else.

use concause::count::LocalCounter;
use concause::dataset::{Candidate, Dataset};
use concause::search::{
    Findings, Knowledge, Method, Preset, Reason, Role, Settings, Unwatched, explain, mine,
};
use concause::simulate::{Levels, Random, Recipe, Score, Simulated, Spread, Summary};

fn simulated(recipe: &str, split: &str, seed: u64) -> Simulated {
    let mut recipe = Recipe::named(recipe).unwrap();
    recipe.set("split", split).unwrap();
    recipe.simulate(seed).unwrap()
}

fn search(dataset: &Dataset, method: Method) -> Findings {
    let settings = Settings { method, ..Preset::Default.settings() };
    mine(&LocalCounter::new(dataset), dataset.columns(), &settings, &Unwatched).unwrap()
}

fn score(simulated: &Simulated, method: Method) -> Score {
    let dataset = simulated.dataset().unwrap();
    let findings = search(&dataset, method);
    let found: Vec<Vec<String>> = findings
        .causes
        .iter()
        .map(|cause| {
            let name = |&column: &u32| dataset.columns()[column as usize].name.clone();
            cause.candidate.columns().iter().map(name).collect()
        })
        .collect();
    simulated.truth.score(&found)
}

/// The F1 of the first seeds.
fn summary(recipe: &str, split: &str, seeds: u64, method: Method) -> Levels<Spread> {
    let scores: Vec<Score> = (1..=seeds).map(|seed| score(&simulated(recipe, split, seed), method)).collect();
    Summary::of(&scores).unwrap().f1
}

#[test]
fn few_cases_do_not_join_causes_that_act_by_themselves() {
    let found = summary("rare-target", "aware", 20, Method::MhPcX);
    assert!(found.single.mean > 0.97 && found.combined.mean > 0.97, "{found:?}");
}

#[test]
fn causes_hidden_from_tests_of_one_column_are_found_in_small_data() {
    for (split, least) in [("aware", 0.95), ("blind", 0.85)] {
        let found = summary("syn-20", split, 10, Method::MhPcX);
        assert!(found.combined.mean > least && found.single.mean > 0.85, "{split}: {found:?}");
    }
}

#[test]
fn conjunctions_are_found_whose_parts_are_associated_with_the_target() {
    // The published method finds none of them.
    assert_eq!(summary("syn-50", "blind", 3, Method::MhPcF).combined.mean, 0.0);
    for (split, least) in [("aware", 0.95), ("blind", 0.95), ("blind-half", 0.85)] {
        let found = summary("syn-50", split, 3, Method::MhPcX);
        assert!(found.combined.mean > least && found.single.mean > least, "{split}: {found:?}");
    }
}

#[test]
fn a_shuffled_target_has_no_causes() {
    let mut data = simulated("syn-50", "blind", 1);
    let target = data.variables.iter().position(|it| it.name == data.truth.target).unwrap();
    let mut random = Random::new(1);
    let found: usize = (0..50)
        .map(|_| {
            random.shuffle(&mut data.variables[target].codes);
            search(&data.dataset().unwrap(), Method::MhPcX).causes.len()
        })
        .sum();
    assert!(found <= 10, "{found} causes in fifty data sets without any");
}

#[test]
fn every_reason_can_be_told() {
    let data = simulated("syn-50", "blind", 1);
    let dataset = data.dataset().unwrap();
    let findings = search(&dataset, Method::MhPcX);
    let settings = Settings { method: Method::MhPcX, ..Preset::Default.settings() };
    let counter = LocalCounter::new(&dataset);
    let why = |columns: Vec<u32>| {
        explain(&counter, dataset.columns(), &settings, &findings, &Candidate::new(columns))
    };
    let combined = findings.causes.iter().find(|cause| cause.candidate.level() == 2).unwrap();
    assert_eq!(why(combined.candidate.columns().to_vec()), Reason::Cause);
    // The parts took part in level 1, or never were associated; the conjunction stands in their place.
    let replaced =
        findings.reasons.values().filter(|reason| matches!(reason, Reason::Replaced { .. })).count();
    assert!(replaced > 0);
    let mut redundant = 0;
    for x in 0..dataset.columns().len() as u32 {
        for y in 0..x {
            match why(vec![x, y]) {
                Reason::Redundant { .. } => redundant += 1,
                Reason::NotReached => panic!("no reason for {x} and {y}"),
                _ => {}
            }
        }
    }
    assert!(redundant > 500, "{redundant}");
}

#[test]
fn what_is_known_is_honoured() {
    let data = simulated("syn-50", "blind", 2);
    let dataset = data.dataset().unwrap();
    let free = search(&dataset, Method::MhPcX);
    let causes = |findings: &Findings| -> Vec<Candidate> {
        let mut causes: Vec<Candidate> =
            findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
        causes.sort();
        causes
    };
    let with = |knowledge: Knowledge| {
        let settings = Settings { method: Method::MhPcX, knowledge, ..Preset::Default.settings() };
        mine(&LocalCounter::new(&dataset), dataset.columns(), &settings, &Unwatched).unwrap()
    };
    let all = causes(&free);
    let single = all.iter().find(|cause| cause.level() == 1).unwrap().clone();
    let pair = all.iter().find(|cause| cause.level() == 2).unwrap().clone();
    let others =
        |gone: &Candidate| -> Vec<Candidate> { all.iter().filter(|cause| *cause != gone).cloned().collect() };
    // A cause that is forbidden still explains, so that nothing comes in its place; one that is held fixed does too.
    let column = single.columns()[0];
    let forbidden = with(Knowledge { forbidden: vec![column], ..Knowledge::default() });
    assert_eq!(causes(&forbidden), others(&single));
    assert!(matches!(forbidden.reasons[&single], Reason::SetAside { role: Role::Forbidden, .. }));
    let fixed = with(Knowledge { covariates: vec![column], ..Knowledge::default() });
    assert_eq!(causes(&fixed), others(&single));
    assert!(matches!(fixed.reasons[&single], Reason::SetAside { role: Role::Covariate, .. }));
    // The parts of a conjunction are noise without each other.
    let after = with(Knowledge { after: vec![pair.columns()[0]], ..Knowledge::default() });
    assert!(causes(&after).iter().all(|cause| !cause.columns().contains(&pair.columns()[0])));
    // What is required stays, a column or a conjunction, and the causes beside it.
    let noise: Vec<u32> = (0..dataset.columns().len() as u32)
        .filter(|column| all.iter().all(|cause| !cause.columns().contains(column)))
        .collect();
    for required in [Candidate::single(noise[0]), Candidate::new(noise[..2].to_vec())] {
        let found = with(Knowledge { required: vec![required.clone()], ..Knowledge::default() });
        assert_eq!(found.reasons[&required], Reason::Required);
        assert!(all.iter().all(|cause| causes(&found).contains(cause)));
        assert_eq!(found.causes.len(), all.len() + 1);
    }
}

#[test]
fn causes_that_work_together_are_found_and_said_to() {
    let data = simulated("syn-20", "blind", 1);
    let findings = search(&data.dataset().unwrap(), Method::MhPcX);
    assert!(findings.work_together);
    let additive = search(&simulated("syn-50", "blind", 1).dataset().unwrap(), Method::MhPcX);
    assert!(!additive.work_together);
}

#[test]
fn threads_do_not_change_the_result() {
    let dataset = simulated("syn-60", "blind", 5).dataset().unwrap();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(&dataset, Method::MhPcX))
    };
    assert_eq!(with(1), with(3));
}
