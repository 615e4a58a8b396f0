//! Measures the bars of `docs/benchmarks.md`, prints a table, and fails where one is missed.
//!
//! `bars [RUNS]`. Each figure is the least processor time of all runs (by the clock for another
//! program), and what is compared runs in turns. Where `steno` lies beside this program, it is
//! measured as well.

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
use std::process::{Command, ExitCode, Stdio};

use bench::history::{H50MB, H1000, H10000, Shape, history};
use bench::reply::{payloads, stream, turns as reply_of};
use bench::request::{
    self, append, append_reply, append_user, from_scratch, path_of, unlimited, with_sents,
};
use bench::session::session;
use bench::timing::Times;
use replay::Target;
use serde_json::{Value, json};

/// The allocator of `steno`: what is compared has the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RUNS_DEFAULT: usize = 41;
/// Runs of one kind before it is the other's turn: each finds its own data where it left it.
const IN_A_ROW: usize = 5;
const TURNS: usize = 400;
const SESSION_BYTES: usize = 50_000_000;

/// The most time of `serde_json::to_vec` of the finished body.
const OF_TO_VEC_MAX: f64 = 0.5;
/// The most time of `serde_json::to_writer` into a buffer that is there.
const OF_TO_WRITER_MAX: f64 = 0.7;
/// Bytes a request may take beside its body.
const BESIDE_BODY_MAX: i64 = 1 << 20;
/// Microseconds of the next request beyond encoding the new turn.
const NEXT_MICROS_MAX: f64 = 20.0;
/// By how many the allocations of the next request may differ: a `sent` has one more checkpoint for
/// each doubling of the conversation.
const NEXT_ALLOCATIONS_DIFFERENCE_MAX: u64 = 8;
/// Bytes by which the allocations of the next request may differ from history to history.
const NEXT_BYTES_DIFFERENCE_MAX: u64 = 4 << 10;
/// The most memory for reading a session file, of the file's bytes.
const FILE_MEMORY_MAX: f64 = 3.0;
/// The most time of a program that parses a file's lines into values and keeps them.
const OF_PARSING_MAX: f64 = 2.0;
/// Milliseconds of `steno --version`.
const VERSION_MILLIS_MAX: f64 = 10.0;

/// The most time of a reply of half as many deltas: linear, and what caches do.
const OF_HALF_MAX: f64 = 2.4;
const DELTAS: usize = 500_000;
const PACKET_BYTES: usize = 4 << 10;
/// The most time of parsing what stands in a stream's frames into values, and keeping none.
const OF_FRAMES_MAX: f64 = 2.0;
/// Thoughts, texts and calls of a streamed reply.
const REPLY_TURNS: usize = 500;

const TURN_REPLY: &str = "The wheel turns as it should: 12 teeth on 36.\nNothing to change. ";
const TURN_ASK: &str = "And the next one? Say it in one line.";

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let runs = std::env::args().nth(1).map_or(Ok(RUNS_DEFAULT), |runs| runs.parse())?;
    let mut table = Table::default();
    for (api, target) in targets() {
        scratch(&mut table, &format!("{api}h1000"), H1000, &target, runs * 5)?;
        scratch(&mut table, &format!("{api}h10000"), H10000, &target, runs)?;
        for (name, shape) in [("h1000", H1000), ("h10000", H10000)] {
            next(&mut table, &format!("{api}{name}"), shape, &target)?;
        }
    }
    memory(&mut table)?;
    let folder = std::env::temp_dir().join(format!("stenograph-bars-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    for (name, text) in [("claude-code", session(SESSION_BYTES)), ("h50mb", history(H50MB))] {
        let file = folder.join(name);
        fs::write(&file, text)?;
        whole_file(&mut table, name, &file, runs.div_ceil(4))?;
    }
    assembling(&mut table, runs.div_ceil(8))?;
    for dialect in assemble::Dialect::ALL {
        beside_frames(&mut table, dialect, runs)?;
    }
    version(&mut table, runs)?;
    fs::remove_dir_all(&folder)?;
    Ok(if table.missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A target of each dialect, and what stands before the names of its histories.
fn targets() -> [(&'static str, Target); 6] {
    [
        ("", Target::anthropic("claude-sonnet-4-5")),
        ("Chat Completions, ", Target::openai_chat("openai", "gpt-4o")),
        ("Responses, ", Target::openai_responses("openai", "gpt-5")),
        ("Gemini, ", Target::gemini("gemini-2.5-pro")),
        ("Converse, ", Target::bedrock("anthropic.claude-sonnet-4-5-20250929-v1:0")),
        ("Ollama, ", Target { vision: true, ..Target::ollama_chat("qwen2.5vl") }),
    ]
}

/// The rows printed so far.
#[derive(Default)]
struct Table {
    missed: usize,
    begun: bool,
}

impl Table {
    fn row(&mut self, bar: &str, measured: &str, met: Option<bool>) {
        if !self.begun {
            println!("| bar | measured | |\n|---|---|---|");
            self.begun = true;
        }
        let verdict = met.map_or("", |met| if met { "met" } else { "missed" });
        println!("| {bar} | {measured} | {verdict} |");
        self.missed += usize::from(met == Some(false));
    }
}

/// From scratch, beside writing the finished body.
fn scratch(
    table: &mut Table,
    name: &str,
    shape: Shape,
    target: &Target,
    runs: usize,
) -> Result<(), Box<dyn Error>> {
    let now = unlimited();
    let path = path_of(history(shape).as_bytes(), name)?;
    let (_, prepared) = from_scratch(&path, target, &now)?;
    let body = prepared.request.body().to_vec();
    let value: Value = serde_json::from_slice(&body)?;
    let mut buffer = Vec::with_capacity(body.len() * 2);
    let (mut ours, mut with_sent) = (Times::default(), Times::default());
    let (mut to_vec, mut to_writer) = (Times::default(), Times::default());
    for _ in 0..runs.div_ceil(IN_A_ROW) {
        for _ in 0..IN_A_ROW {
            black_box(ours.run_cpu(|| from_scratch(&path, target, &now))?);
        }
        for _ in 0..IN_A_ROW {
            let make = || {
                from_scratch(&path, target, &now).inspect(|(_, made)| {
                    black_box(made.append());
                })
            };
            black_box(with_sent.run_cpu(make)?);
        }
        for _ in 0..IN_A_ROW {
            black_box(to_vec.run_cpu(|| serde_json::to_vec(&value))?);
        }
        for _ in 0..IN_A_ROW {
            buffer.clear();
            to_writer.run_cpu(|| serde_json::to_writer(&mut buffer, &value))?;
            black_box(&buffer);
        }
    }
    for (what, theirs, most) in [
        ("`to_vec`", &to_vec, OF_TO_VEC_MAX),
        ("`to_writer` into a buffer", &to_writer, OF_TO_WRITER_MAX),
    ] {
        let of = ours.min() / theirs.min();
        let bar = format!("{name} from scratch: at most {most} of `serde_json` {what}");
        let measured = format!(
            "{of:.2} ({:.2} ms, {:.2} ms; medians {:.2}, {:.2})",
            ours.min(),
            theirs.min(),
            ours.median(),
            theirs.median()
        );
        table.row(&bar, &measured, Some(of <= most));
    }
    let stored = with_sents(&path, target, &now)?;
    let mut reopened = Times::default();
    for _ in 0..runs.div_ceil(IN_A_ROW) {
        black_box(reopened.run_cpu(|| from_scratch(&stored, target, &now))?);
    }
    for (what, times) in [
        ("with the digests of its `sent`", &with_sent),
        ("of a record with a `sent` for each reply", &reopened),
    ] {
        let of = times.min() / to_vec.min();
        let measured = format!("{of:.2} of `to_vec` ({:.2} ms)", times.min());
        table.row(&format!("{name} from scratch, {what}: no bar"), &measured, None);
    }
    Ok(())
}

/// The next request after one turn, the previous one still held.
fn next(
    table: &mut Table,
    name: &str,
    shape: Shape,
    target: &Target,
) -> Result<(), Box<dyn Error>> {
    let now = unlimited();
    let mut path = path_of(history(shape).as_bytes(), name)?;
    let (mut replayer, mut previous) = from_scratch(&path, target, &now)?;
    let reply = TURN_REPLY.repeat(4);
    let turn = json!([
        {"role": "assistant", "content": [{"type": "text", "text": reply}]},
        {"role": "user", "content": [{"type": "text", "text": TURN_ASK}]},
    ]);
    let (mut ours, mut encoding) = (Times::default(), Times::default());
    for _ in 0..TURNS {
        append(&mut path, &previous);
        append_reply(&mut path, target, &reply);
        append_user(&mut path, TURN_ASK);
        previous = ours.run_cpu(|| request::next(&mut replayer, &path, &now))?;
        black_box(encoding.run_cpu(|| serde_json::to_vec(&turn))?);
    }
    let (ours, encoding) = (ours.median() * 1e3, encoding.median() * 1e3);
    let beyond = ours - encoding;
    let bar = format!(
        "next request of {name}: at most {NEXT_MICROS_MAX} \u{b5}s beyond encoding the turn"
    );
    let measured = format!("{beyond:.1} \u{b5}s (medians {ours:.1}, {encoding:.1})");
    table.row(&bar, &measured, Some(beyond <= NEXT_MICROS_MAX));
    Ok(())
}

/// What requests allocate, as the program beside this one counts it.
fn memory(table: &mut Table) -> Result<(), Box<dyn Error>> {
    let Some(program) = beside("memory")? else {
        table.row("memory", "program `memory` is not built", None);
        return Ok(());
    };
    let output = Command::new(program).stderr(Stdio::inherit()).output()?;
    let text = String::from_utf8(output.stdout)?;
    let lines: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let number = |line: &Value, name: &str| line.get(name).and_then(Value::as_u64).unwrap_or(0);
    let (requests, files): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("history").is_some());
    for line in &requests {
        let (body, peak) = (number(line, "body_bytes"), number(line, "peak_bytes"));
        let over = peak as i64 - body as i64;
        let name = line.get("history").and_then(Value::as_str).unwrap_or_default();
        let bar = format!("memory of {name}'s request beside the record: its body and 1 MiB");
        let measured = format!("its body and {} KiB ({body} bytes, {peak} bytes)", over >> 10);
        table.row(&bar, &measured, Some(over <= BESIDE_BODY_MAX));
    }
    for line in &files {
        let file = number(line, "file_bytes");
        for (what, name) in
            [("reading", "import_peak_bytes"), ("reading to view", "view_peak_bytes")]
        {
            let of = number(line, name) as f64 / file as f64;
            let bar = format!("memory of {what} claude-code, 100 MB: at most 3 times the file");
            table.row(&bar, &format!("{of:.2}"), Some(of <= FILE_MEMORY_MAX));
        }
    }
    let of = |name: &str| requests.iter().map(|line| number(line, name)).collect::<Vec<u64>>();
    let (counts, bytes) = (of("next_allocations"), of("next_bytes"));
    let spread =
        |of: &[u64]| of.iter().max().zip(of.iter().min()).map_or(0, |(most, least)| most - least);
    let near = spread(&counts) <= NEXT_ALLOCATIONS_DIFFERENCE_MAX
        && spread(&bytes) <= NEXT_BYTES_DIFFERENCE_MAX;
    let measured = format!("{counts:?} allocations, {bytes:?} bytes");
    let bar = "allocations of the next request do not grow with history (h1000, h10000)";
    table.row(bar, &measured, Some(!requests.is_empty() && near));
    Ok(())
}

/// `steno replay` of a session file, beside a program that parses its lines and keeps the values.
fn whole_file(
    table: &mut Table,
    name: &str,
    file: &Path,
    runs: usize,
) -> Result<(), Box<dyn Error>> {
    let bar = format!("`steno replay` of {name}, 50 MB: at most {OF_PARSING_MAX} times parsing it");
    let (Some(steno), Some(parse)) = (beside("steno")?, beside("parse")?) else {
        table.row(&bar, "programs `steno` and `parse` are not built", None);
        return Ok(());
    };
    let (mut ours, mut parsing) = (Times::default(), Times::default());
    for _ in 0..runs {
        parsing.run(|| Command::new(&parse).arg(file).status())?;
        let mut command = Command::new(&steno);
        command.arg("replay").arg(file).args(["-o", "/dev/null"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        ours.run(|| command.status())?;
    }
    let of = ours.min() / parsing.min();
    let measured = format!("{of:.2} ({:.0} ms, {:.0} ms)", ours.min(), parsing.min());
    table.row(&bar, &measured, Some(of <= OF_PARSING_MAX));
    Ok(())
}

/// A reply in deltas of one byte, beside one of twice as many.
fn assembling(table: &mut Table, runs: usize) -> Result<(), Box<dyn Error>> {
    let streams = [stream(DELTAS), stream(2 * DELTAS)];
    let mut times = [Times::default(), Times::default()];
    for _ in 0..runs {
        for (bytes, times) in streams.iter().zip(&mut times) {
            let read = || -> Result<usize, Box<dyn Error>> {
                let asked = assemble::Asked::default();
                let dialect = assemble::Dialect::AnthropicMessages;
                let mut stream = assemble::Stream::new(dialect, asked);
                for packet in bytes.chunks(PACKET_BYTES) {
                    stream.push(packet, &mut |live| {
                        black_box(live);
                    })?;
                }
                Ok(stream.finish(&mut |_| {})?.message.blocks.len())
            };
            black_box(times.run_cpu(read)?);
        }
    }
    let [once, twice] = times.map(|times| times.min());
    let bar = format!(
        "assembling {} deltas of a byte: at most {OF_HALF_MAX} of half as many",
        2 * DELTAS
    );
    let each = twice * 5e5 / DELTAS as f64;
    let measured = format!("{:.2} ({twice:.0} ms, {once:.0} ms; {each:.0} ns each)", twice / once);
    table.row(&bar, &measured, Some(twice / once < OF_HALF_MAX));
    Ok(())
}

/// A reply of a dialect, beside `serde_json` reading what stands in its frames.
fn beside_frames(
    table: &mut Table,
    dialect: assemble::Dialect,
    runs: usize,
) -> Result<(), Box<dyn Error>> {
    let bytes = reply_of(dialect, REPLY_TURNS);
    let frames = payloads(dialect, &bytes);
    let (mut ours, mut parsing) = (Times::default(), Times::default());
    for _ in 0..runs {
        parsing.run_cpu(|| -> Result<(), Box<dyn Error>> {
            for frame in &frames {
                black_box(serde_json::from_str::<Value>(frame)?);
            }
            Ok(())
        })?;
        let read = || -> Result<usize, Box<dyn Error>> {
            let mut stream = assemble::Stream::new(dialect, assemble::Asked::default());
            for packet in bytes.chunks(PACKET_BYTES) {
                stream.push(packet, &mut |live| {
                    black_box(live);
                })?;
            }
            Ok(stream.finish(&mut |_| {})?.message.blocks.len())
        };
        black_box(ours.run_cpu(read)?);
    }
    let of = ours.min() / parsing.min();
    let bar = format!(
        "assembling {} MB of {}: at most {OF_FRAMES_MAX} times `serde_json` of its frames",
        bytes.len() / 1_000_000,
        dialect.name()
    );
    let measured = format!("{of:.2} ({:.1} ms, {:.1} ms)", ours.min(), parsing.min());
    table.row(&bar, &measured, Some(of <= OF_FRAMES_MAX));
    Ok(())
}

fn version(table: &mut Table, runs: usize) -> Result<(), Box<dyn Error>> {
    let bar = format!("`steno --version`: under {VERSION_MILLIS_MAX} ms");
    let Some(steno) = beside("steno")? else {
        table.row(&bar, "program `steno` is not built", None);
        return Ok(());
    };
    let mut times = Times::default();
    for _ in 0..runs {
        let mut command = Command::new(&steno);
        times.run(|| command.arg("--version").stdout(Stdio::null()).status())?;
    }
    let measured = format!("{:.2} ms from start to exit", times.min());
    table.row(&bar, &measured, Some(times.min() < VERSION_MILLIS_MAX));
    Ok(())
}

/// The program of this name beside this one.
fn beside(name: &str) -> Result<Option<PathBuf>, Box<dyn Error>> {
    let path = std::env::current_exe()?.with_file_name(name);
    Ok(path.exists().then_some(path))
}
