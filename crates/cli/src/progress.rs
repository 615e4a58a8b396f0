//! How far long work has come: a bar on standard error, where that is a terminal.
//!
//! It appears only once the work has taken a while, and is gone when the work is done.

use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is done sooner shows no bar.
const QUIET_FOR: Duration = Duration::from_millis(300);

/// A bar that waits before it appears.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// When it was begun; `None` once it is seen, or where nobody looks.
    waiting_since: Option<Instant>,
}

impl Progress {
    /// Over bytes that are read; 0 where it is not known how many there are.
    pub fn of_bytes(what: &str, total: u64, wanted: bool) -> Progress {
        let (total, template) = match total {
            0 => (None, "{msg} {spinner} {bytes}"),
            total => (Some(total), "{msg} [{bar:24}] {bytes} of {total_bytes}"),
        };
        Progress::new(what, total, template, wanted)
    }

    /// Over things that are counted.
    pub fn of_count(what: &str, wanted: bool) -> Progress {
        Progress::new(what, None, "{msg} {spinner} {pos}", wanted)
    }

    fn new(what: &str, total: Option<u64>, template: &str, wanted: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> ").tick_chars("-\\|/ "));
        }
        bar.set_message(crate::inert::inert(what).into_owned());
        let wanted = wanted && io::stderr().is_terminal();
        Progress { bar, waiting_since: wanted.then(Instant::now) }
    }

    /// It has come so far.
    pub fn at(&mut self, position: u64) {
        if self.waiting_since.is_some_and(|began| began.elapsed() >= QUIET_FOR) {
            self.waiting_since = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(position);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A reader that tells how far it has come.
pub struct Watched<R> {
    input: R,
    read: u64,
    progress: Progress,
}

impl<R> Watched<R> {
    /// Watches a reader.
    pub fn new(input: R, progress: Progress) -> Watched<R> {
        Watched { input, read: 0, progress }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(into)?;
        self.read += read as u64;
        self.progress.at(self.read);
        Ok(read)
    }
}
