//! The first page: how the results were computed, and a summary of them.

use crate::arguments::Experiment;
use crate::experiment_run::{ExperimentPage, FIRST_SEED};
use crate::provenance::Provenance;

/// The first page of a run of all experiments.
pub fn page(
    seeds: u64,
    quick: bool,
    provenance: &Provenance,
    pages: &[(Experiment, ExperimentPage)],
) -> String {
    let command = match (quick, seeds) {
        (true, _) => format!("cargo run --release -p experiments -- --quick --seeds {seeds}"),
        (false, 100) => "cargo run --release -p experiments".to_owned(),
        (false, _) => format!("cargo run --release -p experiments -- --seeds {seeds}"),
    };
    let warning = if quick { "\n**This is a quick run with too few seeds for conclusions.**\n" } else { "" };
    let mut page = format!(
        "# Experiments\n\nThese pages reproduce the tables and figures of *Mining combined causes in large data \
         sets* (Ma, Li, Liu and Le 2016) with concause. They show the paper's numbers beside ours where the paper \
         states any. Further experiments show where the method works and where it fails. One command writes all \
         pages:\n\n    {command}\n{warning}\n\
         - **Commit**: {}\n\
         - **Date**: {}\n\
         - **Machine**: {}, shared with other programs\n\
         - **Seeds**: {seeds} for each recipe, starting at {FIRST_SEED}. Slow recipes get fewer seeds: in `hard`, \
         all methods get 10 of 100 seeds with `corr`, 5 with `wide` and 2 with `wide-long`, and the naïve methods \
         get at most 5. The tables state the numbers. Development used low seeds only, so these seeds are unseen.\n\
         - **Data**: `--data DIR` names the folder of the real data sets (by default `../shared/data/uci`). Data \
         sets that are not available are left out, and their page says where to get them.\n\n\
         `--quick` takes about a minute and writes to a temporary folder. `experiments EXPERIMENT…` runs some \
         experiments and rewrites only their pages. An interrupted run continues where it stopped: \
         `target/experiments` has the finished results for each state of the library code. All results except times \
         are the same on every machine.\n\n## Results\n",
        provenance.commit, provenance.date, provenance.machine
    );
    for (experiment, result) in pages {
        let heading = result.markdown.lines().next().unwrap_or_default().trim_start_matches("# ");
        page += &format!("\n### [{heading}]({}.md)\n\n", experiment.name());
        for finding in &result.findings {
            page += &format!("- {finding}\n");
        }
    }
    page += "\n### [Peers](peers.md)\n\n\
             - Other programs that find conjunctions, on the same data. `experiments/peers.py` writes this page, if the \
             other programs are installed.\n\
             \n### [Numbers and categories](ordered.md)\n\n\
             - Numbers, genotypes and mixtures of types with known causes, and tables of R. `experiments/ordered.py` and \
             `experiments/real_tables.py` measure them.\n\
             \n## How to read the results\n\n\
             - The paper has one data set of each kind and no standard deviations. A difference between one of its \
             numbers and our mean is not informative if it is smaller than our standard deviation.\n\
             - *Aware* and *blind* are two ways of generating the parts of a combined cause. The paper requires \
             that no part is a cause by itself. Its own Syn-7 meets this requirement because it uses the target to \
             fill the parts. Real data are not generated in this way. Parts that are filled without knowledge of \
             the target are associated with it. Level 1 then accepts them as single causes, and Definition 1 \
             excludes their conjunction. The published method therefore finds combined causes whose parts have no \
             marginal association, and almost none of the others. See [method.md](../method.md).\n\
             - The CSV file of each experiment has the numbers with more digits.\n";
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_how_to_reproduce_it() {
        let provenance = Provenance { commit: "abc".into(), date: "2026-01-31".into(), machine: "m".into() };
        let result = ExperimentPage {
            markdown: "# Data sets\n".into(),
            findings: vec!["All agree.".into()],
            ..ExperimentPage::default()
        };
        let page = page(100, false, &provenance, &[(Experiment::Data, result)]);
        assert!(page.contains("    cargo run --release -p experiments\n\n- **Commit**: abc"), "{page}");
        assert!(
            page.contains("### [Data sets](data.md)\n\n- All agree.\n\n### [Peers](peers.md)\n"),
            "{page}"
        );
        assert!(super::page(5, true, &provenance, &[]).contains("--quick --seeds 5"));
    }
}
