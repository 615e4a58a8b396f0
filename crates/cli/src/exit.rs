//! The exit codes, and the words in which `--help` gives them.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked.
    Done = 0,
    /// The answer is no: findings, something wrong, nothing found, no valid request.
    No = 1,
    /// The command line or the configuration does not make sense.
    Usage = 2,
    /// A file could not be read, understood or written.
    Data = 3,
    /// A fault of this program.
    Internal = 70,
}

impl Exit {
    /// The number the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// What stands below the help of every command.
pub const EXIT_CODES: &str = "\
Exit codes:
  0   done; for `check` and `doctor`: nothing is wrong; for `diff`: the second extends the first
  1   the answer is no: findings, something is wrong or moved, nothing found, no valid request can
      be made, a format cannot hold it
  2   the command line or the configuration does not make sense
  3   a file could not be read, understood or written
  70  a fault of steno itself

Standard output carries data only; reports and errors go to standard error.
A reader that closes the pipe early is no error.
Colours: --color, NO_COLOR, CLICOLOR_FORCE, TERM=dumb.
Defaults of flags: STENO_* variables and files, as `steno config` lists them.";
