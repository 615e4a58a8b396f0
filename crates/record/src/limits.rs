//! The bounds of a record. Beyond them content is kept raw and reported, never dropped.

/// Blocks of one message.
pub const BLOCKS_MAX: usize = 100_000;

/// Version of the row form this build writes.
pub const FORMAT_VERSION: u32 = 1;

/// Bytes of lines in a row that are one entry, as nothing in them can be read (1 MiB): with every
/// byte of them escaped the entry is still a line that is read.
pub const RUN_BYTES_MAX: usize = 1 << 20;
