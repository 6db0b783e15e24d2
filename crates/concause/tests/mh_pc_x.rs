//! MH-PC-X finds conjunctions that the published method cannot find, and has a reason for every other candidate.

use concause::Miner;
use concause::count::LocalCounter;
use concause::dataset::{Candidate, Dataset};
use concause::progress::NoProgress;
use concause::random::Random;
use concause::search::{Findings, Knowledge, Method, Preset, Reason, Role, Settings, mine};
use concause::simulate::{ByCauseKind, Recipe, Score, ScoreSummary, Simulated, Spread};

fn simulated(recipe: &str, split: &str, seed: u64) -> Simulated {
    let mut recipe = Recipe::named(recipe).unwrap();
    recipe.set("split", split).unwrap();
    recipe.simulate(seed).unwrap()
}

fn search(dataset: &Dataset, method: Method) -> Findings {
    let settings = Settings { method, ..Preset::Default.settings() };
    mine(&LocalCounter::new(dataset), dataset.columns(), &settings, &NoProgress).unwrap()
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

/// The F1 scores over seeds 1 to `seeds`.
fn summary(recipe: &str, split: &str, seeds: u64, method: Method) -> ByCauseKind<Spread> {
    let scores: Vec<Score> = (1..=seeds).map(|seed| score(&simulated(recipe, split, seed), method)).collect();
    ScoreSummary::from_scores(&scores).unwrap().f1
}

#[test]
fn single_causes_are_not_joined_if_cases_are_few() {
    let found = summary("rare-target", "aware", 20, Method::MH_PC_X);
    assert!(found.single.mean > 0.97 && found.combined.mean > 0.97, "{found:?}");
}

#[test]
fn causes_without_marginal_association_are_found_in_small_data() {
    for (split, least) in [("aware", 0.95), ("blind", 0.85)] {
        let found = summary("syn-20", split, 10, Method::MH_PC_X);
        assert!(found.combined.mean > least && found.single.mean > 0.85, "{split}: {found:?}");
    }
}

#[test]
fn conjunctions_of_associated_parts_are_found() {
    // The published method finds no combined cause.
    assert_eq!(summary("syn-50", "blind", 3, Method::MH_PC_F).combined.mean, 0.0);
    for (split, least) in [("aware", 0.95), ("blind", 0.95), ("blind-half", 0.85)] {
        let found = summary("syn-50", split, 3, Method::MH_PC_X);
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
            search(&data.dataset().unwrap(), Method::MH_PC_X).causes.len()
        })
        .sum();
    assert!(found <= 10, "{found} causes in fifty shuffled data sets");
}

#[test]
fn every_pair_has_a_reason() {
    let data = simulated("syn-50", "blind", 1);
    let dataset = data.dataset().unwrap();
    let mining = Miner::new().method(Method::MH_PC_X).mine(&dataset).unwrap();
    let findings = mining.findings();
    let why = |columns: Vec<u32>| mining.explain_all(&[Candidate::new(columns)]).unwrap().remove(0);
    let combined = findings.causes.iter().find(|cause| cause.candidate.level() == 2).unwrap();
    assert_eq!(why(combined.candidate.columns().to_vec()), Reason::Cause);
    // Parts that level 1 selected are replaced by their conjunction.
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
fn background_knowledge_is_enforced() {
    let data = simulated("syn-50", "blind", 2);
    let dataset = data.dataset().unwrap();
    let free = search(&dataset, Method::MH_PC_X);
    let causes = |findings: &Findings| -> Vec<Candidate> {
        let mut causes: Vec<Candidate> =
            findings.causes.iter().map(|cause| cause.candidate.clone()).collect();
        causes.sort();
        causes
    };
    let with = |knowledge: Knowledge| {
        let settings = Settings { method: Method::MH_PC_X, knowledge, ..Preset::Default.settings() };
        mine(&LocalCounter::new(&dataset), dataset.columns(), &settings, &NoProgress).unwrap()
    };
    let all = causes(&free);
    let single = all.iter().find(|cause| cause.level() == 1).unwrap().clone();
    let pair = all.iter().find(|cause| cause.level() == 2).unwrap().clone();
    let others =
        |gone: &Candidate| -> Vec<Candidate> { all.iter().filter(|cause| *cause != gone).cloned().collect() };
    // A forbidden cause and a covariate still separate other candidates, so no other candidate replaces them.
    let column = single.columns()[0];
    let forbidden = with(Knowledge { forbidden: vec![column], ..Knowledge::default() });
    assert_eq!(causes(&forbidden), others(&single));
    assert!(matches!(forbidden.reasons[&single], Reason::Excluded { role: Role::Forbidden, .. }));
    let fixed = with(Knowledge { covariates: vec![column], ..Knowledge::default() });
    assert_eq!(causes(&fixed), others(&single));
    assert!(matches!(fixed.reasons[&single], Reason::Excluded { role: Role::Covariate, .. }));
    // No cause contains a column after the target.
    let after = with(Knowledge { after: vec![pair.columns()[0]], ..Knowledge::default() });
    assert!(causes(&after).iter().all(|cause| !cause.columns().contains(&pair.columns()[0])));
    // A required column or conjunction is reported, and the other causes are unchanged.
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
fn interaction_is_reported_if_the_causes_interact() {
    let data = simulated("syn-20", "blind", 1);
    let findings = search(&data.dataset().unwrap(), Method::MH_PC_X);
    assert!(findings.interacting);
    let logistic = search(&simulated("syn-50", "blind", 1).dataset().unwrap(), Method::MH_PC_X);
    assert!(!logistic.interacting);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let dataset = simulated("syn-60", "blind", 5).dataset().unwrap();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search(&dataset, Method::MH_PC_X))
    };
    assert_eq!(with(1), with(3));
}
