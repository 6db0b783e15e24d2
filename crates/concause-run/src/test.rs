//! Tests of independence.

use std::io::Read;

use concause::count::{LocalCounter, Strata};
use concause::dataset::{Candidate, ColumnNames, Dataset};
use concause::progress::Progress;
use concause::stats::{Decision, Hypothesis, HypothesisResult, Test, TestOutcome};
use serde_json::{Value, json};

use crate::error::{QueryFileProblem, RunError};
use crate::input::Input;
use crate::knowledge::find_covariates;
use crate::load::load;
use crate::names;
use crate::requests::TestRequest;
use crate::settings::values::names_of;
use crate::threads::run_on_threads;

/// The result of a test of independence.
#[derive(Clone, Debug, PartialEq)]
pub struct TestReport {
    /// Two lines of text.
    pub text: String,
    /// The same as JSON.
    pub json: Value,
}

/// Runs one test, or the tests of a file of queries, in order.
pub fn test(
    input: Input,
    request: &TestRequest,
    progress: &dyn Progress,
) -> Result<Vec<TestReport>, RunError> {
    run_on_threads(request.data.threads, || run_tests(input, request, progress))
}

fn run_tests(
    input: Input,
    request: &TestRequest,
    progress: &dyn Progress,
) -> Result<Vec<TestReport>, RunError> {
    let queries = request.queries.as_deref().map(read_queries).transpose()?;
    let loaded = load(input, &request.data, None, progress)?;
    let dataset = &loaded.encoding.dataset;
    let columns = ColumnNames::new(dataset.columns());
    let hypotheses = match &queries {
        Some(queries) => {
            let file = request.queries.as_deref().unwrap_or("-");
            let hypothesis = |query: &Query| {
                let found = query.hypothesis(&columns, request.test);
                found.map_err(|error| RunError::QueryLine {
                    file: file.to_owned(),
                    line: query.line,
                    error: Box::new(error),
                })
            };
            queries.iter().map(hypothesis).collect::<Result<Vec<_>, _>>()?
        }
        None => vec![requested_hypothesis(request, &columns)?],
    };
    if queries.is_none() {
        loaded.report_notices(progress);
    }
    let counter = LocalCounter::new(dataset);
    let covariates = find_covariates(&request.covariates, &loaded.encoding)?;
    let strata = Strata::new(&counter, &covariates)?;
    hypotheses
        .iter()
        .map(|hypothesis| {
            if progress.stopped() {
                return Err(RunError::Interrupted);
            }
            let result = hypothesis.test_in(&counter, &strata, request.alpha)?;
            Ok(TestReport {
                text: to_text(hypothesis, &covariates, &result, dataset, request.alpha),
                json: to_json(hypothesis, &covariates, &result, dataset, request.alpha),
            })
        })
        .collect()
}

/// The hypothesis of a request without a file of queries.
fn requested_hypothesis(request: &TestRequest, columns: &ColumnNames<'_>) -> Result<Hypothesis, RunError> {
    let mut given = Vec::new();
    for list in &request.given {
        given.extend(names::find_candidates(list, columns)?);
    }
    let x = request.x.as_deref().unwrap_or("");
    find_hypothesis(x, given, request.within.as_deref(), request.test, columns)
}

fn find_hypothesis(
    x: &str,
    given: Vec<Candidate>,
    within: Option<&str>,
    test: Test,
    columns: &ColumnNames<'_>,
) -> Result<Hypothesis, RunError> {
    if given.len() > Hypothesis::MAX_GIVEN {
        return Err(RunError::TooManyConditions { given: given.len(), most: Hypothesis::MAX_GIVEN });
    }
    let within = within.filter(|name| !name.trim().is_empty());
    Ok(Hypothesis {
        x: names::find_candidate(x, columns)?,
        given,
        within: within.map_or(Ok(Candidate::default()), |name| names::find_candidate(name, columns))?,
        test,
    })
}

/// A line of the file of queries.
struct Query {
    line: usize,
    x: String,
    given: String,
    within: String,
    test: String,
}

impl Query {
    fn hypothesis(&self, columns: &ColumnNames<'_>, default: Test) -> Result<Hypothesis, RunError> {
        let test = match self.test.trim() {
            "" => default,
            name => find_test(name)?,
        };
        let given = names::find_candidates(&self.given, columns)?;
        find_hypothesis(&self.x, given, Some(&self.within), test, columns)
    }
}

fn find_test(name: &str) -> Result<Test, RunError> {
    let found = Test::ALL.iter().copied().find(|test| test.name() == name);
    let tests = || names_of(Test::ALL, Test::name);
    found.ok_or_else(|| RunError::UnknownTest { name: name.to_owned(), tests: tests() })
}

/// Reads the queries: CSV with a header that names x and any of given, within and test.
fn read_queries(file: &str) -> Result<Vec<Query>, RunError> {
    let fail = |problem| RunError::QueryFile { file: file.to_owned(), problem };
    let mut text = Vec::new();
    let read = if file == "-" {
        std::io::stdin().read_to_end(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_end(&mut text))
    };
    read.map_err(|error| fail(QueryFileProblem::Unreadable(error.to_string())))?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(&*text);
    let header =
        reader.headers().map_err(|error| fail(QueryFileProblem::Unreadable(error.to_string())))?.clone();
    let place = |name: &str| header.iter().position(|field| field.trim_start_matches('\u{feff}') == name);
    let Some(x) = place("x") else {
        return Err(fail(QueryFileProblem::NoHeader));
    };
    if let Some(other) = header
        .iter()
        .find(|field| !["x", "given", "within", "test"].contains(&field.trim_start_matches('\u{feff}')))
    {
        return Err(fail(QueryFileProblem::UnknownColumn(other.to_owned())));
    }
    let (given, within, test) = (place("given"), place("within"), place("test"));
    let mut queries = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| fail(QueryFileProblem::Unreadable(error.to_string())))?;
        let field = |place: Option<usize>| place.and_then(|i| record.get(i)).unwrap_or("").to_owned();
        queries.push(Query {
            line: record.position().map_or(0, |position| position.line() as usize),
            x: field(Some(x)),
            given: field(given),
            within: field(within),
            test: field(test),
        });
    }
    Ok(queries)
}

/// The decision, as results name it.
fn decision_name(result: &HypothesisResult, alpha: f64) -> &'static str {
    Decision::at_level(result.outcome, alpha).name()
}

fn to_json(
    hypothesis: &Hypothesis,
    covariates: &[u32],
    result: &HypothesisResult,
    dataset: &Dataset,
    alpha: f64,
) -> Value {
    let name = |candidate: &Candidate| candidate.name(dataset.columns());
    let tested = result.outcome.tested();
    let mut object = json!({
        "x": name(&hypothesis.x),
        "target": dataset.target().label(),
        "given": hypothesis.given.iter().map(name).collect::<Vec<_>>(),
        "test": hypothesis.test.name(),
        "n": result.rows,
        "statistic": tested.map(|tested| tested.statistic),
        "df": tested.map(|tested| tested.df),
        "p_value": tested.map(|tested| tested.p_value),
        "ln_p_value": tested.map(|tested| tested.ln_p),
        "outcome": decision_name(result, alpha),
    });
    if hypothesis.within != Candidate::default() {
        object["within"] = json!(name(&hypothesis.within));
    }
    if !covariates.is_empty() {
        object["covariates"] = json!(names::column_names(covariates, dataset.columns()));
    }
    object
}

fn to_text(
    hypothesis: &Hypothesis,
    covariates: &[u32],
    result: &HypothesisResult,
    dataset: &Dataset,
    alpha: f64,
) -> String {
    let name = |candidate: &Candidate| candidate.name(dataset.columns());
    let mut text = format!("{} and {}", name(&hypothesis.x), dataset.target().label());
    if !hypothesis.given.is_empty() {
        text += &format!(" given {}", hypothesis.given.iter().map(name).collect::<Vec<_>>().join(", "));
    }
    if !covariates.is_empty() {
        let names = names::column_names(covariates, dataset.columns());
        text += &format!(", with {} held fixed", names.join(", "));
    }
    if hypothesis.within != Candidate::default() {
        text += &format!(", where {} holds", name(&hypothesis.within));
    }
    text += &format!(": {}", decision_name(result, alpha));
    match result.outcome {
        TestOutcome::Tested(tested) => {
            let symbol = hypothesis.test.symbol();
            let statistic = tested.statistic;
            let df = if tested.df > 0 { format!("df = {}", tested.df) } else { "exact".into() };
            text += &format!(
                "\n{symbol} = {statistic:.4}, {df}, {}, n = {}\n",
                concause_report::p_phrase(tested.p_value),
                result.rows
            );
        }
        TestOutcome::NotTestable => text += &format!(" with {} rows\n", result.rows),
    }
    text
}
