//! The bounds of reading and writing files. Beyond them content is kept and reported, never
//! dropped.

/// How much of a file's beginning is looked at first to detect its format (1 MiB).
pub const HEAD_BYTES: usize = 1 << 20;

/// How much of it is looked at where that much does not tell (64 MiB): a session may begin with
/// many lines that others write as well.
pub const DETECTED_BYTES_MAX: usize = 64 << 20;

/// How many objects of one damaged line are recovered from each of its ends; beyond, the line is
/// only kept.
pub(crate) const RECOVERED_MAX: usize = 256;
