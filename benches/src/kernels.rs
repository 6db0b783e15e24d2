//! All pairs of columns: the kernels compared with a plain loop and with the throughput of their instructions.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::sync::Mutex;

use concause::count::kernel::Kernel;
use concause::count::{Count, Counter, Grid, LocalCounter};
use concause::dataset::{Block, Candidate, Dataset, Literal};
use concause_bench::error::ToolError;
use concause_bench::numbers::{duration, ratio, thousands, three_digits, whole_percent};
use concause_bench::text_table::TextTable;
use concause_bench::timing::{InterleavedTiming, TaskTimes};
use concause_bench::{machine, synthetic};

use crate::registers::Limit;
use crate::scope::{BenchmarkResult, Scope, start_threads, threads_label};

/// The number of left columns that are counted together, as the search does at level 2.
const STRIPE: usize = 32;

/// Measures the pair sweep.
pub fn run(scope: &Scope) -> Result<BenchmarkResult, ToolError> {
    let (columns, rows) = scope.choose((500, 300_000), (200, 100_000));
    let rounds = scope.choose(25, 5);
    let dataset = synthetic::independent(columns, rows, 0.3, 1);
    let plain = plain_counts(&dataset);
    for kernel in Kernel::available() {
        assert_eq!(kernel_counts(&dataset, kernel)?, plain, "the counts of {} differ", kernel.name());
    }
    let most = machine::thread_count();
    let (one, all) = (start_threads(1)?, start_threads(most)?);
    let mut timing = InterleavedTiming::new();
    timing.add_task("plain loop", || {
        black_box(plain_counts(&dataset));
        Ok(())
    });
    for kernel in Kernel::available() {
        let counter = LocalCounter::with_kernel(&dataset, kernel);
        timing.add_task(kernel_label(kernel.name(), 1), {
            let (counter, one) = (counter.clone(), &one);
            move || one.install(|| count_and_discard(&counter, columns))
        });
        if most > 1 {
            let all = &all;
            timing.add_task(kernel_label(kernel.name(), most), move || {
                all.install(|| count_and_discard(&counter, columns))
            });
        }
    }
    let pairs = (columns * (columns - 1) / 2) as u64;
    let pair_blocks = pairs * dataset.layout().blocks() as u64;
    for limit in Limit::available() {
        timing.add_task(limit_label(limit.kernel), move || {
            (limit.run)(pair_blocks);
            Ok(())
        });
    }
    let found = timing.run_rounds(rounds)?;
    let mut text = format!(
        "All {} pairs of {columns} random columns × {} rows: minimum and median of {rounds} interleaved rounds. The \
         spread is how much longer the slowest round took than the fastest. All methods gave the same counts.\n\n",
        thousands(pairs),
        thousands(rows as u64),
    );
    text += &speeds(&found, pairs as f64 * rows as f64);
    text += "\n";
    text += &compare_with_goals(&found, most);
    Ok(BenchmarkResult::without_figures(text))
}

fn kernel_label(kernel: &str, threads: usize) -> String {
    format!("kernel `{kernel}`, {}", threads_label(threads))
}

fn limit_label(kernel: &str) -> String {
    format!("limit of `{kernel}`: its instructions on registers only, 1 thread")
}

fn speeds(found: &[TaskTimes], pair_rows: f64) -> String {
    let mut table = TextTable::new(["", "minimum", "median", "spread", "10⁹ pair-rows/s", "× plain loop"]);
    let plain = found[0].minimum();
    for times in found {
        table.add_row([
            times.name.clone(),
            duration(times.minimum()),
            duration(times.median()),
            whole_percent(times.spread()),
            three_digits(pair_rows / times.minimum() / 1e9),
            ratio(plain / times.minimum()),
        ]);
    }
    table.to_markdown()
}

/// The goals and the measurements.
fn compare_with_goals(found: &[TaskTimes], most: usize) -> String {
    let seconds = |name: String| found.iter().find(|times| times.name == name).map(|times| times.minimum());
    let speedup = |slow: Option<f64>, fast: Option<f64>, missing: &str| match (slow, fast) {
        (Some(slow), Some(fast)) => ratio(slow / fast),
        _ => format!("not measured: {missing}"),
    };
    let plain = seconds("plain loop".into());
    let mut table = TextTable::new(["pair sweep", "goal", "measured"]);
    for (kernel, title, goal) in [("avx512", "AVX-512", "≥ 12×"), ("avx2", "AVX2", "≥ 3.2×")] {
        let missing = format!("this machine has no {title}");
        let ours = seconds(kernel_label(kernel, 1));
        table.add_row([
            format!("{title}, one thread, compared with the plain `count_ones` loop of the default target"),
            goal.into(),
            speedup(plain, ours, &missing),
        ]);
        let share = seconds(limit_label(kernel)).zip(ours).map(|(limit, ours)| whole_percent(limit / ours));
        table.add_row([
            format!("{title}, one thread: share of the throughput of its instructions on registers only"),
            if kernel == "avx512" { "≥ 70 %".into() } else { "".into() },
            share.unwrap_or(format!("not measured: {missing}")),
        ]);
    }
    let fastest = Kernel::fastest().name();
    let several = if most > 1 { seconds(kernel_label(fastest, most)) } else { None };
    table.add_row([
        format!("`{fastest}`: {} compared with one", threads_label(most)),
        if most == 2 { "≥ 1.8×".into() } else { "".into() },
        speedup(seconds(kernel_label(fastest, 1)), several, "this machine has one processor"),
    ]);
    table.to_markdown()
}

/// Counts all pairs and discards the counts.
pub fn count_and_discard(counter: &LocalCounter, columns: usize) -> Result<(), ToolError> {
    count_pairs(counter, columns, &|_, counts| {
        black_box(counts);
    })
}

/// Counts all pairs as the search does: stripes of left columns with all columns from their first on.
fn count_pairs(
    counter: &LocalCounter,
    columns: usize,
    receive: &(dyn Fn(usize, &[Count]) + Sync),
) -> Result<(), ToolError> {
    let all_rows = Candidate::default();
    let columns: Vec<Literal> = (0..columns as u32).map(Literal::plain).collect();
    let grids: Vec<Grid<'_>> = (0..columns.len())
        .step_by(STRIPE)
        .map(|start| Grid {
            base: &all_rows,
            left: &columns[start..columns.len().min(start + STRIPE)],
            right: &columns[start..],
        })
        .collect();
    counter.grids(&grids, &|stripe, counts| {
        receive(stripe, counts);
        ControlFlow::Continue(())
    })?;
    Ok(())
}

/// The counts of all pairs by a kernel, ordered by the first column.
pub fn kernel_counts(dataset: &Dataset, kernel: Kernel) -> Result<Vec<Count>, ToolError> {
    let columns = dataset.columns().len();
    let rows: Mutex<Vec<(usize, Vec<Count>)>> = Mutex::default();
    count_pairs(&LocalCounter::with_kernel(dataset, kernel), columns, &|stripe, counts| {
        let start = stripe * STRIPE;
        for (left, row) in counts.chunks(columns - start).enumerate() {
            let mut rows = rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            rows.push((start + left, row[left + 1..].to_vec()));
        }
    })?;
    let mut rows = rows.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    rows.sort_unstable_by_key(|(first, _)| *first);
    Ok(rows.into_iter().flat_map(|(_, row)| row).collect())
}

/// The same counts by a plain loop over the pairs, compiled for the default target.
fn plain_counts(dataset: &Dataset) -> Vec<Count> {
    let columns: Vec<(&[u64], &[u64])> = (0..dataset.columns().len())
        .map(|column| Block::words(dataset.bits(column)).split_at(8 * dataset.layout().positive_blocks()))
        .collect();
    let mut counts = Vec::with_capacity(columns.len() * columns.len() / 2);
    for (place, first) in columns.iter().enumerate() {
        for second in &columns[place + 1..] {
            counts.push(Count {
                positive: count_both(first.0, second.0),
                negative: count_both(first.1, second.1),
            });
        }
    }
    counts
}

fn count_both(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_and_the_plain_loop_agree() {
        let dataset = synthetic::independent(70, 3_000, 0.3, 2);
        for kernel in Kernel::available() {
            assert_eq!(kernel_counts(&dataset, kernel).unwrap(), plain_counts(&dataset), "{}", kernel.name());
        }
    }
}
