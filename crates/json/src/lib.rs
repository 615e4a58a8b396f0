//! Exact JSON: what was written stays as it was written.
//!
//! A record has to give back the bytes a model produced, and a finding has to point at a line and a
//! column. So this crate parses a text into a flat tree of *spans* ([`Doc`]), never into values
//! that forget how a number or an escape was written:
//!
//! * [`Doc`] and [`Value`]: a parsed text, navigated without copying; every value knows its offset.
//! * [`Text`]: a string's value, with its raw literal beside it where it held a lone surrogate.
//! * [`Raw`]: an owned JSON text, known to be valid, kept byte for byte.
//! * [`Object`]: an object being written, and [`escape`]: the one way a string becomes a literal.
//! * [`canonical`]: one spelling per value, for comparing and hashing.
//! * [`lines`]: lines of a file with number and offset, bounded in length.
//!
//! **Invariants.** Nothing here panics on any input. Nothing is normalised unless [`canonical`] is
//! asked for. Depth and length are bounded by [`limits`]. There is no I/O beyond `std::io::BufRead`
//! handed in by the caller.
//!
//! ```
//! let doc = json::Doc::parse(br#"{"a":[1.0,"x"]}"#)?;
//! let list = doc.root().get("a").ok_or("no a")?;
//! assert_eq!(list.items().next().map(|number| number.raw()), Some("1.0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod canonical;
pub mod doc;
pub mod escape;
pub mod limits;
pub mod lines;
mod parser;
pub mod raw;
pub mod text;
pub mod write;

pub use doc::{Doc, Kind, Value};
pub use parser::{ParseError, ParseErrorKind, Position};
pub use raw::Raw;
pub use text::Text;
pub use write::{Array, Object};
