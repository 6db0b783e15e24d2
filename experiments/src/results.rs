//! The part `real`: the numbers of causes in the six real data sets, and the examples the paper names.

use concause::search::{Method, Preset, Settings, Unwatched};
use serde::{Deserialize, Serialize};

use crate::contestant::{cause_names, search};
use crate::defaults;
use crate::paper;
use crate::real::{Columns, Real, SIX};
use crate::run::{Run, Section};
use crate::table::{Table, names};

/// What a search found in a real data set.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    columns: usize,
    single: Vec<String>,
    combined: Vec<String>,
}

/// The searches: a heading for each.
fn searches() -> Vec<(String, Settings)> {
    let with = |preset: Preset, method: Method| Settings { method, ..preset.settings() };
    let mut all = vec![
        ("paper-table".to_owned(), Preset::PaperTable.settings()),
        ("paper, mh-pc-f".to_owned(), with(Preset::Paper, Method::MhPcF)),
        ("paper, mh-pc-b".to_owned(), with(Preset::Paper, Method::MhPcB)),
    ];
    let default = Preset::Default.settings();
    all.push((format!("default ({})", default.method), default));
    all
}

/// The page of the part.
pub fn section(run: &Run) -> Result<Section, String> {
    let bar = run.bar("real", SIX.len() as u64);
    let header = ["data set", "columns", "paper"].map(str::to_owned).into_iter();
    let mut numbers = Table::new(header.chain(searches().into_iter().map(|(heading, _)| heading)));
    let mut csv = Table::new(["data set", "columns", "search", "level", "cause"]);
    let (mut notes, mut same, mut read, mut differ) = (Vec::new(), 0, 0, Vec::new());
    let mut lists = String::new();
    let mut of_paper_table: Vec<(&str, Vec<String>)> = Vec::new();
    for real in SIX {
        if let Some(note) = real.missing(&run.data) {
            run.tell(&note);
            notes.push(note);
            bar.inc(1);
            continue;
        }
        read += 1;
        for columns in encodings(&real) {
            let found = found(run, &real, columns)?;
            let (_, single, combined) =
                paper::REAL.into_iter().find(|(name, ..)| *name == real.name).unwrap_or_default();
            let first = &found[0];
            let is_of_results = columns == Columns::OfResultTable;
            same += usize::from(
                is_of_results && (first.single.len(), first.combined.len()) == (single, combined),
            );
            if found[1].single != found[2].single || sorted(&found[1].combined) != sorted(&found[2].combined)
            {
                differ.push(format!("{} ({} columns)", real.name, first.columns));
            }
            let printed = if is_of_results { format!("{single}, {combined}") } else { String::new() };
            let cells = found.iter().map(|one| format!("{}, {}", one.single.len(), one.combined.len()));
            let head = [real.name.to_owned(), first.columns.to_string(), printed];
            numbers.row(head.into_iter().chain(cells));
            if is_of_results {
                of_paper_table.push((real.name, [&first.single[..], &first.combined[..]].concat()));
                lists += &format!(
                    "- **{}**: single {}; combined {}\n",
                    real.name,
                    names(&first.single),
                    names(&first.combined)
                );
            }
            for ((heading, _), one) in searches().iter().zip(&found) {
                for (level, causes) in [("1", &one.single), ("2", &one.combined)] {
                    for cause in causes {
                        csv.row([real.name, &one.columns.to_string(), heading, level, cause]);
                    }
                }
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let examples = examples(run)?;
    let defaults = defaults::chapter(run, &of_paper_table)?;
    let notes: String = notes.iter().map(|note| format!("- {note}.\n")).collect();
    let agreement = format!(
        "`paper-table` gives the paper's numbers of causes in {same} of the {read} real data sets at hand."
    );
    let differing = if differ.is_empty() {
        "MH-PC-F and MH-PC-B as listed return the same causes in all of them.".to_owned()
    } else {
        format!("MH-PC-F and MH-PC-B as listed return different causes in {}.", differ.join(", "))
    };
    let markdown = format!(
        "# Real data\n\n## Numbers of causes\n\nSingle, combined causes. `paper-table` is what gives the paper's numbers (its Table 5); \
         `paper` is the method as the paper's listings say, with its parameters (G², alpha .05, redundancy .01, max_k 3); what \
         `paper-table` does otherwise is in [method.md](../method.md). House-votes-84 and Kr-vs-kp give the paper's numbers \
         of causes only with other columns than those its table of data sets counts (16 and 74): both encodings are \
         shown.\n\n{}\n{agreement} {differing}\n{notes}\n## Examples of combined causes\n\nThe paper's Table 6, and whether we find \
         them.\n\n{}\nThe German pair of `checking_account=A14` (no account) is not to be had from UCI's file: among the 394 \
         people without an account low savings tell nothing about the risk (p > .2), so that Definition 2 calls the \
         pair redundant.\n\n{defaults}\n## The causes that `paper-table` finds\n\n{lists}\nAll causes by all presets are in \
         [real.csv](real.csv).\n",
        numbers.markdown(),
        examples.markdown(),
    );
    Ok(Section {
        markdown,
        files: vec![("real.csv".into(), csv.csv()), ("real-numbers.csv".into(), numbers.csv())],
        findings: if read > 0 {
            vec![agreement, differing]
        } else {
            vec!["The real data was not here.".into()]
        },
    })
}

fn sorted(names: &[String]) -> Vec<&String> {
    let mut names: Vec<&String> = names.iter().collect();
    names.sort();
    names
}

fn encodings(real: &Real) -> Vec<Columns> {
    match real.name {
        "House-votes-84" | "Kr-vs-kp" => vec![Columns::OfResultTable, Columns::OfDataTable],
        _ => vec![Columns::OfResultTable],
    }
}

/// What all searches find in a data set.
fn found(run: &Run, real: &Real, columns: Columns) -> Result<Vec<Found>, String> {
    run.store.get_or(&format!("real/{}/{columns:?}", real.name), || {
        let dataset = real.read(&run.data, columns)?;
        searches()
            .into_iter()
            .map(|(_, settings)| {
                let findings = search(&dataset, &settings, &Unwatched)?;
                let single = findings.causes.iter().filter(|cause| cause.candidate.level() == 1).count();
                // Causes come by level.
                let mut causes = cause_names(&findings, &dataset);
                let combined = causes.split_off(single);
                Ok(Found { columns: dataset.columns().len(), single: causes, combined })
            })
            .collect()
    })
}

fn examples(run: &Run) -> Result<Table, String> {
    let header = ["data set", "cause, as printed", "in our columns"].map(str::to_owned).into_iter();
    let mut table = Table::new(header.chain(searches().into_iter().map(|(heading, _)| heading)));
    for (name, printed, ours) in paper::EXAMPLES {
        let Some(real) = SIX.iter().find(|real| real.name == name) else { continue };
        let cells = if real.missing(&run.data).is_some() {
            vec!["not here"; searches().len()]
        } else {
            let found = found(run, real, Columns::OfResultTable)?;
            let holds = |one: &Found| one.combined.iter().any(|cause| cause == ours);
            found.iter().map(|one| if holds(one) { "yes" } else { "no" }).collect()
        };
        let head = [name.to_owned(), printed.replace('<', "\\<"), format!("`{ours}`")];
        table.row(head.into_iter().chain(cells.into_iter().map(str::to_owned)));
    }
    Ok(table)
}
