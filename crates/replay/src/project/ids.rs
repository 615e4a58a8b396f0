//! Ids and names of calls on the wire.
//!
//! Left to right: an id the grammar takes and no earlier call uses is kept; any other is rewritten
//! to a hash, never cut. The first to come keeps its id.

use std::borrow::Cow;

use json::Text;
use record::Fill;

use super::conversation::at;
use super::{Conversation, Dialect, anthropic_messages, bedrock_converse, made, openai_responses};
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::rewind::key;
use crate::wording;

impl Conversation {
    /// The id a call goes out under, where it is not the stored one.
    pub(super) fn wire_id(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        id: &Text,
    ) -> Option<Text> {
        let told = if view.edits.call_ids.is_empty() {
            None
        } else {
            view.edits.call_ids.get(&at(row, block)).cloned()
        };
        if let Some(told) = told.filter(|told| claim(view, grown, told)) {
            self.change(ChangeKind::CallIdRewritten, Some(&row.entry), Some(block));
            return Some(told);
        }
        if !id.has_lone_surrogate() && claim(view, grown, id) {
            return None;
        }
        let tried = grown.used_ids.get(key(id)).copied().unwrap_or_default();
        let mut counts = tried..u32::MAX;
        let mut made = counts.by_ref().map_while(|count| made_id(view, id, count));
        let wire_id = made.find(|id| claim(view, grown, id));
        grown.used_ids.insert(key(id), counts.start);
        let wire_id = Text::from(wire_id.unwrap_or_default());
        self.change(ChangeKind::CallIdRewritten, Some(&row.entry), Some(block));
        self.fills.push(Fill::CallId { call: at(row, block), wire_id: wire_id.clone() });
        Some(wire_id)
    }

    /// The name a call goes out under: its own where the provider takes it.
    pub(super) fn wire_name<'n>(
        &mut self,
        view: View<'_>,
        row: &Row,
        block: u32,
        name: &'n Text,
    ) -> Cow<'n, str> {
        let legal = match view.dialect {
            Dialect::AnthropicMessages(_) => anthropic_messages::takes_name(name),
            Dialect::OpenAiChat(chat) => matches!(chat.name_of(name), Cow::Borrowed(_)),
            Dialect::OpenAiResponses(_) => {
                matches!(openai_responses::name_of(name), Cow::Borrowed(_))
            }
            Dialect::Gemini(gemini) => matches!(gemini.name_of(name), Cow::Borrowed(_)),
            Dialect::BedrockConverse(_) => bedrock_converse::takes_name(name),
        };
        if legal {
            return self.told_text(view, name, &row.entry, block).into();
        }
        self.change(ChangeKind::CallNameRewritten, Some(&row.entry), Some(block));
        match view.dialect {
            Dialect::OpenAiChat(chat) => chat.name_of(name),
            Dialect::OpenAiResponses(_) => openai_responses::name_of(name),
            Dialect::Gemini(gemini) => gemini.name_of(name),
            Dialect::BedrockConverse(_) => bedrock_converse::name_of(name),
            Dialect::AnthropicMessages(_) if name.is_empty() => wording::UNNAMED.into(),
            Dialect::AnthropicMessages(_) => anthropic_id(&hashed(name, 0)).into(),
        }
    }
}

/// Takes an id for this request if the grammar allows it and nobody has it.
fn claim(view: View<'_>, grown: &mut Grown, id: &str) -> bool {
    let legal = match view.dialect {
        Dialect::AnthropicMessages(_) => anthropic_messages::takes_id(id),
        Dialect::OpenAiChat(chat) => chat.takes_id(id),
        Dialect::OpenAiResponses(_) => openai_responses::takes_id(id),
        Dialect::Gemini(gemini) => gemini.model.ids.allows(id),
        Dialect::BedrockConverse(to) => to.model.ids.allows(id),
    };
    let key = key(id);
    if !legal || grown.used_ids.get(key).is_some() {
        return false;
    }
    grown.used_ids.insert(key, 0);
    true
}

/// An id made of the hash of another, and of how many were tried before; none where the grammar
/// leaves no room for one: then no request with calls is made.
fn made_id(view: View<'_>, id: &str, count: u32) -> Option<String> {
    let hash = hashed(id, count);
    match view.dialect {
        Dialect::AnthropicMessages(_) => Some(anthropic_id(&hash)),
        Dialect::OpenAiChat(chat) => chat.id_of(&hash),
        Dialect::OpenAiResponses(_) => openai_responses::id_of(&hash),
        Dialect::Gemini(gemini) => made::id(&gemini.model.ids, &hash),
        Dialect::BedrockConverse(to) => made::id(&to.model.ids, &hash),
    }
}

fn hashed(id: &str, count: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(id.as_bytes());
    hasher.update(&count.to_le_bytes());
    hasher.finalize().to_hex().as_str().to_owned()
}

fn anthropic_id(hash: &str) -> String {
    format!("call_{}", hash.get(..24).unwrap_or_default())
}
