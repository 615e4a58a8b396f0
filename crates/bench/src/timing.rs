//! Times of many runs, and what they have in common.

use std::time::Instant;

use cpu_time::ProcessTime;

/// Times of runs, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Runs something once and keeps its time by the clock.
    pub fn run<T>(&mut self, what: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = what();
        self.0.push(start.elapsed().as_secs_f64() * 1e3);
        done
    }

    /// Runs something once and keeps the processor time it took: what else runs on the machine has
    /// no part in it, but for the caches and the memory.
    pub fn run_cpu<T>(&mut self, what: impl FnOnce() -> T) -> T {
        let start = ProcessTime::now();
        let done = what();
        self.0.push(start.elapsed().as_secs_f64() * 1e3);
        done
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
