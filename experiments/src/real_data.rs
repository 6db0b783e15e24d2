//! The experiment `real`: the numbers of causes in the six real data sets, and the paper's examples.

use concause::progress::NoProgress;
use concause::search::{Method, Preset, Settings};
use concause_bench::error::ToolError;
use concause_bench::text_table::TextTable;
use concause_bench::uci::{PaperEncoding, RESULT_TABLE_DATA_SETS, UciDataSet};
use serde::{Deserialize, Serialize};

use crate::default_method;
use crate::experiment_run::{ExperimentPage, ExperimentRun};
use crate::method_under_test::{cause_names, search};
use crate::numbers::code_list;
use crate::paper;

/// The causes that a search found in a real data set.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CausesFound {
    columns: usize,
    single: Vec<String>,
    combined: Vec<String>,
}

/// The searches, each with a heading.
fn searches() -> Vec<(String, Settings)> {
    let settings = |preset: Preset, method: Method| Settings { method, ..preset.settings() };
    let mut all = vec![
        ("paper-table".to_owned(), Preset::PaperTable.settings()),
        ("paper, mh-pc-f".to_owned(), settings(Preset::Paper, Method::MH_PC_F)),
        ("paper, mh-pc-b".to_owned(), settings(Preset::Paper, Method::MH_PC_B)),
    ];
    let default = Preset::Default.settings();
    all.push((format!("default ({})", default.method), default));
    all
}

/// Runs the experiment.
pub fn run_experiment(run: &ExperimentRun) -> Result<ExperimentPage, ToolError> {
    let bar = run.progress_bar("real", RESULT_TABLE_DATA_SETS.len() as u64);
    let header = ["data set", "columns", "paper"].map(str::to_owned).into_iter();
    let mut numbers = TextTable::new(header.chain(searches().into_iter().map(|(heading, _)| heading)));
    let mut csv = TextTable::new(["data set", "columns", "search", "level", "cause"]);
    let (mut notes, mut same, mut available, mut differ) = (Vec::new(), 0, 0, Vec::new());
    let mut lists = String::new();
    let mut of_paper_table: Vec<(&str, Vec<String>)> = Vec::new();
    for real in RESULT_TABLE_DATA_SETS {
        if let Some(note) = run.missing_note(&real) {
            run.report(&note);
            notes.push(note);
            bar.inc(1);
            continue;
        }
        available += 1;
        for encoding in encodings(&real) {
            let found = search_all(run, &real, encoding)?;
            let (_, single, combined) =
                paper::REAL.into_iter().find(|(name, ..)| *name == real.name).unwrap_or_default();
            let first = &found[0];
            let is_of_results = encoding == PaperEncoding::ResultTable;
            same += usize::from(
                is_of_results && (first.single.len(), first.combined.len()) == (single, combined),
            );
            if found[1].single != found[2].single
                || sorted_names(&found[1].combined) != sorted_names(&found[2].combined)
            {
                differ.push(format!("{} ({} columns)", real.name, first.columns));
            }
            let printed = if is_of_results { format!("{single}, {combined}") } else { String::new() };
            let cells = found.iter().map(|one| format!("{}, {}", one.single.len(), one.combined.len()));
            let head = [real.name.to_owned(), first.columns.to_string(), printed];
            numbers.add_row(head.into_iter().chain(cells));
            if is_of_results {
                of_paper_table.push((real.name, [&first.single[..], &first.combined[..]].concat()));
                lists += &format!(
                    "- **{}**: single {}; combined {}\n",
                    real.name,
                    code_list(&first.single),
                    code_list(&first.combined)
                );
            }
            for ((heading, _), one) in searches().iter().zip(&found) {
                for (level, causes) in [("1", &one.single), ("2", &one.combined)] {
                    for cause in causes {
                        csv.add_row([real.name, &one.columns.to_string(), heading, level, cause]);
                    }
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let examples = find_examples(run)?;
    let default_causes = default_method::chapter(run, &of_paper_table)?;
    let notes: String = notes.iter().map(|note| format!("- {note}.\n")).collect();
    let agreement = format!(
        "`paper-table` gives the paper's numbers of causes in {same} of the {available} available real data sets."
    );
    let differing = if differ.is_empty() {
        "With the preset `paper`, MH-PC-F and MH-PC-B return the same causes in all of them.".to_owned()
    } else {
        format!(
            "With the preset `paper`, MH-PC-F and MH-PC-B return different causes in {}.",
            differ.join(", ")
        )
    };
    let markdown = format!(
        "# Real data\n\n## Numbers of causes\n\nEach cell has the number of single causes and the number of \
         combined causes. The preset `paper-table` reproduces the paper's numbers (its Table 5). The preset `paper` \
         follows the paper's listings and parameters (G², alpha .05, redundancy .01, max_k 3). \
         [method.md](../method.md) describes how the two differ. House-votes-84 and Kr-vs-kp give the paper's \
         numbers of causes only with columns other than the 16 and 74 in its table of data sets; both encodings are \
         shown.\n\n{}\n{agreement} {differing}\n{notes}\n\
         ## Examples of combined causes\n\nThe examples in the paper's Table 6, and whether each search finds \
         them.\n\n{}\n\
         The German pair with `checking_account=A14` (no account) cannot be found in UCI's file. Among the 394 \
         people without an account, low savings are not associated with the risk (p > .2), so the pair is redundant \
         by Definition 2.\n\n{default_causes}\n## Causes found by `paper-table`\n\n{lists}\n[real.csv](real.csv) \
         lists the causes of all presets.\n",
        numbers.to_markdown(),
        examples.to_markdown(),
    );
    Ok(ExperimentPage {
        markdown,
        files: vec![("real.csv".into(), csv.to_csv()), ("real-numbers.csv".into(), numbers.to_csv())],
        findings: if available > 0 {
            vec![agreement, differing]
        } else {
            vec!["The real data sets were not available.".into()]
        },
    })
}

fn sorted_names(names: &[String]) -> Vec<&String> {
    let mut names: Vec<&String> = names.iter().collect();
    names.sort();
    names
}

fn encodings(real: &UciDataSet) -> Vec<PaperEncoding> {
    match real.name {
        "House-votes-84" | "Kr-vs-kp" => vec![PaperEncoding::ResultTable, PaperEncoding::DataTable],
        _ => vec![PaperEncoding::ResultTable],
    }
}

/// The causes that each search finds in a data set.
fn search_all(
    run: &ExperimentRun,
    real: &UciDataSet,
    encoding: PaperEncoding,
) -> Result<Vec<CausesFound>, ToolError> {
    run.store.get_or_compute(&format!("real/{}/{encoding:?}", real.name), || {
        let dataset = real.read(&run.data, encoding)?;
        searches()
            .into_iter()
            .map(|(_, settings)| {
                let findings = search(&dataset, &settings, &NoProgress)?;
                let single = findings.causes.iter().filter(|cause| cause.candidate.level() == 1).count();
                // Causes are sorted by level.
                let mut causes = cause_names(&findings, &dataset);
                let combined = causes.split_off(single);
                Ok(CausesFound { columns: dataset.columns().len(), single: causes, combined })
            })
            .collect()
    })
}

fn find_examples(run: &ExperimentRun) -> Result<TextTable, ToolError> {
    let header = ["data set", "cause as printed", "cause in our columns"].map(str::to_owned).into_iter();
    let mut table = TextTable::new(header.chain(searches().into_iter().map(|(heading, _)| heading)));
    for (name, printed, ours) in paper::EXAMPLES {
        let Some(real) = RESULT_TABLE_DATA_SETS.iter().find(|real| real.name == name) else { continue };
        let cells = if run.missing_note(real).is_some() {
            vec!["not available"; searches().len()]
        } else {
            let found = search_all(run, real, PaperEncoding::ResultTable)?;
            let contains = |one: &CausesFound| one.combined.iter().any(|cause| cause == ours);
            found.iter().map(|one| if contains(one) { "yes" } else { "no" }).collect()
        };
        let head = [name.to_owned(), printed.replace('<', "\\<"), format!("`{ours}`")];
        table.add_row(head.into_iter().chain(cells.into_iter().map(str::to_owned)));
    }
    Ok(table)
}
