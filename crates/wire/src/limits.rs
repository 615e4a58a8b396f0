//! The bounds of what a provider sends.

/// Bytes of one frame of a stream, and of one of its lines (32 MiB).
///
/// The largest frames hold a whole block: the results of a search, a picture. A request may have
/// 32 MB, so nothing larger could be sent back.
pub const FRAME_BYTES_MAX: usize = 32 << 20;
