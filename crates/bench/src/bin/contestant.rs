//! This project as a contestant: `contestant bench FILE TARGET RUNS`, `nasty DIR TARGET`.
//!
//! One JSON line a file, or a case. The target is `anthropic`, with the model of the environment
//! variable `AMODEL`, or `openai`, Chat Completions with gpt-4o, or one of the other APIs
//! (`responses`, `gemini`, `bedrock`, `ollama`). `live DIR TARGET` is `nasty` for
//! one conversation in steps (`NAME.1.json`, `NAME.2.json`): what a step adds is appended to the
//! record that the requests before were made from, with their `sent`. `accumulate FILE API RUNS`
//! reads a streamed reply.

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
use std::sync::Arc;

use bench::request::{self, append, append_user, from_scratch, path_of, unlimited};
use bench::timing::Times;
use record::{Entry, Fact, Role};
use replay::{Change, Now, Target};
use serde_json::{Value, json};

/// The allocator of `steno`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PACKET_BYTES: usize = 4 << 10;
const WARM_UP: usize = 2;
const NEXT_REQUESTS: usize = 5;
const WHAT: &str = "entries in memory -> complete request in pages: new replayer, feed, prepare \
     (digests are made when its `sent` is appended); limits on body and images lifted, so that \
     the whole history is converted";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["bench", file, target, runs] => {
            println!("{}", measure(Path::new(file), target, runs.parse()?)?);
        }
        ["nasty", folder, target] => cases(Path::new(folder), target, false)?,
        ["live", folder, target] => cases(Path::new(folder), target, true)?,
        ["accumulate", file, api, runs] => {
            println!("{}", accumulate(Path::new(file), api, runs.parse()?)?);
        }
        _ => {
            let usage = "bench FILE TARGET RUNS | nasty|live DIR TARGET | accumulate FILE API RUNS";
            return Err(format!("usage: contestant {usage}").into());
        }
    }
    Ok(())
}

/// The target of a name, with a model that sees or one that does not.
fn target_of(name: &str, vision: bool) -> Result<Target, Box<dyn Error>> {
    let model = std::env::var("AMODEL").unwrap_or_else(|_| "claude-sonnet-4-5".to_owned());
    let target = match name {
        "anthropic" => Target::anthropic(model),
        "openai" => Target::openai_chat("openai", if vision { "gpt-4o" } else { "gpt-4" }),
        "responses" => Target::openai_responses("openai", "gpt-5"),
        "gemini" => Target::gemini("gemini-2.5-pro"),
        "bedrock" => Target::bedrock("anthropic.claude-sonnet-4-5-20250929-v1:0"),
        "ollama" => Target::ollama_chat("qwen2.5vl"),
        _ => return Err(format!("no target {name}").into()),
    };
    Ok(Target { vision, ..target })
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

fn measure(file: &Path, name: &str, runs: usize) -> Result<Value, Box<dyn Error>> {
    let target = target_of(name, true)?;
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
        name,
        json!({"messages": messages, "bytes": bytes, "median_ms": times.median(),
            "min_ms": times.min(), "cpu_ms": processor.median(), "incr_ms": next.median(),
            "rss_mb": memory_peak()?, "what": WHAT}),
    ))
}

/// The least milliseconds that a streamed reply takes to its row.
fn accumulate(file: &Path, api: &str, runs: usize) -> Result<Value, Box<dyn Error>> {
    let bytes = fs::read(file)?;
    let mut dialects = assemble::Dialect::ALL.into_iter();
    let dialect = dialects.find(|dialect| dialect.name() == api).ok_or("no such API")?;
    let mut times = Times::default();
    for _ in 0..runs {
        let read = || -> Result<usize, Box<dyn Error>> {
            let mut stream = assemble::Stream::new(dialect, assemble::Asked::default());
            for packet in bytes.chunks(PACKET_BYTES) {
                stream.push(packet, &mut |live| {
                    black_box(live);
                })?;
            }
            Ok(stream.finish(&mut |_| {})?.message.blocks.len())
        };
        black_box(times.run(read)?);
    }
    Ok(json!({"bytes": bytes.len(), "min_ms": times.min()}))
}

/// The most memory this process held, in MiB.
fn memory_peak() -> Result<u64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()).ok_or("no VmHWM")?;
    Ok(kib.parse::<u64>()? / 1024)
}

/// One line a case; where `live`, the steps of one conversation are one record.
fn cases(folder: &Path, name: &str, live: bool) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut record = Live::default();
    for file in files {
        let case = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !live || !record.is_of(&case) {
            record = Live::of(&case);
        }
        let mut line = json!({"case": case});
        let outcome = record.step(&fs::read(&file)?, name).unwrap_or_else(
            |error| json!({"outcome": "throws", "error": error.to_string(), "warnings": []}),
        );
        for (key, value) in outcome.as_object().into_iter().flatten() {
            line[key] = value.clone();
        }
        println!("{}", about(&file, name, line));
    }
    Ok(())
}

/// A conversation as it is stored while its requests are made.
#[derive(Default)]
struct Live {
    /// The name of its cases, up to the number of the step.
    name: String,
    /// What the step before was read as.
    read: request::Path,
    /// That, and the `sent` of each request.
    stored: request::Path,
}

impl Live {
    fn of(case: &str) -> Live {
        Live { name: name_of(case).to_owned(), ..Live::default() }
    }

    fn is_of(&self, case: &str) -> bool {
        self.name == name_of(case)
    }

    /// The request of a step.
    fn step(&mut self, bytes: &[u8], name: &str) -> Result<Value, Box<dyn Error>> {
        let doc = json::Doc::parse(bytes)?;
        let vision = doc.root().get("header").and_then(|header| header.get("vision"));
        let target = target_of(name, vision.and_then(json::Value::as_bool).unwrap_or(true))?;
        let read = path_of(bytes, "")?;
        let goes_on = read.len() >= self.read.len()
            && self.read.iter().zip(&read).all(|(old, new)| old.fact == new.fact);
        if !goes_on {
            self.read.clear();
            self.stored.clear();
        }
        for entry in read.iter().skip(self.read.len()) {
            self.store(entry);
        }
        self.read = read;
        let (_, prepared) = from_scratch(&self.stored, &target, &Now::default())?;
        append(&mut self.stored, &prepared);
        let body = String::from_utf8(prepared.request.body().to_vec())?;
        let warnings: Vec<String> = prepared.request.report().changes().map(warning).collect();
        Ok(json!({"outcome": "sent", "body": body, "warnings": warnings}))
    }

    /// Appends an entry; a reply answers the request before it.
    fn store(&mut self, entry: &Arc<Entry>) {
        let mut entry = Entry::clone(entry);
        entry.parent = self.stored.last().map(|tip| tip.id.clone());
        if let Fact::Message(message) = &mut entry.fact
            && message.role == Role::Assistant
        {
            let sent = self.stored.last().filter(|tip| matches!(tip.fact, Fact::Sent(_)));
            message.answers = sent.map(|sent| sent.id.clone());
        }
        self.stored.push(Arc::new(entry));
    }
}

/// The name of a case without the number of its step.
fn name_of(case: &str) -> &str {
    case.rsplit_once('.').map_or(case, |(name, _)| name)
}

fn warning(change: &Change) -> String {
    let row = change.row.as_ref().map_or("request", |row| row.as_str());
    let block = change.block.map_or(String::new(), |block| format!("[{block}]"));
    let detail = change.detail.as_deref().map_or(String::new(), |detail| format!(": {detail}"));
    format!("{} {row}{block}{detail}", change.kind.as_str())
}
