//! The paragraph on methods for whoever writes the finding up, made from the settings that were used.

use maud::{Markup, html};

use super::shown;
use crate::document::{Document, SettingsSummary};
use crate::figures::{counted, exact};
use crate::wording;

const MA: &str = "Ma S, Li J, Liu L, Le TD (2016) Mining combined causes in large data sets. Knowledge-Based Systems 92:104–111.";
const ALIFERIS: &str = "Aliferis CF, Statnikov A, Tsamardinos I, Mani S, Koutsoukos XD (2010) Local causal and Markov blanket induction \
                        for causal discovery and feature selection for classification, part I. Journal of Machine Learning Research 11:171–234.";
const KALISCH: &str = "Kalisch M, Mächler M, Colombo D, Maathuis MH, Bühlmann P (2012) Causal inference using graphical models with the R \
                       package pcalg. Journal of Statistical Software 47(11).";
const JIN: &str = "Jin Z, Li J, Liu L, Le TD, Sun B, Wang R (2012) Discovery of causal rules using partial association. IEEE International \
                   Conference on Data Mining:309–318.";
const LI: &str = "Li J, Le TD, Liu L, Liu J, Jin Z, Sun B, Ma S (2015) From observational studies to causal rule mining. ACM Transactions on \
                  Intelligent Systems and Technology 7(2):14.";
const MANTEL: &str = "Mantel N, Haenszel W (1959) Statistical aspects of the analysis of data from retrospective studies of disease. Journal of \
                      the National Cancer Institute 22:719–748.";
const ROBINS: &str = "VanderWeele TJ, Robins JM (2008) Empirical and counterfactual conditions for sufficient cause interactions. \
                      Biometrika 95:49–61.";
const BENJAMINI_HOCHBERG: &str = "Benjamini Y, Hochberg Y (1995) Controlling the false discovery rate. Journal of the Royal Statistical Society B \
                                  57:289–300.";
const BENJAMINI_YEKUTIELI: &str = "Benjamini Y, Yekutieli D (2001) The control of the false discovery rate in multiple testing under dependency. \
                                   Annals of Statistics 29:1165–1188.";
const SHAH: &str = "Shah RD, Samworth RJ (2013) Variable selection with error control: another look at stability selection. Journal of the \
                    Royal Statistical Society B 75:55–80.";

pub(super) fn section(document: &Document) -> Option<Markup> {
    let target = shown(&document.target.label());
    let paragraphs = [
        Some(search(document, &target)),
        Some(tests(&document.settings)),
        known(document, &target),
        estimates(document),
        control(document),
    ];
    Some(html! {
        div.methods { @for paragraph in paragraphs.iter().flatten() { p { (paragraph) } } }
        h3 { "What “cause” means here" }
        p { "Parents and children of " (super::name(&document.target.label())) " in the sense of causal Bayesian networks: what stays associated
            with it whatever other causes are held fixed. Reading them as causes assumes that there is no common cause that was not measured, that
            independences in the data reflect its causes and not a balance of effects (faithfulness), and that the tests are right. The data alone
            does not tell a cause from an effect; an order in time can." }
        h3 { "References" }
        ul.references {
            li { "concause " (document.version) ": the single and combined causes of an outcome in a table of observations [software]." }
            @for reference in references(document) { li { (reference) } }
        }
    })
}

/// How causes were sought.
fn search(document: &Document, target: &str) -> String {
    let settings = &document.settings;
    let (max_k, max_level) = (settings.max_k, settings.max_level);
    let way = match &settings.method[..] {
        "hiton-pc" => {
            format!("HITON-PC (Aliferis et al. 2010) over single columns, {}", elimination(settings))
        }
        "mh-pc-f" | "mh-pc-b" => {
            let (name, against) = if settings.method == "mh-pc-f" {
                ("MH-PC-F", "all causes found before, and once more against those found after it")
            } else {
                ("MH-PC-B", "the causes of lower levels, and in the end against all other causes")
            };
            format!(
                "{name} (Ma et al. 2016). Single causes were found by HITON-PC (Aliferis et al. 2010), {}. Conjunctions of up to {} none of which \
                 is a cause by itself were then formed and left out as redundant where a part is independent of {target} while the others \
                 hold (p > {}); those associated with {target} were tested in the same way against {against}",
                elimination(settings),
                counted(max_level, "column", "columns"),
                exact(settings.redundancy_alpha)
            )
        }
        "mh-pc-x" => format!(
            "MH-PC-X, an extension of the method of Ma et al. (2016). Single causes were found by HITON-PC (Aliferis et al. 2010), {}. They were \
             then the first terms of a model of {target}: a logistic one or, where that explains {target} better, a table of {target} by all terms. \
             Conjunctions of up to {} each part of which matters where the others hold took the place of columns as long as twice the \
             log-likelihood grew by more than the price of their terms and columns",
            elimination(settings),
            counted(max_level, "column", "columns")
        ),
        "pc-select" => format!(
            "PC-select (Kalisch et al. 2012) over single columns: those that some set of up to {} others makes independent of {target} were dropped",
            counted(max_k, "column", "columns")
        ),
        "naive-h" | "naive-s" => format!(
            "{} over all single columns and conjunctions of up to {}, as if these were columns, with conditioning sets of up to {max_k} of \
             them",
            if settings.method == "naive-h" {
                "HITON-PC (Aliferis et al. 2010)"
            } else {
                "PC-select (Kalisch et al. 2012)"
            },
            counted(max_level, "column", "columns")
        ),
        "cr-pa" => format!(
            "causal rules by partial association (CR-PA, Jin et al. 2012): a column or conjunction of up to {} is a cause where its association \
             with {target} persists in the strata of the other associated columns (Mantel and Haenszel's test)",
            counted(max_level, "column", "columns")
        ),
        "cr-cs" => format!(
            "causal rules by matched cohorts (CR-CS, Li et al. 2015): a column or conjunction of up to {} is a cause where it makes a difference to \
             {target} within pairs of rows that agree in the other associated columns (drawn with seed {})",
            counted(max_level, "column", "columns"),
            settings.seed
        ),
        other => format!("the method {}", shown(other)),
    };
    let preset = match &settings.preset[..] {
        "default" => String::new(),
        preset => format!(" The settings began from the preset {}.", shown(preset)),
    };
    let weights = match &document.data.weights {
        Some(weights) => format!(" Rows count as often as {} says.", shown(&weights.attribute)),
        None => String::new(),
    };
    format!(
        "Causes of {target} were sought among {} with {way}.{preset}{weights}",
        counted(document.data.columns, "binary column", "binary columns")
    )
}

fn elimination(settings: &SettingsSummary) -> String {
    format!(
        "which drops what is independent of the outcome given some set of up to {}",
        counted(settings.max_k, "cause found", "causes found")
    )
}

/// How independence was tested.
fn tests(settings: &SettingsSummary) -> String {
    let statistic =
        if settings.test.starts_with("x2") { "Pearson's X²" } else { "the likelihood-ratio statistic G²" };
    let freedom = if settings.test.ends_with("adjusted") {
        "with degrees of freedom adjusted for empty rows and columns; where too few rows were left a test was taken as undecided"
    } else {
        "with the full degrees of freedom"
    };
    let rate = match settings.fdr.as_deref() {
        Some("bh") => {
            " The false discovery rate of association at each level was kept at this level (Benjamini and Hochberg 1995)."
        }
        Some("by") => {
            " The false discovery rate of association at each level was kept at this level under any dependence (Benjamini and Yekutieli 2001)."
        }
        Some(_) => " The false discovery rate of association at each level was controlled.",
        None => " No correction was made for the number of tests.",
    };
    let overlap = if settings.overlap == "skip" {
        " Conditioning sets shared no column with what was tested."
    } else {
        ""
    };
    let twins = if settings.twins == "merge" {
        " Of equal and complementary columns the first stands for all."
    } else {
        ""
    };
    format!(
        "Independence was tested by {statistic} {freedom}, at a significance level of {}.{rate} The p-value told of a cause is the largest of all its tests, \
         not an error rate of the result.{overlap}{twins}",
        exact(settings.alpha)
    )
}

/// What was known before the search.
fn known(document: &Document, target: &str) -> Option<String> {
    let sentences = wording::known(document, target, shown);
    (!sentences.is_empty()).then(|| crate::text::cut(&sentences.join(" "), 4000))
}

/// How effects were estimated.
fn estimates(document: &Document) -> Option<String> {
    let evidence = document.causes.iter().find_map(|cause| cause.evidence.as_ref())?;
    let rows = if evidence.estimated_on == "held-out-rows" {
        "in rows that the search did not see"
    } else {
        "in the rows that were searched, so that they look a little stronger than they are"
    };
    let combined = document.causes.iter().any(|cause| cause.level > 1);
    let interaction = if combined {
        " Interaction of the parts of combined causes: relative excess risk, attributable proportion and synergy index by the delta method, and the \
         tests of sufficient-cause interaction of VanderWeele and Robins (2008)."
    } else {
        ""
    };
    Some(format!(
        "Effects were estimated {rows}. Risks have Wilson's intervals, risk differences Newcombe's; ratios those of their logarithm. Adjusted effects are \
         Mantel and Haenszel's (1959) over the strata of all other causes and covariates. All intervals are of 95 %.{interaction}"
    ))
}

/// How far the result is to be trusted.
fn control(document: &Document) -> Option<String> {
    let stability = document.stability.as_ref().map(|stability| {
        format!(
            "The search was repeated in {} of the rows, in complementary pairs (Shah and Samworth 2013); the stability of a cause is the share of them in \
             which it was found again.",
            counted(stability.samples, "random half", "random halves")
        )
    });
    let calibration = document.calibration.as_ref().map(|calibration| {
        format!(
            "It was also repeated with {}, to see what these settings find where there is nothing.",
            counted(calibration.shuffles, "shuffled outcome", "shuffled outcomes")
        )
    });
    let holdout = document.holdout.as_ref().map(|holdout| {
        let rows = holdout.rows.positive.saturating_add(holdout.rows.negative);
        format!(
            "{} drawn at random, each class of the outcome by itself, were held out of the search; a cause holds up if Mantel and Haenszel's test over \
             the strata of the other causes has the same direction there and p ≤ {}.",
            counted(rows, "row", "rows"),
            exact(document.settings.alpha)
        )
    });
    let seed = format!("Random draws used seed {}.", document.settings.seed);
    let told: Vec<String> = holdout.into_iter().chain(stability).chain(calibration).collect();
    (!told.is_empty()).then(|| told.join(" ") + " " + &seed)
}

fn references(document: &Document) -> Vec<&'static str> {
    let settings = &document.settings;
    let evidence = document.causes.iter().any(|cause| cause.evidence.is_some());
    let combined = document.causes.iter().any(|cause| cause.evidence.is_some() && cause.level > 1);
    let method: &[&str] = match &settings.method[..] {
        "pc-select" | "naive-s" => &[KALISCH],
        "cr-pa" => &[JIN],
        "cr-cs" => &[LI],
        _ => &[ALIFERIS],
    };
    let mut references = vec![MA];
    references.extend(method);
    references.extend(evidence.then_some(MANTEL));
    references.extend(combined.then_some(ROBINS));
    references.extend(match settings.fdr.as_deref() {
        Some("bh") => Some(BENJAMINI_HOCHBERG),
        Some("by") => Some(BENJAMINI_YEKUTIELI),
        _ => None,
    });
    references.extend(document.stability.is_some().then_some(SHAH));
    references
}
