//! Questions of independence and their answers.

use std::io::Read;

use concause::count::{LocalCounter, Strata};
use concause::dataset::{Candidate, Dataset};
use concause::independence::{Answer, Outcome, Question, Test, Verdict};
use serde_json::{Value, json};

use crate::arguments::TestRequest;
use crate::failure::Failure;
use crate::input::Input;
use crate::knowledge::covariates;
use crate::load::load;
use crate::names;
use crate::observer::Observer;
use crate::threads::on_threads;

/// The answer to a question of independence.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// For people.
    pub words: String,
    /// For programs.
    pub json: Value,
}

/// Answers one question, or a file of them in order.
pub fn test(
    input: Input,
    arguments: &TestRequest,
    observer: &dyn Observer,
) -> Result<Vec<Answered>, Failure> {
    on_threads(arguments.data.threads, || run(input, arguments, observer))
}

fn run(input: Input, arguments: &TestRequest, observer: &dyn Observer) -> Result<Vec<Answered>, Failure> {
    let queries = arguments.queries.as_deref().map(read_queries).transpose()?;
    let loaded = load(input, &arguments.data, None, observer)?;
    let dataset = &loaded.encoding.dataset;
    let questions = match queries {
        Some(queries) => queries
            .iter()
            .map(|query| {
                query
                    .question(dataset, arguments.test)
                    .map_err(|failure| at_line(failure, arguments.queries.as_deref(), query.line))
            })
            .collect::<Result<Vec<_>, _>>()?,
        None => vec![typed_question(arguments, dataset)?],
    };
    if arguments.queries.is_none() {
        loaded.tell(observer);
    }
    let counter = LocalCounter::new(dataset);
    let covariates = covariates(&arguments.covariates, &loaded.encoding)?;
    let strata = Strata::new(&counter, &covariates)?;
    questions
        .iter()
        .map(|question| {
            if observer.interrupted() {
                return Err(Failure::Interrupted);
            }
            let answer = question.ask(&counter, &strata);
            Ok(Answered {
                words: in_words(question, &covariates, &answer, dataset, arguments.alpha),
                json: in_json(question, &covariates, &answer, dataset, arguments.alpha),
            })
        })
        .collect()
}

fn typed_question(arguments: &TestRequest, dataset: &Dataset) -> Result<Question, Failure> {
    let columns = dataset.columns();
    let mut given = Vec::new();
    for list in &arguments.given {
        given.extend(names::candidates(list, columns)?);
    }
    question(
        arguments.x.as_deref().unwrap_or(""),
        given,
        arguments.within.as_deref(),
        arguments.test,
        dataset,
    )
}

fn question(
    x: &str,
    given: Vec<Candidate>,
    within: Option<&str>,
    test: Test,
    dataset: &Dataset,
) -> Result<Question, Failure> {
    if given.len() > Question::MAX_GIVEN {
        let sentence =
            format!("a conditioning set can have {} members, not {}", Question::MAX_GIVEN, given.len());
        return Err(Failure::Input(sentence));
    }
    let within = within.filter(|name| !name.trim().is_empty());
    Ok(Question {
        x: names::candidate(x, dataset.columns())?,
        given,
        within: within.map_or(Ok(Candidate::default()), |name| names::candidate(name, dataset.columns()))?,
        test,
    })
}

/// A line of the file of questions.
struct Query {
    line: usize,
    x: String,
    given: String,
    within: String,
    test: String,
}

impl Query {
    fn question(&self, dataset: &Dataset, default: Test) -> Result<Question, Failure> {
        let test = match self.test.trim() {
            "" => default,
            name => name.parse().map_err(Failure::Input)?,
        };
        let given = names::candidates(&self.given, dataset.columns())?;
        question(&self.x, given, Some(&self.within), test, dataset)
    }
}

fn at_line(failure: Failure, file: Option<&str>, line: usize) -> Failure {
    match failure {
        Failure::Input(sentence) => {
            Failure::Input(format!("{}, line {line}: {sentence}", file.unwrap_or("-")))
        }
        other => other,
    }
}

/// Reads the questions: CSV with a header that names x and any of given, within and test.
fn read_queries(file: &str) -> Result<Vec<Query>, Failure> {
    let fault = |sentence: String| Failure::Input(format!("{file}: {sentence}"));
    let mut text = Vec::new();
    let read = if file == "-" {
        std::io::stdin().read_to_end(&mut text)
    } else {
        std::fs::File::open(file).and_then(|mut file| file.read_to_end(&mut text))
    };
    read.map_err(|error| fault(format!("cannot be read ({error})")))?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(&*text);
    let header = reader.headers().map_err(|error| fault(format!("cannot be read ({error})")))?.clone();
    let place = |name: &str| header.iter().position(|field| field.trim_start_matches('\u{feff}') == name);
    let Some(x) = place("x") else {
        return Err(fault("the first line must name the columns: x,given,within,test".into()));
    };
    if let Some(other) = header
        .iter()
        .find(|field| !["x", "given", "within", "test"].contains(&field.trim_start_matches('\u{feff}')))
    {
        return Err(fault(format!(
            "there is no column '{other}' in a file of questions: x,given,within,test"
        )));
    }
    let (given, within, test) = (place("given"), place("within"), place("test"));
    let mut queries = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| fault(format!("cannot be read ({error})")))?;
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

/// The verdict in the words of the results.
fn verdict(answer: &Answer, alpha: f64) -> &'static str {
    match Verdict::of(answer.outcome, alpha) {
        Verdict::Dependent => "dependent",
        Verdict::Independent => "independent",
        Verdict::NotTestable => "not testable",
    }
}

fn in_json(question: &Question, covariates: &[u32], answer: &Answer, dataset: &Dataset, alpha: f64) -> Value {
    let name = |candidate: &Candidate| candidate.name(dataset.columns());
    let tested = answer.outcome.tested();
    let mut object = json!({
        "x": name(&question.x),
        "target": dataset.target().label(),
        "given": question.given.iter().map(name).collect::<Vec<_>>(),
        "test": question.test.name(),
        "n": answer.rows,
        "statistic": tested.map(|tested| tested.statistic),
        "df": tested.map(|tested| tested.df),
        "p_value": tested.map(|tested| tested.p_value),
        "ln_p_value": tested.map(|tested| tested.ln_p),
        "outcome": verdict(answer, alpha),
    });
    if question.within != Candidate::default() {
        object["within"] = json!(name(&question.within));
    }
    if !covariates.is_empty() {
        object["covariates"] = json!(names::of_columns(covariates, dataset.columns()));
    }
    object
}

fn in_words(
    question: &Question,
    covariates: &[u32],
    answer: &Answer,
    dataset: &Dataset,
    alpha: f64,
) -> String {
    let name = |candidate: &Candidate| candidate.name(dataset.columns());
    let mut text = format!("{} and {}", name(&question.x), dataset.target().label());
    if !question.given.is_empty() {
        text += &format!(" given {}", question.given.iter().map(name).collect::<Vec<_>>().join(", "));
    }
    if !covariates.is_empty() {
        let names = names::of_columns(covariates, dataset.columns());
        text += &format!(", with {} held fixed", names.join(", "));
    }
    if question.within != Candidate::default() {
        text += &format!(", where {} holds", name(&question.within));
    }
    text += &format!(": {}", verdict(answer, alpha));
    match answer.outcome {
        Outcome::Tested(tested) => {
            let symbol = match question.test {
                Test::G2 | Test::G2Adjusted | Test::Exact => "G²",
                Test::X2 | Test::X2Adjusted => "X²",
            };
            let statistic = tested.statistic;
            let df = if tested.df > 0 { format!("df = {}", tested.df) } else { "exact".into() };
            text += &format!(
                "\n{symbol} = {statistic:.4}, {df}, {}, n = {}\n",
                concause_report::p_phrase(tested.p_value),
                answer.rows
            );
        }
        Outcome::NotTestable => text += &format!(" with {} rows\n", answer.rows),
    }
    text
}
