//! The joint method and the former default, MH-PC-X, on the recipes of the experiments `small`, `large` and `hard`.

use concause::search::Method;
use concause::simulate::ScoreSummary;
use concause_bench::error::ToolError;
use concause_bench::text_table::TextTable;

use crate::accuracy::{Plan, VariationResults, compute_plan, summarise};
use crate::experiment_run::{ExperimentPage, ExperimentRun};
use crate::method_under_test::MethodUnderTest;
use crate::numbers::two_decimals;

/// The methods, the present default first.
const METHODS: [MethodUnderTest; 2] = [
    MethodUnderTest { method: Method::JOINT, max_k: 3 },
    MethodUnderTest { method: Method::MH_PC_X, max_k: 3 },
];

/// Differences of F1 up to this one are not listed.
const TOLERANCE: f64 = 0.02;

/// Runs the experiment.
pub fn run_experiment(run: &ExperimentRun) -> Result<ExperimentPage, ToolError> {
    compare_methods(run, &[Plan::small(run.quick), Plan::large(run.quick), Plan::hard(run.quick)])
}

fn compare_methods(run: &ExperimentRun, plans: &[Plan]) -> Result<ExperimentPage, ToolError> {
    let mut table = TextTable::new([
        "recipe",
        "split",
        "seeds",
        "combined, joint",
        "combined, mh-pc-x",
        "single, joint",
        "single, mh-pc-x",
    ]);
    let mut lower: Vec<String> = Vec::new();
    for plan in plans {
        for results in compute_plan(run, plan, &METHODS)? {
            let Some([joint, former]) = summaries(&results) else { continue };
            let variation = &results.variation;
            let place = format!("`{}`, {}", variation.recipe, variation.label());
            let kinds = [
                ("combined", joint.f1.combined.mean, former.f1.combined.mean),
                ("single", joint.f1.single.mean, former.f1.single.mean),
            ];
            for (kind, joint, former) in kinds {
                if joint < former - TOLERANCE {
                    let [joint, former] = [joint, former].map(two_decimals);
                    lower.push(format!("{place}, {kind} causes: {joint} against {former}"));
                }
            }
            table.add_row([
                format!("`{}`", variation.recipe),
                variation.label(),
                run.seed_count(variation.share_of_seeds).to_string(),
                two_decimals(kinds[0].1),
                two_decimals(kinds[0].2),
                two_decimals(kinds[1].1),
                two_decimals(kinds[1].2),
            ]);
        }
    }
    let below = match lower.is_empty() {
        true => "The joint method is nowhere worse by more than .02.".to_owned(),
        false => format!("The joint method is worse by more than .02 here:\n\n- {}", lower.join("\n- ")),
    };
    let markdown = format!(
        "# The default method and its predecessor\n\nMean F1 of combined and single causes of the joint method and of \
         MH-PC-X, on all recipes of [small](small.md), [large](large.md) and [hard](hard.md). Causes are matched by \
         their sets of columns. The recipes were made while MH-PC-X was developed.\n\n{below}\n\n{}",
        table.to_markdown()
    );
    Ok(ExperimentPage {
        markdown,
        files: vec![("former-default.csv".into(), table.to_csv())],
        findings: lower.into_iter().map(|line| format!("Worse than MH-PC-X: {line}.")).collect(),
    })
}

/// The scores of both methods.
fn summaries(results: &VariationResults) -> Option<[ScoreSummary; 2]> {
    let [(_, joint), (_, former)] = &results.by_method[..] else { return None };
    Some([summarise(joint)?, summarise(former)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn every_variation_has_a_row() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("store")).unwrap();
        let run =
            ExperimentRun { seeds: 1, quick: true, data: "/nowhere".into(), store, reports_progress: false };
        let plan = Plan::small(true);
        let page = compare_methods(&run, std::slice::from_ref(&plan)).unwrap();
        assert_eq!(page.files[0].1.lines().count(), 1 + plan.variations.len());
    }
}
