//! Who speaks this API, as data: what each takes otherwise than the others.

use crate::host;
use crate::takes::Takes;
use Takes::{Doubtful, No, Yes};

/// What a platform takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// The name in issuers and targets; empty for [`UNKNOWN`].
    pub name: &'static str,
    /// Other names, and what its hosts have in theirs.
    pub also: &'static [&'static str],
    /// `store: true`, and with it what the server keeps.
    pub store: Takes,
    /// A reply that does not stream.
    pub unstreamed: Takes,
    /// A request without `instructions`.
    pub no_instructions: Takes,
    /// `max_output_tokens`, `temperature`, `top_p`.
    pub limits: Takes,
    /// A reply's words as one string instead of parts.
    pub reply_string: Takes,
    /// Reasoning as plain text in `content`.
    pub reasoning_text: Takes,
    /// `context_management`.
    pub context_management: Takes,
    /// Message items without `type`.
    pub untyped_messages: Takes,
    /// Members an item does not have.
    pub unknown_members: Takes,
    /// Files by their bytes.
    pub files: Takes,
    /// Files by their address.
    pub file_urls: Takes,
    /// Ids of items that are not of the API's form, and thoughts by id before items without (R-020,
    ///
    pub other_ids: Takes,
}

/// The API itself.
pub static OPENAI: Platform = Platform {
    name: "openai",
    also: &["api.openai.com"],
    store: Yes,
    unstreamed: Yes,
    no_instructions: Yes,
    limits: Yes,
    reply_string: Yes,
    reasoning_text: No,
    context_management: Yes,
    untyped_messages: Yes,
    unknown_members: No,
    files: Yes,
    file_urls: Yes,
    other_ids: No,
};

/// Azure OpenAI.
pub static AZURE: Platform = Platform {
    name: "azure",
    also: &["azure-openai", ".openai.azure.com", ".services.ai.azure.com"],
    context_management: No,
    untyped_messages: Doubtful,
    file_urls: Doubtful,
    ..OPENAI
};

/// The backend that Codex speaks to with a ChatGPT account.
pub static CHATGPT: Platform = Platform {
    name: "chatgpt",
    also: &["codex", "chatgpt.com"],
    store: No,
    unstreamed: No,
    no_instructions: No,
    limits: No,
    reply_string: Doubtful,
    unknown_members: Doubtful,
    files: Doubtful,
    file_urls: Doubtful,
    ..OPENAI
};

/// Anyone else who speaks it: what is not known to be taken is not sent.
pub static UNKNOWN: Platform = Platform {
    name: "",
    also: &[],
    store: Doubtful,
    unstreamed: Yes,
    no_instructions: Yes,
    limits: Yes,
    reply_string: Yes,
    reasoning_text: Doubtful,
    context_management: Doubtful,
    untyped_messages: Doubtful,
    unknown_members: Doubtful,
    files: Doubtful,
    file_urls: Doubtful,
    other_ids: Doubtful,
};

/// Every platform of a row.
pub static PLATFORMS: &[&Platform] = &[&OPENAI, &AZURE, &CHATGPT];

/// The row of a platform's name, or of its host.
pub fn platform(name: &str) -> Option<&'static Platform> {
    let name = name.to_ascii_lowercase();
    let is_called = |also: &&str| match also.contains('.') {
        true => host::is_of(&name, also.trim_start_matches('.')),
        false => **also == name,
    };
    let is = |row: &&&Platform| row.name == name || row.also.iter().any(is_called);
    PLATFORMS.iter().find(is).copied()
}
