//! Who serves the models, as data: what one of the two takes that the other does not.

use crate::takes::Takes;
use Takes::{Doubtful, No, Yes};

/// What one platform takes on this wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Platform {
    /// Its name in issuers and targets.
    pub name: &'static str,
    /// A text without a character, besides one that carries a signature (G-005).
    pub empty_text: Takes,
    /// A text without a character that carries a signature (G-004).
    pub empty_text_signed: Takes,
    /// Two contents of the model in a row (G-010).
    pub models_in_a_row: Takes,
    /// A request that ends with a turn of Gemini 3 (G-007).
    pub last_model: Takes,
    /// Text or media beside function responses; where it is refused, the model says more (G-014).
    pub parts_beside_responses: Takes,
    /// Ids of calls, whatever the model (G-017).
    pub call_ids: Takes,
    /// Parts of server tools: `toolCall` and `toolResponse` (G-030).
    pub server_tool_parts: Takes,
    /// `partMetadata` beside a part, and `willContinue` of a response (G-006).
    pub part_metadata: Takes,
    /// Arguments in pieces: `partialArgs` and `willContinue` of a call (G-006).
    pub partial_args: Takes,
    /// Built-in tools beside functions without `includeServerSideToolInvocations` (G-019).
    pub mixed_tools_unasked: Takes,
    /// The other documented stand-in for a signature (G-025).
    pub second_stand_in: Takes,
    /// How addresses of files begin that it reads (G-028).
    pub file_uris: &'static [&'static str],
}

/// The Gemini API.
pub static GEMINI_API: Platform = Platform {
    name: "google",
    empty_text: Doubtful,
    empty_text_signed: Yes,
    models_in_a_row: Doubtful,
    last_model: Doubtful,
    parts_beside_responses: Doubtful,
    call_ids: Yes,
    server_tool_parts: Yes,
    part_metadata: Yes,
    partial_args: No,
    mixed_tools_unasked: Doubtful,
    second_stand_in: Yes,
    file_uris: &["https://generativelanguage.googleapis.com/", "https://www.youtube.com/"],
};

/// Vertex.
pub static VERTEX: Platform = Platform {
    name: "google-cloud",
    empty_text: No,
    empty_text_signed: No,
    models_in_a_row: No,
    last_model: No,
    parts_beside_responses: No,
    call_ids: Doubtful,
    server_tool_parts: No,
    part_metadata: No,
    partial_args: Yes,
    mixed_tools_unasked: Yes,
    second_stand_in: Doubtful,
    file_uris: &["gs://", "https://"],
};

/// Both.
pub static PLATFORMS: [&Platform; 2] = [&GEMINI_API, &VERTEX];

/// The platform of a name; the strictest of anybody else who speaks this wire.
pub fn platform(name: &str) -> &'static Platform {
    PLATFORMS.into_iter().find(|platform| platform.name == name).unwrap_or(&UNKNOWN)
}

/// Other names by which people and clients call the platforms.
const ALSO: [(&str, &str); 7] = [
    ("gemini", GEMINI_API.name),
    ("google-ai-studio", GEMINI_API.name),
    ("generativelanguage.googleapis.com", GEMINI_API.name),
    ("vertex", VERTEX.name),
    ("vertex_ai", VERTEX.name),
    ("google-vertex", VERTEX.name),
    ("aiplatform.googleapis.com", VERTEX.name),
];

/// The name in records of a platform, by any name it goes by.
pub fn platform_name(called: &str) -> Option<&'static str> {
    let own = PLATFORMS.into_iter().map(|platform| (platform.name, platform.name));
    own.chain(ALSO).find(|(also, _)| called.eq_ignore_ascii_case(also)).map(|(_, name)| name)
}

/// A host nobody knows: what either refuses, it refuses.
pub static UNKNOWN: Platform = Platform {
    name: "",
    call_ids: Doubtful,
    partial_args: No,
    mixed_tools_unasked: Doubtful,
    file_uris: &[],
    ..VERTEX
};
