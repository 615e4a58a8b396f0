//! The bounds of what is parsed; larger input is kept raw by the caller and reported.

/// Arrays and objects inside each other; a deeper text is [`crate::ParseErrorKind::TooDeep`].
pub const DEPTH_MAX: usize = 128;

/// Bytes of one line of a file, its line feed not counted (64 MiB).
pub const LINE_BYTES_MAX: usize = 64 << 20;

/// Bytes of one parsed text: spans are kept as 32-bit offsets.
pub const TEXT_BYTES_MAX: usize = u32::MAX as usize;
