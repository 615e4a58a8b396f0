//! Images on this wire (C-014 to C-018, K-036).

use record::{Image, ImageSource};
use wire::openai_chat::request;
use wire::openai_chat::vendors::Takes;

use super::Chat;
use crate::project::Conversation;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::UnseenReason;

/// Why an image cannot be on the wire, if it cannot.
pub(in crate::project) fn unseen_reason(chat: &Chat, image: &Image) -> Option<UnseenReason> {
    if chat.vendor.images == Takes::No {
        return Some(UnseenReason::NoVision);
    }
    match image.source() {
        ImageSource::Base64(data) if data.is_empty() => Some(UnseenReason::DataMissing),
        ImageSource::Base64(_) => image.measured().is_none().then_some(UnseenReason::NotAccepted),
        ImageSource::Blob(_) => Some(UnseenReason::DataMissing),
        ImageSource::Url(url) => {
            let plain = url.starts_with("https://") && !url.has_lone_surrogate();
            let taken = plain && chat.vendor.image_urls == Takes::Yes;
            (!taken).then_some(UnseenReason::NotAccepted)
        }
        ImageSource::File(_) => Some(UnseenReason::NotAccepted),
    }
}

impl Conversation {
    /// Writes an image that can be seen; its bytes on the wire and its longer side.
    pub(in crate::project) fn chat_image(
        &mut self,
        chat: &Chat,
        row: &Row,
        block: u32,
        image: &Image,
    ) -> (u64, u32) {
        match (image.source(), image.measured()) {
            (ImageSource::Base64(data), Some(measured)) => {
                let sniffed = measured.media_type.as_str();
                if image.media_type().as_str() != sniffed {
                    self.change(ChangeKind::ImageTypeCorrected, Some(&row.entry), Some(block));
                }
                if chat.is_ollama() {
                    request::image_plain(&mut self.pages, image.data());
                } else {
                    request::image_base64(&mut self.pages, sniffed, image.data(), true);
                }
                (data.len() as u64, measured.width.max(measured.height))
            }
            (
                ImageSource::Url(address)
                | ImageSource::File(address)
                | ImageSource::Blob(address)
                | ImageSource::Base64(address),
                _,
            ) => {
                request::image_url(&mut self.pages, address, true);
                (address.len() as u64, 0)
            }
        }
    }
}
