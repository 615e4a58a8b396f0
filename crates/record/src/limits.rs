//! The bounds of a record. Beyond them content is kept raw and reported, never dropped.

/// Blocks of one message.
pub const BLOCKS_MAX: usize = 100_000;

/// Version of the row form this build writes.
pub const FORMAT_VERSION: u32 = 1;
