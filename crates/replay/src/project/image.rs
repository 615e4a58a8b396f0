//! Images: on the wire as they are, or named by a marker.

use json::Text;
use record::{Image, ImageSource, Role};

use super::conversation::at;
use super::{
    Conversation, Dialect, anthropic_messages, bedrock_converse, gemini, openai_chat,
    openai_responses,
};
use crate::fold::{Grown, ImageAt, View};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::{self, UnseenReason};

/// Why an image cannot be on the wire, if it cannot.
pub(super) fn unseen_reason(
    view: View<'_>,
    row: &Row,
    block: u32,
    nth: u32,
    image: &Image,
) -> Option<UnseenReason> {
    if !view.target.vision {
        return Some(UnseenReason::NoVision);
    }
    if !view.edits.images_out.is_empty() && view.edits.images_out.contains(&(at(row, block), nth)) {
        return Some(UnseenReason::SizeLimit);
    }
    match view.dialect {
        Dialect::AnthropicMessages(_) => anthropic_messages::image::unseen_reason(view, image),
        Dialect::OpenAiChat(chat) => openai_chat::image::unseen_reason(chat, image),
        Dialect::OpenAiResponses(to) => openai_responses::image::unseen_reason(to, image),
        Dialect::Gemini(own) => gemini::image::unseen_reason(own, image),
        Dialect::BedrockConverse(to) => bedrock_converse::image::unseen_reason(to, image),
    }
}

impl Conversation {
    /// An image on the user's side: itself, or its marker.
    pub(super) fn image(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        nth: u32,
        image: &Image,
    ) {
        match unseen_reason(view, row, block, nth, image) {
            Some(reason) => self.unseen(view, grown, row, block, image, reason),
            None => {
                match view.dialect {
                    Dialect::AnthropicMessages(_)
                    | Dialect::OpenAiResponses(_)
                    | Dialect::Gemini(_)
                    | Dialect::BedrockConverse(_) => {
                        self.begin(view, grown, Role::User);
                    }
                    Dialect::OpenAiChat(chat) => self.chat_part(view, chat, grown),
                }
                self.seen(view, grown, row, block, nth, image);
                self.end_markable();
            }
        }
        self.image_stands(grown, row);
    }

    /// Notes the first image: what the model sees of it hangs on its caller.
    pub(super) fn image_stands(&self, grown: &mut Grown, row: &Row) {
        if grown.first_image.is_empty() {
            grown.first_image.push((row.index, self.unit()));
        }
    }

    /// The marker of an image that is not on the wire, as a text of its own.
    pub(super) fn unseen(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        image: &Image,
        reason: UnseenReason,
    ) {
        self.report_unseen_ahead(row, block, reason);
        self.user_text(view, grown, &[&wording::unseen(&media_type(image), reason)]);
    }

    /// Reports it, where its marker stands in the next block that begins. One over a limit may
    /// have stood there itself.
    pub(super) fn report_unseen_ahead(&mut self, row: &Row, block: u32, reason: UnseenReason) {
        if reason == UnseenReason::SizeLimit {
            self.mark_edited(&row.entry, block);
        }
        self.report_unseen(row, block, reason);
    }

    pub(super) fn report_unseen(&mut self, row: &Row, block: u32, reason: UnseenReason) {
        let detail = Some(reason.as_str().into());
        self.change_with(ChangeKind::ImageUnseen, Some(&row.entry), Some(block), detail);
    }

    /// The image's block itself; a block was begun, or an array of parts.
    pub(super) fn seen(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        block: u32,
        nth: u32,
        image: &Image,
    ) {
        let (bytes, side) = match view.dialect {
            Dialect::AnthropicMessages(_) => self.anthropic_image(view, row, block, image),
            Dialect::OpenAiResponses(_) => self.responses_image(row, block, image),
            Dialect::Gemini(_) => self.gemini_image(row, block, image),
            Dialect::OpenAiChat(chat) => self.chat_image(chat, row, block, image),
            Dialect::BedrockConverse(_) => self.converse_image(row, block, image),
        };
        grown.images.push(ImageAt { at: at(row, block), nth, side, bytes });
    }
}

/// The rendition of an image that is over one of these bounds.
pub(super) fn fitting_within(image: &Image, chars_max: usize, side_max: u32) -> Option<Image> {
    let measured = image.measured()?;
    let ImageSource::Base64(data) = image.source() else { return None };
    let large = measured.width.max(measured.height) > side_max || data.len() > chars_max;
    if large { image.rendition() } else { None }
}

/// The declared type, or the one its bytes have, for a marker.
pub(super) fn media_type(image: &Image) -> Text {
    match image.measured() {
        Some(measured) => measured.media_type.as_str().into(),
        None if image.media_type().is_empty() => "image".into(),
        None => image.media_type().as_str().into(),
    }
}
