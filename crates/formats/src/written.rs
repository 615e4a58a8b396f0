//! A record's main branch on its way into a request body, of whichever API.

use std::borrow::Cow;
use std::collections::HashMap;

use json::{Object, Raw, Text};
use record::{Block, Entry, EntryId, Fact, Head, Message, Record, Sent};

use crate::body::PARAMETERS;
use crate::error::ExportError;
use crate::handoff;

/// What is in force at the end of the branch, and its messages.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) head: Option<Head>,
    pub(crate) sent: Option<Sent>,
    /// Entry id and wire form.
    messages: Vec<(EntryId, Raw)>,
}

impl Written {
    /// A branch whose messages are written so, and the handoff of a compaction (whether it is the
    /// user's, and what it says) so.
    pub(crate) fn of<Forms: IntoIterator<Item = Raw>>(
        record: &Record,
        write: impl Fn(&Entry, &Message) -> Result<Forms, ExportError>,
        as_handoff: fn(bool, &Text) -> Raw,
    ) -> Result<Written, ExportError> {
        let mut written = Written::default();
        let mut names = HashMap::new();
        for entry in record.branch_path("main") {
            match &entry.fact {
                Fact::Message(message) => {
                    let message = with_names(message, &mut names);
                    let forms = write(&entry, &message)?.into_iter();
                    written.messages.extend(forms.map(|raw| (entry.id.clone(), raw)));
                }
                Fact::Head(head) => written.head = Some((**head).clone()),
                Fact::Compaction(compaction) => {
                    handoff::compact(&mut written.messages, &entry, compaction, as_handoff);
                }
                Fact::Sent(sent) => written.sent = Some((**sent).clone()),
                Fact::CallStarted(_) | Fact::Retracted(_) | Fact::Opaque(_) => {}
            }
        }
        if written.messages.is_empty() { Err(ExportError::NothingToWrite) } else { Ok(written) }
    }

    /// The request in force, where it was one over this API: parameters of another mean nothing.
    pub(crate) fn sent_over(&self, api: &str) -> Option<&Sent> {
        self.sent.as_ref().filter(|sent| &*sent.target.dialect == api)
    }

    /// The system texts of the head.
    pub(crate) fn system(&self) -> impl Iterator<Item = &Text> {
        self.head.iter().filter_map(|head| head.head.as_ref()).flat_map(|head| &head.system)
    }

    /// The messages in their wire form.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &Raw> {
        self.messages.iter().map(|(_, raw)| raw)
    }
}

/// The message, each of its results with the name of its tool: some sources have it with the call
/// alone, and some APIs know a result by nothing else.
fn with_names<'m>(message: &'m Message, names: &mut HashMap<Text, Text>) -> Cow<'m, Message> {
    for call in message.blocks.iter().filter_map(Block::as_tool_use) {
        names.insert(call.id.clone(), call.name.clone());
    }
    let mut message = Cow::Borrowed(message);
    for at in 0..message.blocks.len() {
        let unnamed = message.blocks.get(at).and_then(Block::as_tool_result);
        let unnamed = unnamed.filter(|result| result.tool_name.is_empty());
        if let Some(name) = unnamed.and_then(|result| names.get(&result.tool_use_id))
            && let Some(Block::ToolResult(result)) = message.to_mut().blocks.get_mut(at)
        {
            result.tool_name = name.clone();
        }
    }
    message
}

/// A body that begins with the model and the parameters of a request, if it was one over this API.
pub(crate) fn begin(sent: Option<&Sent>) -> Object {
    let mut object = Object::new();
    if let Some(sent) = sent {
        if !sent.target.model.is_empty() {
            object.text("model", &sent.target.model);
        }
        for (name, value) in parameters(sent) {
            object.raw(&name, &value);
        }
    }
    object
}

/// The parameters of a request, as its body had them.
pub(crate) fn parameters(sent: &Sent) -> Vec<(Text, Raw)> {
    let mut all = Vec::new();
    for (name, value) in sent.rest.iter() {
        if name.as_str() != PARAMETERS {
            all.push((name.clone(), value.clone()));
            continue;
        }
        let doc = value.doc();
        let named = doc.root().members().filter_map(|(name, value)| Some((name.to_text()?, value)));
        all.extend(named.map(|(name, value)| (name, Raw::of(value))));
    }
    all
}
