//! Names follow the vocabulary of the field: no private words, and no second meaning for the name of a public
//! type.
//!
//! `cargo test -p house-rules --test vocabulary` lists the violations with file and line. Names of functions, types,
//! traits, modules, constants, variants and fields are checked, public or not; local variables, tests and comments are
//! not.

use std::path::Path;

use house_rules::source::Crate;
use house_rules::vocabulary::{Forbidden, Kind, find_forbidden, list_names, shared_names};
use house_rules::workspace_root;

/// Words that must not be a word of any name.
const fn word(words: &'static str, instead: &'static str) -> Forbidden {
    Forbidden { words, whole_names: false, kinds: &[], instead }
}

/// Names that must not be the whole name of anything; within longer names they are ordinary words.
const fn name(words: &'static str, instead: &'static str) -> Forbidden {
    Forbidden { words, whole_names: true, kinds: &[], instead }
}

/// Names that must not be the whole name of a type or module; functions and fields may have them.
const fn noun(words: &'static str, instead: &'static str) -> Forbidden {
    Forbidden { words, whole_names: true, kinds: &[Kind::Type, Kind::Trait, Kind::Module], instead }
}

/// Names that must not be the whole name of a function.
const fn function(words: &'static str, instead: &'static str) -> Forbidden {
    Forbidden { words, whole_names: true, kinds: &[Kind::Function], instead }
}

const FORBIDDEN: &[Forbidden] = &[
    // Counting.
    word("elsewhere", "remote"),
    word("unanswered", "RemoteError"),
    word("asked", "requested"),
    word("foresee", "prefetch"),
    name("memory", "cache"),
    noun("damaged", "CodecError"),
    // The search.
    word("price prices priced", "penalty, prior"),
    word("foretell foretold", "approximate gain"),
    word("promising", "screened"),
    word("together", "interaction, interacting, table search"),
    word("rearrange rearranged rearrangement", "local search"),
    name("twos", "pair moves"),
    word("judge", "decision, DecisionRule"),
    noun("verdict", "Decision"),
    noun("tested", "TestResult"),
    word("weakest", "max p"),
    word("contender contenders", "candidacy"),
    name("trial trials", "separation tests"),
    name("ground grounds", "conditioning sets"),
    name("met", "covered"),
    word("watch unwatched observer unobserved", "Progress, NoProgress"),
    word("twin twins", "duplicates"),
    // Reading and encoding.
    word("wish wishes", "overrides"),
    word("settle settled", "finalise"),
    noun("written", "export"),
    word("again", "reproduce"),
    noun("lanes", "pipeline"),
    noun("plain", "unquoted"),
    noun("word", "cell"),
    noun("look", "scan"),
    word("outline", "encoding plan"),
    noun("facts", "block statistics"),
    // Evidence, warnings and simulated data.
    word("decider deciders", "near-perfect predictor"),
    name("target_decided", "NearPerfectPrediction"),
    noun("decided", "near-perfect prediction"),
    noun("tie", "RelationKind"),
    noun("shortage", "CaseShortage"),
    word("caution cautions", "warning"),
    word("draft", "unnamed data"),
    word("maker", "generator"),
    name("gather", "estimate_evidence"),
    noun("confirmation", "HoldoutTest"),
    function("confirm is_confirmed", "test_holdout, is_replicated"),
    // Functions are verbs that can be searched for.
    function("of take tell keep whole with all", "a verb that says what it does"),
];

/// Names that are allowed although they are listed above: the end of the path of the file, the name, the reason.
const ALLOWED: &[(&str, &str, &str)] = &[];

/// Types that may share their name with others of this list, with the reason.
const SHARED: &[(&str, &str)] = &[
    ("concause::error::Error", "by convention each crate has one type of errors with this name"),
    ("concause_io::error::Error", "likewise"),
];

/// The crates whose public types have distinct names.
const LIBRARIES: [&str; 4] = ["concause", "concause-io", "concause-report", "concause-run"];

fn read(name: &str, file: &str) -> Crate {
    let parsed =
        Crate::read(&name.replace('-', "_"), &workspace_root(), &format!("crates/{name}/src/{file}"));
    parsed.unwrap_or_else(|error| panic!("{error}"))
}

/// All crates in `crates/`, libraries and programs.
fn read_all() -> Vec<Crate> {
    let directory = workspace_root().join("crates");
    let entries = std::fs::read_dir(&directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let mut crates = Vec::new();
    for name in &names {
        for file in ["lib.rs", "main.rs"] {
            if directory.join(name).join("src").join(file).exists() {
                crates.push(read(name, file));
            }
        }
    }
    crates
}

fn is_allowed(file: &Path, name: &str) -> bool {
    ALLOWED.iter().any(|(end, allowed, _reason)| file.ends_with(end) && *allowed == name)
}

#[test]
fn no_name_is_a_private_word() {
    let mut found = Vec::new();
    for name in read_all().iter().flat_map(list_names) {
        if let Some(forbidden) = find_forbidden(&name, FORBIDDEN)
            && !is_allowed(&name.file, &name.name)
        {
            let place = format!("{}:{}", name.file.display(), name.line);
            found.push(format!("{place}: {} `{}`; use: {}", name.kind, name.name, forbidden.instead));
        }
    }
    let (count, list) = (found.len(), found.join("\n"));
    assert!(found.is_empty(), "{count} names are not the words of the field:\n{list}\n");
}

#[test]
fn no_public_type_shares_its_name() {
    let crates = LIBRARIES.map(|name| read(name, "lib.rs"));
    let mut shared = shared_names(&crates);
    shared
        .retain(|_, paths| paths.iter().any(|path| !SHARED.iter().any(|(allowed, _reason)| allowed == path)));
    let list: Vec<String> =
        shared.iter().map(|(name, paths)| format!("`{name}`: {}", paths.join(", "))).collect();
    assert!(
        list.is_empty(),
        "{} names of public types have a second meaning:\n{}\n",
        list.len(),
        list.join("\n")
    );
}
