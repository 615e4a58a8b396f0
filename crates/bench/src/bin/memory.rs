//! Counts what a request allocates, one JSON line a history. `bars` runs it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "no part of the product: it fails by panicking"
)]

use std::error::Error;

use allocation_counter::measure;
use bench::history::{H1000, H10000, Shape, history};
use bench::request::{append, append_reply, append_user, from_scratch, next, path_of, unlimited};
use bench::session::session;
use replay::Target;
use serde_json::{Value, json};

const TURNS: usize = 64;

/// Bytes of the session file that is read.
const FILE_BYTES: usize = 100_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    for (name, shape) in [("h1000", H1000), ("h10000", H10000)] {
        println!("{}", counted(name, shape)?);
    }
    println!("{}", imported()?);
    Ok(())
}

fn counted(name: &str, shape: Shape) -> Result<Value, Box<dyn Error>> {
    let target = Target::anthropic("claude-sonnet-4-5");
    let now = unlimited();
    let mut path = path_of(history(shape).as_bytes(), name)?;
    let mut made = None;
    let scratch = measure(|| made = Some(from_scratch(&path, &target, &now)));
    let (mut replayer, mut previous) = made.ok_or("nothing was made")??;
    let body = previous.request.body().len();
    let (mut counts, mut bytes) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        append(&mut path, &previous);
        append_reply(&mut path, &target, "The wheel turns as it should.");
        append_user(&mut path, "And the next one?");
        let mut made = None;
        let allocated = measure(|| made = Some(next(&mut replayer, &path, &now)));
        previous = made.ok_or("nothing was made")??;
        counts.push(allocated.count_total);
        bytes.push(allocated.bytes_total);
    }
    Ok(json!({"history": name, "body_bytes": body, "peak_bytes": scratch.bytes_max,
        "allocations": scratch.count_total, "next_allocations": middle(counts),
        "next_bytes": middle(bytes)}))
}

/// What it takes to read a long session file as it comes in.
fn imported() -> Result<Value, Box<dyn Error>> {
    let file = session(FILE_BYTES);
    let mut kept = None;
    let whole = measure(|| kept = Some(formats::import_reader(file.as_bytes(), "session")));
    kept.take().ok_or("nothing was read")??;
    let view = measure(|| kept = Some(formats::import_view(file.as_bytes(), "session")));
    kept.ok_or("nothing was read")??;
    Ok(json!({"file_bytes": file.len(), "import_peak_bytes": whole.bytes_max,
        "view_peak_bytes": view.bytes_max}))
}

/// The middle one: a list or a table that grows does so in few of the turns.
fn middle(mut of: Vec<u64>) -> u64 {
    of.sort_unstable();
    of.get(of.len() / 2).copied().unwrap_or_default()
}
