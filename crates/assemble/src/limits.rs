//! The bounds of a reply that is being assembled.

/// Bytes of a message in the making: its text, arguments, signatures and whole blocks (32 MiB).
///
/// A line of a record may have 64 MiB, and no provider takes a larger message back.
pub const MESSAGE_BYTES_MAX: usize = 32 << 20;

/// Different findings of one kind that are told in words; all are counted.
pub const FINDING_WORDS_MAX: usize = 8;

/// Bytes of the words of a finding: a stream may give anything a name, of any length.
pub const FINDING_BYTES_MAX: usize = 1 << 10;
