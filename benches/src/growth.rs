//! How the time of a complete search grows with rows, columns, level and max_k, on simulated and on Census data.

mod size_series;

use concause::dataset::Dataset;
use concause::search::{Method, Preset, Settings};
use concause_bench::chart::{Axis, Chart, Point, Series};
use concause_bench::error::ToolError;
use concause_bench::machine::{describe_machine, thread_count};
use concause_bench::numbers::{duration, ratio, thousands, three_digits};
use concause_bench::sampling::draw_sample;
use concause_bench::synthetic;
use concause_bench::text_table::TextTable;

use crate::scope::{BenchmarkResult, Scope, missing_census_note, read_census, start_threads, threads_label};
use size_series::{METHODS, MethodSeries, SearchCase, SizeSeries, time_search};

/// Measures growth.
pub fn run(scope: &Scope) -> Result<BenchmarkResult, ToolError> {
    let limit = scope.choose(60.0, 5.0);
    let (census, remark) = match read_census()? {
        Ok(census) => (Some(census), String::new()),
        Err(missing) => (None, missing_census_note(&missing) + "\n"),
    };
    let study = GrowthStudy { scope, limit, census: census.as_ref() };
    let mut result = BenchmarkResult::without_figures(remark);
    result.markdown += &format!(
        "Complete searches in memory, from bitmaps to causes, with `--preset paper` on one thread. Times are \
         processor times of the thread, which depend little on other programs. Each is the minimum of up to seven \
         runs, or fewer if they take more than two seconds in total. A search that takes more than {limit:.0} s of \
         wall-clock time is stopped, and its point is marked. *Simulated*: independent columns with a share of one \
         half, ten of which raise the log odds of the outcome by 1 each. *Census*: randomly drawn columns and \
         rows.\n\n",
    );
    start_threads(1)?.install(|| {
        study.measure_rows(&mut result);
        study.measure_columns(&mut result);
        study.measure_levels(&mut result);
        study.measure_conditioning(&mut result);
    });
    result.markdown += &study.measure_threads()?;
    Ok(result)
}

/// The number of simulated columns in series of other sizes.
const COLUMNS: usize = 100;

/// The number of times that searches with different numbers of threads alternate.
const TURNS: usize = 3;

struct GrowthStudy<'a> {
    scope: &'a Scope,
    limit: f64,
    census: Option<&'a Dataset>,
}

/// The texts of a figure.
struct FigureText {
    file: &'static str,
    title: &'static str,
    /// The data.
    data: String,
    x: Axis,
    /// The quantity that grows, and the exponent of the reference line.
    quantity: &'static str,
    power: Option<f64>,
}

impl GrowthStudy<'_> {
    fn series<'b>(&self, name: &str, sizes: &'b [usize], continues_after_stop: bool) -> SizeSeries<'b> {
        SizeSeries { name: name.into(), sizes, limit: self.limit, continues_after_stop }
    }

    fn measure_rows(&self, result: &mut BenchmarkResult) {
        let sizes = self.scope.choose(
            &[10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000][..],
            &[3_000, 10_000, 30_000, 100_000],
        );
        let mut lines = self
            .series("simulated", sizes, false)
            .run(&|rows| SearchCase::new(synthetic::logistic(COLUMNS, rows, 1)));
        if let Some(census) = self.census {
            let sizes = [50_000, 100_000, 150_000, 200_000, 250_000, census.rows() as usize];
            let sizes = &sizes[..self.scope.choose(6, 3)];
            let sample = |rows| SearchCase::new(draw_sample(census, 100, rows, 1));
            lines.extend(self.series("Census", sizes, false).run(&sample));
        }
        self.add_figure(
            result,
            &lines,
            FigureText {
                file: "rows",
                title: "Time against rows",
                data: "100 columns".into(),
                x: Axis::log("rows"),
                quantity: "rows",
                power: Some(1.0),
            },
        );
    }

    fn measure_columns(&self, result: &mut BenchmarkResult) {
        let sizes = self.scope.choose(&[50, 100, 200, 500, 1000, 2000, 5000][..], &[50, 100, 200, 500]);
        let make = |columns| SearchCase::new(synthetic::logistic(columns, 10_000, 1));
        let mut lines = self.series("simulated", sizes, false).run(&make);
        if let Some(census) = self.census {
            let sizes = &[30, 50, 70, 100, 150, 300, 495][..self.scope.choose(7, 4)];
            let sample = |columns| SearchCase::new(draw_sample(census, columns, 50_000, 1));
            lines.extend(self.series("Census", sizes, false).run(&sample));
        }
        self.add_figure(
            result,
            &lines,
            FigureText {
                file: "columns",
                title: "Time against columns",
                data: "simulated: 10,000 rows; Census: 50,000 rows".into(),
                x: Axis::log("columns"),
                quantity: "columns",
                power: Some(2.0),
            },
        );
    }

    fn measure_levels(&self, result: &mut BenchmarkResult) {
        let lines = self
            .vary_settings(&[1, 2, 3], false, |max_level| Settings { max_level, ..Preset::Paper.settings() });
        self.add_figure(
            result,
            &lines,
            FigureText {
                file: "levels",
                title: "Time against the largest level",
                data: self.describe_data() + "; max_k 3",
                x: Axis::whole_numbers("max_level: the largest number of columns in a combined cause"),
                quantity: "max_level",
                power: None,
            },
        );
    }

    fn measure_conditioning(&self, result: &mut BenchmarkResult) {
        let lines =
            self.vary_settings(&[1, 2, 3, 4], true, |max_k| Settings { max_k, ..Preset::Paper.settings() });
        self.add_figure(
            result,
            &lines,
            FigureText {
                file: "conditioning",
                title: "Time against the largest conditioning set",
                data: self.describe_data() + "; max_level 2",
                x: Axis::whole_numbers("max_k: the size of the largest conditioning set"),
                quantity: "max_k",
                power: None,
            },
        );
    }

    fn simulated_rows(&self) -> usize {
        self.scope.choose(100_000, 10_000)
    }

    /// The data of the series of settings.
    fn describe_data(&self) -> String {
        let size = |columns: usize, rows: u64| format!("{columns} columns × {} rows", thousands(rows));
        let mut data = format!("simulated: {}", size(COLUMNS, self.simulated_rows() as u64));
        if let Some(census) = self.census {
            data += &format!("; Census: {}", size(census.columns().len(), census.rows()));
        }
        data
    }

    /// Times searches of the same data with different settings.
    fn vary_settings(
        &self,
        sizes: &[usize],
        continues_after_stop: bool,
        settings: impl Fn(usize) -> Settings,
    ) -> Vec<MethodSeries> {
        let simulated = synthetic::logistic(COLUMNS, self.simulated_rows(), 1);
        let case = |size| SearchCase::with_settings(&simulated, settings(size));
        let mut lines = self.series("simulated", sizes, continues_after_stop).run(&case);
        if let Some(census) = self.census {
            let case = |size| SearchCase::with_settings(census, settings(size));
            lines.extend(self.series("Census", sizes, continues_after_stop).run(&case));
        }
        lines
    }

    /// Adds a chart, and its numbers as tables.
    fn add_figure(&self, result: &mut BenchmarkResult, lines: &[MethodSeries], text: FigureText) {
        let mut notes = vec![
            describe_machine().replace('`', ""),
            format!("{}; {}", self.scope.command, self.scope.load.describe()),
        ];
        notes.push(text.data.clone());
        result.markdown += &format!("### {}\n\n{}.\n\n", text.title, text.data);
        result.markdown += &format!("![{}](benchmarks/{}.svg)\n\n", text.title, text.file);
        let mut table = TextTable::new(["", text.quantity, "time", "tests", "causes", "× previous"]);
        for line in lines {
            let before = std::iter::once(None).chain(line.points.iter().map(Some));
            for (point, before) in line.points.iter().zip(before) {
                let if_complete = |text: String| if point.complete { text } else { String::new() };
                let seconds = duration(point.seconds);
                table.add_row([
                    line.name.clone(),
                    thousands(point.size as u64),
                    if point.complete { seconds } else { format!("stopped after {seconds}") },
                    if_complete(thousands(point.tests)),
                    if_complete(point.causes.to_string()),
                    before.and_then(|before| point.describe_ratio(before)).unwrap_or_default(),
                ]);
            }
        }
        result.markdown += &table.to_markdown();
        result.markdown += "\n";
        let mut series: Vec<Series> = lines.iter().map(MethodSeries::to_series).collect();
        if let Some(power) = text.power {
            result.markdown += &fit_exponents(lines, text.quantity, &mut notes);
            result.markdown += "\n";
            series.extend(reference_line(lines, text.quantity, power));
        } else {
            notes.extend(
                lines.iter().filter_map(|line| Some(format!("{}: {}", line.name, line.describe_steps()?))),
            );
        }
        let stops: Vec<String> = lines.iter().filter_map(MethodSeries::describe_stops).collect();
        if !stops.is_empty() {
            notes.push(format!("stopped after {:.0} s: {}", self.limit, stops.join("; ")));
        }
        let chart = Chart {
            title: text.title.into(),
            x: text.x,
            y: Axis::log("search time on one thread (s)"),
            series,
            notes,
        };
        result.figures.push((text.file, chart));
    }

    /// Times the same searches with one thread, two threads and so on.
    fn measure_threads(&self) -> Result<String, ToolError> {
        let rows = self.scope.choose(1_000_000, 30_000);
        let simulated = synthetic::logistic(COLUMNS, rows, 1);
        let name = format!("simulated, {COLUMNS} × {}", thousands(rows as u64));
        let mut table =
            TextTable::new(["", "method", "threads", "wall-clock time", "× one thread", "processor time"]);
        // The time limit of a quick run would stop every search on Census.
        let census = self.census.filter(|_| !self.scope.quick).map(|census| ("Census".to_owned(), census));
        // The pools stay alive, because the processor time of threads that have ended is lost.
        let pools = (1..=thread_count()).map(start_threads).collect::<Result<Vec<_>, ToolError>>()?;
        for (name, dataset) in [(name, &simulated)].into_iter().chain(census) {
            for (method, _) in METHODS {
                let settings = Settings { method, ..Preset::Paper.settings() };
                let mut shortest = vec![(f64::INFINITY, f64::INFINITY); pools.len()];
                for _ in 0..TURNS {
                    for (pool, shortest) in pools.iter().zip(&mut shortest) {
                        let point = pool.install(|| time_search(dataset, &settings, 0, self.limit));
                        *shortest = (shortest.0.min(point.wall_seconds), shortest.1.min(point.seconds));
                    }
                }
                for (number, (wall, processor)) in (1..).zip(&shortest) {
                    table.add_row([
                        name.clone(),
                        method.name().into(),
                        threads_label(number),
                        duration(*wall),
                        ratio(shortest[0].0 / wall),
                        duration(*processor),
                    ]);
                }
            }
        }
        Ok(format!(
            "### Threads\n\nThe minimum of {TURNS} interleaved turns of up to seven runs each:\n\n{}",
            table.to_markdown()
        ))
    }
}

/// Fits the exponents with which the time grows.
fn fit_exponents(lines: &[MethodSeries], quantity: &str, notes: &mut Vec<String>) -> String {
    let mut table = TextTable::new([
        "",
        "fitted exponent",
        &format!("× for ten times the {quantity}"),
        "× for the last tenfold",
    ]);
    for line in lines {
        let Some(exponent) = line.fit_exponent() else { continue };
        let tenfold = ratio(10f64.powf(exponent));
        let last = line.last_tenfold_ratio();
        notes.push(format!(
            "{}: time ∝ {quantity}^{exponent:.2}; ten times the {quantity}: {tenfold}{}",
            line.name,
            last.map_or(String::new(), |last| format!("; the last tenfold: {}", ratio(last)))
        ));
        let last = last.map_or(String::new(), ratio);
        table.add_row([line.name.clone(), three_digits(exponent), tenfold, last]);
    }
    table.to_markdown()
}

/// A line of the given exponent through the last point of the first series.
fn reference_line(lines: &[MethodSeries], quantity: &str, power: f64) -> Option<Series> {
    let line = lines.iter().find(|line| line.method == Method::MH_PC_F)?;
    let (first, last) = (line.points.first()?, line.points.last()?);
    let name = if power == 1.0 { format!("∝ {quantity}") } else { format!("∝ {quantity} squared") };
    Some(Series::power_law(name, Point::new(last.size as f64, last.seconds), power, first.size as f64))
}
