//! The first page: what was done, by which code, and what came out.

use crate::arguments::Part;
use crate::provenance::Provenance;
use crate::run::{FIRST_SEED, Section};

/// The first page of a run of all parts.
pub fn page(seeds: u64, quick: bool, provenance: &Provenance, sections: &[(Part, Section)]) -> String {
    let command = match (quick, seeds) {
        (true, _) => format!("cargo run --release -p experiments -- --quick --seeds {seeds}"),
        (false, 100) => "cargo run --release -p experiments".to_owned(),
        (false, _) => format!("cargo run --release -p experiments -- --seeds {seeds}"),
    };
    let warning = if quick { "\n**A quick run: far too few seeds for conclusions.**\n" } else { "" };
    let mut page = format!(
        "# Experiments\n\nThe tables and figures of *Mining combined causes in large data sets* (Ma, Li, Liu and Le 2016) made again \
         with concause, the paper's numbers beside ours wherever it states any, and experiments of our own that show where \
         the method works and where it does not. Everything here is written by one command:\n\n    {command}\n{warning}\n\
         - **Commit**: {}\n- **Day**: {}\n- **Machine**: {}, shared with other programs\n- **Seeds**: {seeds} for each recipe, from \
         {FIRST_SEED} on; fewer where a data set takes seconds: in `hard` all methods get 10 of 100 with `corr`, 5 with `wide` and 2 with `wide-long`, and the \
         naïve ones at most 5; the tables have the numbers. They are far from the low seeds that methods were tried on while they were written.\n- **Data**: the real data sets are looked for in `--data DIR` (by default \
         `../shared/data/uci`); what is not there is left out, and its page says where to get it.\n\n`--quick` takes about \
         a minute and writes elsewhere. `experiments PART…` runs parts and rewrites their pages only. A run that was \
         interrupted goes on where it stopped: finished work is kept in `target/experiments`, for each state of the \
         libraries' code. All but the times is the same on every machine.\n\n## What came out\n",
        provenance.commit, provenance.day, provenance.machine
    );
    for (part, section) in sections {
        let heading = section.markdown.lines().next().unwrap_or_default().trim_start_matches("# ");
        page += &format!("\n### [{heading}]({}.md)\n\n", part.name());
        for finding in &section.findings {
            page += &format!("- {finding}\n");
        }
    }
    page += "\n## How to read this\n\n\
             - The paper has one data set of each kind and no standard deviations; a difference of one of its numbers from our mean \
             that is smaller than our standard deviation says nothing.\n\
             - *aware* and *blind* are two ways of making the parts of a combined cause. The paper asks that no part be a cause \
             by itself, and its own Syn-7 does that by looking at the target when it fills the parts. Nature does not look: \
             where parts are filled blindly they are associated with the target, level 1 takes them for single causes, and \
             Definition 1 then bars their conjunction. So the published method is good at finding combined causes whose parts \
             leave no trace, and finds next to none of the others. [method.md](../method.md) says more.\n\
             - Numbers in full are in the CSV file of each part.\n";
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_tells_how_to_make_it_again() {
        let provenance = Provenance { commit: "abc".into(), day: "2026-01-31".into(), machine: "m".into() };
        let section = Section {
            markdown: "# Data sets\n".into(),
            findings: vec!["All agree.".into()],
            ..Section::default()
        };
        let page = page(100, false, &provenance, &[(Part::Data, section)]);
        assert!(page.contains("    cargo run --release -p experiments\n\n- **Commit**: abc"), "{page}");
        assert!(page.contains("### [Data sets](data.md)\n\n- All agree.\n"), "{page}");
        assert!(super::page(5, true, &provenance, &[]).contains("--quick --seeds 5"));
    }
}
