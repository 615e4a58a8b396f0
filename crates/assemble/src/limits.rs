//! The bounds of a reply that is being assembled.

/// Bytes of a message in the making: its text, arguments, signatures and whole blocks (32 MiB).
///
/// A line of a record may have 64 MiB, and no provider takes a larger message back.
pub const MESSAGE_BYTES_MAX: usize = 32 << 20;
