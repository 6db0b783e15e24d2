//! Runs the command in a temporary folder, and generates the tables that several tests use.
#![allow(dead_code)] // no test file uses all of it

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use concause::random::Random;
use serde_json::Value;

/// The exit code and the output of a run of the command.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// Standard output of a run that must have succeeded.
    #[track_caller]
    pub fn good(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self.stdout
    }

    /// The JSON of a run that must have succeeded.
    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.good()).unwrap()
    }

    /// The JSON lines of a run that must have succeeded.
    #[track_caller]
    pub fn json_lines(self) -> Vec<Value> {
        self.good().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// The command, to be run in a folder.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_concause"));
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A temporary folder of one test.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let scratch = Self::new();
        scratch.write(name, content);
        scratch
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of the files in it, including hidden ones.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the command here.
    pub fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, b"")
    }

    /// Runs the command here with this on its standard input.
    pub fn run_with(&self, arguments: &[&str], stdin: &[u8]) -> Run {
        let mut child = command(self.folder(), arguments).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            // A command that rejects its arguments closes the pipe without reading it.
            scope.spawn(move || drop(pipe.write_all(stdin)));
            child.wait_with_output().unwrap()
        });
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The names of the causes of a result.
pub fn causes(document: &Value) -> Vec<&str> {
    document["causes"].as_array().unwrap().iter().map(|cause| cause["name"].as_str().unwrap()).collect()
}

/// A result without the fields that may differ between two runs on the same rows.
pub fn without_timing(mut document: Value) -> Value {
    let object = document.as_object_mut().unwrap();
    assert!(object.remove("timing").is_some());
    assert!(object.remove("command").is_some());
    assert!(object["data"].as_object_mut().unwrap().remove("sources").is_some());
    document
}

/// The fire data of the README. The causes are lightning, power line faults, and stubs in dry brush.
pub fn fire() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/fire.csv");
    std::fs::read_to_string(path).unwrap()
}

/// Patients with attributes of all kinds and some missing cells. The causes of sickness are smoking, an age of 60 or
/// more, and a gene combined with a diet.
pub fn patients(rows: usize) -> String {
    let mut random = Random::new(7);
    let mut text = String::from("age,smoker,gene,diet,blood,class\n");
    for _ in 0..rows {
        let (age, smoker) = (20 + random.below(60), random.chance(0.3));
        let (gene, diet) = (["A", "B", "C"][random.below(3)], ["meat", "fish", "plants"][random.below(3)]);
        let blood = ["0", "A", "B", "AB", "?"][random.below(5)];
        let combined = gene == "B" && diet == "meat";
        let risk = 0.05
            + if smoker { 0.3 } else { 0.0 }
            + if age >= 60 { 0.3 } else { 0.0 }
            + if combined { 0.3 } else { 0.0 };
        let class = if random.chance(risk) { "sick" } else { "well" };
        let smoker = if random.chance(0.02) { "" } else { ["no", "yes"][usize::from(smoker)] };
        text += &format!("{age},{smoker},{gene},{diet},{blood},{class}\n");
    }
    text
}
