//! A methods section for a publication, written from the settings of the search.

use concause::search::{Duplicates, Method, Overlap, Preset};
use concause::stats::FalseDiscovery;
use maud::{Markup, html};

use super::shown;
use crate::descriptors::{decides_by_tests, find_descriptor, test_phrase, uses};
use crate::document::{Document, EstimatedOn, SettingsSummary};
use crate::numbers::{counted, exact};
use crate::references::references_of;
use crate::sentences;
use crate::text::truncate;

pub(super) fn section(document: &Document) -> Option<Markup> {
    let target = shown(&document.target.label());
    let paragraphs = [
        Some(search_paragraph(document, &target)),
        Some(tests_paragraph(document)),
        knowledge_paragraph(document, &target),
        estimates_paragraph(document),
        trust_paragraph(document),
    ];
    // The publications that the section or the descriptor of the method cites.
    let citation = find_descriptor(&document.settings).map_or("", |method| method.citation);
    let cited: Vec<&str> = paragraphs.iter().flatten().map(String::as_str).chain([citation]).collect();
    let cited = cited.join(" ");
    Some(html! {
        div.methods { @for paragraph in paragraphs.iter().flatten() { p { (paragraph) } } }
        h3 { "What “cause” means here" }
        p { "A cause is a parent or child of " (super::name(&document.target.label())) " in the sense of causal Bayesian networks: it remains
            associated with the target whichever other causes are held fixed. A causal interpretation assumes that there are no
            unmeasured common causes, that independences in the data reflect the causal structure and not cancelling effects
            (faithfulness), and that the tests decide correctly. The data alone cannot distinguish causes from effects; knowledge of the
            temporal order can." }
        h3 { "References" }
        ul.references {
            li { "concause " (document.version) ": single and combined causes of an outcome in a table of observations [software]." }
            @for reference in references_of(&cited) { li { (reference) } }
        }
    })
}

/// How causes were searched for.
fn search_paragraph(document: &Document, target: &str) -> String {
    let settings = &document.settings;
    let method = method_sentences(document, target);
    let preset = if settings.preset == Preset::Default.name() {
        String::new()
    } else {
        format!(" The settings are based on the preset {}.", shown(&settings.preset))
    };
    let weights = match &document.data.weights {
        Some(weights) => format!(" Rows were weighted by {}.", shown(&weights.attribute)),
        None => String::new(),
    };
    format!(
        "Causes of {target} were searched for among {} with {method}.{preset}{weights}",
        counted(document.data.columns, "binary column", "binary columns")
    )
}

/// A method in a methods section.
struct MethodText {
    method: Method,
    /// Continues the sentence "Causes of T were searched for with"; without the last full stop.
    describe: fn(&Document, &str) -> String,
}

/// The methods with a detailed description. Others are introduced by their descriptor.
static METHOD_TEXTS: [MethodText; 9] = [
    MethodText {
        method: Method::HITON_PC,
        describe: |document, _| {
            let elimination = elimination(&document.settings);
            format!("HITON-PC (Aliferis et al. 2010) applied to single columns, {elimination}")
        },
    },
    MethodText {
        method: Method::MH_PC_F,
        describe: |document, target| {
            let against = "all causes found before, and then again against those found later";
            mh_pc_sentences(&document.settings, target, "MH-PC-F", against)
        },
    },
    MethodText {
        method: Method::MH_PC_B,
        describe: |document, target| {
            let against = "the causes of lower levels, and finally against all other causes";
            mh_pc_sentences(&document.settings, target, "MH-PC-B", against)
        },
    },
    MethodText {
        method: Method::JOINT,
        describe: |document, target| {
            format!(
                "the joint method: a posterior over models of {target}, each a set of conjunctions of at most {} on one scale of \
                 risk (logistic, sufficient causes, probit, additive, multiplicative, or a table with rules). Models were weighted \
                 by their marginal likelihood, by Laplace's approximation (Tierney and Kadane 1986) or, for tables, in closed form \
                 (Cooper and Herskovits 1992), and by a prior that charges a conjunction as much as its literals (Hubin et al. \
                 2020). The probability of a cause is the share, by weight, of the models in Occam's window (Madigan and Raftery \
                 1994) that contain it; causes are the sets of attributes with a probability of at least ½ (Barbieri and \
                 Berger 2004), shown as their most probable columns. A column that is independent of {target} unless another cause \
                 is left in the model was not reported",
                counted(document.settings.max_level, "literal", "literals")
            )
        },
    },
    MethodText {
        method: Method::PC_SELECT,
        describe: |document, target| {
            format!(
                "PC-select (Kalisch et al. 2012) applied to single columns, which removes every column that is independent of \
                 {target} given some set of at most {} others",
                counted(document.settings.max_k, "column", "columns")
            )
        },
    },
    MethodText {
        method: Method::NAIVE_H,
        describe: |document, _| naive_sentences(&document.settings, "HITON-PC (Aliferis et al. 2010)"),
    },
    MethodText {
        method: Method::NAIVE_S,
        describe: |document, _| naive_sentences(&document.settings, "PC-select (Kalisch et al. 2012)"),
    },
    MethodText {
        method: Method::CR_PA,
        describe: |document, target| {
            format!(
                "causal rules by partial association (CR-PA, Jin et al. 2012): a column or conjunction of at most {} is a cause \
                 if it remains associated with {target} within strata of the other associated columns (Mantel-Haenszel test)",
                counted(document.settings.max_level, "column", "columns")
            )
        },
    },
    MethodText {
        method: Method::CR_CS,
        describe: |document, target| {
            format!(
                "causal rules by matched cohorts (CR-CS, Li et al. 2015): a column or conjunction of at most {} is a cause if \
                 it has an effect on {target} within pairs of rows matched on the other associated columns (drawn with seed {})",
                counted(document.settings.max_level, "column", "columns"),
                document.settings.seed
            )
        },
    },
];

/// The method, as the continuation of a sentence and without the last full stop.
fn method_sentences(document: &Document, target: &str) -> String {
    let settings = &document.settings;
    let text = METHOD_TEXTS.iter().find(|text| text.method.name() == settings.method);
    match (text, find_descriptor(settings)) {
        (Some(text), _) => (text.describe)(document, target),
        (None, Some(method)) => format!("{} ({})", method.title, method.citation),
        (None, None) => format!("the method {}", shown(&settings.method)),
    }
}

fn naive_sentences(settings: &SettingsSummary, name: &str) -> String {
    format!(
        "{name} applied to all single columns and conjunctions of at most {}, with conditioning sets of at most {}",
        counted(settings.max_level, "column", "columns"),
        settings.max_k
    )
}

fn mh_pc_sentences(settings: &SettingsSummary, target: &str, name: &str, against: &str) -> String {
    format!(
        "{name} (Ma et al. 2016). Single causes were found by HITON-PC (Aliferis et al. 2010), {}. Conjunctions of at most {} \
         without single causes were then formed. A conjunction is redundant if one of its parts is independent of {target} \
         among the rows in which the other parts hold (p > {}). Conjunctions that are not redundant and are associated with \
         {target} were tested in the same way against {against}",
        elimination(settings),
        counted(settings.max_level, "column", "columns"),
        exact(settings.redundancy_alpha)
    )
}

fn elimination(settings: &SettingsSummary) -> String {
    format!(
        "which removes every column that is independent of the outcome given some set of at most {}",
        counted(settings.max_k, "other cause", "other causes")
    )
}

/// How independence was tested.
fn tests_paragraph(document: &Document) -> String {
    let settings = &document.settings;
    let correction = match (find_fdr(settings), &settings.fdr) {
        (Some(FalseDiscovery::BenjaminiHochberg), _) => {
            " The false discovery rate of association was controlled at this level within each level of the search (Benjamini \
             and Hochberg 1995)."
        }
        (Some(FalseDiscovery::BenjaminiYekutieli), _) => {
            " The false discovery rate of association was controlled at this level within each level of the search, under any \
             dependence (Benjamini and Yekutieli 2001)."
        }
        (None, Some(_)) => " The false discovery rate of association was controlled.",
        (None, None) => " There was no correction for multiple testing.",
    };
    let overlap = if uses(document, "overlap") && settings.overlap == Overlap::Skip.name() {
        " Conditioning sets shared no column with the candidate tested."
    } else {
        ""
    };
    let duplicates = if uses(document, "duplicates") && settings.duplicates == Duplicates::Merge.name() {
        " Of equal or complementary columns, only the first was searched."
    } else {
        ""
    };
    if !decides_by_tests(settings) {
        return format!(
            "The p-value of a cause is that of a likelihood ratio test in the logistic model of all causes; it did not decide the \
             result.{duplicates}"
        );
    }
    format!(
        "Independence was tested by {}, at a significance level of {}.{correction} The p-value of a cause is the largest over \
         all its tests; it is not an error rate of the result.{overlap}{duplicates}",
        shown(&test_phrase(settings)),
        exact(settings.alpha)
    )
}

fn find_fdr(settings: &SettingsSummary) -> Option<FalseDiscovery> {
    let name = settings.fdr.as_deref()?;
    FalseDiscovery::ALL.into_iter().find(|fdr| fdr.name() == name)
}

/// The background knowledge.
fn knowledge_paragraph(document: &Document, target: &str) -> Option<String> {
    let sentences = sentences::background_knowledge(document, target, shown);
    (!sentences.is_empty()).then(|| truncate(&sentences.join(" "), 4000))
}

/// How effects were estimated.
fn estimates_paragraph(document: &Document) -> Option<String> {
    let evidence = document.causes.iter().find_map(|cause| cause.evidence.as_ref())?;
    let rows = if evidence.estimated_on == EstimatedOn::HeldOutRows.name() {
        "in rows held out from the search"
    } else {
        "in the rows that were searched, so they are slightly inflated"
    };
    let combined = document.causes.iter().any(|cause| cause.level > 1);
    let interaction = if combined {
        " The interaction of the parts of combined causes is described by the relative excess risk, the attributable \
         proportion and the synergy index (delta method) and by the tests of sufficient-cause interaction of VanderWeele and \
         Robins (2008)."
    } else {
        ""
    };
    Some(format!(
        "Effects were estimated {rows}. Risks have Wilson intervals, risk differences Newcombe intervals, and ratios Wald intervals \
         on the logarithmic scale. Adjusted effects are Mantel-Haenszel estimates (1959) over the strata of all other causes and \
         covariates. All confidence intervals are at the 95 % level.{interaction}"
    ))
}

/// The trust checks.
fn trust_paragraph(document: &Document) -> Option<String> {
    let holdout = document.holdout.as_ref().map(|holdout| {
        let rows = holdout.rows.positive.saturating_add(holdout.rows.negative);
        format!(
            "A random sample of {}, stratified by the outcome, was held out from the search. A cause replicates if the \
             Mantel-Haenszel test over the strata of the other causes has the same direction in these rows and p ≤ {}.",
            counted(rows, "row", "rows"),
            exact(document.settings.alpha)
        )
    });
    let stability = document.stability.as_ref().map(|stability| {
        format!(
            "The search was repeated in {} of the rows, in complementary pairs (Shah and Samworth 2013); the stability of a cause \
             is the proportion of these with a cause over the same attributes.",
            counted(stability.samples, "random half", "random halves")
        )
    });
    let calibration = document.calibration.as_ref().map(|calibration| {
        format!(
            "The search was repeated with {} to measure how many causes these settings find when there are none.",
            counted(calibration.shuffles, "shuffled outcome", "shuffled outcomes")
        )
    });
    let seed = format!("Random draws used seed {}.", document.settings.seed);
    let checks: Vec<String> = holdout.into_iter().chain(stability).chain(calibration).collect();
    (!checks.is_empty()).then(|| checks.join(" ") + " " + &seed)
}
