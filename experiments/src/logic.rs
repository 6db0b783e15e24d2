//! The experiment `logic`: problems from machine learning whose outcome is a logical function of the columns.

mod problems;

use concause::count::{Counter, LocalCounter};
use concause::dataset::{Candidate, Column, Dataset};
use concause::model::groups::Groups;
use concause::model::table::TableModel;
use concause::model::{Regression, Scale};
use concause::progress::NoProgress;
use concause::search::{Findings, Method, Posterior};
use concause_bench::error::ToolError;
use concause_bench::text_table::TextTable;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::experiment_run::{ExperimentPage, ExperimentRun, FIRST_SEED};
use crate::method_under_test::{MethodUnderTest, search};
use crate::numbers::{code_list, two_decimals};
use problems::{LogicProblem, PROBLEMS};

/// The methods, the joint method first.
const METHODS: [Method; 2] = [Method::JOINT, Method::MH_PC_F];

/// If a rule has more terms, only the first ones are listed.
const MOST_LISTED: usize = 8;
const FIRST_LISTED: usize = 2;

/// Terms with at least this probability are found, and sets of columns are possible from the smaller one on.
const CAUSE: f64 = 0.5;
const POSSIBLE: f64 = 0.1;

/// A false term with at least this probability shows that the probabilities are wrong.
const CONFIDENT: f64 = 0.9;

/// How a term that was found relates to the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum TermKind {
    /// It is a term of the rule.
    InRule,
    /// A term of the rule has the same columns, but other signs.
    OtherSigns,
    /// It is not in the rule, but the outcome is the same in all rows in which it holds.
    Implied,
    /// It does not decide the outcome.
    False,
}

impl TermKind {
    fn description(self) -> &'static str {
        match self {
            TermKind::InRule => "yes",
            TermKind::OtherSigns => "same columns, other signs",
            TermKind::Implied => "no, but it decides the outcome",
            TermKind::False => "no",
        }
    }
}

/// A term that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FoundTerm {
    name: String,
    probability: Option<f64>,
    kind: TermKind,
}

/// The result of a method with one order of the columns.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LogicResult {
    rows: u64,
    cases: u64,
    /// The terms of the rule.
    truth: Vec<String>,
    found: Vec<FoundTerm>,
    /// The terms with a probability below that of a cause, but not negligible.
    possible: Vec<FoundTerm>,
    missed: Vec<String>,
    ln_likelihoods: RuleLikelihoods,
}

/// Log marginal likelihoods of models that a search might reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct RuleLikelihoods {
    no_cause: f64,
    /// A table with a free risk for each combination of the columns of the rule.
    table: f64,
    /// The terms of the rule as sufficient causes.
    rule: Option<f64>,
}

impl RuleLikelihoods {
    fn compute(truth: &[Candidate], dataset: &Dataset) -> Result<Self, ToolError> {
        let counter = LocalCounter::new(dataset);
        let model = TableModel::new(dataset.rows());
        let tabulate = |terms: &[Candidate]| -> Result<f64, ToolError> {
            Ok(model.ln_marginal_likelihood(counter.configurations_of(terms)?.counts()))
        };
        let columns = truth.iter().fold(Candidate::default(), |all, term| all.join(&term.unsigned()));
        let groups = Groups::from(&counter.configurations_of(truth)?);
        let rule = Regression::fit(Scale::Sufficient, &groups, truth.len(), None);
        Ok(RuleLikelihoods {
            no_cause: tabulate(&[])?,
            table: tabulate(&columns.singles())?,
            rule: rule.map(|rule| rule.ln_marginal),
        })
    }
}

impl LogicResult {
    fn count(&self, kind: TermKind) -> usize {
        self.found.iter().filter(|term| term.kind == kind).count()
    }

    /// Whether the terms are those of the rule and no others.
    fn is_exact(&self) -> bool {
        self.missed.is_empty() && self.found.iter().all(|term| term.kind == TermKind::InRule)
    }
}

/// The results of one problem, by method.
struct ProblemResults {
    problem: &'static LogicProblem,
    by_method: Vec<(Method, Vec<LogicResult>)>,
}

/// Runs the experiment.
pub fn run_experiment(run: &ExperimentRun) -> Result<ExperimentPage, ToolError> {
    let problems: Vec<&'static LogicProblem> =
        PROBLEMS.iter().filter(|problem| !run.quick || problem.is_in_quick_run).collect();
    let bar = run.progress_bar("logic", problems.len() as u64);
    let mut results = Vec::new();
    for problem in problems {
        results.push(compute_problem(run, problem)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(write_page(&results))
}

fn compute_problem(run: &ExperimentRun, problem: &'static LogicProblem) -> Result<ProblemResults, ToolError> {
    let seeds = if problem.is_slow { 1 } else { run.seed_count(0.1) };
    let compute = |method: Method| {
        let key = format!("logic/{}/{}/{seeds}", problem.title, method.name());
        let results = run.store.get_or_compute(&key, || {
            let seeds: Vec<u64> = (FIRST_SEED..FIRST_SEED + seeds).collect();
            seeds.par_iter().map(|&seed| compute_result(problem, method, seed)).collect()
        })?;
        Ok((method, results))
    };
    let by_method = METHODS.into_iter().map(compute).collect::<Result<_, ToolError>>()?;
    Ok(ProblemResults { problem, by_method })
}

fn compute_result(problem: &LogicProblem, method: Method, seed: u64) -> Result<LogicResult, ToolError> {
    let simulated = problem.recipe()?.simulate(seed)?;
    let dataset = simulated.dataset();
    let parse = |cause: &Vec<String>| Candidate::parse(&cause.join("&"), dataset.columns());
    let truth: Vec<Candidate> = simulated.truth.causes.iter().filter_map(parse).collect();
    let settings = MethodUnderTest { method, max_k: 3 }.settings(problem.max_level);
    let findings = search(&dataset, &settings, &NoProgress)?;
    compare(&findings, &truth, &dataset)
}

/// Compares the causes found with the terms of the rule.
fn compare(findings: &Findings, truth: &[Candidate], dataset: &Dataset) -> Result<LogicResult, ToolError> {
    let columns = dataset.columns();
    let posterior = findings.posterior.as_ref();
    let describe = |term: &Candidate| -> Result<FoundTerm, ToolError> {
        let set = posterior.and_then(|posterior| posterior.attribute_set(term, columns));
        Ok(FoundTerm {
            name: term.name(columns),
            probability: set.map(|set| set.probability),
            kind: classify(term, truth, dataset)?,
        })
    };
    let sets = posterior.into_iter().flat_map(|posterior| &posterior.attribute_sets);
    let possible = sets.filter(|set| !set.is_cause && set.probability >= POSSIBLE);
    let possible: Vec<&Candidate> =
        possible.filter_map(|set| set.terms.first()).map(|(term, _)| term).collect();
    let found: Vec<&Candidate> = findings
        .causes
        .iter()
        .flat_map(|cause| terms_of_cause(&cause.candidate, posterior, columns))
        .collect();
    Ok(LogicResult {
        rows: dataset.rows(),
        cases: dataset.positive(),
        truth: truth.iter().map(|term| term.name(columns)).collect(),
        found: found.iter().map(|term| describe(term)).collect::<Result<_, _>>()?,
        possible: possible.iter().map(|term| describe(term)).collect::<Result<_, _>>()?,
        missed: missed_terms(truth, &found).iter().map(|term| term.name(columns)).collect(),
        ln_likelihoods: RuleLikelihoods::compute(truth, dataset)?,
    })
}

/// The probable terms over the columns of a cause; the cause itself if there is none.
fn terms_of_cause<'a>(
    cause: &'a Candidate,
    posterior: Option<&'a Posterior>,
    columns: &[Column],
) -> Vec<&'a Candidate> {
    let set = posterior.and_then(|posterior| posterior.attribute_set(cause, columns));
    let terms = set.into_iter().flat_map(|set| &set.terms);
    let probable: Vec<&Candidate> =
        terms.filter(|(_, probability)| *probability >= CAUSE).map(|(term, _)| term).collect();
    if probable.is_empty() { vec![cause] } else { probable }
}

/// The terms of the rule that are not found. A term that is found with other signs stands for one term of the rule.
fn missed_terms<'a>(truth: &'a [Candidate], found: &[&Candidate]) -> Vec<&'a Candidate> {
    let mut others: Vec<&Candidate> = found.iter().copied().filter(|term| !truth.contains(term)).collect();
    let mut is_missed = |term: &&Candidate| {
        let place = others.iter().position(|other| other.unsigned() == term.unsigned());
        place.map(|place| others.remove(place)).is_none()
    };
    truth.iter().filter(|term| !found.contains(term)).filter(|term| is_missed(term)).collect()
}

fn classify(term: &Candidate, truth: &[Candidate], dataset: &Dataset) -> Result<TermKind, ToolError> {
    let has_same_columns = |other: &&Candidate| other.unsigned() == term.unsigned();
    if truth.iter().any(|other| has_same_columns(&other)) {
        // The sign of a single column is that of its effect.
        let is_same = term.level() == 1 || truth.contains(term);
        return Ok(if is_same { TermKind::InRule } else { TermKind::OtherSigns });
    }
    let all = [truth, std::slice::from_ref(term)].concat();
    let rows = LocalCounter::new(dataset).configurations_of(&all)?;
    let is_case = |row: usize| (0..truth.len()).any(|place| rows.holds(row, place));
    let mut outcomes = (0..rows.len()).filter(|&row| rows.holds(row, truth.len())).map(is_case);
    let first = outcomes.next();
    let is_implied = first.is_some_and(|first| outcomes.all(|outcome| outcome == first));
    Ok(if is_implied { TermKind::Implied } else { TermKind::False })
}

fn write_page(results: &[ProblemResults]) -> ExperimentPage {
    let seeds = results.iter().flat_map(|one| &one.by_method).map(|(_, results)| results.len()).max();
    let mut markdown = format!(
        "# Logic problems\n\nProblems from machine learning whose outcome is a logical function of the columns. The \
         data are complete tables that follow from the definitions, so that nothing is left to chance: a search either \
         finds the rule or it does not. A nominal attribute gives a column per value, and a Boolean one gives one \
         column. The attributes are named V1, V2 and so on in random order. The number of such orders is {} (1 for problems that \
         take long), and the table has means over them. The data differ only in the order of columns and rows and, in \
         the problem with errors, in the rows with errors. If the results of the same data differ between orders, the \
         search misses the best model in some of them.\n\n\
         *Found* counts the terms of the rule whose columns are found, each by another term, and *same signs* those of \
         them whose negations are right too. *Implied* terms are not in the rule, but the outcome is the same in all rows in which they \
         hold. *False* terms do not decide the outcome. *Exactly right* is the share of orders in which exactly the \
         rule is found. The sections below show the first order, and for joint also the possible terms, with a \
         probability of .1 to .5. MH-PC-F combines columns without negations.\n\n{}\n",
        seeds.unwrap_or(0),
        overview_table(results).to_markdown()
    );
    let mut findings: Vec<String> = METHODS.iter().map(|&method| summary_sentence(results, method)).collect();
    findings.push(confidence_sentence(results));
    for finding in &findings {
        markdown += &format!("- {finding}\n");
    }
    for one in results {
        markdown += &problem_section(one);
    }
    ExperimentPage {
        markdown,
        files: vec![
            ("logic.csv".into(), overview_table(results).to_csv()),
            ("logic-terms.csv".into(), terms_table(results).to_csv()),
        ],
        findings,
    }
}

/// The level that a method searches.
fn searched_level(method: Method, problem: &LogicProblem) -> usize {
    MethodUnderTest { method, max_k: 3 }.settings(problem.max_level).max_level
}

fn overview_table(results: &[ProblemResults]) -> TextTable {
    let mut table = TextTable::new([
        "problem",
        "rows",
        "terms in the rule",
        "method",
        "level",
        "found",
        "same signs",
        "implied",
        "false",
        "exactly right",
    ]);
    for ProblemResults { problem, by_method } in results {
        for (method, results) in by_method {
            let Some(first) = results.first() else { continue };
            let mean = |value: &dyn Fn(&LogicResult) -> usize| {
                two_decimals(results.iter().map(value).sum::<usize>() as f64 / results.len() as f64)
            };
            table.add_row([
                problem.title.to_owned(),
                first.rows.to_string(),
                first.truth.len().to_string(),
                method.name().to_owned(),
                searched_level(*method, problem).to_string(),
                mean(&|one| one.truth.len() - one.missed.len()),
                mean(&|one| one.count(TermKind::InRule)),
                mean(&|one| one.count(TermKind::Implied)),
                mean(&|one| one.count(TermKind::False)),
                mean(&|one| usize::from(one.is_exact())),
            ]);
        }
    }
    table
}

/// Which rules a method finds exactly.
fn summary_sentence(results: &[ProblemResults], method: Method) -> String {
    let mut found = [const { Vec::new() }; 3];
    for ProblemResults { problem, by_method } in results {
        let Some((_, results)) = by_method.iter().find(|(other, _)| *other == method) else { continue };
        let exact = results.iter().filter(|one| one.is_exact()).count();
        let place = if exact == results.len() { 0 } else { 1 + usize::from(exact == 0) };
        found[place].push(problem.title);
    }
    let [always, sometimes, never] = found.map(|titles: Vec<&str>| match titles.is_empty() {
        true => "none".to_owned(),
        false => titles.join(", "),
    });
    format!(
        "{} finds exactly the rule in every order of: {always}; in some orders of: {sometimes}; in no order of: \
         {never}.",
        method.name()
    )
}

/// How often the joint method is confident of a false term, and where.
fn confidence_sentence(results: &[ProblemResults]) -> String {
    let (mut number, mut titles) = (0, Vec::new());
    for ProblemResults { problem, by_method } in results {
        let is_wrong = |term: &&FoundTerm| {
            term.kind == TermKind::False && term.probability.is_some_and(|value| value >= CONFIDENT)
        };
        let terms = by_method.iter().flat_map(|(_, results)| results).flat_map(|one| &one.found);
        let wrong = terms.filter(is_wrong).count();
        if wrong > 0 {
            number += wrong;
            titles.push(problem.title);
        }
    }
    if number == 0 {
        return "No false term has a probability of .9 or more.".into();
    }
    format!(
        "joint reports {number} false terms with a probability of .9 or more, in: {}. Probabilities compare only the \
         models that the search reaches.",
        titles.join(", ")
    )
}

/// The section of a problem, with the terms found in the first order.
fn problem_section(results: &ProblemResults) -> String {
    let ProblemResults { problem, by_method } = results;
    let Some(first) = by_method.iter().find_map(|(_, results)| results.first()) else { return String::new() };
    let RuleLikelihoods { no_cause, table, rule } = first.ln_likelihoods;
    let mut section = format!(
        "\n## {}\n\n{} Of the {} rows, {} are cases. {}\n\n\
         - Terms of the rule: {}\n\
         - Log marginal likelihoods: no cause {no_cause:.1}; a table of the columns of the rule {table:.1}; the rule as \
         sufficient causes {}\n",
        problem.title,
        problem.rule,
        first.rows,
        first.cases,
        problem.note,
        list_terms(&first.truth),
        rule.map_or("–".to_owned(), |rule| format!("{rule:.1}"))
    );
    let mut table = TextTable::new(["method", "found", "probability", "in the rule"]);
    for (method, results) in by_method {
        let Some(result) = results.first() else { continue };
        let missed = match (result.missed.len(), result.truth.len()) {
            (0, _) => "nothing".to_owned(),
            (missed, all) if missed == all => format!("all {all}"),
            _ => list_terms(&result.missed),
        };
        section += &format!("- Terms of the rule that {} misses: {missed}\n", method.name());
        if result.found.is_empty() {
            table.add_row([method.name(), "nothing"]);
        }
        result.found.iter().for_each(|term| table.add_row(term_cells(*method, term, "")));
        result.possible.iter().for_each(|term| table.add_row(term_cells(*method, term, ", possible")));
    }
    section + "\n" + &table.to_markdown()
}

fn term_cells(method: Method, term: &FoundTerm, note: &str) -> [String; 4] {
    let probability = match term.probability {
        None => "–".to_owned(),
        Some(value) => two_decimals(value) + note,
    };
    [method.name().to_owned(), format!("`{}`", term.name), probability, term.kind.description().to_owned()]
}

fn list_terms(terms: &[String]) -> String {
    if terms.len() <= MOST_LISTED {
        return code_list(terms);
    }
    format!("{} and {} others", code_list(&terms[..FIRST_LISTED]), terms.len() - FIRST_LISTED)
}

/// All terms found and possible terms, of every order.
fn terms_table(results: &[ProblemResults]) -> TextTable {
    let mut table = TextTable::new(["problem", "seed", "method", "term", "probability", "in the rule"]);
    for ProblemResults { problem, by_method } in results {
        for (method, results) in by_method {
            for (seed, result) in (FIRST_SEED..).zip(results) {
                for term in result.found.iter().chain(&result.possible) {
                    table.add_row([
                        problem.title,
                        &seed.to_string(),
                        method.name(),
                        &term.name,
                        &term.probability.map_or(String::new(), |value| format!("{value:.4}")),
                        term.kind.description(),
                    ]);
                }
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classified(title: &str, term: &str) -> TermKind {
        let problem = PROBLEMS.iter().find(|problem| problem.title == title).unwrap();
        let simulated = problem.recipe().unwrap().simulate(FIRST_SEED).unwrap();
        let dataset = simulated.dataset();
        let parse = |text: &str| Candidate::parse(text, dataset.columns()).unwrap();
        let truth: Vec<Candidate> =
            simulated.truth.causes.iter().map(|cause| parse(&cause.join("&"))).collect();
        classify(&parse(term), &truth, &dataset).unwrap()
    }

    #[test]
    fn terms_are_compared_with_the_rule() {
        // With this seed the rule is V1=red or V3=V5.
        assert_eq!(classified("MONK-1", "V1=red"), TermKind::InRule);
        assert_eq!(classified("MONK-1", "V3=round&V5=round"), TermKind::InRule);
        assert_eq!(classified("MONK-1", "!V3=round&V5=round"), TermKind::OtherSigns);
        assert_eq!(classified("MONK-1", "V1=red&V3=round"), TermKind::Implied);
        assert_eq!(classified("MONK-1", "V3=round"), TermKind::False);
    }

    #[test]
    fn a_term_with_other_signs_stands_for_one_term_of_the_rule() {
        let problem = PROBLEMS.iter().find(|problem| problem.title == "MONK-1").unwrap();
        let dataset = problem.recipe().unwrap().simulate(FIRST_SEED).unwrap().dataset();
        let columns = dataset.columns();
        let parse = |text: &str| Candidate::parse(text, columns).unwrap();
        let truth = ["V3=round&V5=round", "!V3=round&!V5=round", "V1=red"].map(parse);
        let (same, other) = (parse("V3=round&V5=round"), parse("V3=round&!V5=round"));
        assert_eq!(missed_terms(&truth, &[]).len(), 3);
        assert_eq!(missed_terms(&truth, &[&same]), [&truth[1], &truth[2]]);
        assert_eq!(missed_terms(&truth, &[&other]), [&truth[1], &truth[2]]);
        assert_eq!(missed_terms(&truth, &[&same, &other]), [&truth[2]]);
    }

    #[test]
    fn the_joint_method_finds_the_first_problem() {
        let result = compute_result(&PROBLEMS[0], Method::JOINT, FIRST_SEED).unwrap();
        assert!(result.is_exact(), "{result:?}");
        assert!(result.found.iter().all(|term| term.probability.is_some_and(|value| value > 0.5)));
        let results = ProblemResults {
            problem: &PROBLEMS[0],
            by_method: METHODS.map(|method| (method, vec![result.clone()])).to_vec(),
        };
        let page = write_page(&[results]);
        assert!(
            page.markdown.contains("joint finds exactly the rule in every order of: MONK-1;"),
            "{page:?}"
        );
        assert!(
            page.markdown.contains("| MONK-1 | 432 | 4 | joint | 2 | 4.00 | 4.00 | 0.00 | 0.00 | 1.00 |")
        );
        assert!(page.markdown.contains("No false term has a probability of .9 or more."));
        assert_eq!(page.files.len(), 2);
    }

    #[test]
    fn a_rule_explains_its_table_better_than_no_cause() {
        let result = compute_result(&PROBLEMS[1], Method::JOINT, FIRST_SEED).unwrap();
        let RuleLikelihoods { no_cause, table, rule } = result.ln_likelihoods;
        assert!(no_cause < table && table < rule.unwrap(), "{:?}", result.ln_likelihoods);
    }
}
