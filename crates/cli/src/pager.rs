//! Where pages go that a person reads: a pager on a terminal, else standard output.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use crate::failure::Failure;
use crate::page::Page;

/// Bytes gathered before they are written.
const BUFFER_BYTES: usize = 64 << 10;

/// The pager where nothing names another.
const PAGER_DEFAULT: &str = "less";

/// What `less` is told where nothing tells it otherwise: leave at once if all fits, show colours,
/// leave the screen as it is, leave on an interrupt.
const LESS_DEFAULT: &str = "FRXK";

/// A stream of pages.
pub struct Paged {
    to: To,
    colours: bool,
}

enum To {
    Stdout(BufWriter<StdoutLock<'static>>),
    Pager(Child, BufWriter<ChildStdin>),
}

impl Paged {
    /// To a pager where standard output is a terminal and one is wanted and there; else to standard
    /// output.
    pub fn new(colours: bool, pager: Option<Vec<String>>) -> Paged {
        let command = pager.filter(|_| io::stdout().is_terminal());
        let to = command.and_then(start).unwrap_or_else(|| {
            To::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock()))
        });
        Paged { to, colours }
    }

    /// Writes a page.
    pub fn write(&mut self, page: &Page) -> Result<(), Failure> {
        let text = page.render(self.colours);
        let written = match &mut self.to {
            To::Stdout(out) => out.write_all(text.as_bytes()),
            To::Pager(_, out) => out.write_all(text.as_bytes()),
        };
        written.map_err(|error| Failure::stdout(&error))
    }

    /// Writes what is gathered and waits until the reader has seen enough.
    pub fn finish(self) -> Result<(), Failure> {
        let flushed = match self.to {
            To::Stdout(mut out) => {
                let flushed = out.flush();
                // What could not be written is not tried again when the buffer is let go.
                let _ = out.into_parts();
                flushed
            }
            To::Pager(mut pager, mut out) => {
                let flushed = out.flush();
                drop(out.into_parts());
                let ended = pager.wait();
                flushed.and(ended.map(|_| ()))
            }
        };
        flushed.map_err(|error| Failure::stdout(&error))
    }
}

/// The pager and its arguments, as they were set or as every program takes them; `None` where none
/// is wanted.
pub fn command(set: Option<&str>) -> Option<Vec<String>> {
    words(set.map(OsString::from).or_else(|| std::env::var_os("PAGER")))
}

fn words(named: Option<OsString>) -> Option<Vec<String>> {
    let named = named.unwrap_or_else(|| PAGER_DEFAULT.into());
    let words: Vec<String> = named.to_str()?.split_whitespace().map(str::to_owned).collect();
    (!words.is_empty() && words != ["cat"]).then_some(words)
}

fn start(words: Vec<String>) -> Option<To> {
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", LESS_DEFAULT);
    }
    let mut pager = command.spawn().ok()?;
    let input = pager.stdin.take()?;
    Some(To::Pager(pager, BufWriter::with_capacity(BUFFER_BYTES, input)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_pager_and_cat_are_none() {
        let named = |text: &str| words(Some(text.into()));
        assert_eq!(words(None), Some(vec!["less".to_owned()]));
        assert_eq!(named("less -R"), Some(vec!["less".to_owned(), "-R".to_owned()]));
        assert_eq!([named(""), named(" "), named("cat")], [None, None, None]);
    }
}
