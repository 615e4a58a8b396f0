//! Standard output and standard error: who may write there, and in colour or not.
//!
//! Only [`Ui::data`] and [`Ui::paged`] write standard output. What is written to standard error is
//! a [`Page`], a progress bar, or a JSON report that was asked for; failing to write there is no
//! failure of the run.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use stenograph::json::Raw;

use crate::failure::{Failure, Told};
use crate::page::{Page, Style};
use crate::pager::{self, Paged};

/// Bytes gathered before they are written.
const BUFFER_BYTES: usize = 256 << 10;

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless the environment says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What the environment says about colour.
#[derive(Clone, Debug, Default)]
pub struct ColorEnvironment {
    /// `NO_COLOR`
    pub no_color: Option<OsString>,
    /// `CLICOLOR_FORCE`
    pub clicolor_force: Option<OsString>,
    /// `TERM`
    pub term: Option<OsString>,
}

impl ColorEnvironment {
    /// As this process was started.
    pub fn of_process() -> ColorEnvironment {
        ColorEnvironment {
            no_color: std::env::var_os("NO_COLOR"),
            clicolor_force: std::env::var_os("CLICOLOR_FORCE"),
            term: std::env::var_os("TERM"),
        }
    }

    /// Whether a stream is coloured.
    fn colours(&self, choice: ColorChoice, is_terminal: bool) -> bool {
        let set = |value: &Option<OsString>| value.as_ref().is_some_and(|value| !value.is_empty());
        match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if set(&self.no_color) => false,
            ColorChoice::Auto
                if set(&self.clicolor_force)
                    && self.clicolor_force.as_deref() != Some("0".as_ref()) =>
            {
                true
            }
            ColorChoice::Auto => is_terminal && self.term.as_deref() != Some("dumb".as_ref()),
        }
    }
}

/// The two streams of a run.
#[derive(Debug)]
pub struct Ui {
    colours_out: bool,
    colours_err: bool,
    /// Reports are not wanted.
    quiet: bool,
    /// The pager that was set.
    pager: Option<String>,
}

impl Ui {
    /// The streams of this process.
    pub fn new(choice: ColorChoice, quiet: bool, pager: Option<String>) -> Ui {
        let environment = ColorEnvironment::of_process();
        Ui {
            colours_out: environment.colours(choice, io::stdout().is_terminal()),
            colours_err: environment.colours(choice, io::stderr().is_terminal()),
            quiet,
            pager,
        }
    }

    /// Whether anything but data and errors is wanted.
    pub fn is_talkative(&self) -> bool {
        !self.quiet
    }

    /// Whether data for a person is coloured.
    pub fn colours_data(&self) -> bool {
        self.colours_out
    }

    /// Columns of the terminal that standard output is, if it is one.
    pub fn width(&self) -> Option<usize> {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    }

    /// A stream of pages for a person: to a pager on a terminal where one is wanted, else to
    /// standard output.
    pub fn paged(&self, wanted: bool) -> Paged {
        Paged::new(
            self.colours_out,
            wanted.then(|| pager::command(self.pager.as_deref())).flatten(),
        )
    }

    /// Writes data to standard output.
    pub fn data<S: AsRef<[u8]>>(
        &mut self,
        slices: impl IntoIterator<Item = S>,
    ) -> Result<(), Failure> {
        let mut out = io::BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock());
        let written = slices.into_iter().try_for_each(|slice| out.write_all(slice.as_ref()));
        let written = written.and_then(|()| out.flush());
        // What could not be written is not tried again when the buffer is let go.
        let _ = out.into_parts();
        written.map_err(|error| Failure::stdout(&error))
    }

    /// Writes a JSON document as data, on a line of its own.
    pub fn json(&mut self, document: &Raw) -> Result<(), Failure> {
        self.data([document.as_str().as_bytes(), b"\n"])
    }

    /// Writes an answer for a person, which is this command's data; nothing where it is quiet.
    pub fn answer(&mut self, page: &Page) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        self.data([page.render(self.colours_out).as_bytes()])
    }

    /// Writes a report beside the data; nothing where it is quiet.
    pub fn report(&mut self, page: &Page) {
        if !self.quiet {
            tell(page.render(self.colours_err).as_bytes());
        }
    }

    /// Writes a JSON report beside the data: it was asked for, so quiet does not silence it.
    pub fn json_report(&mut self, document: &Raw) {
        tell(format!("{document}\n").as_bytes());
    }

    /// Writes an error in its three parts.
    pub fn told(&mut self, told: &Told) {
        let mut page = Page::new();
        page.say(Style::Red, "error:").plain(" ").plain(&told.what).end();
        if !told.cause.is_empty() {
            page.say(Style::Bold, "cause:").plain(" ").plain(&told.cause).end();
        }
        if !told.hint.is_empty() {
            page.say(Style::Cyan, "hint:").plain(" ").plain(&told.hint).end();
        }
        tell(page.render(self.colours_err).as_bytes());
    }
}

/// Writes to standard error. Where that is closed there is nobody to tell.
pub fn tell(bytes: &[u8]) {
    let _ = io::stderr().lock().write_all(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(no: &str, force: &str, term: &str) -> ColorEnvironment {
        let some = |text: &str| (!text.is_empty()).then(|| OsString::from(text));
        ColorEnvironment { no_color: some(no), clicolor_force: some(force), term: some(term) }
    }

    #[test]
    fn the_flag_goes_before_no_color_before_force_before_the_terminal() {
        let auto = ColorChoice::Auto;
        assert!(environment("", "", "xterm").colours(auto, true));
        assert!(!environment("", "", "xterm").colours(auto, false));
        assert!(!environment("", "", "dumb").colours(auto, true));
        assert!(environment("", "1", "dumb").colours(auto, false));
        assert!(!environment("", "0", "xterm").colours(auto, false));
        assert!(!environment("1", "1", "xterm").colours(auto, true));
        assert!(environment("1", "", "dumb").colours(ColorChoice::Always, false));
        assert!(!environment("", "1", "xterm").colours(ColorChoice::Never, true));
    }
}
