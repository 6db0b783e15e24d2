//! Background knowledge bites, and just as much as told: the searches agree with their plain readings, in which every
//! table is counted row by row.

mod support;

use concause::count::{LocalCounter, Strata};
use concause::dataset::Candidate;
use concause::independence::Test;
use concause::search::{
    Findings, Knowledge, Method, Overlap, Preset, Reason, Role, Settings, Twins, Unwatched, explain, mine,
};
use support::comparison::compare_with;
use support::{Matrix, Random, random_fdr, rivals, sequential};

fn random_settings(random: &mut Random, method: Method, max_level: usize) -> Settings {
    Settings {
        method,
        max_level,
        overlap: if random.chance(0.7) { Overlap::Allow } else { Overlap::Skip },
        max_k: random.below(4),
        fdr: random_fdr(random),
        alpha: [0.05, 0.05, 0.2, 0.4][random.below(4)],
        redundancy_alpha: [0.1, 0.5, 0.9][random.below(3)],
        test: if random.chance(0.6) { Test::G2 } else { Test::ALL[random.below(4)] },
        twins: if random.chance(0.5) { Twins::Merge } else { Twins::Ordinary },
        seed: random.next_u64(),
        ..Preset::Paper.settings()
    }
}

/// Every column gets a role or none; at least the last one is free.
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
    let is_of_rules = matches!(settings.method, Method::CrPa | Method::CrCs);
    let deepest = settings.deepest_level();
    for _ in 0..if is_of_rules { 0 } else { random.below(3) } {
        let parts = (0..1 + random.below(deepest)).map(|_| free[random.below(free.len())]).collect();
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
fn searches_honour_what_is_known() {
    let mut random = Random::new(1965);
    let listed = [Method::HitonPc, Method::MhPcF, Method::MhPcB];
    let others = [Method::PcSelect, Method::NaiveH, Method::NaiveS, Method::CrPa, Method::CrCs];
    for method in listed.into_iter().chain(others) {
        let (mut causes, mut separated, mut combined, mut required, mut set_aside) = (0, 0, 0, 0, 0);
        for round in 0..160 {
            let is_single = matches!(method, Method::HitonPc | Method::PcSelect);
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
            let is_forbidden = |reason: &&Reason| matches!(reason, Reason::SetAside { role: Role::Forbidden, column } if column.level() == 1);
            set_aside += oracle.reasons.values().filter(is_forbidden).count();
        }
        let told = format!("{method}: {causes} {separated} {combined} {required} {set_aside}");
        assert!(causes > 60 && separated > 15 && set_aside > 20, "{told}");
        let is_of_rules = matches!(method, Method::CrPa | Method::CrCs);
        assert!(is_of_rules || required > 60, "{told}");
        assert!(matches!(method, Method::HitonPc | Method::PcSelect) || combined > 10, "{told}");
    }
}

fn search(matrix: &Matrix, settings: &Settings) -> Result<Findings, String> {
    let dataset = matrix.dataset();
    mine(&LocalCounter::new(&dataset), dataset.columns(), settings, &Unwatched)
        .map_err(|error| error.to_string())
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
fn each_kind_of_knowledge_does_its_own() {
    let matrix = confounded();
    let one = Candidate::single;
    for method in [Method::HitonPc, Method::MhPcF, Method::PcSelect, Method::NaiveH] {
        let found = |knowledge: Knowledge| {
            let settings = Settings { method, max_level: 1, knowledge, ..Settings::default() };
            search(&matrix, &settings).unwrap()
        };
        let sorted = |findings: &Findings| {
            let mut all = causes(findings);
            all.sort();
            all
        };
        // The data alone: the common cause and the effect.
        assert_eq!(sorted(&found(Knowledge::default())), [one(0), one(2)], "{method}");
        // What comes after the target is out.
        let after = found(Knowledge { after: vec![2], ..Knowledge::default() });
        assert_eq!(sorted(&after), [one(0)], "{method}");
        assert_eq!(after.reasons[&one(2)], Reason::SetAside { column: one(2), role: Role::After });
        // Without the common cause, X would be taken for one; as a covariate it takes X away without being one.
        let hidden = found(Knowledge { after: vec![0, 2], ..Knowledge::default() });
        assert_eq!(sorted(&hidden), [one(1)], "{method}");
        let adjusted = found(Knowledge { covariates: vec![0], ..Knowledge::default() });
        assert_eq!(sorted(&adjusted), [one(2)], "{method}");
        assert!(matches!(adjusted.reasons[&one(1)], Reason::NotAssociated { .. }), "{method}");
        // Forbidden, it still explains X away.
        let forbidden = found(Knowledge { forbidden: vec![0], ..Knowledge::default() });
        assert_eq!(sorted(&forbidden), [one(2)], "{method}");
        assert_eq!(forbidden.reasons[&one(0)], Reason::SetAside { column: one(0), role: Role::Forbidden });
        assert!(matches!(&forbidden.reasons[&one(1)], Reason::Separated { by, .. } if by.contains(&one(0))));
        // Required, noise is a cause, and says itself how little the data has to do with it.
        let required = found(Knowledge { required: vec![one(3)], ..Knowledge::default() });
        assert_eq!(sorted(&required), [one(0), one(2), one(3)], "{method}");
        assert_eq!(required.reasons[&one(3)], Reason::Required);
        assert!(
            required.causes.iter().any(|cause| cause.candidate == one(3) && cause.weakest.p_value > 0.05)
        );
    }
}

/// A covariate held fixed is a member of every conditioning set: the figures are those of a larger set.
#[test]
fn covariates_are_members_of_every_set() {
    let matrix = confounded();
    let settings = Settings {
        max_level: 1,
        knowledge: Knowledge { covariates: vec![0, 3], ..Knowledge::default() },
        ..Settings::default()
    };
    let findings = search(&matrix, &settings).unwrap();
    let effect = &findings.causes[0];
    let given = [0, 3].map(Candidate::single);
    let by_hand = Test::G2.assess(&matrix.table(&effect.candidate, &given, &Candidate::default())).tested();
    let by_hand = by_hand.unwrap();
    assert_eq!((effect.association.df, by_hand.df), (4, 4));
    assert!((effect.association.statistic - by_hand.statistic).abs() < 1e-9 * by_hand.statistic);
}

#[test]
fn the_values_of_one_attribute_make_as_many_strata() {
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
fn contradictions_are_refused_with_a_sentence() {
    let matrix = confounded();
    let one = Candidate::single;
    let pair = Candidate::new(vec![0, 1]);
    let refusal = |knowledge: Knowledge| {
        let settings = Settings { method: Method::MhPcF, knowledge, ..Settings::default() };
        search(&matrix, &settings).unwrap_err()
    };
    let none = Knowledge::default;
    for (knowledge, sentence) in [
        (
            Knowledge { after: vec![1], forbidden: vec![1], ..none() },
            r#""V2" is named by --after and by --forbid; it can be only one of them"#,
        ),
        (
            Knowledge { covariates: vec![1], required: vec![one(1)], ..none() },
            r#""V2" is named by --require and by --covariates"#,
        ),
        (
            Knowledge { forbidden: vec![1], required: vec![pair], ..none() },
            r#""V2" of "V1&V2" is named by --require and by --forbid"#,
        ),
        (
            Knowledge { required: vec![Candidate::new(vec![0, 1, 2])], ..none() },
            r#"--require "V1&V2&V3" joins 3 columns, but --max-level is 2"#,
        ),
        (
            Knowledge { forbidden: vec![0, 1, 2, 3], ..none() },
            "no column is left that may be a cause: --after, --covariates and --forbid name all",
        ),
    ] {
        assert_eq!(refusal(knowledge), sentence);
    }
    // Seven independent covariates make 128 strata.
    let mut random = Random::new(5);
    let mut wide = matrix.clone();
    wide.columns = (0..8).map(|_| (0..4000).map(|_| random.chance(0.5)).collect()).collect();
    wide.attributes = (0..8).collect();
    let knowledge = Knowledge { covariates: (0..7).collect(), ..none() };
    let sentence = search(&wide, &Settings { knowledge, ..Settings::default() }).unwrap_err();
    assert!(sentence.starts_with("the covariates split the rows into 128 strata, too many"), "{sentence}");
    // What a method or a preset cannot honour.
    let with = |method, preset: Preset, knowledge| {
        search(&matrix, &Settings { method, knowledge, ..preset.settings() })
    };
    let require = Knowledge { required: vec![one(1)], ..none() };
    let sentence = with(Method::CrPa, Preset::Default, require.clone()).unwrap_err();
    assert_eq!(sentence, "--method cr-pa cannot honour --require; choose another method");
    let sentence = with(Method::MhPcF, Preset::PaperTable, require).unwrap_err();
    assert!(sentence.contains("paper-table"), "{sentence}");
    // The same in every row.
    let mut constant = matrix.clone();
    constant.columns[3] = vec![true; 4000];
    let settings =
        Settings { knowledge: Knowledge { required: vec![one(3)], ..none() }, ..Settings::default() };
    assert!(search(&constant, &settings).unwrap_err().contains("the same in every row"));
}

#[test]
fn conjunctions_with_a_column_set_aside_are_explained_so() {
    let matrix = confounded();
    let dataset = matrix.dataset();
    let counter = LocalCounter::new(&dataset);
    let knowledge = Knowledge { after: vec![2], forbidden: vec![0], ..Knowledge::default() };
    for method in [Method::MhPcF, Method::MhPcB, Method::NaiveH, Method::CrPa] {
        let settings = Settings { method, knowledge: knowledge.clone(), ..Settings::default() };
        let findings = mine(&counter, dataset.columns(), &settings, &Unwatched).unwrap();
        let why = |columns: &[u32]| {
            explain(&counter, dataset.columns(), &settings, &findings, &Candidate::new(columns.to_vec()))
        };
        let set_aside = |column: u32, role| Reason::SetAside { column: Candidate::single(column), role };
        assert_eq!(why(&[1, 2]), set_aside(2, Role::After));
        assert_eq!(why(&[0, 3]), set_aside(0, Role::Forbidden));
    }
}
