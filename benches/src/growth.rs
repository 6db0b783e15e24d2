//! How the time of a whole search grows: with rows, columns, level and max_k, on simulated and on Census data.

mod climb;

use concause::dataset::Dataset;
use concause::search::{Method, Preset, Settings};
use concause_bench::census::{self, Census};
use concause_bench::chart::{Axis, Chart, Point, Series};
use concause_bench::data;
use concause_bench::machine::{self, machine};
use concause_bench::page::{Table, digits, duration, thousands, times};

use crate::part::{Report, Scope, threads, threads_label};
use climb::{Case, Climb, Line, METHODS, search};

/// Measures growth.
pub fn run(scope: &Scope) -> Result<Report, String> {
    let limit = scope.choose(60.0, 5.0);
    let (census, remark) = match Census::find() {
        Ok(census) => (Some(census.read()?), String::new()),
        Err(sentence) => (None, format!("{sentence}.\n\n")),
    };
    let ground = Ground { scope, limit, census: census.as_ref() };
    let mut report = Report { text: remark, figures: Vec::new() };
    report.text += &format!(
        "Whole searches in memory, from the bitmaps to the causes, by `--preset paper` on one thread. Seconds are those \
         that the thread spent on a processor, so that other programs on the machine matter little: the fewest of up \
         to seven runs, of fewer where they take more than two seconds together. A search that takes more than \
         {limit:.0} s by the clock is stopped; such points are marked. *Simulated*: independent fair columns, ten of \
         which raise the log odds of the outcome by 1 each. *Census*: columns and rows drawn at random.\n\n",
    );
    threads(1)?.install(|| {
        ground.rows(&mut report);
        ground.columns(&mut report);
        ground.levels(&mut report);
        ground.conditioning(&mut report);
    });
    report.text += &ground.threads()?;
    Ok(report)
}

/// Simulated columns, where these do not grow.
const COLUMNS: usize = 100;

/// Searches with different numbers of threads take turns so often.
const TURNS: usize = 3;

struct Ground<'a> {
    scope: &'a Scope,
    limit: f64,
    census: Option<&'a Dataset>,
}

/// What a figure says besides its lines.
struct Words {
    file: &'static str,
    title: &'static str,
    /// What was searched.
    data: String,
    x: Axis,
    /// What there is more of, and the power of it that the dotted line grows with.
    of: &'static str,
    power: Option<f64>,
}

impl Ground<'_> {
    fn climb<'b>(&self, name: &str, sizes: &'b [usize], goes_on: bool) -> Climb<'b> {
        Climb { name: name.into(), sizes, limit: self.limit, goes_on }
    }

    fn rows(&self, report: &mut Report) {
        let sizes = self.scope.choose(
            &[10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000][..],
            &[3_000, 10_000, 30_000, 100_000],
        );
        let mut lines =
            self.climb("simulated", sizes, false).run(&|rows| Case::new(data::logistic(COLUMNS, rows, 1)));
        if let Some(census) = self.census {
            let sizes = [50_000, 100_000, 150_000, 200_000, 250_000, census.rows() as usize];
            let sizes = &sizes[..self.scope.choose(6, 3)];
            let sample = |rows| Case::new(census::sample(census, 100, rows, 1));
            lines.extend(self.climb("Census", sizes, false).run(&sample));
        }
        self.figure(
            report,
            &lines,
            Words {
                file: "rows",
                title: "Time against rows",
                data: "100 columns".into(),
                x: Axis::log("rows"),
                of: "rows",
                power: Some(1.0),
            },
        );
    }

    fn columns(&self, report: &mut Report) {
        let sizes = self.scope.choose(&[50, 100, 200, 500, 1000, 2000, 5000][..], &[50, 100, 200, 500]);
        let make = |columns| Case::new(data::logistic(columns, 10_000, 1));
        let mut lines = self.climb("simulated", sizes, false).run(&make);
        if let Some(census) = self.census {
            let sizes = &[30, 50, 70, 100, 150, 300, 495][..self.scope.choose(7, 4)];
            let sample = |columns| Case::new(census::sample(census, columns, 50_000, 1));
            lines.extend(self.climb("Census", sizes, false).run(&sample));
        }
        self.figure(
            report,
            &lines,
            Words {
                file: "columns",
                title: "Time against columns",
                data: "simulated: 10,000 rows; Census: 50,000 rows".into(),
                x: Axis::log("columns"),
                of: "columns",
                power: Some(2.0),
            },
        );
    }

    fn levels(&self, report: &mut Report) {
        let lines = self
            .with_settings(&[1, 2, 3], false, |max_level| Settings { max_level, ..Preset::Paper.settings() });
        self.figure(
            report,
            &lines,
            Words {
                file: "levels",
                title: "Time against the largest level",
                data: self.data() + "; max_k 3",
                x: Axis::whole("max_level: the most columns in a combined cause"),
                of: "max_level",
                power: None,
            },
        );
    }

    fn conditioning(&self, report: &mut Report) {
        let lines =
            self.with_settings(&[1, 2, 3, 4], true, |max_k| Settings { max_k, ..Preset::Paper.settings() });
        self.figure(
            report,
            &lines,
            Words {
                file: "conditioning",
                title: "Time against the largest conditioning set",
                data: self.data() + "; max_level 2",
                x: Axis::whole("max_k: the most members of a conditioning set"),
                of: "max_k",
                power: None,
            },
        );
    }

    fn simulated_rows(&self) -> usize {
        self.scope.choose(100_000, 10_000)
    }

    /// The data of searches whose settings grow.
    fn data(&self) -> String {
        let size = |columns: usize, rows: u64| format!("{columns} columns × {} rows", thousands(rows));
        let mut data = format!("simulated: {}", size(COLUMNS, self.simulated_rows() as u64));
        if let Some(census) = self.census {
            data += &format!("; Census: {}", size(census.columns().len(), census.rows()));
        }
        data
    }

    /// Fixed data, growing settings.
    fn with_settings(
        &self,
        sizes: &[usize],
        goes_on: bool,
        settings: impl Fn(usize) -> Settings,
    ) -> Vec<Line> {
        let simulated = data::logistic(COLUMNS, self.simulated_rows(), 1);
        let case = |size| Case::on(&simulated, settings(size));
        let mut lines = self.climb("simulated", sizes, goes_on).run(&case);
        if let Some(census) = self.census {
            lines.extend(self.climb("Census", sizes, goes_on).run(&|size| Case::on(census, settings(size))));
        }
        lines
    }

    /// The chart, and the numbers in it as tables.
    fn figure(&self, report: &mut Report, lines: &[Line], words: Words) {
        let mut notes = vec![
            machine().replace('`', ""),
            format!("{}; {}", self.scope.command, self.scope.others.clause()),
        ];
        notes.push(words.data.clone());
        report.text += &format!("### {}\n\n{}.\n\n", words.title, words.data);
        report.text += &format!("![{}](benchmarks/{}.svg)\n\n", words.title, words.file);
        let mut table = Table::new(["", words.of, "seconds", "tests", "causes", "× the point before"]);
        for line in lines {
            let before = std::iter::once(None).chain(line.points.iter().map(Some));
            for (point, before) in line.points.iter().zip(before) {
                let told = |text: String| if point.complete { text } else { String::new() };
                let seconds = duration(point.seconds);
                table.row([
                    line.name.clone(),
                    thousands(point.size as u64),
                    if point.complete { seconds } else { format!("stopped at {seconds}") },
                    told(thousands(point.tests)),
                    told(point.causes.to_string()),
                    before.and_then(|before| point.over(before)).unwrap_or_default(),
                ]);
            }
        }
        report.text += &table.markdown();
        report.text += "\n";
        let mut series: Vec<Series> = lines.iter().map(Line::series).collect();
        if let Some(power) = words.power {
            report.text += &slopes(lines, words.of, &mut notes);
            report.text += "\n";
            series.extend(reference(lines, words.of, power));
        } else {
            notes.extend(lines.iter().filter_map(|line| Some(format!("{}: {}", line.name, line.steps()?))));
        }
        let cut: Vec<String> = lines.iter().filter_map(Line::cut).collect();
        if !cut.is_empty() {
            notes.push(format!("stopped after {:.0} s: {}", self.limit, cut.join("; ")));
        }
        let chart = Chart {
            title: words.title.into(),
            x: words.x,
            y: Axis::log("search time on one thread (s)"),
            series,
            notes,
        };
        report.figures.push((words.file, chart));
    }

    /// The same searches by one thread, two and so on.
    fn threads(&self) -> Result<String, String> {
        let rows = self.scope.choose(1_000_000, 30_000);
        let simulated = data::logistic(COLUMNS, rows, 1);
        let name = format!("simulated, {COLUMNS} × {}", thousands(rows as u64));
        let mut table =
            Table::new(["", "method", "threads", "by the clock", "× one thread", "processor time"]);
        // On Census the quick time limit would stop them all.
        let census = self.census.filter(|_| !self.scope.quick).map(|census| ("Census".to_owned(), census));
        // Made once: the time of threads that have ended would be missed.
        let pools = (1..=machine::threads()).map(threads).collect::<Result<Vec<_>, String>>()?;
        for (name, dataset) in [(name, &simulated)].into_iter().chain(census) {
            for (method, _) in METHODS {
                let settings = Settings { method, ..Preset::Paper.settings() };
                let mut fewest = vec![(f64::INFINITY, f64::INFINITY); pools.len()];
                for _ in 0..TURNS {
                    for (pool, fewest) in pools.iter().zip(&mut fewest) {
                        let point = pool.install(|| search(dataset, &settings, 0, self.limit));
                        *fewest = (fewest.0.min(point.by_the_clock), fewest.1.min(point.seconds));
                    }
                }
                for (number, (clock, processor)) in (1..).zip(&fewest) {
                    table.row([
                        name.clone(),
                        method.name().into(),
                        threads_label(number),
                        duration(*clock),
                        times(fewest[0].0 / clock),
                        duration(*processor),
                    ]);
                }
            }
        }
        Ok(format!(
            "### Threads\n\nIn turn, the fewest of {TURNS} times up to seven runs:\n\n{}",
            table.markdown()
        ))
    }
}

/// How fast the time grows: the slope of a straight line through the logarithms.
fn slopes(lines: &[Line], of: &str, notes: &mut Vec<String>) -> String {
    let mut table =
        Table::new(["", "fitted power", &format!("ten times more {of} cost"), "the last tenfold cost"]);
    for line in lines {
        let Some(slope) = line.slope() else { continue };
        let tenfold = times(10f64.powf(slope));
        let last = line.last_tenfold();
        notes.push(format!(
            "{}: time ∝ {of}^{slope:.2}; ten times more {of} cost {tenfold}{}",
            line.name,
            last.map_or(String::new(), |last| format!(", the last tenfold {}", times(last)))
        ));
        let last = last.map_or("".into(), times);
        table.row([line.name.clone(), digits(slope), tenfold, last]);
    }
    table.markdown()
}

/// A line of the given power through the last point of the first series.
fn reference(lines: &[Line], of: &str, power: f64) -> Option<Series> {
    let line = lines.iter().find(|line| line.method == Method::MhPcF)?;
    let (first, last) = (line.points.first()?, line.points.last()?);
    let name = if power == 1.0 { format!("∝ {of}") } else { format!("∝ {of} squared") };
    Some(Series::power(name, Point::new(last.size as f64, last.seconds), power, first.size as f64))
}
