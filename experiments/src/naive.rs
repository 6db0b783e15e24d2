//! The part `naive`: MH-PC beside methods that take conjunctions for columns like any other, on Syn-7 and Syn-10.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use concause::dataset::Dataset;
use concause::search::{Method, Unwatched};
use concause::simulate::Recipe;
use concause_io::{Declaration, EncodeOptions, ReadOptions, Source, encode, read};

use crate::contestant::{Contestant, causes, search};
use crate::paper;
use crate::run::{FIRST_SEED, Run, Section};
use crate::table::{Table, names};

/// A data set with its truth.
struct Example {
    heading: String,
    recipe: &'static str,
    /// Whether it is the very data of the paper.
    is_of_paper: bool,
    dataset: Dataset,
    truth: Vec<Vec<String>>,
}

/// What a method returned, sorted by what it is worth.
#[derive(Default)]
struct Sorted {
    hits: Vec<String>,
    redundant: Vec<String>,
    wrong: Vec<String>,
    missed: Vec<String>,
}

/// The page of the part.
pub fn section(run: &Run) -> Result<Section, String> {
    let bar = run.bar("naive", 2);
    let mut notes = Vec::new();
    let mut markdown = String::from(
        "# MH-PC and the naïve methods\n\nThe paper's Table 2. *Redundant*: a combination with a column that is a true single cause \
         already. The paper does not state max_k; the naïve methods are shown with 3 and 1, the others as everywhere.\n",
    );
    let mut csv = Table::new(["data", "source", "method", "max_k", "kind", "cause"]);
    let mut findings = Vec::new();
    for example in [syn_7(run, &mut notes)?, simulated("syn-10")?] {
        let mut table = Table::new([
            "by",
            "method",
            "true causes found",
            "redundant beside them",
            "otherwise wrong",
            "missed",
        ]);
        let mut add = |by: &str, method: String, max_k: &str, sorted: Sorted| {
            let lists = [&sorted.hits, &sorted.redundant, &sorted.wrong, &sorted.missed];
            let cells = lists.map(|list| names(list));
            table.row([by.to_owned(), method.clone()].into_iter().chain(cells));
            for (kind, list) in ["true", "redundant", "wrong", "missed"].into_iter().zip(lists) {
                for cause in list {
                    csv.row([example.recipe, by, &method, max_k, kind, cause]);
                }
            }
        };
        let (_, paper_truth) =
            paper::NAIVE_TRUTH.into_iter().find(|(name, _)| *name == example.recipe).unwrap_or_default();
        for row in paper::NAIVE.iter().filter(|row| row.data_set == example.recipe) {
            add("paper", row.method.to_owned(), "", sorted(&split(row.causes), &split(paper_truth)));
        }
        for contestant in contestants() {
            let found = search(&example.dataset, &contestant.settings(2), &Unwatched)?;
            let sorted = sorted(&causes(&found, &example.dataset), &example.truth);
            if matches!(contestant.method, Method::NaiveH | Method::NaiveS | Method::MhPcF | Method::MhPcB) {
                findings.push(format!(
                    "{} by {}: {} true, {} redundant, {} otherwise wrong, {} missed.",
                    example.heading,
                    contestant.name(),
                    sorted.hits.len(),
                    sorted.redundant.len(),
                    sorted.wrong.len(),
                    sorted.missed.len()
                ));
            }
            add("ours", contestant.name(), &contestant.max_k.to_string(), sorted);
        }
        let truth: Vec<String> = example.truth.iter().map(|cause| cause.join("&")).collect();
        let other = if example.is_of_paper {
            ""
        } else {
            " The paper's own data is another data set of the same size, so its rows name other columns."
        };
        markdown +=
            &format!("\n## {}\n\nTruth: {}.{other}\n\n{}", example.heading, names(&truth), table.markdown());
        bar.inc(1);
    }
    bar.finish_and_clear();
    if notes.is_empty() {
        markdown += "\nOn the paper's own Syn-7 its claim holds: the naïve methods return redundant combinations beside the truth; MH-PC-F \
                     and MH-PC-B return the truth alone. The rows that the paper gives the naïve methods, however, do not come out \
                     with G²: `V3` is independent of the class given `V1&V2` (p = 0.099), so that a method that conditions on both \
                     drops it. With the partial correlations of R's pcalg in place of G² they come out but for `V3` (see \
                     [decisions.md](../decisions.md)).\n";
    }
    markdown += "\nThe paper's Syn-10 is not public; ours is the first seed of the recipe and was not chosen among several. How often the \
                 methods return something wrong over many data sets is in [small.md](small.md).\n";
    for note in &notes {
        run.tell(note);
        markdown += &format!("\n{note}.\n");
    }
    Ok(Section { markdown, files: vec![("naive.csv".into(), csv.csv())], findings })
}

fn contestants() -> Vec<Contestant> {
    let mut all = Contestant::of_combined_causes();
    all.extend([Method::NaiveH, Method::NaiveS].map(|method| Contestant { method, max_k: 1 }));
    all
}

fn split(causes: &[&str]) -> Vec<Vec<String>> {
    causes.iter().map(|cause| cause.split('&').map(str::to_owned).collect()).collect()
}

fn sorted(found: &[Vec<String>], truth: &[Vec<String>]) -> Sorted {
    let set = |cause: &Vec<String>| cause.iter().cloned().collect::<BTreeSet<_>>();
    let true_sets: BTreeSet<BTreeSet<String>> = truth.iter().map(set).collect();
    let found_sets: BTreeSet<BTreeSet<String>> = found.iter().map(set).collect();
    let mut sorted = Sorted::default();
    for cause in found {
        let holds_single = cause.len() > 1
            && cause.iter().any(|column| true_sets.contains(&BTreeSet::from([column.clone()])));
        let list = match true_sets.contains(&set(cause)) {
            true => &mut sorted.hits,
            false if holds_single => &mut sorted.redundant,
            false => &mut sorted.wrong,
        };
        list.push(cause.join("&"));
    }
    let missed = truth.iter().filter(|cause| !found_sets.contains(&set(cause)));
    sorted.missed = missed.map(|cause| cause.join("&")).collect();
    sorted
}

/// The paper's own Syn-7, which lies beside the folder of real data; else one of the same recipe.
fn syn_7(run: &Run, notes: &mut Vec<String>) -> Result<Example, String> {
    let path = run.data.join("../syn7/syn-7.csv");
    if !path.exists() {
        notes.push(format!(
            "The paper's own Syn-7 is left out: {} is not there; it is data/data_example.csv of the repository \
             masais1205/miningCombinedCauses on GitHub",
            path.display()
        ));
        return simulated("syn-7");
    }
    Ok(Example {
        heading: "Syn-7, the paper's own data".into(),
        recipe: "syn-7",
        is_of_paper: true,
        dataset: read_csv(&path, "Class")?,
        truth: split(&["V3", "V4", "V1&V2"]),
    })
}

fn read_csv(path: &Path, target: &str) -> Result<Dataset, String> {
    let declaration = Declaration::default();
    let sources = [Source::Path(path.to_owned())];
    let table = read(&sources, &ReadOptions::default(), &declaration, &|_| ControlFlow::Continue(()));
    let options = EncodeOptions { target: target.into(), ..EncodeOptions::default() };
    let encoding = table.and_then(|table| encode(table, &options, &declaration));
    encoding.map(|encoding| encoding.dataset).map_err(|error| error.to_string())
}

fn simulated(recipe: &'static str) -> Result<Example, String> {
    let made = Recipe::named(recipe).ok_or_else(|| format!("there is no recipe '{recipe}'"))?;
    let made = made.simulate(FIRST_SEED)?;
    Ok(Example {
        heading: format!("{} of our recipe, seed {FIRST_SEED}", recipe.replace("syn", "Syn")),
        recipe,
        is_of_paper: false,
        dataset: made.dataset()?,
        truth: made.truth.causes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_sorted_by_their_worth() {
        let sorted = sorted(&split(&["V4", "V5&V4", "V2&V1", "V6"]), &split(&["V3", "V4", "V1&V2"]));
        assert_eq!(sorted.hits, ["V4", "V2&V1"]);
        assert_eq!((sorted.redundant, sorted.wrong), (vec!["V5&V4".to_owned()], vec!["V6".to_owned()]));
        assert_eq!(sorted.missed, ["V3"]);
    }
}
