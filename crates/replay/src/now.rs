//! What is true at this moment, given by the caller: the fold itself has no clock.

use json::{Raw, Text};
use record::{BlockRef, EntryId, Rung};

use crate::principal::RuntimePrincipal;

/// The provider's limits on one request, where the caller knows others than the table's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the body; where `None`, what every server of the dialect takes, or our own
    /// limit where that is not known.
    pub body_bytes_max: Option<u64>,
    /// Images per request; where `None`, what every server of the dialect takes.
    pub images_max: Option<u32>,
}

/// Whether the model is asked to think.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThinkingChoice {
    /// As the record's last turn of this dialect did.
    #[default]
    AsRecorded,
    /// Yes, in the form the model takes.
    On,
    /// No, where the model can be asked not to.
    Off,
}

/// The request's parameters. What a request needs to be valid is set over them, and reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// Output tokens; the model's row where `None`.
    pub max_tokens: Option<u64>,
    /// Whether to think.
    pub thinking: ThinkingChoice,
    /// `tool_choice`, as the wire writes it; sent only beside tools.
    pub tool_choice: Option<Raw>,
    /// Further parameters, by name, as the wire writes them.
    pub extra: Vec<(Text, Raw)>,
}

/// Arguments of one `prepare`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Now {
    /// The id the `sent` gets; one derived from all it says where `None`.
    pub id: Option<EntryId>,
    /// RFC 3339.
    pub time: Option<Text>,
    /// The provider's limits.
    pub limits: Limits,
    /// Calls that are running while this request is made.
    pub running: Vec<BlockRef>,
    /// Which account this runs as.
    pub principal: Option<RuntimePrincipal>,
    /// Parameters.
    pub parameters: Parameters,
    /// The rung a refusal by the provider led to.
    pub recovery: Option<Rung>,
    /// Refuse a history that ends with the assistant instead of continuing it.
    pub no_continue: bool,
}
