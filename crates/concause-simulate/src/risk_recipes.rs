//! The named risk models.

use super::planted::logistic;
use super::{Predictors, RiskModel, RiskScale, Uniform};

/// Rows, predictors and model of a named risk model.
pub(crate) fn named_risk_model(name: &str) -> Option<(usize, usize, RiskModel)> {
    match name {
        "hubin-1" | "hubin-2" | "hubin-3" | "hubin-1-rounded" | "hubin-3-rounded" => {
            Some((1000, 50, hubin_model(name)))
        }
        "hegel" => Some((500, 1000, hegel_model())),
        "logic-forest" => Some((200, 50, logic_forest_model())),
        _ => Some((5000, 49, own_model(name)?)),
    }
}

/// Three single causes and three pairs.
const MIXED: &str = "A, B, C, D&E, F&G, H&I";
const SHARED: &str = "A&B, A&C, D, E";
const TRIANGLE: &str = "A&B, B&C, A&C, D, E";
const NEGATION: &str = "A&!B, C&!D, E&!F, G, H";
const SINGLES: &str = "A, B, C, D, E, F";

/// The models that are not those of other authors.
fn own_model(name: &str) -> Option<RiskModel> {
    Some(match name {
        "logistic" => model(RiskScale::Logistic, MIXED),
        "sufficient" => model(RiskScale::Sufficient, MIXED),
        "additive" => model(RiskScale::Additive, MIXED),
        // No risk may exceed 1, so that few ratios and shares are strong enough to be found.
        "multiplicative" => RiskModel {
            predictors: Predictors { shares: Uniform { low: 0.4, high: 0.6 }, ..Predictors::default() },
            ..model(RiskScale::Multiplicative, "A, B, C, D&E:2.1..2.2, F&G:2.1..2.2, H&I:2.1..2.2")
        },
        "probit" => model(RiskScale::Probit, MIXED),
        "shared-logistic" => model(RiskScale::Logistic, SHARED),
        "shared-sufficient" => model(RiskScale::Sufficient, SHARED),
        "triangle-logistic" => model(RiskScale::Logistic, TRIANGLE),
        "triangle-sufficient" => model(RiskScale::Sufficient, TRIANGLE),
        "nested-logistic" => model(RiskScale::Logistic, "A:0.6, A&B:1.4, C:0.6, C&D:1.4"),
        "nested-sufficient" => model(RiskScale::Sufficient, "A:0.15, A&B:0.5, C:0.15, C&D:0.5"),
        "negation-logistic" => model(RiskScale::Logistic, NEGATION),
        "negation-sufficient" => model(RiskScale::Sufficient, NEGATION),
        "singles-logistic" => model(RiskScale::Logistic, SINGLES),
        "singles-sufficient" => model(RiskScale::Sufficient, SINGLES),
        "singles-additive" => model(RiskScale::Additive, SINGLES),
        "singles-multiplicative" => RiskModel {
            effects: Uniform { low: 1.9, high: 2.0 },
            ..model(RiskScale::Multiplicative, SINGLES)
        },
        "singles-probit" => model(RiskScale::Probit, SINGLES),
        "network" => RiskModel {
            effects: Uniform { low: 1.0, high: 1.4 },
            predictors: Predictors { neighbours: 2.0, ..Predictors::default() },
            later: 10,
            children: 3,
            ..model(RiskScale::Logistic, MIXED)
        },
        "attributes" => RiskModel {
            effects: Uniform { low: 1.0, high: 1.4 },
            predictors: Predictors { nominal: 15, numeric: 15, ..Predictors::default() },
            ..model(RiskScale::Logistic, "A, B=a, C>=0.3, D>=0&E, F=b&G, H<0.2&I=a")
        },
        "singles-nominal" => RiskModel {
            effects: Uniform { low: 1.5, high: 2.0 },
            baseline: 0.01,
            predictors: Predictors { nominal: 49, values: vec![5], ..Predictors::default() },
            ..model(RiskScale::Logistic, "levels(A), levels(B), levels(C), levels(D), levels(E), levels(F)")
        },
        "singles-numeric" => RiskModel {
            effects: Uniform { low: 0.4, high: 0.6 },
            baseline: 0.3,
            predictors: Predictors { numeric: 49, ..Predictors::default() },
            ..model(RiskScale::Logistic, "linear(A), linear(B), linear(C), linear(D), linear(E), linear(F)")
        },
        "missing" => RiskModel {
            predictors: Predictors { missing: 0.1, ..Predictors::default() },
            ..model(RiskScale::Logistic, MIXED)
        },
        "shuffled" => RiskModel { baseline: 0.3, ..model(RiskScale::Logistic, "") },
        _ => return None,
    })
}

/// The scenarios of Hubin, Storvik and Frommlet, "A novel algorithmic approach to Bayesian logic regression", Bayesian
/// Analysis 2020. The text of the article draws T with the risk as its probability; the published scripts round the
/// risk, so that the data are free of noise and scenarios 1 and 2 are the same. In scenario 3 each cell is 1 with a
/// probability that is itself uniform: it is 1 with probability one half.
fn hubin_model(name: &str) -> RiskModel {
    let (causes, intercept, share) = match name {
        "hubin-1" | "hubin-1-rounded" => ("!A&B:1, C&D:1, E&F:1", -0.7, 0.3),
        "hubin-2" => ("!A&B:0.6, C&D:0.6, E&F:0.6", -0.45, 0.3),
        _ => ("A&B:-5, C&D&E:9, F&G&H&I:-9", 0.4, 0.5),
    };
    RiskModel {
        baseline: logistic(intercept),
        predictors: Predictors { shares: Uniform::always(share), ..Predictors::default() },
        rounded: name.ends_with("-rounded"),
        ..model(RiskScale::Logistic, causes)
    }
}

/// Hegel's data with a compound cause.
fn hegel_model() -> RiskModel {
    RiskModel {
        baseline: 0.0,
        effects: Uniform::always(0.75),
        predictors: Predictors { shares: Uniform::always(0.25), ..Predictors::default() },
        errors: 0.05,
        ..model(RiskScale::Sufficient, "A&B")
    }
}

/// The example of the R package LogicForest: Y = (X4 & X5) or (X9 & X10), with errors.
fn logic_forest_model() -> RiskModel {
    RiskModel {
        baseline: 0.0,
        effects: Uniform::always(1.0),
        predictors: Predictors { shares: Uniform::always(0.5), ..Predictors::default() },
        errors: 0.1,
        ..model(RiskScale::Sufficient, "A&B, C&D")
    }
}

/// A model with effects that are strong enough to be found in 5000 rows.
fn model(scale: RiskScale, causes: &str) -> RiskModel {
    let (baseline, low, high) = match scale {
        RiskScale::Logistic => (0.1, 0.8, 1.2),
        RiskScale::Sufficient => (0.05, 0.3, 0.5),
        RiskScale::Additive => (0.05, 0.12, 0.15),
        RiskScale::Multiplicative => (0.015, 1.7, 1.8),
        RiskScale::Probit => (0.1, 0.5, 0.7),
    };
    RiskModel {
        scale,
        // The tests read every text.
        causes: causes.parse().unwrap_or_default(),
        effects: Uniform { low, high },
        baseline,
        ..RiskModel::default()
    }
}
