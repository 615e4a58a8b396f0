//! This project as a contestant: `contestant bench FILE TARGET RUNS`, `nasty DIR TARGET`.
//!
//! One JSON line a file, or a case. The model is that of the environment variable `AMODEL`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "no part of the product: it fails by panicking"
)]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use bench::request::{self, append, append_user, from_scratch, path_of, unlimited};
use bench::timing::Times;
use replay::{Change, Now, Target};
use serde_json::{Value, json};

/// The allocator of `steno`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const WARM_UP: usize = 2;
const NEXT_REQUESTS: usize = 5;
const WHAT: &str = "entries in memory -> complete request in pages: new replayer, feed, prepare \
     (digests are made when its `sent` is appended); limits on body and images lifted, so that \
     the whole history is converted";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["bench", file, "anthropic", runs] => {
            println!("{}", measure(Path::new(file), runs.parse()?)?);
        }
        ["nasty", folder, "anthropic"] => nasty(Path::new(folder))?,
        ["bench" | "nasty", file, target, ..] => {
            println!("{}", about(Path::new(file), target, json!({"error": "not built yet"})));
        }
        _ => return Err("usage: contestant bench FILE TARGET RUNS | nasty DIR TARGET".into()),
    }
    Ok(())
}

fn target() -> Target {
    Target::anthropic(std::env::var("AMODEL").unwrap_or_else(|_| "claude-sonnet-4-5".to_owned()))
}

/// A line about a file: who speaks, about what, and these members.
fn about(file: &Path, target: &str, members: Value) -> Value {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let mut line = json!({"peer": "stenograph", "version": env!("CARGO_PKG_VERSION"),
        "target": target, "file": name});
    for (key, value) in members.as_object().into_iter().flatten() {
        line[key] = value.clone();
    }
    line
}

fn measure(file: &Path, runs: usize) -> Result<Value, Box<dyn Error>> {
    let target = target();
    let now = unlimited();
    let mut path = path_of(&fs::read(file)?, "")?;
    let messages = path.iter().filter(|entry| entry.message().is_some()).count();
    let (mut times, mut processor) = (Times::default(), Times::default());
    for run in 0..runs + WARM_UP {
        let make = || from_scratch(&path, &target, &now);
        let made = if run < WARM_UP { make() } else { times.run(|| processor.run_cpu(make)) };
        black_box(made.map_err(|refusal| refusal.to_string())?);
    }
    let (mut replayer, mut previous) = from_scratch(&path, &target, &now)?;
    let bytes = previous.request.body().len();
    let mut next = Times::default();
    for count in 0..NEXT_REQUESTS {
        append(&mut path, &previous);
        append_user(&mut path, &format!("more {count}"));
        previous = next.run(|| request::next(&mut replayer, &path, &now))?;
    }
    Ok(about(
        file,
        "anthropic",
        json!({"messages": messages, "bytes": bytes, "median_ms": times.median(),
            "min_ms": times.min(), "cpu_ms": processor.median(), "incr_ms": next.median(),
            "rss_mb": memory_peak()?, "what": WHAT}),
    ))
}

/// The most memory this process held, in MiB.
fn memory_peak() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).ok_or("no VmHWM")?;
    Ok(kib.parse::<u64>()? / 1024)
}

fn nasty(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut line = json!({"case": name});
        let outcome = case(&fs::read(&file)?).unwrap_or_else(
            |error| json!({"outcome": "throws", "error": error.to_string(), "warnings": []}),
        );
        for (key, value) in outcome.as_object().into_iter().flatten() {
            line[key] = value.clone();
        }
        println!("{}", about(&file, "anthropic", line));
    }
    Ok(())
}

fn case(bytes: &[u8]) -> Result<Value, Box<dyn Error>> {
    let mut target = target();
    let doc = json::Doc::parse(bytes)?;
    let vision = doc.root().get("header").and_then(|header| header.get("vision"));
    target.vision = vision.and_then(json::Value::as_bool).unwrap_or(true);
    let path = path_of(bytes, "")?;
    let (_, prepared) = from_scratch(&path, &target, &Now::default())?;
    let body = String::from_utf8(prepared.request.body().to_vec())?;
    let warnings: Vec<String> = prepared.request.report().changes().map(warning).collect();
    Ok(json!({"outcome": "sent", "body": body, "warnings": warnings}))
}

fn warning(change: &Change) -> String {
    let row = change.row.as_ref().map_or("request", |row| row.as_str());
    let block = change.block.map_or(String::new(), |block| format!("[{block}]"));
    let detail = change.detail.as_deref().map_or(String::new(), |detail| format!(": {detail}"));
    format!("{} {row}{block}{detail}", change.kind.as_str())
}
