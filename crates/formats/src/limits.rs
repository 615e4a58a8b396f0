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

/// Directories and files that are looked at in all.
pub const LOOKED_AT_MAX: usize = 200_000;

/// Directories below a harness's folder.
pub(crate) const FOLDER_DEPTH_MAX: usize = 6;

/// Bytes of a file that are read for its title.
pub(crate) const TITLE_BYTES: u64 = 1 << 18;

/// Bytes of a document, which has to be read whole for its title.
pub(crate) const TITLE_DOCUMENT_BYTES: u64 = 1 << 23;

/// Prompts that the page lists before the conversation.
pub(crate) const PROMPTS_LISTED_MAX: usize = 1000;

/// Bytes of a result that stand in a row for the screen.
pub(crate) const PREVIEW_BYTES_MAX: usize = 8 << 10;

/// Pixels of an image that is decoded at all; beyond, it is left as it is.
pub(crate) const DECODED_SIDE_MAX: u32 = 20_000;

/// Bytes a decoder may take.
pub(crate) const DECODED_BYTES_MAX: u64 = 512 << 20;
