//! Why a command failed, as a sentence and an exit code.

use std::fmt;
use std::process::ExitCode;

use concause_report::printable;
use concause_run::{ErrorClass, RunError, flag_name};

/// Why a command failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandError {
    sentence: String,
    exit_code: u8,
}

impl CommandError {
    /// The command line or the input is wrong.
    pub fn input(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), exit_code: 2 }
    }

    /// Something else failed.
    pub fn system(sentence: impl Into<String>) -> Self {
        Self { sentence: sentence.into(), exit_code: 1 }
    }

    /// The user pressed Ctrl-C.
    pub fn interrupted() -> Self {
        RunError::Interrupted.into()
    }

    /// The exit code of the command.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.exit_code)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names in the sentence come from files, which may hold control characters of terminals.
        out.write_str(&printable(&self.sentence))
    }
}

impl From<RunError> for CommandError {
    fn from(error: RunError) -> Self {
        let exit_code = match error.class() {
            ErrorClass::Input | ErrorClass::NoColumns => 2,
            ErrorClass::System => 1,
            ErrorClass::Interrupted => 130,
        };
        Self { sentence: error.describe(&flag_name), exit_code }
    }
}

impl From<concause_io::Error> for CommandError {
    fn from(error: concause_io::Error) -> Self {
        RunError::from(error).into()
    }
}
