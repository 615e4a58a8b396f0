//! A record written as a request body.
#![deny(clippy::wildcard_enum_match_arm)]

use json::{Array, Object, Raw, Text};
use record::{Entry, EntryId, Fact, Head, Record, Sent};

use super::{API, DOCUMENT, items_of, tools};
use crate::body::TOOLS_AS_WRITTEN;
use crate::error::ExportError;
use crate::{Format, handoff, origin};

const FORMAT: Format = Format::OpenAiResponses;

/// Writes the main branch as a body; the document it came from where it is unchanged.
pub(crate) fn export(record: &Record) -> Result<Vec<u8>, ExportError> {
    if let Some(document) = origin::unchanged_document(record, FORMAT, DOCUMENT) {
        return Ok(document);
    }
    let mut body = Body::default();
    for entry in record.branch_path("main") {
        body.take(&entry)?;
    }
    if body.items.is_empty() {
        return Err(ExportError::NothingToWrite);
    }
    Ok(body.finish().as_str().as_bytes().to_vec())
}

/// A body being put together from a path.
#[derive(Default)]
struct Body {
    head: Option<Head>,
    sent: Option<Sent>,
    /// Entry id and wire form.
    items: Vec<(EntryId, Raw)>,
}

impl Body {
    fn take(&mut self, entry: &Entry) -> Result<(), ExportError> {
        match &entry.fact {
            Fact::Message(message) => {
                let written = items_of(entry, message)?.into_iter();
                self.items.extend(written.map(|raw| (entry.id.clone(), raw)));
            }
            Fact::Head(head) => self.head = Some((**head).clone()),
            Fact::Compaction(compaction) => handoff::compact(&mut self.items, entry, compaction),
            Fact::Sent(sent) => self.sent = Some((**sent).clone()),
            Fact::CallStarted(_) | Fact::Retracted(_) | Fact::Opaque(_) => {}
        }
        Ok(())
    }

    fn finish(&self) -> Raw {
        let mut object = Object::new();
        let ours = self.sent.as_ref().filter(|sent| &*sent.target.dialect == API);
        if let Some(sent) = ours {
            object.text("model", &sent.target.model);
            for (name, value) in sent.rest.iter() {
                object.raw(name, value);
            }
        }
        if let Some(head) = &self.head {
            let has_tools = head.head.as_ref().is_some_and(|head| !head.tools.is_empty());
            if has_tools || head.rest.get(TOOLS_AS_WRITTEN).is_some() {
                object.raw("tools", &tools::written(head).finish());
            }
            match head.head.iter().flat_map(|head| &head.system).collect::<Vec<_>>().as_slice() {
                [] => {}
                [text] => {
                    object.text("instructions", text);
                }
                texts => {
                    let texts: Vec<&str> = texts.iter().map(|text| Text::as_str(text)).collect();
                    object.string("instructions", &texts.join("\n\n"));
                }
            }
        }
        object.raw("input", &Array::of(self.items.iter().map(|(_, item)| item)));
        object.finish()
    }
}
