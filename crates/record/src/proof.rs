//! Proofs: what a provider signed, sealed or named a block with.

use std::sync::Arc;

use json::{Raw, Text};

/// Who issued a proof, and who alone can read it back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Issuer {
    /// Who served the model: `anthropic`, `bedrock`, `google-cloud`, ...
    pub platform: Text,
    /// A non-secret label of the account, where known.
    pub account: Option<Text>,
    /// The dialect it was issued over: `anthropic_messages`, ...
    pub api: Text,
    /// The model's full name.
    pub model: Text,
}

/// What kind of proof it is, which is: which adapter reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProofKind {
    /// An opaque signature of a visible block.
    Signature,
    /// A payload that stands for the block (Anthropic's redacted thinking).
    Redacted,
    /// Encrypted content beside the block (Responses).
    Encrypted,
    /// The provider's id of the item.
    ItemId,
    /// The block itself is the provider's own and goes back verbatim.
    Native,
    /// A kind this build does not know.
    Other(Text),
}

impl ProofKind {
    /// The name on disk.
    pub fn as_str(&self) -> &str {
        match self {
            ProofKind::Signature => "signature",
            ProofKind::Redacted => "redacted",
            ProofKind::Encrypted => "encrypted",
            ProofKind::ItemId => "item_id",
            ProofKind::Native => "native",
            ProofKind::Other(name) => name,
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &Text) -> ProofKind {
        match name.as_str() {
            "signature" => ProofKind::Signature,
            "redacted" => ProofKind::Redacted,
            "encrypted" => ProofKind::Encrypted,
            "item_id" => ProofKind::ItemId,
            "native" => ProofKind::Native,
            _ => ProofKind::Other(name.clone()),
        }
    }
}

/// A proof of one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who issued it; shared by the blocks of a response.
    pub issuer: Arc<Issuer>,
    /// Which adapter reads it.
    pub kind: ProofKind,
    /// The adapter's version of `sealed`.
    pub version: u32,
    /// The signature, payload, content or id, byte for byte. Only its adapter looks inside.
    pub sealed: Raw,
}
