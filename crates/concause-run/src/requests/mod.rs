//! What to do: a plain request for each thing that can be done, with the settings it is built from.

mod data;
mod knowledge;
mod search;
mod simulate;
mod trust;

use concause::search::Method;
use concause::stats::Test;

pub use data::DataRequest;
use data::OF_READING;
pub use knowledge::KnowledgeRequest;
pub use search::SearchRequest;
pub use simulate::SimulateRequest;
pub use trust::TrustRequest;

use crate::settings::values::{names_of, parse_count, parse_probability};
use crate::settings::{FromSettings, Setting};
use search::{SEARCH, holdout_setting, method_setting, parse_method, parse_test};

const OUTPUT: &str = "Output";
const TEST: &str = "Test";

/// A request to [`mine`](crate::mine()).
///
/// ```
/// use concause_run::requests::{DataRequest, MineRequest};
///
/// let request = MineRequest {
///     data: DataRequest { target: "fire".into(), ..Default::default() },
///     ..Default::default()
/// };
/// assert_eq!(request.reasons, 1000);
/// ```
#[derive(Clone, Debug)]
pub struct MineRequest {
    /// How to read and encode the table.
    pub data: DataRequest,
    /// The search method; that of the preset if absent.
    pub method: Option<Method>,
    /// The share of rows that the search does not use.
    pub holdout: Option<f64>,
    /// How to search.
    pub search: SearchRequest,
    /// Checks of how far the result can be trusted.
    pub trust: TrustRequest,
    /// How many non-causes of each level have their reasons reported.
    pub reasons: usize,
}

impl Default for MineRequest {
    fn default() -> Self {
        Self {
            data: DataRequest::default(),
            method: None,
            holdout: None,
            search: SearchRequest::default(),
            trust: TrustRequest::default(),
            reasons: 1000,
        }
    }
}

impl FromSettings for MineRequest {
    fn settings() -> Vec<Setting<Self>> {
        let mut settings = project(|request: &mut Self| &mut request.data);
        settings.push(method_setting(|request: &mut Self, text| {
            parse_method(text).map(|method| request.method = Some(method))
        }));
        settings.push(holdout_setting(|request: &mut Self, text| {
            parse_probability(text).map(|share| request.holdout = Some(share))
        }));
        settings.extend(project(|request: &mut Self| &mut request.search));
        settings.extend(project(|request: &mut Self| &mut request.trust));
        let reasons = Setting::value(
            "reasons",
            "N",
            "Report rejection reasons for the N strongest non-causes per level, in JSON and HTML",
            |request: &mut Self, text| parse_count(text).map(|reasons| request.reasons = reasons),
        );
        settings.push(reasons.default("1000").group(OUTPUT));
        settings
    }
}

/// A request to [`explain`](crate::explain()).
#[derive(Clone, Debug, Default)]
pub struct ExplainRequest {
    /// How to read and encode the table.
    pub data: DataRequest,
    /// The columns or conjunctions to explain.
    pub x: Vec<String>,
    /// The search method; that of the preset if absent.
    pub method: Option<Method>,
    /// The share of rows that the search does not use.
    pub holdout: Option<f64>,
    /// How to search.
    pub search: SearchRequest,
}

impl FromSettings for ExplainRequest {
    fn settings() -> Vec<Setting<Self>> {
        let mut settings = project(|request: &mut Self| &mut request.data);
        let x = Setting::list(
            "x",
            "NAME",
            "Column or conjunction to explain, e.g. V1 or 'V1&V2'; may be repeated",
            |request: &mut Self, text| {
                request.x.push(text.to_owned());
                Ok(())
            },
        );
        settings.push(x.required());
        settings.push(method_setting(|request: &mut Self, text| {
            parse_method(text).map(|method| request.method = Some(method))
        }));
        settings.push(holdout_setting(|request: &mut Self, text| {
            parse_probability(text).map(|share| request.holdout = Some(share))
        }));
        settings.extend(project(|request: &mut Self| &mut request.search));
        settings
    }
}

/// A request to [`test`](crate::test()).
#[derive(Clone, Debug)]
pub struct TestRequest {
    /// How to read and encode the table.
    pub data: DataRequest,
    /// The column or conjunction to test.
    pub x: Option<String>,
    /// The conditioning set.
    pub given: Vec<String>,
    /// The column or conjunction that is 1 in the rows used.
    pub within: Option<String>,
    /// What is held fixed in every test, in addition to the conditioning set.
    pub covariates: Vec<String>,
    /// A CSV file of queries, in place of `x`, `given` and `within`; `-` is standard input.
    pub queries: Option<String>,
    /// The independence test.
    pub test: Test,
    /// The significance level.
    pub alpha: f64,
}

impl Default for TestRequest {
    fn default() -> Self {
        Self {
            data: DataRequest::default(),
            x: None,
            given: Vec::new(),
            within: None,
            covariates: Vec::new(),
            queries: None,
            test: Test::G2,
            alpha: 0.05,
        }
    }
}

impl FromSettings for TestRequest {
    fn settings() -> Vec<Setting<Self>> {
        let own = [
            Setting::value(
                "x",
                "NAME",
                "Column or conjunction to test, e.g. V1 or 'V1&V2'",
                |request: &mut Self, text| {
                    request.x = Some(text.to_owned());
                    Ok(())
                },
            )
            .required_unless("queries"),
            Setting::list(
                "given",
                "NAMES",
                "Conditioning set: columns or conjunctions, comma-separated; may be repeated",
                |request: &mut Self, text| {
                    request.given.push(text.to_owned());
                    Ok(())
                },
            ),
            Setting::value(
                "within",
                "NAME",
                "Use only the rows where this column or conjunction is 1",
                |request: &mut Self, text| {
                    request.within = Some(text.to_owned());
                    Ok(())
                },
            ),
            Setting::list(
                "covariates",
                "NAMES",
                "Attributes or columns held fixed in every test (e.g. age, sex), in addition to the conditioning set",
                |request: &mut Self, text| {
                    request.covariates.push(text.to_owned());
                    Ok(())
                },
            ),
            Setting::value(
                "queries",
                "FILE",
                "Answer the queries of a CSV file with the columns x,given,within,test, in order, as JSON lines; - is \
                 standard input",
                |request: &mut Self, text| {
                    request.queries = Some(text.to_owned());
                    Ok(())
                },
            )
            .conflicts(&["x", "given", "within"]),
            Setting::value(
                "test",
                "TEST",
                search::test_help(),
                |request: &mut Self, text| parse_test(text).map(|test| request.test = test),
            )
            .choices(names_of(Test::ALL, Test::name))
            .default("g2"),
            Setting::value("alpha", "P", "Significance level of the test", |request: &mut Self, text| {
                parse_probability(text).map(|alpha| request.alpha = alpha)
            })
            .default("0.05"),
        ];
        let mut settings = project(|request: &mut Self| &mut request.data);
        settings.extend(own.into_iter().map(|setting| setting.group(TEST)));
        settings
    }
}

/// A request to [`predict`](crate::predict()).
#[derive(Clone, Debug, Default)]
pub struct PredictRequest {
    /// How to read the table. The result says how it is encoded.
    pub data: DataRequest,
}

impl FromSettings for PredictRequest {
    fn settings() -> Vec<Setting<Self>> {
        let of_reading = |setting: &Setting<Self>| OF_READING.contains(&setting.name);
        project(|request: &mut Self| &mut request.data).into_iter().filter(of_reading).collect()
    }
}

/// A request to [`compare`](crate::compare()).
#[derive(Clone, Debug, Default)]
pub struct CompareRequest {
    /// How to read and encode the table.
    pub data: DataRequest,
    /// The methods.
    pub methods: Vec<Method>,
    /// How to search.
    pub search: SearchRequest,
}

impl CompareRequest {
    /// The names of the overrides that have no effect with any of the methods.
    pub fn ignored_settings(&self) -> Vec<&'static str> {
        let ignored = self.methods.iter().map(|&method| self.search.ignored_settings(Some(method)));
        let by_all = |mut left: Vec<&'static str>, other: Vec<&'static str>| {
            left.retain(|name| other.contains(name));
            left
        };
        ignored.reduce(by_all).unwrap_or_default()
    }
}

impl FromSettings for CompareRequest {
    fn settings() -> Vec<Setting<Self>> {
        let mut settings = project(|request: &mut Self| &mut request.data);
        let methods = Setting::list(
            "methods",
            "NAMES",
            "Methods to compare, comma-separated; concause mine --help lists them. A method that rejects the data is \
             reported and the others still run; a time limit applies to each method",
            |request: &mut Self, text| parse_method(text).map(|method| request.methods.push(method)),
        );
        let methods = methods.choices(names_of(Method::ALL, Method::name));
        settings.push(methods.separator(',').required().group(SEARCH));
        settings.extend(project(|request: &mut Self| &mut request.search));
        settings
    }
}

/// The settings of a request within another.
fn project<Outer: 'static, R: FromSettings>(inner: fn(&mut Outer) -> &mut R) -> Vec<Setting<Outer>> {
    R::settings().into_iter().map(|setting| setting.project(inner)).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::error::SettingProblem;
    use crate::settings::{Form, Given, build};

    fn check_table<R: FromSettings + Debug>() {
        let settings = R::settings();
        for (place, setting) in settings.iter().enumerate() {
            let others = &settings[..place];
            assert!(others.iter().all(|other| other.name != setting.name), "{} is there twice", setting.name);
            assert!(!setting.help.ends_with('.') && !setting.help.is_empty(), "{}", setting.name);
            assert_eq!(setting.form == Form::Flag, setting.value_name.is_empty(), "{}", setting.name);
            if let Some(default) = setting.default {
                let mut request = R::default();
                setting.apply(&mut request, default).unwrap();
                assert_eq!(format!("{request:?}"), format!("{:?}", R::default()), "{}", setting.name);
            }
            for choice in &setting.choices {
                assert_eq!(setting.apply(&mut R::default(), choice), Ok(()), "{}", setting.name);
            }
            let named = setting.conflicts.iter().chain(&setting.overrides);
            for name in named {
                assert!(settings.iter().any(|other| other.name == *name), "{name}");
            }
        }
    }

    #[test]
    fn the_tables_are_consistent() {
        check_table::<MineRequest>();
        check_table::<ExplainRequest>();
        check_table::<TestRequest>();
        check_table::<CompareRequest>();
        check_table::<PredictRequest>();
        check_table::<DataRequest>();
        check_table::<SimulateRequest>();
    }

    fn given(settings: &[(&str, &[&str])]) -> Vec<Given> {
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        settings
            .iter()
            .map(|(name, values)| Given { name: (*name).to_owned(), values: owned(values) })
            .collect()
    }

    #[test]
    fn requests_are_built_from_named_settings() {
        let settings =
            given(&[("twins", &["ordinary"]), ("target", &["T"]), ("negate", &[]), ("forbid", &[])]);
        let built = build::<MineRequest>(&settings).unwrap();
        assert!(built.request.data.negate && built.request.data.target == "T");
        assert_eq!(built.request.search.duplicates.map(|how| how.name()), Some("ordinary"));
        let names: Vec<&str> = built.given.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["target", "negate", "duplicates"]);
        let methods = given(&[("methods", &["mh-pc-f,cr-pa", "mh-pc-b"]), ("target", &["T"])]);
        let methods = build::<CompareRequest>(&methods).unwrap().request.methods;
        assert_eq!(methods, [Method::MH_PC_F, Method::CR_PA, Method::MH_PC_B]);
    }

    #[test]
    fn invalid_settings_are_rejected() {
        let problem = |settings: &[(&str, &[&str])]| {
            let error = build::<MineRequest>(&given(settings)).unwrap_err();
            (error.setting, error.problem)
        };
        assert_eq!(problem(&[("alpha", &["0.1"])]), ("target".into(), SettingProblem::Missing));
        assert_eq!(
            problem(&[("target", &["T"]), ("alpha", &["0.1", "0.2"])]),
            ("alpha".into(), SettingProblem::TooManyValues)
        );
        assert_eq!(
            problem(&[("target", &["T"]), ("bands", &["3"]), ("drop-continuous", &[])]),
            ("drop-continuous".into(), SettingProblem::Conflict { with: "bands".into() })
        );
        let (setting, problem) = problem(&[("max-j", &["3"])]);
        assert_eq!(setting, "max_j");
        assert!(
            matches!(problem, SettingProblem::Unknown { suggestion } if suggestion.contains("\"max_k\""))
        );
    }
}
