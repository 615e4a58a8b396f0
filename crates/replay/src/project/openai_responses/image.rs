//! Images on this wire: data of a known type, or a web address (C-017, C-018, R-038).

use record::{Image, ImageSource};
use wire::openai_responses::request;
use wire::takes::Takes;

use super::{Responses, text_in};
use crate::project::Conversation;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::UnseenReason;

/// How closely an image can be asked to be looked at.
const DETAILS: &[&str] = &["auto", "low", "high", "original"];

/// Why an image cannot be on the wire, if it cannot.
pub(in crate::project) fn unseen_reason(to: &Responses, image: &Image) -> Option<UnseenReason> {
    if to.model.images == Takes::No {
        return Some(UnseenReason::NoVision);
    }
    match image.source() {
        ImageSource::Base64(data) if data.is_empty() => Some(UnseenReason::DataMissing),
        ImageSource::Base64(_) => image.measured().is_none().then_some(UnseenReason::NotAccepted),
        ImageSource::Blob(_) => Some(UnseenReason::DataMissing),
        ImageSource::Url(url) => {
            let plain = url.starts_with("https://") && !url.has_lone_surrogate();
            (!plain).then_some(UnseenReason::NotAccepted)
        }
        ImageSource::File(_) => Some(UnseenReason::NotAccepted),
    }
}

impl Conversation {
    /// Writes an image that can be seen; its bytes on the wire and its longer side.
    pub(in crate::project) fn responses_image(
        &mut self,
        row: &Row,
        block: u32,
        image: &Image,
    ) -> (u64, u32) {
        let asked = text_in(&image.rest, "detail");
        let detail = asked.as_deref().filter(|detail| DETAILS.contains(detail)).unwrap_or("auto");
        match (image.source(), image.measured()) {
            (ImageSource::Base64(data), Some(measured)) => {
                let sniffed = measured.media_type.as_str();
                if image.media_type().as_str() != sniffed {
                    self.change(ChangeKind::ImageTypeCorrected, Some(&row.entry), Some(block));
                }
                request::image_base64(&mut self.pages, detail, sniffed, image.data(), true);
                (data.len() as u64, measured.width.max(measured.height))
            }
            (
                ImageSource::Url(address)
                | ImageSource::File(address)
                | ImageSource::Blob(address)
                | ImageSource::Base64(address),
                _,
            ) => {
                request::image_url(&mut self.pages, detail, address, true);
                (address.len() as u64, 0)
            }
        }
    }
}
