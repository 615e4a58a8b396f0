//! The laws of a request, over hostile histories: valid, conserved, stable, one path.
//!
//! The judges know the specification and the bytes, and nothing of the fold. A history that breaks
//! a law is shrunk, printed and saved. `STENOGRAPH_SEED` is the first seed, `STENOGRAPH_HISTORIES`
//! how many there are, `STENOGRAPH_FAILURES` after how many kinds of failure it stops.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod body;
mod chat;
mod conserved;
mod converse;
mod gemini;
mod one_path;
mod responses;
mod stable;
mod stored;
mod valid;
mod wording;

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use testkit::{Played, Script, Tag, generate, play};

/// The allocator of `steno`: most of what a judge does is to take texts apart.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How many histories there are where nothing else is said.
const HISTORIES: u64 = 100_000;

/// How often each extreme has to occur in that many, and each thing that can come of a request.
const LEAST_OF_EACH: u64 = 50;

/// Histories that a thread takes at once.
const BATCH: u64 = 64;

const THREADS: usize = 2;

/// A law: what is wrong with a played history, if anything is.
type Law = fn(&Script, &Played) -> Result<(), String>;

const LAWS: &[(&str, Law)] = &[
    ("valid", valid::check),
    ("conserved", conserved::check),
    ("stable", stable::check),
    ("one path", one_path::check),
];

/// What can come of a request: reasons for which it moved, and refusals.
const OUTCOMES: &[&str] = &[
    "extends",
    "parameters",
    "head",
    "authority",
    "compaction",
    "microcompaction",
    "retraction",
    "thinking span",
    "images",
    "capability",
    "demoted system note",
    "nothing_to_say",
    "too_large",
    "compaction_splits_round",
    "tool_definition",
];

/// A law that a history breaks, and how.
struct Failure {
    seed: u64,
    law: &'static str,
    words: String,
}

impl Failure {
    /// The law and the words without what differs from history to history.
    fn kind(&self) -> String {
        let line = self.words.lines().next().unwrap_or_default();
        let line: String = line.chars().filter(|c| !c.is_ascii_digit()).take(70).collect();
        format!("{}: {line}", self.law)
    }
}

/// What a run has found so far.
#[derive(Default)]
struct Found {
    counts: BTreeMap<String, u64>,
    failures: Vec<Failure>,
}

impl Found {
    fn take(&mut self, other: Found) {
        for (name, count) in other.counts {
            *self.counts.entry(name).or_default() += count;
        }
        self.failures.extend(other.failures);
    }

    fn count(&mut self, name: &str) {
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(name.to_owned(), 1)),
        }
    }

    fn kinds(&self) -> BTreeSet<String> {
        self.failures.iter().map(Failure::kind).collect()
    }

    /// Judges the history of a seed.
    fn judge(&mut self, seed: u64) {
        let script = generate(seed);
        for tag in Tag::ALL.iter().filter(|tag| script.tags.has(**tag)) {
            self.count(&format!("{tag:?}"));
        }
        let failure = broken(&script, |played| {
            for request in &played.requests {
                self.count(match &request.outcome {
                    Err(refusal) => refusal.as_str(),
                    Ok(prepared) => match prepared.request.report().moved {
                        Some(moved) => moved.reason.as_str(),
                        None => "extends",
                    },
                });
            }
        });
        self.failures.extend(failure);
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The first law a script breaks, and how.
fn broken(script: &Script, mut look: impl FnMut(&Played)) -> Option<Failure> {
    let failure = |law, words| Failure { seed: script.seed, law, words };
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let played = play(script);
        look(&played);
        LAWS.iter().find_map(|(name, law)| Some(failure(*name, law(script, &played).err()?)))
    }));
    judged.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Some(failure("no panic", words.unwrap_or("?").to_owned()))
    })
}

#[test]
fn every_law_holds_over_a_hundred_thousand_hostile_histories() {
    let histories = number("STENOGRAPH_HISTORIES").unwrap_or(HISTORIES);
    let first = number("STENOGRAPH_SEED").unwrap_or(1);
    let kinds_max = number("STENOGRAPH_FAILURES").unwrap_or(1) as usize;
    println!("{histories} histories from seed {first}");
    std::panic::set_hook(Box::new(|_| {}));
    let found = judged(first, histories, kinds_max);
    let report = shrunk(&found.failures, kinds_max);
    let _ = std::panic::take_hook();
    let broken = found.failures.len();
    assert_eq!(broken, 0, "{broken} of {histories} histories break a law:\n{report}");
    let least = LEAST_OF_EACH * histories / HISTORIES;
    let tags = Tag::ALL.iter().map(|tag| format!("{tag:?}"));
    for name in tags.chain(OUTCOMES.iter().map(|name| (*name).to_owned())) {
        let count = found.counts.get(&name).copied().unwrap_or_default();
        assert!(count >= least, "{name} occurs {count} times, not {least}");
    }
}

/// Judges the histories of these seeds, until there are so many kinds of failure.
fn judged(first: u64, histories: u64, kinds_max: usize) -> Found {
    let (next, done) = (AtomicU64::new(first), AtomicBool::new(false));
    let found = Mutex::new(Found::default());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let start = next.fetch_add(BATCH, Ordering::Relaxed);
                    let mut batch = Found::default();
                    for seed in start..(start + BATCH).min(first + histories) {
                        batch.judge(seed);
                    }
                    let mut found = found.lock().unwrap();
                    found.take(batch);
                    if found.kinds().len() >= kinds_max || start + BATCH >= first + histories {
                        done.store(true, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// One failure of each kind, as small as it gets.
fn shrunk(failures: &[Failure], kinds_max: usize) -> String {
    let mut by_kind = BTreeMap::new();
    for failure in failures {
        by_kind.entry(failure.kind()).or_insert((failure.seed, 0)).1 += 1;
    }
    let mut kinds: Vec<_> = by_kind.into_iter().collect();
    kinds.sort_by_key(|(_, (_, times))| std::cmp::Reverse(*times));
    let mut out = String::new();
    for (wanted, (seed, times)) in kinds.iter().take(kinds_max) {
        let same = |script: &Script| {
            broken(script, |_| ()).is_some_and(|failure| failure.kind() == *wanted)
        };
        let small = testkit::shrink(&generate(*seed), same);
        let words = broken(&small, |_| ()).map(|failure| failure.words).unwrap_or_default();
        let history = testkit::describe(&small);
        let said = format!("== {wanted} ({times} times)\n{history}{words}\n\n");
        save(*seed, &said);
        out.push_str(&said);
    }
    out
}

/// Keeps a failure beside the build's other output.
fn save(seed: u64, said: &str) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("failures");
    let _ = std::fs::create_dir_all(&folder);
    let _ = std::fs::write(folder.join(format!("{seed}.txt")), said);
}
