//! The families of models as data: what each takes on this wire, one row each, and the strictest
//! row for a model nobody knows.
//!
//! What is not established about a family is [`Takes::Doubtful`]: a projection avoids it, the
//! linter warns. The API hands a request on to the family's own server, so most refusals are the
//! family's.

use crate::anthropic_messages::models as claude;
use crate::grammar::{Charset, Grammar};
use crate::openai_chat::vendors::NINE;
use crate::takes::Takes;
use Takes::{Doubtful, No, Yes};

/// What a family takes. Every field names what a body may hold, and the rule that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// What its ids begin with, after the region's prefix; empty for [`UNKNOWN`].
    pub id: &'static str,
    /// It is a Claude model: the rules of its own API hold as well, in its answers' words.
    pub claude: bool,
    /// A conversation that begins with the assistant (B-001).
    pub assistant_first: Takes,
    /// Two messages of one role in a row (B-002).
    pub neighbours: Takes,
    /// A conversation that ends with the assistant; for Claude its own row says (B-003).
    pub prefill: Takes,
    /// Ids of calls (B-010).
    pub ids: Grammar,
    /// `status` beside a result (B-013).
    pub status: Takes,
    /// Text and other content in one message with calls or with results (B-014).
    pub text_beside_tools: Takes,
    /// Images a user sends (B-016).
    pub images: Takes,
    /// Images in results (B-016).
    pub images_in_results: Takes,
    /// Documents in results (B-016).
    pub documents_in_results: Takes,
    /// Media that lie in a bucket (B-018).
    pub buckets: Takes,
    /// The same in results.
    pub buckets_in_results: Takes,
    /// What it thought, sent back; for Claude with its signature (B-019, B-020).
    pub reasoning: Takes,
    /// `cachePoint` blocks (B-022).
    pub cache_points: Takes,
    /// System text (B-023).
    pub system: Takes,
    /// The service's own tools, their calls and results (B-027).
    pub server_tools: Takes,
}

impl Model {
    /// Whether this is [`UNKNOWN`].
    pub fn is_unknown(&self) -> bool {
        self.id.is_empty()
    }
}

/// The model a history that names none is sent to: widely served, thinking not bound.
pub const DEFAULT_MODEL: &str = "anthropic.claude-sonnet-4-5-20250929-v1:0";

/// Letters, digits, `_` and `-`, up to 64: the narrowest form that every family's pattern has.
pub const WORD: Grammar =
    Grammar { charset: Charset::Word, max_len: Some(64), exact_len: None, others: No };

/// The row of a model that is not in [`MODELS`]: whatever some family refuses is doubtful here.
pub static UNKNOWN: Model = STRICTEST;

const STRICTEST: Model = Model {
    id: "",
    claude: false,
    assistant_first: Doubtful,
    neighbours: Doubtful,
    prefill: Doubtful,
    ids: Grammar { others: Doubtful, ..NINE },
    status: Doubtful,
    text_beside_tools: Doubtful,
    images: Doubtful,
    images_in_results: Doubtful,
    documents_in_results: Doubtful,
    buckets: Doubtful,
    buckets_in_results: Doubtful,
    reasoning: Doubtful,
    cache_points: Doubtful,
    system: Doubtful,
    server_tools: Doubtful,
};

/// A family of which nothing special is known but that it begins with the user and is no cache's.
const FAMILY: Model = Model {
    assistant_first: No,
    neighbours: No,
    ids: WORD,
    text_beside_tools: Yes,
    reasoning: Doubtful,
    cache_points: No,
    system: Yes,
    ..STRICTEST
};

const CLAUDE: Model = Model {
    claude: true,
    assistant_first: Yes,
    neighbours: Doubtful,
    status: Yes,
    images: Yes,
    images_in_results: Yes,
    documents_in_results: Yes,
    buckets: No,
    buckets_in_results: No,
    reasoning: Yes,
    cache_points: Yes,
    server_tools: No,
    ..FAMILY
};

/// The first that see; they know no cache points.
const CLAUDE_3: Model = Model { cache_points: No, ..CLAUDE };

/// The first of all: text alone.
const CLAUDE_2: Model =
    Model { images: No, images_in_results: No, documents_in_results: No, ..CLAUDE_3 };

const NOVA: Model = Model {
    status: Yes,
    images: Yes,
    images_in_results: Yes,
    documents_in_results: Doubtful,
    buckets: Yes,
    buckets_in_results: No,
    reasoning: No,
    cache_points: Doubtful,
    server_tools: Yes,
    ..FAMILY
};

/// Conversation and tools in messages of their own.
const APART: Model = Model { text_beside_tools: No, server_tools: No, ..FAMILY };

const LLAMA: Model = Model { images_in_results: Doubtful, documents_in_results: Yes, ..APART };

/// Those that see.
const LLAMA_SEES: Model = Model { images: Yes, images_in_results: Yes, ..LLAMA };

const MISTRAL: Model =
    Model { ids: NINE, images_in_results: No, documents_in_results: Yes, ..APART };

/// Begins with either, and takes no media in results.
const EITHER: Model =
    Model { assistant_first: Yes, images_in_results: No, documents_in_results: No, ..FAMILY };

/// Every family, each name once.
pub static MODELS: &[Model] = &[
    Model { id: "anthropic.claude", ..CLAUDE },
    Model { id: "anthropic.claude-3-opus", ..CLAUDE_3 },
    Model { id: "anthropic.claude-3-sonnet", ..CLAUDE_3 },
    Model { id: "anthropic.claude-3-haiku", ..CLAUDE_3 },
    Model { id: "anthropic.claude-3-5-sonnet", cache_points: Doubtful, ..CLAUDE },
    Model { id: "anthropic.claude-v2", ..CLAUDE_2 },
    Model { id: "anthropic.claude-instant", ..CLAUDE_2 },
    Model { id: "amazon.nova", ..NOVA },
    Model { id: "amazon.nova-micro", images: No, images_in_results: No, ..NOVA },
    Model { id: "amazon.titan", system: No, images: No, images_in_results: No, ..FAMILY },
    Model { id: "meta.llama", ..LLAMA },
    Model { id: "meta.llama3-2-11b", ..LLAMA_SEES },
    Model { id: "meta.llama3-2-90b", ..LLAMA_SEES },
    Model { id: "meta.llama4", ..LLAMA_SEES },
    Model { id: "mistral.", ..MISTRAL },
    Model { id: "mistral.mistral-7b", system: No, images: No, ..MISTRAL },
    Model { id: "mistral.mixtral", system: No, images: No, ..MISTRAL },
    Model { id: "mistral.pixtral", images: Yes, ..MISTRAL },
    Model { id: "writer.palmyra", status: No, ..APART },
    Model { id: "deepseek.", ..FAMILY },
    Model { id: "deepseek.r1", reasoning: No, images: No, ..FAMILY },
    Model { id: "qwen.", ..EITHER },
    Model { id: "zai.", ..EITHER },
    Model { id: "moonshot.", ..EITHER },
    Model { id: "moonshotai.", ..EITHER },
];

/// The row of a model's id as the API writes it, by itself, with a region before it, or as an ARN;
/// of several families the longest. [`UNKNOWN`] for any other, such as the profile of an
/// application, whose ARN does not say which model it is.
pub fn model(name: &str) -> &'static Model {
    let bare = bare(name);
    let of_family = |model: &&Model| bare.starts_with(model.id);
    MODELS.iter().filter(of_family).max_by_key(|model| model.id.len()).unwrap_or(&UNKNOWN)
}

/// The row of a Claude model in the table of its own API; the strictest one for any other.
pub fn claude_model(name: &str) -> &'static claude::Model {
    claude::model(bare(name))
}

/// The id without the ARN and the region around it.
fn bare(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    match name.split_once('.') {
        Some((region, rest)) if REGIONS.contains(&region) => rest,
        Some(_) | None => name,
    }
}

/// What the ids of profiles across regions begin with.
const REGIONS: &[&str] = &["us", "us-gov", "eu", "apac", "jp", "au", "ca", "sa", "global"];
