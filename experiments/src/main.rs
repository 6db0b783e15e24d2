//! The command `experiments`: runs the parts in order and writes their pages.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser as _;

use experiments::accuracy::{self, Plan};
use experiments::arguments::{Arguments, Part};
use experiments::provenance::{Provenance, state_of_code};
use experiments::run::{Run, Section};
use experiments::store::Store;
use experiments::{data_sets, index, naive, results, scale};

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("experiments: {sentence}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = out_folder(arguments, &root);
    let run = Run {
        seeds: arguments.seeds.unwrap_or(if arguments.quick { 3 } else { 100 }),
        quick: arguments.quick,
        data: arguments.data.clone().unwrap_or_else(|| root.join("../shared/data/uci")),
        store: open_store(arguments, &root)?,
        tells: true,
    };
    let provenance = run.store.get_or("provenance", || Ok(Provenance::now(&root)))?;
    let asked = |part: &Part| arguments.parts.is_empty() || arguments.parts.contains(part);
    let parts: Vec<Part> = Part::ALL.into_iter().filter(asked).collect();
    let mut sections = Vec::new();
    for &part in &parts {
        let section = section(&run, part)?;
        write(&out, &format!("{}.md", part.name()), &section.markdown)?;
        for (name, text) in &section.files {
            write(&out, name, text)?;
        }
        sections.push((part, section));
    }
    if parts == Part::ALL {
        write(&out, "README.md", &index::page(run.seeds, run.quick, &provenance, &sections))?;
    }
    run.tell(&format!("written to {}", out.display()));
    Ok(())
}

fn section(run: &Run, part: Part) -> Result<Section, String> {
    match part {
        Part::Data => data_sets::section(run),
        Part::Naive => naive::section(run),
        Part::Small => accuracy::section(run, &Plan::small(run.quick)),
        Part::Large => accuracy::section(run, &Plan::large(run.quick)),
        Part::Hard => accuracy::section(run, &Plan::hard(run.quick)),
        Part::Real => results::section(run),
        Part::Scale => scale::section(run),
    }
}

fn out_folder(arguments: &Arguments, root: &Path) -> PathBuf {
    match &arguments.out {
        Some(out) => out.clone(),
        None if arguments.quick => std::env::temp_dir().join("concause-experiments"),
        None => root.join("docs/experiments"),
    }
}

/// Finished work of this state of the code.
fn open_store(arguments: &Arguments, root: &Path) -> Result<Store, String> {
    let folder = arguments.cache.clone().unwrap_or_else(|| root.join("target/experiments"));
    let quick = if arguments.quick { "-quick" } else { "" };
    let path = folder.join(format!("{}{quick}.jsonl", state_of_code(root)));
    if arguments.fresh && path.exists() {
        std::fs::remove_file(&path).map_err(|error| format!("cannot remove {}: {error}", path.display()))?;
    }
    Store::open(&path)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, text));
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))
}
