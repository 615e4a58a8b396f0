//! Merely parses the lines of a file into values, and keeps them: what `steno replay` is compared
//! with. `parse FILE`.

use std::error::Error;
use std::fs;

use serde_json::Value;

/// The allocator of `steno`: what is compared has the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: parse FILE")?;
    let text = fs::read_to_string(file)?;
    let values: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    // The process ends here, as `steno` does.
    std::mem::forget(std::hint::black_box(values));
    Ok(())
}
