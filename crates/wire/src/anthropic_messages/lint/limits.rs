//! The numbers of the rule book.

/// Bytes of a request body.
pub(super) const BODY_BYTES_MAX: usize = 32 << 20;
/// Entries of `messages`.
pub(super) const MESSAGES_MAX: usize = 100_000;
/// Smallest `thinking.budget_tokens`.
pub(super) const THINKING_BUDGET_MIN: u64 = 1024;
/// Smallest `top_p` while thinking.
pub(super) const TOP_P_THINKING_MIN: f64 = 0.95;
/// Characters of a called tool's name.
pub(super) const CALLED_NAME_CHARS_MAX: usize = 200;
/// Characters of a declared tool's name by the API's check.
pub(super) const TOOL_NAME_CHARS_MAX: usize = 128;
/// Characters of a declared tool's name by the documents.
pub(super) const TOOL_NAME_CHARS_DOCUMENTED: usize = 64;
/// Deferred tools in `tools`.
pub(super) const TOOLS_MAX: usize = 10_000;
/// Cache marks in a request, the automatic one included.
pub(super) const CACHE_MARKS_MAX: usize = 4;
/// Base64 bytes of an image on the Claude API.
pub(super) const IMAGE_BYTES_MAX: usize = 10 << 20;
/// Base64 bytes of an image on Bedrock and Google Cloud.
pub(super) const IMAGE_BYTES_MAX_ELSEWHERE: usize = 5 << 20;
/// Pixels of an image's side.
pub(super) const IMAGE_SIDE_MAX: usize = 8000;
/// Images above which the smaller side limit holds.
pub(super) const MANY_IMAGES: usize = 20;
/// Pixels of an image's side in a request with many images.
pub(super) const IMAGE_SIDE_MAX_MANY: usize = 2000;
/// Smallest trigger of a compaction, in input tokens.
pub(super) const COMPACTION_TRIGGER_MIN: u64 = 50_000;
