//! The experiment `scale`: the time of the methods by the numbers of variables and records, and by max_k.

use std::time::{Duration, Instant};

use concause::dataset::Dataset;
use concause::progress::Progress;
use concause::search::Method;
use concause_bench::chart::{Axis, Chart, Point, Series};
use concause_bench::error::ToolError;
use concause_bench::numbers::thousands;
use concause_bench::sampling::draw_nested_sample;
use concause_bench::text_table::TextTable;
use concause_bench::uci::{CENSUS, PaperEncoding};
use concause_simulate::Recipe;
use serde::{Deserialize, Serialize};

use crate::experiment_run::{ExperimentPage, ExperimentRun, FIRST_SEED};
use crate::method_under_test::{MethodUnderTest, search};
use crate::numbers::seconds;
use crate::paper;

/// The seed of the samples of Census.
const SAMPLE_SEED: u64 = 7;

/// The time of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SearchTime {
    /// The minimum of the repetitions.
    seconds: f64,
    repetitions: u32,
    tests: u64,
    causes: usize,
    end: SearchEnd,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum SearchEnd {
    /// The search finished.
    Complete,
    /// The search exceeded the time limit.
    Stopped,
    /// The search could exceed the budget of tests and did not start.
    Refused,
    /// A search of a smaller size did not finish.
    NotTried,
}

/// Stops a search after its time limit.
struct Deadline(Instant);

impl Progress for Deadline {
    fn stopped(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// A figure: the time of several methods by size.
struct TimeFigure<'a> {
    key: String,
    title: String,
    axis: Axis,
    /// The quantity on the axis.
    unit: &'static str,
    sizes: Vec<usize>,
    methods: Vec<MethodUnderTest>,
    /// Creates the data of a size.
    make_data: Box<dyn Fn(usize) -> Result<Dataset, ToolError> + 'a>,
    /// Whether the size is max_k instead of a size of the data.
    varies_max_k: bool,
    notes: Vec<String>,
    /// A comment on the corresponding figure of the paper.
    paper: &'static str,
}

/// Runs the experiment.
pub fn run_experiment(run: &ExperimentRun) -> Result<ExperimentPage, ToolError> {
    let missing = run.missing_note(&CENSUS);
    let census = match &missing {
        None => Some(CENSUS.read(&run.data, PaperEncoding::DataTable)?),
        Some(note) => {
            run.report(note);
            None
        }
    };
    let figures = figures(run, census.as_ref());
    let steps = figures.iter().map(|figure| figure.sizes.len() * figure.methods.len()).sum::<usize>();
    let bar = run.progress_bar("scale", steps as u64);
    let limit = Duration::from_secs(if run.quick { 2 } else { 20 });
    let threads = rayon::current_num_threads();
    let mut markdown = format!(
        "# Scalability\n\nThe time to search encoded data in memory with {threads} threads, at level 2, with max_k \
         3 unless stated otherwise. Each value is the minimum of three repetitions, or one value if it exceeds two \
         seconds. A search is stopped after {} s. Figures show a stopped search by a hollow marker with an arrow, \
         tables by \"more than\", and the method is not tried with larger data. The machine is shared with other \
         programs, so small differences are not meaningful. The paper shows its times in figures only, measured \
         with R on a 3.4 GHz quad-core computer. The sentences below the tables summarise its findings.\n",
        limit.as_secs()
    );
    if let Some(note) = missing {
        markdown += &format!("\n{note}. Synthetic data of the same size replace it.\n");
    }
    let mut csv = TextTable::new([
        "figure",
        "method",
        "max_k",
        "size",
        "seconds",
        "repetitions",
        "tests",
        "causes",
        "outcome",
    ]);
    let (mut files, mut findings) = (Vec::new(), Vec::new());
    for figure in &figures {
        let times = measure(run, figure, limit, &|| bar.inc(1))?;
        for (entry, times) in figure.methods.iter().zip(&times) {
            for (size, time) in figure.sizes.iter().zip(times) {
                let max_k = if figure.varies_max_k { *size } else { entry.max_k };
                csv.add_row([
                    figure.key.clone(),
                    entry.method.name().to_owned(),
                    max_k.to_string(),
                    size.to_string(),
                    format!("{:.6}", time.seconds),
                    time.repetitions.to_string(),
                    time.tests.to_string(),
                    time.causes.to_string(),
                    format!("{:?}", time.end).to_lowercase(),
                ]);
            }
        }
        markdown += &format!(
            "\n## {}\n\n![{}](scale-{}.svg)\n\n{}\n{}\n",
            figure.title,
            figure.title,
            figure.key,
            time_table(figure, &times).to_markdown(),
            figure.paper
        );
        files.push((format!("scale-{}.svg", figure.key), time_chart(figure, &times).to_svg()));
        findings.extend(compare_f_and_b(figure, &times));
    }
    bar.finish_and_clear();
    files.push(("scale.csv".into(), csv.to_csv()));
    Ok(ExperimentPage { markdown, files, findings })
}

fn figures<'a>(run: &ExperimentRun, census: Option<&'a Dataset>) -> Vec<TimeFigure<'a>> {
    let methods: Vec<MethodUnderTest> =
        MethodUnderTest::all_for_combined_causes().into_iter().filter(|entry| entry.max_k == 3).collect();
    let is_multi_level = |entry: &MethodUnderTest| {
        ![Method::NAIVE_H, Method::NAIVE_S, Method::CR_PA, Method::CR_CS].contains(&entry.method)
    };
    let (source, name) =
        if census.is_some() { ("census", "Census") } else { ("synthetic", "synthetic data") };
    let draw = move |columns: usize, rows: usize| match census {
        Some(census) => Ok(draw_nested_sample(census, columns, rows, SAMPLE_SEED)),
        None => simulate(columns, rows),
    };
    let (rows, records): (usize, Vec<usize>) =
        if run.quick { (2_000, vec![2_000, 4_000]) } else { (50_000, paper::CENSUS_RECORDS.to_vec()) };
    let drawn = match census {
        Some(_) => "random columns and rows of Census; larger samples contain the smaller ones".to_owned(),
        None => "recipe syn-100 with other numbers of rows and predictors".to_owned(),
    };
    let note =
        |what: String| vec![what, "minimum of three repetitions on a shared machine; log scales".to_owned()];
    let mut census_variables = if run.quick { vec![30, 50] } else { paper::CENSUS_VARIABLES.to_vec() };
    if !run.quick {
        census_variables.extend([250, 495]);
    }
    vec![
        TimeFigure {
            key: format!("{source}-variables"),
            title: format!(
                "Time against the number of variables, {name}, {} records",
                thousands(rows as u64)
            ),
            axis: Axis::log("variables"),
            unit: "variables",
            sizes: census_variables,
            methods: methods.clone(),
            make_data: Box::new(move |columns| draw(columns, rows)),
            varies_max_k: false,
            notes: note(drawn.clone()),
            paper: "The paper's first figure of scalability (30 to 150 variables) shows that the naïve methods are \
                    much slower than MH-PC, that Naïve-S is the slowest, and that MH-PC-B is faster than MH-PC-F. \
                    We added 250 and 495 variables.",
        },
        TimeFigure {
            key: "synthetic-variables".into(),
            title: "Time against the number of variables, synthetic data, 5,000 records".into(),
            axis: Axis::log("variables"),
            unit: "variables",
            sizes: if run.quick { vec![49, 59] } else { vec![49, 59, 79, 99, 119, 249, 499] },
            methods: methods.clone(),
            make_data: Box::new(|columns| simulate(columns, 5_000)),
            varies_max_k: false,
            notes: note("recipe syn-100 with different numbers of predictors, split aware".into()),
            paper: "In the paper's second figure (Syn-50 to Syn-120) the naïve methods returned no result within \
                    five hours. We added 249 and 499 variables.",
        },
        TimeFigure {
            key: format!("{source}-records"),
            title: format!("Time against the number of records, {name}, 100 variables"),
            axis: Axis::log("records"),
            unit: "records",
            sizes: records,
            methods: methods.clone(),
            make_data: Box::new(move |rows| draw(100, rows)),
            varies_max_k: false,
            notes: note(drawn.clone()),
            paper: "In the paper's third figure (50,000 to 250,000 records) Naïve-S returned no result, Naïve-H \
                    returned none beyond 50,000 records, and MH-PC-B was faster than MH-PC-F.",
        },
        TimeFigure {
            key: format!("{source}-max-k"),
            title: format!("Time against max_k, {name}, 100 variables, {} records", thousands(rows as u64)),
            axis: Axis::whole_numbers("max_k, the largest conditioning set"),
            unit: "max_k",
            sizes: if run.quick { vec![1, 2, 3] } else { vec![0, 1, 2, 3, 4] },
            methods: methods.into_iter().filter(is_multi_level).collect(),
            make_data: Box::new(move |_| draw(100, rows)),
            varies_max_k: true,
            notes: note(drawn),
            paper: "The paper has no such figure. It says that the time of HITON-PC is polynomial in the number of \
                    causes, with degree max_k.",
        },
    ]
}

fn simulate(columns: usize, rows: usize) -> Result<Dataset, ToolError> {
    let name = "syn-100";
    let mut recipe = Recipe::named(name).ok_or_else(|| ToolError::UnknownRecipe(name.into()))?;
    recipe.set("rows", &rows.to_string())?;
    recipe.set("predictors", &columns.to_string())?;
    Ok(recipe.simulate(FIRST_SEED)?.dataset())
}

/// Measures the times of a figure, by method and size.
fn measure(
    run: &ExperimentRun,
    figure: &TimeFigure,
    limit: Duration,
    step: &dyn Fn(),
) -> Result<Vec<Vec<SearchTime>>, ToolError> {
    let key = |entry: &MethodUnderTest, size: usize| {
        format!("scale/{}/{size}/{}/limit {}", figure.title, entry.key(), limit.as_secs())
    };
    let mut times: Vec<Vec<SearchTime>> = vec![Vec::new(); figure.methods.len()];
    for &size in &figure.sizes {
        let mut dataset = None;
        for (entry, times) in figure.methods.iter().zip(&mut times) {
            let gave_up = times.last().is_some_and(|last| last.end != SearchEnd::Complete);
            let key = key(entry, size);
            let time = match run.store.get(&key) {
                Some(known) => known,
                None if gave_up => {
                    SearchTime { seconds: 0.0, repetitions: 0, tests: 0, causes: 0, end: SearchEnd::NotTried }
                }
                None => {
                    if dataset.is_none() {
                        dataset = Some((figure.make_data)(size)?);
                    }
                    let Some(dataset) = &dataset else { continue };
                    let mut entry = *entry;
                    if figure.varies_max_k {
                        entry.max_k = size;
                    }
                    let time = time_search(entry, dataset, limit);
                    run.store.put(&key, &time)?;
                    time
                }
            };
            times.push(time);
            step();
        }
    }
    Ok(times)
}

fn time_search(entry: MethodUnderTest, dataset: &Dataset, limit: Duration) -> SearchTime {
    let settings = entry.settings(2);
    let mut best: Option<SearchTime> = None;
    for repetition in 1..=3 {
        let start = Instant::now();
        let found = search(dataset, &settings, &Deadline(start + limit));
        let seconds = start.elapsed().as_secs_f64();
        let (tests, causes, end) = match found {
            Err(_) => (0, 0, SearchEnd::Refused),
            Ok(found) if found.complete => (found.tests(), found.causes.len(), SearchEnd::Complete),
            Ok(found) => (found.tests(), 0, SearchEnd::Stopped),
        };
        let seconds = best.as_ref().map_or(seconds, |best| best.seconds.min(seconds));
        best = Some(SearchTime { seconds, repetitions: repetition, tests, causes, end });
        if seconds > 2.0 || end != SearchEnd::Complete {
            break;
        }
    }
    // There is at least one repetition.
    best.unwrap_or(SearchTime { seconds: 0.0, repetitions: 0, tests: 0, causes: 0, end: SearchEnd::Refused })
}

fn legend_label(entry: &MethodUnderTest) -> String {
    entry.method.descriptor().title.to_owned()
}

fn time_table(figure: &TimeFigure, times: &[Vec<SearchTime>]) -> TextTable {
    let sizes = figure.sizes.iter().map(|&size| thousands(size as u64));
    let mut table = TextTable::new([format!("method \\ {}", figure.unit)].into_iter().chain(sizes));
    for (entry, times) in figure.methods.iter().zip(times) {
        let cell = |time: &SearchTime| match time.end {
            SearchEnd::Complete => seconds(time.seconds),
            SearchEnd::Stopped => format!("more than {}", seconds(time.seconds)),
            SearchEnd::Refused => "refused".into(),
            SearchEnd::NotTried => "not tried".into(),
        };
        table.add_row([legend_label(entry)].into_iter().chain(times.iter().map(cell)));
    }
    table
}

fn time_chart(figure: &TimeFigure, times: &[Vec<SearchTime>]) -> Chart {
    let series = figure.methods.iter().zip(times).map(|(entry, times)| {
        let point = |(&size, time): (&usize, &SearchTime)| {
            let at_least = time.end == SearchEnd::Stopped;
            (at_least || time.end == SearchEnd::Complete)
                .then(|| Point { at_least, ..Point::new(size as f64, time.seconds) })
        };
        Series::measured(legend_label(entry), figure.sizes.iter().zip(times).filter_map(point).collect())
    });
    let mut notes = figure.notes.clone();
    if times.iter().flatten().any(|time| time.end == SearchEnd::Stopped) {
        notes.push("hollow marker with an arrow: stopped, the true time is longer".into());
    }
    Chart {
        title: figure.title.clone(),
        x: figure.axis.clone(),
        y: Axis::log("seconds"),
        series: series.collect(),
        notes,
    }
}

/// The times of MH-PC-F and MH-PC-B at the largest size that both finished.
fn compare_f_and_b(figure: &TimeFigure, times: &[Vec<SearchTime>]) -> Option<String> {
    let times_of = |method: Method| {
        let place = figure.methods.iter().position(|entry| entry.method == method)?;
        Some(&times[place])
    };
    let (full, backward) = (times_of(Method::MH_PC_F)?, times_of(Method::MH_PC_B)?);
    let complete = |place: &usize| [full, backward].iter().all(|one| one[*place].end == SearchEnd::Complete);
    let place = (0..figure.sizes.len()).rev().find(complete)?;
    let number = thousands(figure.sizes[place] as u64);
    let size =
        if figure.varies_max_k { format!("max_k {number}") } else { format!("{number} {}", figure.unit) };
    Some(format!(
        "{}: at {size} MH-PC-F takes {}, MH-PC-B {}.",
        figure.title,
        seconds(full[place].seconds),
        seconds(backward[place].seconds)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_is_stopped_after_its_time_limit() {
        let data = simulate(99, 5_000).unwrap();
        let entry = MethodUnderTest { method: Method::NAIVE_H, max_k: 3 };
        let time = time_search(entry, &data, Duration::ZERO);
        assert_eq!((time.end, time.repetitions), (SearchEnd::Stopped, 1));
        let time = time_search(
            MethodUnderTest { method: Method::MH_PC_F, max_k: 1 },
            &data,
            Duration::from_secs(600),
        );
        assert_eq!(time.end, SearchEnd::Complete);
        assert!(time.seconds > 0.0 && time.causes > 0);
    }
}
