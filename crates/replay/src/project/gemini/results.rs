//! A round's responses: one for each call, in call order, in a content of their own (G-011 to
//! G-015). Images of results stand beside the response where the model takes that (G-029), else in
//! the user's content behind.

#![deny(clippy::wildcard_enum_match_arm)]

use json::Kind;
use record::{ResultPart, Role, ToolResult, ToolUse};
use wire::gemini::request;

use super::Gemini;
use crate::bind::{BoundCall, call_in};
use crate::fold::{Grown, View};
use crate::project::output::{Answered, Behind, Output, answered};
use crate::project::{Conversation, input};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording;

/// The member of a result that holds a response whose form says more than its text.
const AS_IT_WAS: &str = "functionResponse";

/// Under what a function's output stands, and its error.
const OUTPUT: &str = "output";
const ERROR: &str = "error";

/// What a function's response is called.
struct Named<'c> {
    id: Option<&'c str>,
    name: &'c str,
}

impl Conversation {
    /// Writes the answer of every call of a round.
    pub(in crate::project) fn gemini_results(
        &mut self,
        view: View<'_>,
        gemini: &Gemini,
        grown: &mut Grown,
        reply: &Row,
        calls: &[BoundCall],
    ) {
        self.gap_fills(view, reply, calls);
        let mut behind = Vec::new();
        let writes_ids = gemini.writes_ids(reply);
        for call in calls.iter().filter(|call| !call.retracted) {
            let Some(declared) = call_in(&reply.entry, call.block) else { continue };
            let id = call.wire_id.as_ref().unwrap_or(&declared.id);
            let name = gemini.name_of(&declared.name);
            let named = Named { id: writes_ids.then_some(id), name: &name };
            match answered(call) {
                Some(Answered::Result(row, block, result)) => {
                    self.row = row.index;
                    let result = (row, block, result);
                    self.gemini_result(view, grown, result, declared, &named, &mut behind);
                }
                Some(Answered::Gap(words)) => {
                    self.row = reply.index;
                    self.begin_response(view, grown);
                    let Named { id, name } = named;
                    let words = [wording::gap(words)];
                    request::open_response(&mut self.pages, id, name, ERROR, &words);
                    request::close_response(&mut self.pages, false);
                    self.change(ChangeKind::GapFilled, Some(&reply.entry), Some(call.block));
                }
                None => {}
            }
        }
        self.row = reply.index;
        self.images_behind(view, grown, behind);
    }

    fn begin_response(&mut self, view: View<'_>, grown: &mut Grown) {
        self.open_block(view, grown, Role::Tool);
        self.ends_with_results = true;
    }

    #[allow(clippy::too_many_arguments, reason = "what a result is, and where it goes")]
    fn gemini_result<'r>(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        (row, block, result): (&'r Row, u32, &'r ToolResult),
        declared: &ToolUse,
        named: &Named<'_>,
        behind: &mut Vec<Behind<'r>>,
    ) {
        let stand = view.dialect.images_stand(result.is_error);
        let tool = &declared.name;
        let Output { pieces, inside, natives } =
            self.output(view, row, block, result, tool, stand, behind);
        self.begin_response(view, grown);
        let Named { id, name } = *named;
        match as_it_was(result).filter(|text| pieces.first().is_some_and(|one| one == text)) {
            Some(response) => {
                request::open_response_as_it_was(&mut self.pages, id, name, response);
            }
            None => {
                let key = if result.is_error { ERROR } else { OUTPUT };
                let mut words: Vec<&str> = Vec::new();
                for (at, piece) in pieces.iter().enumerate() {
                    // Between texts an image stands, which is not among them here.
                    if at > 0 && inside.iter().any(|image| image.at == at) {
                        words.push("\n");
                    }
                    words.push(piece);
                }
                request::open_response(&mut self.pages, id, name, key, &words);
            }
        }
        let mut first = true;
        for image in &inside {
            request::beside(&mut self.pages, first);
            self.seen(view, grown, row, block, image.nth, image.image);
            first = false;
        }
        for native in natives {
            request::beside(&mut self.pages, first);
            self.pages.push(native.raw.as_str().as_bytes());
            first = false;
        }
        request::close_response(&mut self.pages, !first);
        if result.content.iter().any(|part| matches!(part, ResultPart::Image(_))) {
            self.image_stands(grown, row);
        }
    }
}

/// The response as it came, where its form says more than the result's text, which is then the
/// response's own.
fn as_it_was(result: &ToolResult) -> Option<&str> {
    let raw = result.rest.get(AS_IT_WAS)?;
    let mut texts = result.content.iter().filter(|part| matches!(part, ResultPart::Text(_)));
    let Some(ResultPart::Text(text)) = texts.next() else { return None };
    let is_all = texts.next().is_none() && text.as_str() == raw.as_str();
    let is_object = raw.doc().root().kind() == Kind::Object;
    let fits =
        is_all && is_object && !raw.has_lone_surrogate() && input::nests_little(raw.as_str());
    fits.then_some(raw.as_str())
}
