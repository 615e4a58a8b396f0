//! Images on this wire (G-028).

use record::{Image, ImageSource, MediaType};
use wire::gemini::request;

use super::Gemini;
use crate::project::Conversation;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::UnseenReason;

/// Why an image cannot be on the wire, if it cannot.
pub(in crate::project) fn unseen_reason(gemini: &Gemini, image: &Image) -> Option<UnseenReason> {
    match image.source() {
        ImageSource::Base64(data) if data.is_empty() => Some(UnseenReason::DataMissing),
        ImageSource::Base64(_) => {
            let taken = image.measured().is_some_and(|measured| match measured.media_type {
                MediaType::Png | MediaType::Jpeg | MediaType::Webp => true,
                MediaType::Gif => false,
            });
            (!taken).then_some(UnseenReason::NotAccepted)
        }
        ImageSource::Blob(_) => Some(UnseenReason::DataMissing),
        ImageSource::Url(uri) => {
            let plain = !uri.has_lone_surrogate() && takes_type(image.media_type());
            let readable = gemini.platform.file_uris.iter().any(|start| uri.starts_with(start));
            (!plain || !readable).then_some(UnseenReason::NotAccepted)
        }
        ImageSource::File(_) => Some(UnseenReason::NotAccepted),
    }
}

/// Whether a type that is only declared is one that is read.
fn takes_type(declared: &str) -> bool {
    let types = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];
    types.contains(&declared)
}

impl Conversation {
    /// Writes an image that can be seen; its bytes on the wire and its longer side.
    pub(in crate::project) fn gemini_image(
        &mut self,
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
                request::inline_data(&mut self.pages, sniffed, image.data());
                (data.len() as u64, measured.width.max(measured.height))
            }
            (
                ImageSource::Url(uri)
                | ImageSource::File(uri)
                | ImageSource::Blob(uri)
                | ImageSource::Base64(uri),
                _,
            ) => {
                request::file_data(&mut self.pages, image.media_type(), uri);
                (uri.len() as u64, 0)
            }
        }
    }
}
