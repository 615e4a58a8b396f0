//! The members of one line that mean something here, taken in one pass.

use json::{Text, Value};

/// Which line a line says it follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// It says that it follows none.
    Root,
    /// It says nothing: file order counts.
    FileOrder,
    /// The line of this uuid.
    To(Box<str>),
}

/// One line, unread members left out.
pub(crate) struct Line<'d, 't> {
    pub(crate) kind: Text,
    pub(crate) subtype: Option<Text>,
    pub(crate) uuid: Option<Text>,
    pub(crate) link: Link,
    /// What a compaction boundary follows: its own parent is null.
    pub(crate) logical_parent: Option<Box<str>>,
    pub(crate) session: Option<Text>,
    pub(crate) sidechain: bool,
    pub(crate) agent: Option<Text>,
    pub(crate) time: Option<Text>,
    pub(crate) request: Option<Text>,
    pub(crate) message: Option<Value<'d, 't>>,
    pub(crate) compact_summary: bool,
    pub(crate) transcript_only: bool,
    pub(crate) api_error: bool,
    pub(crate) aborted: bool,
    pub(crate) attachment: Option<Value<'d, 't>>,
    /// Of a queue operation.
    pub(crate) operation: Option<Text>,
    pub(crate) content: Option<Value<'d, 't>>,
    pub(crate) compact_metadata: Option<Value<'d, 't>>,
    pub(crate) micro_metadata: Option<Value<'d, 't>>,
    /// Of a title line, whatever its kind.
    pub(crate) title: Option<Text>,
}

impl<'d, 't> Line<'d, 't> {
    /// Reads the members of an object.
    pub(crate) fn of(root: Value<'d, 't>) -> Line<'d, 't> {
        let mut line = Line::empty();
        for (key, value) in root.members() {
            let Some(name) = key.as_str() else { continue };
            line.member(&name, value);
        }
        line
    }

    fn empty() -> Line<'d, 't> {
        Line {
            kind: Text::default(),
            subtype: None,
            uuid: None,
            link: Link::FileOrder,
            logical_parent: None,
            session: None,
            sidechain: false,
            agent: None,
            time: None,
            request: None,
            message: None,
            compact_summary: false,
            transcript_only: false,
            api_error: false,
            aborted: false,
            attachment: None,
            operation: None,
            content: None,
            compact_metadata: None,
            micro_metadata: None,
            title: None,
        }
    }

    fn member(&mut self, name: &str, value: Value<'d, 't>) {
        let truth = || value.as_bool().unwrap_or(false);
        match name {
            "type" => self.kind = value.to_text().unwrap_or_default(),
            "subtype" => self.subtype = value.to_text(),
            "uuid" => self.uuid = value.to_text().filter(|uuid| !uuid.is_empty()),
            "parentUuid" => {
                self.link = match value.as_str() {
                    Some(uuid) => Link::To(uuid.into()),
                    None if value.is_null() => Link::Root,
                    None => Link::FileOrder,
                }
            }
            "logicalParentUuid" => self.logical_parent = value.as_str().map(Into::into),
            "sessionId" => self.session = value.to_text(),
            "isSidechain" => self.sidechain = truth(),
            "agentId" => self.agent = value.to_text(),
            "timestamp" => self.time = value.to_text(),
            "requestId" => self.request = value.to_text(),
            "message" => self.message = Some(value),
            "isCompactSummary" => self.compact_summary = truth(),
            "isVisibleInTranscriptOnly" => self.transcript_only = truth(),
            "isApiErrorMessage" => self.api_error = truth(),
            "isAbortedMidStream" => self.aborted = truth(),
            "attachment" => self.attachment = Some(value),
            "operation" => self.operation = value.to_text(),
            "content" => self.content = Some(value),
            "compactMetadata" => self.compact_metadata = Some(value),
            "microcompactMetadata" => self.micro_metadata = Some(value),
            "summary" | "customTitle" | "aiTitle" => self.title = value.to_text(),
            _ => {}
        }
    }
}
