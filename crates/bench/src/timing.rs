//! Times of many runs, and what they have in common.

use std::time::Instant;

/// Times of runs, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Runs something once and keeps its time.
    pub fn run<T>(&mut self, what: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = what();
        self.0.push(start.elapsed().as_secs_f64() * 1e3);
        done
    }

    /// Keeps a time, in milliseconds.
    pub fn push(&mut self, time: f64) {
        self.0.push(time);
    }

    /// The shortest: what the work costs where nothing else runs.
    pub fn min(&self) -> f64 {
        self.0.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    }
}
