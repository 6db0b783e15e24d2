//! Why a command ended without a result, and the exit code that says so.

use std::process::ExitCode;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The command line or the input is wrong: exit code 2.
    Input(String),
    /// Anything else: exit code 1.
    Other(String),
    /// The user interrupted; what was known by then has been printed, if anything was. Exit code 130.
    Interrupted,
    /// Nobody reads the output any more: nothing to say.
    ClosedPipe,
}

impl Failure {
    /// The sentence for the person who typed the command.
    pub fn sentence(&self) -> Option<String> {
        match self {
            Failure::Input(sentence) | Failure::Other(sentence) => Some(sentence.clone()),
            Failure::Interrupted => Some("interrupted".into()),
            Failure::ClosedPipe => None,
        }
    }

    /// The exit code.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Input(_) => 2,
            Failure::Other(_) => 1,
            Failure::Interrupted => 130,
            Failure::ClosedPipe => 0,
        })
    }
}

impl From<concause_io::Error> for Failure {
    fn from(error: concause_io::Error) -> Self {
        if error.is_cancelled() {
            Failure::Interrupted
        } else if error.is_io() {
            Failure::Other(error.to_string())
        } else {
            Failure::Input(error.to_string())
        }
    }
}

impl From<concause::Error> for Failure {
    fn from(error: concause::Error) -> Self {
        Failure::Input(error.to_string())
    }
}
