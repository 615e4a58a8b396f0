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
mod conserved;
mod one_path;
mod stable;
mod stored;
mod valid;
mod wording;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use testkit::{Played, Script, Tag, generate, play};

/// How many histories there are where nothing else is said.
const HISTORIES: u64 = 100_000;

/// How often each extreme has to occur in that many.
const LEAST_OF_EACH: usize = 50;

/// A law: what is wrong with a played history, if anything is.
type Law = fn(&Script, &Played) -> Result<(), String>;

const LAWS: &[(&str, Law)] = &[
    ("valid", valid::check),
    ("conserved", conserved::check),
    ("stable", stable::check),
    ("one path", one_path::check),
];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The first law a script breaks, and how.
fn broken(script: &Script) -> Option<(&'static str, String)> {
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let played = play(script);
        LAWS.iter().find_map(|(name, law)| {
            if std::env::var("STENOGRAPH_LAW").is_ok_and(|only| only != *name) {
                return None;
            }
            Some((*name, law(script, &played).err()?))
        })
    }));
    judged.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied());
        Some(("no panic", words.unwrap_or("?").to_owned()))
    })
}

/// The kind of a failure: its words without what differs from history to history.
fn kind(words: &str) -> String {
    let line = words.lines().next().unwrap_or_default();
    let line: String = line.chars().filter(|c| !c.is_ascii_digit()).take(70).collect();
    line
}

#[test]
fn every_law_holds_over_a_hundred_thousand_hostile_histories() {
    let histories = number("STENOGRAPH_HISTORIES").unwrap_or(HISTORIES);
    let first = number("STENOGRAPH_SEED").unwrap_or(1);
    let stop_at = number("STENOGRAPH_FAILURES").unwrap_or(1) as usize;
    println!("{histories} histories from seed {first}");
    let counts: Vec<AtomicUsize> = Tag::ALL.iter().map(|_| AtomicUsize::new(0)).collect();
    let next = AtomicUsize::new(0);
    let done = AtomicBool::new(false);
    let failures = std::sync::Mutex::new(Vec::<(String, u64, &str, String)>::new());
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    let at = next.fetch_add(64, Ordering::Relaxed) as u64;
                    if at >= histories {
                        break;
                    }
                    for seed in (first + at)..(first + (at + 64).min(histories)) {
                        let script = generate(seed);
                        for (tag, count) in Tag::ALL.iter().zip(&counts) {
                            if script.tags.has(*tag) {
                                count.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                        if let Some((law, words)) = broken(&script) {
                            let mut failures = failures.lock().unwrap();
                            let kind = format!("{law}: {}", kind(&words));
                            failures.push((kind, seed, law, words));
                            let kinds: std::collections::BTreeSet<_> =
                                failures.iter().map(|(kind, ..)| kind.clone()).collect();
                            if kinds.len() >= stop_at {
                                done.store(true, Ordering::Relaxed);
                                break;
                            }
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    let report = shrunk(&failures, stop_at);
    let _ = std::panic::take_hook();
    assert!(
        failures.is_empty(),
        "{} of {histories} histories break a law:\n{report}",
        failures.len()
    );
    for (tag, count) in Tag::ALL.iter().zip(&counts) {
        let least = LEAST_OF_EACH * histories as usize / HISTORIES as usize;
        let count = count.load(Ordering::Relaxed);
        assert!(count >= least, "{tag:?} occurs {count} times, not {least}");
    }
}

/// One failure of each kind, as small as it gets.
fn shrunk(failures: &[(String, u64, &str, String)], kinds_max: usize) -> String {
    let mut by_kind = std::collections::BTreeMap::new();
    for (kind, seed, ..) in failures {
        by_kind.entry(kind.as_str()).or_insert((*seed, 0)).1 += 1;
    }
    let mut kinds: Vec<_> = by_kind.into_iter().collect();
    kinds.sort_by_key(|(_, (_, times))| std::cmp::Reverse(*times));
    let mut out = String::new();
    for (wanted, (seed, times)) in kinds.iter().take(kinds_max) {
        let script = generate(*seed);
        let same = |candidate: &Script| {
            broken(candidate)
                .is_some_and(|(law, words)| format!("{law}: {}", kind(&words)) == *wanted)
        };
        let small = testkit::shrink(&script, same);
        let words = broken(&small).map(|(_, words)| words).unwrap_or_default();
        let said = format!("== {wanted} ({times} times)\n{}{words}\n\n", testkit::describe(&small));
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
