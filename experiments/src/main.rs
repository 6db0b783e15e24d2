//! The command `experiments`: runs the experiments in order and writes their pages.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser as _;

use concause_bench::error::ToolError;
use concause_bench::markdown::wrap_prose;
use concause_bench::uci;
use experiments::accuracy::{self, Plan};
use experiments::arguments::{Arguments, Experiment};
use experiments::experiment_run::{ExperimentPage, ExperimentRun};
use experiments::provenance::{Provenance, code_state};
use experiments::store::Store;
use experiments::{alternatives, data_sets, families, index, logic, naive, real_data, scale};

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("experiments: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), ToolError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = out_folder(arguments, &root);
    let run = ExperimentRun {
        seeds: arguments.seeds.unwrap_or(if arguments.quick { 2 } else { 100 }),
        quick: arguments.quick,
        data: arguments.data.clone().unwrap_or_else(uci::default_folder),
        store: open_store(arguments, &root)?,
        reports_progress: true,
    };
    let provenance = run.store.get_or_compute("provenance", || Ok(Provenance::now(&root)))?;
    let is_requested =
        |one: &Experiment| arguments.experiments.is_empty() || arguments.experiments.contains(one);
    let experiments: Vec<Experiment> = Experiment::ALL.into_iter().filter(is_requested).collect();
    let mut pages = Vec::new();
    for &experiment in &experiments {
        let page = run_experiment(&run, experiment)?;
        write_file(&out, &format!("{}.md", experiment.name()), &wrap_prose(&page.markdown))?;
        for (name, text) in &page.files {
            write_file(&out, name, text)?;
        }
        pages.push((experiment, page));
    }
    if experiments == Experiment::ALL {
        let page = index::page(run.seeds, run.quick, &provenance, &pages);
        write_file(&out, "README.md", &wrap_prose(&page))?;
    }
    run.report(&format!("wrote {}", out.display()));
    Ok(())
}

fn run_experiment(run: &ExperimentRun, experiment: Experiment) -> Result<ExperimentPage, ToolError> {
    match experiment {
        Experiment::Data => data_sets::run_experiment(run),
        Experiment::Naive => naive::run_experiment(run),
        Experiment::Small => accuracy::run_experiment(run, &Plan::small(run.quick)),
        Experiment::Large => accuracy::run_experiment(run, &Plan::large(run.quick)),
        Experiment::Hard => accuracy::run_experiment(run, &Plan::hard(run.quick)),
        Experiment::Families => families::run_experiment(run),
        Experiment::Logic => logic::run_experiment(run),
        Experiment::Real => real_data::run_experiment(run),
        Experiment::Alternatives => alternatives::run_experiment(run),
        Experiment::Scale => scale::run_experiment(run),
    }
}

fn out_folder(arguments: &Arguments, root: &Path) -> PathBuf {
    match &arguments.out {
        Some(out) => out.clone(),
        None if arguments.quick => std::env::temp_dir().join("concause-experiments"),
        None => root.join("docs/experiments"),
    }
}

/// Opens the store of this state of the code.
fn open_store(arguments: &Arguments, root: &Path) -> Result<Store, ToolError> {
    let folder = arguments.cache.clone().unwrap_or_else(|| root.join("target/experiments"));
    let quick = if arguments.quick { "-quick" } else { "" };
    let path = folder.join(format!("{}{quick}.jsonl", code_state(root)));
    if arguments.fresh && path.exists() {
        std::fs::remove_file(&path).map_err(ToolError::file(&path))?;
    }
    Store::open(&path)
}

fn write_file(folder: &Path, name: &str, text: &str) -> Result<(), ToolError> {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(ToolError::file(&path))
}
