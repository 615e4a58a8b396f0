//! A record's main branch on its way into a request body, of whichever API.

use json::{Object, Raw, Text};
use record::{Entry, EntryId, Fact, Head, Message, Record, Sent};

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
        for entry in record.branch_path("main") {
            match &entry.fact {
                Fact::Message(message) => {
                    let forms = write(&entry, message)?.into_iter();
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

    /// The request in force, where it was one over this API: the parameters of another mean nothing.
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
