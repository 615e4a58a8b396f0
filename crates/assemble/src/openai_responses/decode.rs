//! The events of a streamed reply into chunks.

use std::sync::Arc;

use json::Value;
use record::Issuer;
use wire::frames::Frame;
use wire::openai_responses::events::{DONE, Event, event};

use super::end::{Whole, failure};
use super::items::Items;
use crate::chunk::{Failure, STREAM_CUT};
use crate::finding::FindingKind;
use crate::reply::StreamError;
use crate::stream::{Sink, named};

/// Reads the events of one reply.
#[derive(Debug)]
pub(crate) struct Decoder {
    /// Who answers.
    pub(crate) issuer: Arc<Issuer>,
    items: Items,
    whole: Whole,
    is_over: bool,
}

impl Decoder {
    pub(crate) fn new(issuer: Arc<Issuer>) -> Decoder {
        Decoder { issuer, items: Items::default(), whole: Whole::default(), is_over: false }
    }

    /// Reads a frame.
    pub(crate) fn frame(
        &mut self,
        frame: &Frame<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if frame.data.trim() == DONE {
            return Ok(());
        }
        if self.is_over {
            sink.report(FindingKind::MalformedStream, || "a frame after the end".into());
            return Ok(());
        }
        match sink.object(frame) {
            Some(doc) => self.event(event(doc.root(), &frame.event), sink),
            None => Ok(()),
        }
    }

    fn event(&mut self, event: Event<'_, '_>, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        match event {
            Event::Response(response) => self.response(response, sink),
            Event::End { status, response } => {
                self.is_over = true;
                self.response(response, sink)?;
                self.whole.ended(status);
                if let Some(output) = response.get("output") {
                    self.items.complete(output, &self.issuer, sink)?;
                }
                self.items.close(status == "completed", sink)?;
                self.whole.finish(self.items.has_calls(), sink)
            }
            Event::ItemAdded { index, item } => self.items.added(index, item, sink),
            Event::ItemDone { index, item } => self.items.done(index, item, &self.issuer, sink),
            Event::Delta { at, part, of, text } => self.items.delta(at, (of, part), text, sink),
            Event::Said { at, part, of, text } => self.items.said(at, (of, part), text, sink),
            Event::Progress => Ok(()),
            Event::Error(root) => {
                self.is_over = true;
                sink.fail(failure(root))
            }
            Event::Unknown(name) => {
                sink.report(FindingKind::Unknown, || format!("the event `{name}`"));
                Ok(())
            }
            Event::Malformed(name) => {
                sink.report(FindingKind::MalformedStream, || {
                    format!("an event `{name}` without what it needs")
                });
                Ok(())
            }
        }
    }

    fn response(
        &mut self,
        response: Value<'_, '_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), StreamError> {
        if self.issuer.model.is_empty() {
            let model = response.get("model").and_then(Value::to_text).unwrap_or_default();
            self.issuer = named(&self.issuer, model);
        }
        self.whole.take(response, sink)
    }

    /// The stream is over. Without a terminal event it was cut.
    pub(crate) fn end(&mut self, sink: &mut Sink<'_>) -> Result<(), StreamError> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(());
        }
        sink.fail(Failure::of(STREAM_CUT, "the stream ended before the reply did"))
    }
}
