//! The part `scale`: how long the methods take, against the numbers of variables and of records, and max_k.

use std::time::{Duration, Instant};

use concause::dataset::Dataset;
use concause::search::{Method, Watch};
use concause::simulate::Recipe;
use serde::{Deserialize, Serialize};

use crate::contestant::{Contestant, search};
use crate::paper;
use crate::real::{CENSUS, Columns, sample};
use crate::run::{FIRST_SEED, Run, Section};
use crate::table::{Table, seconds, thousands};
use concause_bench::chart::{Axis, Chart, Point, Series};

/// The seed of the columns and rows drawn from Census.
const DRAW: u64 = 7;

/// One measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Timing {
    /// The shortest of the repetitions.
    seconds: f64,
    repetitions: u32,
    tests: u64,
    causes: usize,
    outcome: Ending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Ending {
    Complete,
    /// The time was up.
    Stopped,
    /// It did not begin.
    Refused,
    /// A smaller one was stopped or refused already.
    NotTried,
}

/// Ends a search when its time is up.
struct Deadline(Instant);

impl Watch for Deadline {
    fn stopped(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// A figure: the same methods on data that grows.
struct Figure<'a> {
    key: String,
    title: String,
    axis: Axis,
    /// What the axis counts.
    unit: &'static str,
    sizes: Vec<usize>,
    contestants: Vec<Contestant>,
    /// The data of a size.
    make: Box<dyn Fn(usize) -> Result<Dataset, String> + 'a>,
    /// Whether a size is max_k and not a measure of the data.
    grows_in_max_k: bool,
    notes: Vec<String>,
    /// What the paper says of this figure.
    paper: &'static str,
}

/// The page of the part, with its figures.
pub fn section(run: &Run) -> Result<Section, String> {
    let missing = CENSUS.missing(&run.data);
    let census = match &missing {
        None => Some(CENSUS.read(&run.data, Columns::OfDataTable)?),
        Some(note) => {
            run.tell(note);
            None
        }
    };
    let figures = figures(run, census.as_ref());
    let steps = figures.iter().map(|figure| figure.sizes.len() * figure.contestants.len()).sum::<usize>();
    let bar = run.bar("scale", steps as u64);
    let limit = Duration::from_secs(if run.quick { 2 } else { 20 });
    let threads = rayon::current_num_threads();
    let mut markdown = format!(
        "# Scalability\n\nSeconds to search data that is in memory and encoded, on {threads} threads; max_k 3 unless said otherwise, level 2. \
         Each value is the shortest of three repetitions (of one, where it takes more than two seconds). A search that had \
         not ended after {} s was stopped: a hollow marker with an arrow, and in the tables \"more than\"; larger data was then \
         not tried with that method. The machine is shared with other programs, so that small differences mean nothing. The \
         paper gives its times in figures only, on a 3.4 GHz quad-core computer with R; the sentences on them are its \
         own findings in our words.\n",
        limit.as_secs()
    );
    if let Some(note) = missing {
        markdown += &format!("\n{note}. Synthetic data of the same size stands in for it.\n");
    }
    let mut csv = Table::new([
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
        let timings = measure(run, figure, limit, &|| bar.inc(1))?;
        for (contestant, timings) in figure.contestants.iter().zip(&timings) {
            for (size, timing) in figure.sizes.iter().zip(timings) {
                let max_k = if figure.grows_in_max_k { *size } else { contestant.max_k };
                csv.row([
                    figure.key.clone(),
                    contestant.method.name().to_owned(),
                    max_k.to_string(),
                    size.to_string(),
                    format!("{:.6}", timing.seconds),
                    timing.repetitions.to_string(),
                    timing.tests.to_string(),
                    timing.causes.to_string(),
                    format!("{:?}", timing.outcome).to_lowercase(),
                ]);
            }
        }
        markdown += &format!(
            "\n## {}\n\n![{}](scale-{}.svg)\n\n{}\n{}\n",
            figure.title,
            figure.title,
            figure.key,
            table(figure, &timings).markdown(),
            figure.paper
        );
        files.push((format!("scale-{}.svg", figure.key), chart(figure, &timings).svg()));
        findings.extend(finding(figure, &timings));
    }
    bar.finish_and_clear();
    files.push(("scale.csv".into(), csv.csv()));
    Ok(Section { markdown, files, findings })
}

fn figures<'a>(run: &Run, census: Option<&'a Dataset>) -> Vec<Figure<'a>> {
    let contestants: Vec<Contestant> =
        Contestant::of_combined_causes().into_iter().filter(|contestant| contestant.max_k == 3).collect();
    let multi_level = |one: &Contestant| {
        !matches!(one.method, Method::NaiveH | Method::NaiveS | Method::CrPa | Method::CrCs)
    };
    let (source, name) =
        if census.is_some() { ("census", "Census") } else { ("synthetic", "synthetic data") };
    let draw = move |columns: usize, rows: usize| match census {
        Some(census) => Ok(sample(census, columns, rows, DRAW)),
        None => made(columns, rows),
    };
    let (rows, records): (usize, Vec<usize>) =
        if run.quick { (5_000, vec![5_000, 10_000]) } else { (50_000, paper::CENSUS_RECORDS.to_vec()) };
    let drawn = match census {
        Some(_) => {
            "columns and rows drawn at random from Census, more of them including the fewer".to_owned()
        }
        None => "the recipe syn-100 with other numbers of rows and predictors".to_owned(),
    };
    let note =
        |what: String| vec![what, "shortest of three repetitions on a shared machine; log scales".to_owned()];
    let mut census_variables = if run.quick { vec![30, 50] } else { paper::CENSUS_VARIABLES.to_vec() };
    if !run.quick {
        census_variables.extend([250, 495]);
    }
    vec![
        Figure {
            key: format!("{source}-variables"),
            title: format!(
                "Time against the number of variables, {name}, {} records",
                thousands(rows as u64)
            ),
            axis: Axis::log("variables"),
            unit: "variables",
            sizes: census_variables,
            contestants: contestants.clone(),
            make: Box::new(move |columns| draw(columns, rows)),
            grows_in_max_k: false,
            notes: note(drawn.clone()),
            paper: "The paper (its first figure of scalability, 30 to 150 variables) finds the naïve methods much slower than \
                    MH-PC, Naïve-S the slowest, and MH-PC-B faster than MH-PC-F. 250 and 495 variables are ours.",
        },
        Figure {
            key: "synthetic-variables".into(),
            title: "Time against the number of variables, synthetic data, 5,000 records".into(),
            axis: Axis::log("variables"),
            unit: "variables",
            sizes: if run.quick { vec![49, 99] } else { vec![49, 59, 79, 99, 119, 249, 499] },
            contestants: contestants.clone(),
            make: Box::new(|columns| made(columns, 5_000)),
            grows_in_max_k: false,
            notes: note("recipe syn-100 with so many predictors, split aware".into()),
            paper: "The paper (its second figure, Syn-50 to Syn-120) got no result of the naïve methods within five hours. \
                    249 and 499 variables are ours.",
        },
        Figure {
            key: format!("{source}-records"),
            title: format!("Time against the number of records, {name}, 100 variables"),
            axis: Axis::log("records"),
            unit: "records",
            sizes: records,
            contestants: contestants.clone(),
            make: Box::new(move |rows| draw(100, rows)),
            grows_in_max_k: false,
            notes: note(drawn.clone()),
            paper: "The paper (its third figure, 50,000 to 250,000 records) got no result of Naïve-S and none of Naïve-H beyond \
                    50,000 records, and finds MH-PC-B faster than MH-PC-F.",
        },
        Figure {
            key: format!("{source}-max-k"),
            title: format!("Time against max_k, {name}, 100 variables, {} records", thousands(rows as u64)),
            axis: Axis::whole("max_k, the largest conditioning set"),
            unit: "max_k",
            sizes: if run.quick { vec![1, 2, 3] } else { vec![0, 1, 2, 3, 4] },
            contestants: contestants.into_iter().filter(multi_level).collect(),
            make: Box::new(move |_| draw(100, rows)),
            grows_in_max_k: true,
            notes: note(drawn),
            paper: "The paper has no such figure; it says that HITON-PC is polynomial in the number of causes with max_k as its \
                    degree.",
        },
    ]
}

fn made(columns: usize, rows: usize) -> Result<Dataset, String> {
    let mut recipe = Recipe::named("syn-100").ok_or("there is no recipe 'syn-100'")?;
    recipe.set("rows", &rows.to_string())?;
    recipe.set("predictors", &columns.to_string())?;
    recipe.simulate(FIRST_SEED)?.dataset()
}

/// The timings of a figure, contestant by contestant and size by size.
fn measure(run: &Run, figure: &Figure, limit: Duration, step: &dyn Fn()) -> Result<Vec<Vec<Timing>>, String> {
    let key = |contestant: &Contestant, size: usize| {
        format!("scale/{}/{size}/{}/limit {}", figure.title, contestant.key(), limit.as_secs())
    };
    let mut timings: Vec<Vec<Timing>> = vec![Vec::new(); figure.contestants.len()];
    for &size in &figure.sizes {
        let mut dataset = None;
        for (contestant, timings) in figure.contestants.iter().zip(&mut timings) {
            let gave_up = timings.last().is_some_and(|last| last.outcome != Ending::Complete);
            let key = key(contestant, size);
            let timing = match run.store.get(&key) {
                Some(known) => known,
                None if gave_up => {
                    Timing { seconds: 0.0, repetitions: 0, tests: 0, causes: 0, outcome: Ending::NotTried }
                }
                None => {
                    if dataset.is_none() {
                        dataset = Some((figure.make)(size)?);
                    }
                    let Some(dataset) = &dataset else { continue };
                    let mut contestant = *contestant;
                    if figure.grows_in_max_k {
                        contestant.max_k = size;
                    }
                    let timing = time(contestant, dataset, limit);
                    run.store.put(&key, &timing)?;
                    timing
                }
            };
            timings.push(timing);
            step();
        }
    }
    Ok(timings)
}

fn time(contestant: Contestant, dataset: &Dataset, limit: Duration) -> Timing {
    let settings = contestant.settings(2);
    let mut best: Option<Timing> = None;
    for repetition in 1..=3 {
        let start = Instant::now();
        let found = search(dataset, &settings, &Deadline(start + limit));
        let seconds = start.elapsed().as_secs_f64();
        let (tests, causes, outcome) = match found {
            Err(_) => (0, 0, Ending::Refused),
            Ok(found) if found.complete => (found.tests(), found.causes.len(), Ending::Complete),
            Ok(found) => (found.tests(), 0, Ending::Stopped),
        };
        let seconds = best.as_ref().map_or(seconds, |best| best.seconds.min(seconds));
        best = Some(Timing { seconds, repetitions: repetition, tests, causes, outcome });
        if seconds > 2.0 || outcome != Ending::Complete {
            break;
        }
    }
    // There is at least one repetition.
    best.unwrap_or(Timing { seconds: 0.0, repetitions: 0, tests: 0, causes: 0, outcome: Ending::Refused })
}

fn label(contestant: &Contestant) -> String {
    match contestant.method {
        Method::NaiveH => "Naïve-H".into(),
        Method::NaiveS => "Naïve-S".into(),
        method => method.name().to_uppercase(),
    }
}

fn table(figure: &Figure, timings: &[Vec<Timing>]) -> Table {
    let sizes = figure.sizes.iter().map(|&size| thousands(size as u64));
    let mut table = Table::new([format!("method \\ {}", figure.unit)].into_iter().chain(sizes));
    for (contestant, timings) in figure.contestants.iter().zip(timings) {
        let cell = |timing: &Timing| match timing.outcome {
            Ending::Complete => seconds(timing.seconds),
            Ending::Stopped => format!("more than {}", seconds(timing.seconds)),
            Ending::Refused => "refused".into(),
            Ending::NotTried => "not tried".into(),
        };
        table.row([label(contestant)].into_iter().chain(timings.iter().map(cell)));
    }
    table
}

fn chart(figure: &Figure, timings: &[Vec<Timing>]) -> Chart {
    let series = figure.contestants.iter().zip(timings).map(|(contestant, timings)| {
        let shown = |(&size, timing): (&usize, &Timing)| {
            let at_least = timing.outcome == Ending::Stopped;
            (at_least || timing.outcome == Ending::Complete)
                .then(|| Point { at_least, ..Point::new(size as f64, timing.seconds) })
        };
        Series::measured(label(contestant), figure.sizes.iter().zip(timings).filter_map(shown).collect())
    });
    let mut notes = figure.notes.clone();
    if timings.iter().flatten().any(|timing| timing.outcome == Ending::Stopped) {
        notes.push("hollow with an arrow: stopped there, the true time is longer".into());
    }
    Chart {
        title: figure.title.clone(),
        x: figure.axis.clone(),
        y: Axis::log("seconds"),
        series: series.collect(),
        notes,
    }
}

/// How F and B compare at the largest size that both finished.
fn finding(figure: &Figure, timings: &[Vec<Timing>]) -> Option<String> {
    let of = |method: Method| {
        let place = figure.contestants.iter().position(|contestant| contestant.method == method)?;
        Some(&timings[place])
    };
    let (full, backward) = (of(Method::MhPcF)?, of(Method::MhPcB)?);
    let complete = |place: &usize| [full, backward].iter().all(|one| one[*place].outcome == Ending::Complete);
    let place = (0..figure.sizes.len()).rev().find(complete)?;
    Some(format!(
        "{}: at {} {} MH-PC-F took {}, MH-PC-B {}.",
        figure.title,
        thousands(figure.sizes[place] as u64),
        figure.unit,
        seconds(full[place].seconds),
        seconds(backward[place].seconds)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_whose_time_is_up_is_stopped() {
        let data = made(99, 5_000).unwrap();
        let contestant = Contestant { method: Method::NaiveH, max_k: 3 };
        let timing = time(contestant, &data, Duration::ZERO);
        assert_eq!((timing.outcome, timing.repetitions), (Ending::Stopped, 1));
        let timing = time(Contestant { method: Method::MhPcF, max_k: 1 }, &data, Duration::from_secs(600));
        assert_eq!(timing.outcome, Ending::Complete);
        assert!(timing.seconds > 0.0 && timing.causes > 0);
    }
}
