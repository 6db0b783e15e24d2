//! Background knowledge is enforced in every test: all methods agree with slow implementations that count every table
//! row by row.

use concause::count::{LocalCounter, Strata};
use concause::dataset::{Candidate, DatasetBuilder, Target};
use concause::progress::NoProgress;
use concause::search::{Findings, Knowledge, Method, Preset, Reason, Role, Settings, mine};
use concause::stats::Test;
use concause::{Error, Miner};

use crate::support::comparison::compare_with;
use crate::support::{Matrix, Random, random_settings, repetitions, rivals, sequential};

/// Assigns random roles to the columns; the last column has none.
fn random_knowledge(random: &mut Random, matrix: &Matrix, settings: &Settings) -> Knowledge {
    let mut knowledge = Knowledge::default();
    let columns = matrix.columns.len();
    let mut free = Vec::new();
    for column in 0..columns as u32 {
        match random.below(if column as usize + 1 == columns { 1 } else { 9 }) {
            1 => knowledge.after.push(column),
            2 if knowledge.covariates.len() < 3 => knowledge.covariates.push(column),
            3 | 4 => knowledge.forbidden.push(column),
            _ => free.push(column),
        }
    }
    let is_of_rules = [Method::CR_PA, Method::CR_CS].contains(&settings.method);
    let deepest = settings.deepest_level();
    for _ in 0..if is_of_rules { 0 } else { random.below(3) } {
        let parts = (0..1 + random.below(deepest)).map(|_| free[random.below(free.len())]);
        let required = Candidate::new(parts);
        let attributes: Vec<usize> =
            required.columns().iter().map(|&column| matrix.attributes[column as usize]).collect();
        let count = matrix.count(&required).total() as usize;
        if attributes.windows(2).all(|pair| pair[0] < pair[1])
            && count > 0
            && count < matrix.rows()
            && !knowledge.required.contains(&required)
        {
            knowledge.required.push(required);
        }
    }
    knowledge
}

#[test]
fn all_methods_enforce_background_knowledge() {
    let mut random = Random::new(1965);
    let listed = [Method::HITON_PC, Method::MH_PC_F, Method::MH_PC_B];
    let others = [Method::PC_SELECT, Method::NAIVE_H, Method::NAIVE_S, Method::CR_PA, Method::CR_CS];
    for method in listed.into_iter().chain(others) {
        let (mut causes, mut separated, mut combined, mut required, mut exclusion) = (0, 0, 0, 0, 0);
        for round in 0..repetitions(160) {
            let is_single = [Method::HITON_PC, Method::PC_SELECT].contains(&method);
            let max_level =
                if is_single { 1 } else { 1 + round % if listed.contains(&method) { 3 } else { 2 } };
            let (columns, rows) = (4 + random.below(4), 40 + random.below(300));
            let matrix = Matrix::random(&mut random, columns, rows).exclusive();
            let mut settings = random_settings(&mut random, method, max_level);
            settings.knowledge = random_knowledge(&mut random, &matrix, &settings);
            let oracle = match listed.contains(&method) {
                true => sequential::mine(&matrix, &settings),
                false => rivals::mine(&matrix, &settings),
            };
            let compared = compare_with(&matrix, &settings, &oracle);
            causes += compared.causes;
            combined += compared.combined;
            separated += compared.separated + compared.without_effect;
            required += oracle.reasons.values().filter(|&reason| *reason == Reason::Required).count();
            let is_forbidden = |reason: &&Reason| matches!(reason, Reason::Excluded { role: Role::Forbidden, column } if column.level() == 1);
            exclusion += oracle.reasons.values().filter(is_forbidden).count();
        }
        let counts = format!("{method}: {causes} {separated} {combined} {required} {exclusion}");
        assert!(causes > 60 && separated > 15 && exclusion > 20, "{counts}");
        let is_of_rules = [Method::CR_PA, Method::CR_CS].contains(&method);
        assert!(is_of_rules || required > 60, "{counts}");
        assert!([Method::HITON_PC, Method::PC_SELECT].contains(&method) || combined > 5, "{counts}");
    }
}

fn search(matrix: &Matrix, settings: &Settings) -> Result<Findings, Error> {
    let dataset = matrix.dataset();
    mine(&dataset, settings, &NoProgress)
}

fn causes(findings: &Findings) -> Vec<Candidate> {
    findings.causes.iter().map(|cause| cause.candidate.clone()).collect()
}

/// A common cause C of X and T, an effect E of T, and noise N: columns 0 to 3.
fn confounded() -> Matrix {
    let mut random = Random::new(7);
    let mut columns = vec![Vec::new(); 4];
    let mut outcome = Vec::new();
    for _ in 0..4000 {
        let c = random.chance(0.4);
        let x = random.chance(if c { 0.7 } else { 0.2 });
        let t = random.chance(if c { 0.6 } else { 0.2 });
        let e = random.chance(if t { 0.8 } else { 0.1 });
        for (column, bit) in columns.iter_mut().zip([c, x, e, random.chance(0.5)]) {
            column.push(bit);
        }
        outcome.push(t);
    }
    Matrix { columns, attributes: vec![0, 1, 2, 3], outcome }
}

#[test]
fn each_kind_of_knowledge_has_its_effect() {
    let matrix = confounded();
    let one = Candidate::single;
    for method in [Method::HITON_PC, Method::MH_PC_F, Method::PC_SELECT, Method::NAIVE_H] {
        let found = |knowledge: Knowledge| {
            let settings = Settings { method, max_level: 1, knowledge, ..Settings::default() };
            search(&matrix, &settings).unwrap()
        };
        let sorted = |findings: &Findings| {
            let mut all = causes(findings);
            all.sort();
            all
        };
        // Without knowledge, the common cause and the effect are found.
        assert_eq!(sorted(&found(Knowledge::default())), [one(0), one(2)], "{method}");
        // A column after the target is excluded.
        let after = found(Knowledge { after: vec![2], ..Knowledge::default() });
        assert_eq!(sorted(&after), [one(0)], "{method}");
        assert_eq!(after.reasons[&one(2)], Reason::Excluded { column: one(2), role: Role::After });
        // Without the common cause, X is found. With the common cause as a covariate, neither is found.
        let hidden = found(Knowledge { after: vec![0, 2], ..Knowledge::default() });
        assert_eq!(sorted(&hidden), [one(1)], "{method}");
        let adjusted = found(Knowledge { covariates: vec![0], ..Knowledge::default() });
        assert_eq!(sorted(&adjusted), [one(2)], "{method}");
        assert!(matches!(adjusted.reasons[&one(1)], Reason::NotAssociated { .. }), "{method}");
        // If the common cause is forbidden, it still separates X.
        let forbidden = found(Knowledge { forbidden: vec![0], ..Knowledge::default() });
        assert_eq!(sorted(&forbidden), [one(2)], "{method}");
        assert_eq!(forbidden.reasons[&one(0)], Reason::Excluded { column: one(0), role: Role::Forbidden });
        assert!(matches!(&forbidden.reasons[&one(1)], Reason::Separated { by, .. } if by.contains(&one(0))));
        // If noise is required, it is a cause with a large p-value.
        let required = found(Knowledge { required: vec![one(3)], ..Knowledge::default() });
        assert_eq!(sorted(&required), [one(0), one(2), one(3)], "{method}");
        assert_eq!(required.reasons[&one(3)], Reason::Required);
        assert!(required.causes.iter().any(|cause| cause.candidate == one(3) && cause.max_p.p_value > 0.05));
    }
}

/// Stratifying by covariates gives the same test as adding them to the conditioning set.
#[test]
fn covariates_act_as_members_of_every_conditioning_set() {
    let matrix = confounded();
    let settings = Settings {
        max_level: 1,
        knowledge: Knowledge { covariates: vec![0, 3], ..Knowledge::default() },
        ..Settings::default()
    };
    let findings = search(&matrix, &settings).unwrap();
    let effect = &findings.causes[0];
    let given = [0, 3].map(Candidate::single);
    let by_hand =
        Test::G2.assess(&matrix.table(&effect.candidate, &given, &Candidate::default()), 0.05).tested();
    let by_hand = by_hand.unwrap();
    assert_eq!((effect.association.df, by_hand.df), (4, 4));
    assert!((effect.association.statistic - by_hand.statistic).abs() < 1e-9 * by_hand.statistic);
}

#[test]
fn columns_of_one_attribute_give_one_stratum_each() {
    let mut random = Random::new(3);
    let value: Vec<usize> = (0..500).map(|_| random.below(20)).collect();
    let columns: Vec<Vec<bool>> =
        (0..20).map(|column| value.iter().map(|&value| value == column).collect()).collect();
    let outcome = value.iter().map(|&value| random.chance(value as f64 / 20.0)).collect();
    let matrix = Matrix { columns, attributes: vec![0; 20], outcome };
    let dataset = matrix.dataset();
    let counter = LocalCounter::new(&dataset);
    let all: Vec<u32> = (0..20).collect();
    assert_eq!(Strata::new(&counter, &all).unwrap().rows().len(), 20);
    assert_eq!(Strata::new(&counter, &[]).unwrap().rows().len(), 1);
}

#[test]
fn contradictory_knowledge_is_rejected_with_a_sentence() {
    let matrix = confounded();
    let one = Candidate::single;
    let pair = Candidate::new(vec![0, 1]);
    let refusal = |knowledge: Knowledge| {
        let settings = Settings { method: Method::MH_PC_F, knowledge, ..Settings::default() };
        search(&matrix, &settings).unwrap_err().to_string()
    };
    let none = Knowledge::default;
    for (knowledge, sentence) in [
        (
            Knowledge { after: vec![1], forbidden: vec![1], ..none() },
            r#""V2" is named by both after and forbid; remove one"#,
        ),
        (
            Knowledge { covariates: vec![1], required: vec![one(1)], ..none() },
            r#""V2" is named by both require and covariates; remove one"#,
        ),
        (
            Knowledge { forbidden: vec![1], required: vec![pair], ..none() },
            r#""V2", a part of "V1&V2", is named by both require and forbid; remove one"#,
        ),
        (
            Knowledge { required: vec![Candidate::new(vec![0, 1, 2])], ..none() },
            r#"require "V1&V2&V3" joins 3 columns, but max_level is 2"#,
        ),
        (
            Knowledge { forbidden: vec![0, 1, 2, 3], ..none() },
            "no column is left as a possible cause: after, covariates and forbid name every column",
        ),
    ] {
        assert_eq!(refusal(knowledge), sentence);
    }
    // Seven independent covariates give 128 strata.
    let mut random = Random::new(5);
    let mut wide = matrix.clone();
    wide.columns = (0..8).map(|_| (0..4000).map(|_| random.chance(0.5)).collect()).collect();
    wide.attributes = (0..8).collect();
    let knowledge = Knowledge { covariates: (0..7).collect(), ..none() };
    let sentence = search(&wide, &Settings { knowledge, ..Settings::default() }).unwrap_err().to_string();
    assert!(sentence.starts_with("the covariates split the rows into 128 strata, too many"), "{sentence}");
    // Knowledge that a method or a preset does not support.
    let with = |method, preset: Preset, knowledge| {
        search(&matrix, &Settings { method, knowledge, ..preset.settings() })
    };
    let require = Knowledge { required: vec![one(1)], ..none() };
    let sentence = with(Method::CR_PA, Preset::Default, require.clone()).unwrap_err().to_string();
    assert_eq!(sentence, "method cr-pa does not support require; choose another method");
    let sentence = with(Method::MH_PC_F, Preset::PaperTable, require).unwrap_err().to_string();
    assert!(sentence.contains("paper-table"), "{sentence}");
    // A required cause that is constant.
    let mut constant = matrix.clone();
    constant.columns[3] = vec![true; 4000];
    let settings =
        Settings { knowledge: Knowledge { required: vec![one(3)], ..none() }, ..Settings::default() };
    assert!(search(&constant, &settings).unwrap_err().to_string().contains("the same value in every row"));
}

#[test]
fn conjunctions_with_an_excluded_column_have_that_reason() {
    let matrix = confounded();
    let dataset = matrix.dataset();
    let knowledge = Knowledge { after: vec![2], forbidden: vec![0], ..Knowledge::default() };
    for method in [Method::MH_PC_F, Method::MH_PC_B, Method::NAIVE_H, Method::CR_PA] {
        let settings = Settings { method, knowledge: knowledge.clone(), ..Settings::default() };
        let mining = Miner::from(settings).search(&dataset, &NoProgress).unwrap();
        let explain = |columns: &[u32]| mining.explain_all(&[Candidate::new(columns.to_vec())]);
        let why = |columns: &[u32]| explain(columns).unwrap().remove(0);
        let exclusion = |column: u32, role| Reason::Excluded { column: Candidate::single(column), role };
        assert_eq!(why(&[1, 2]), exclusion(2, Role::After));
        assert_eq!(why(&[0, 3]), exclusion(0, Role::Forbidden));
    }
}

/// An attribute with more levels than a word has bits, all of them required, and a further cause.
#[test]
fn joint_accepts_many_required_columns() {
    let rows = 4000;
    let mut random = Random::new(12);
    let levels: Vec<usize> = (0..rows).map(|_| random.below(150)).collect();
    let cause: Vec<bool> = (0..rows).map(|_| random.chance(0.5)).collect();
    let outcome = (0..rows).map(|row| random.chance(if cause[row] { 0.7 } else { 0.2 })).collect();
    let mut builder = DatasetBuilder::new(Target { name: "T".into(), value: None }, outcome);
    let names = (0..150).map(|level| format!("L={level}")).collect();
    builder.attribute("L", names, levels.iter().map(|&level| Some(level)));
    builder.attribute("V", vec!["V".into()], cause.iter().map(|&value| value.then_some(0)));
    let data = builder.finish();
    let required: Vec<Candidate> = (0..150).map(Candidate::single).collect();
    let knowledge = Knowledge { required: required.clone(), ..Knowledge::default() };
    let found =
        mine(&data, &Settings { knowledge, max_level: 1, ..Settings::default() }, &NoProgress).unwrap();
    let causes: Vec<&Candidate> = found.causes.iter().map(|cause| &cause.candidate).collect();
    assert!(required.iter().all(|required| causes.contains(&required)));
    assert!(causes.contains(&&Candidate::single(150)), "{causes:?}");
}
