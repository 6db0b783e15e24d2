//! All pairs of columns: the kernels beside a plain loop and beside the limit of their own instructions.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Mutex;

use concause::count::kernel::Kernel;
use concause::count::{Count, Counter, Grid, LocalCounter};
use concause::dataset::{Block, Candidate, Dataset};
use concause_bench::data;
use concause_bench::machine;
use concause_bench::page::{Table, digits, duration, percent, thousands, times};
use concause_bench::race::{Race, Times};

use crate::part::{Report, Scope, threads, threads_label};
use crate::registers::Limit;

/// Left columns that are counted together, as the search does at level 2.
const STRIPE: usize = 32;

/// Measures the pair sweep.
pub fn run(scope: &Scope) -> Result<Report, String> {
    let (columns, rows) = scope.choose((500, 300_000), (200, 100_000));
    let rounds = scope.choose(25, 5);
    let dataset = data::independent(columns, rows, 0.3, 1);
    let plain = plain_counts(&dataset);
    for kernel in Kernel::available() {
        assert_eq!(kernel_counts(&dataset, kernel), plain, "{} counts otherwise", kernel.name());
    }
    let most = machine::threads();
    let (one, all) = (threads(1)?, threads(most)?);
    let mut race = Race::new();
    race.enter("plain loop", || {
        black_box(plain_counts(&dataset));
    });
    for kernel in Kernel::available() {
        let counter = LocalCounter::with_kernel(&dataset, kernel);
        race.enter(contestant(kernel.name(), 1), {
            let (counter, one) = (counter.clone(), &one);
            move || one.install(|| sweep_only(&counter, columns))
        });
        if most > 1 {
            let all = &all;
            race.enter(contestant(kernel.name(), most), move || {
                all.install(|| sweep_only(&counter, columns));
            });
        }
    }
    let pairs = (columns * (columns - 1) / 2) as u64;
    let pair_blocks = pairs * dataset.layout().blocks() as u64;
    for limit in Limit::available() {
        race.enter(limit_name(limit.kernel), move || (limit.run)(pair_blocks));
    }
    let found = race.run(rounds);
    let mut text = format!(
        "All {} pairs of {columns} random columns × {} rows; minimum and median of {rounds} rounds in turn; the \
         spread is that of the slowest over the fastest. All contestants gave the same counts.\n\n",
        thousands(pairs),
        thousands(rows as u64),
    );
    text += &speeds(&found, pairs as f64 * rows as f64);
    text += "\n";
    text += &claims(&found, most);
    Ok(Report { text, figures: Vec::new() })
}

fn contestant(kernel: &str, threads: usize) -> String {
    format!("kernel `{kernel}`, {}", threads_label(threads))
}

fn limit_name(kernel: &str) -> String {
    format!("limit of `{kernel}`: its instructions on registers only, 1 thread")
}

fn speeds(found: &[Times], pair_rows: f64) -> String {
    let mut table = Table::new(["", "minimum", "median", "spread", "10⁹ pair-rows/s", "× plain loop"]);
    let plain = found[0].minimum();
    for times_of in found {
        table.row([
            times_of.name.clone(),
            duration(times_of.minimum()),
            duration(times_of.median()),
            percent(times_of.spread()),
            digits(pair_rows / times_of.minimum() / 1e9),
            times(plain / times_of.minimum()),
        ]);
    }
    table.markdown()
}

/// What was promised, and what was measured.
fn claims(found: &[Times], most: usize) -> String {
    let seconds = |name: String| found.iter().find(|times| times.name == name).map(|times| times.minimum());
    let ratio = |slow: Option<f64>, fast: Option<f64>, missing: &str| match (slow, fast) {
        (Some(slow), Some(fast)) => times(slow / fast),
        _ => format!("not measured: {missing}"),
    };
    let plain = seconds("plain loop".into());
    let mut table = Table::new(["pair sweep", "wanted", "measured"]);
    for (kernel, title, wanted) in [("avx512", "AVX-512", "≥ 12×"), ("avx2", "AVX2", "≥ 3.2×")] {
        let missing = format!("this machine has no {title}");
        let ours = seconds(contestant(kernel, 1));
        table.row([
            format!("{title}, one thread, against the plain `count_ones` loop of the default target"),
            wanted.into(),
            ratio(plain, ours, &missing),
        ]);
        let share = seconds(limit_name(kernel)).zip(ours).map(|(limit, ours)| percent(limit / ours));
        table.row([
            format!("{title}, one thread: share of the speed of its own instructions on registers only"),
            if kernel == "avx512" { "≥ 70 %".into() } else { "".into() },
            share.unwrap_or(format!("not measured: {missing}")),
        ]);
    }
    let fastest = Kernel::fastest().name();
    let several = if most > 1 { seconds(contestant(fastest, most)) } else { None };
    table.row([
        format!("`{fastest}`: {} against one", threads_label(most)),
        if most == 2 { "≥ 1.8×".into() } else { "".into() },
        ratio(seconds(contestant(fastest, 1)), several, "this machine has one processor"),
    ]);
    table.markdown()
}

/// Counts all pairs and does nothing with the counts.
pub fn sweep_only(counter: &LocalCounter<'_>, columns: usize) {
    sweep(counter, columns, &|_, counts| {
        black_box(counts);
    });
}

/// Counts all pairs as the search does: stripes of left columns against the columns from there on.
fn sweep(counter: &LocalCounter<'_>, columns: usize, answer: &(dyn Fn(usize, &[Count]) + Sync)) {
    let everywhere = Candidate::default();
    let columns: Vec<u32> = (0..columns as u32).collect();
    let grids: Vec<Grid<'_>> = (0..columns.len())
        .step_by(STRIPE)
        .map(|start| Grid {
            base: &everywhere,
            left: &columns[start..columns.len().min(start + STRIPE)],
            right: &columns[start..],
        })
        .collect();
    counter.grids(&grids, &|stripe, counts| {
        answer(stripe, counts);
        ControlFlow::Continue(())
    });
}

/// The counts of all pairs, first column by first column, by a kernel.
pub fn kernel_counts(dataset: &Dataset, kernel: Kernel) -> Vec<Count> {
    let columns = dataset.columns().len();
    let rows: Mutex<Vec<(usize, Vec<Count>)>> = Mutex::default();
    sweep(&LocalCounter::with_kernel(dataset, kernel), columns, &|stripe, counts| {
        let start = stripe * STRIPE;
        for (left, row) in counts.chunks(columns - start).enumerate() {
            let mut rows = rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            rows.push((start + left, row[left + 1..].to_vec()));
        }
    });
    let mut rows = rows.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    rows.sort_unstable_by_key(|(first, _)| *first);
    rows.into_iter().flat_map(|(_, row)| row).collect()
}

/// The same by the obvious loop, pair by pair, compiled for the default target.
fn plain_counts(dataset: &Dataset) -> Vec<Count> {
    let columns: Vec<(&[u64], &[u64])> = (0..dataset.columns().len())
        .map(|column| Block::words(dataset.bits(column)).split_at(8 * dataset.layout().positive_blocks()))
        .collect();
    let mut counts = Vec::with_capacity(columns.len() * columns.len() / 2);
    for (place, first) in columns.iter().enumerate() {
        for second in &columns[place + 1..] {
            counts.push(Count { positive: both(first.0, second.0), negative: both(first.1, second.1) });
        }
    }
    counts
}

fn both(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_and_the_plain_loop_agree() {
        let dataset = data::independent(70, 3_000, 0.3, 2);
        for kernel in Kernel::available() {
            assert_eq!(kernel_counts(&dataset, kernel), plain_counts(&dataset), "{}", kernel.name());
        }
    }
}
