//! Images on this wire (B-018).

use record::{Image, ImageSource};
use wire::bedrock_converse::request;
use wire::takes::Takes;

use super::Converse;
use crate::project::Conversation;
use crate::project::anthropic_messages::image::SIDE_MAX_OF_MANY;
use crate::project::image::fitting_within;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::wording::UnseenReason;

/// Images of a request.
pub(crate) const IMAGES_MAX: usize = 20;

/// Pixels of an image's longer side.
const SIDE_MAX: u32 = 8000;

/// Images above which Claude takes none that is larger than others take many of: with documents,
/// which count as well, they are more than 20.
pub(crate) const MANY_IMAGES: usize = IMAGES_MAX - super::native::DOCUMENTS_MAX;

/// Base64 characters of one image: 3.75 MB, of the two meanings the smaller.
const DATA_CHARS_MAX: usize = 5_000_000;

/// Why an image cannot be on the wire, if it cannot.
pub(in crate::project) fn unseen_reason(to: &Converse, image: &Image) -> Option<UnseenReason> {
    if to.model.images == Takes::No {
        return Some(UnseenReason::NoVision);
    }
    match image.source() {
        ImageSource::Base64(data) => match image.measured() {
            None if data.is_empty() => Some(UnseenReason::DataMissing),
            None => Some(UnseenReason::NotAccepted),
            Some(measured) => {
                let large =
                    data.len() > DATA_CHARS_MAX || measured.width.max(measured.height) > SIDE_MAX;
                (large && fitting(image).is_none()).then_some(UnseenReason::SizeLimit)
            }
        },
        ImageSource::Blob(_) => Some(UnseenReason::DataMissing),
        ImageSource::Url(_) | ImageSource::File(_) => Some(UnseenReason::NotAccepted),
    }
}

/// The smaller form of an image that is over a bound.
fn fitting(image: &Image) -> Option<Image> {
    fitting_within(image, DATA_CHARS_MAX, SIDE_MAX_OF_MANY)
}

impl Conversation {
    /// Writes an image that can be seen; its bytes on the wire and its longer side.
    pub(in crate::project) fn converse_image(
        &mut self,
        row: &Row,
        block: u32,
        image: &Image,
    ) -> (u64, u32) {
        let rendition = fitting(image);
        if rendition.is_some() {
            self.change(ChangeKind::ImageRendition, Some(&row.entry), Some(block));
        }
        let image = rendition.as_ref().unwrap_or(image);
        let Some(measured) = image.measured() else { return (0, 0) };
        let ImageSource::Base64(data) = image.source() else { return (0, 0) };
        let sniffed = measured.media_type.as_str();
        if image.media_type().as_str() != sniffed {
            self.change(ChangeKind::ImageTypeCorrected, Some(&row.entry), Some(block));
        }
        request::image(&mut self.pages, sniffed.trim_start_matches("image/"), image.data());
        (data.len() as u64, measured.width.max(measured.height))
    }
}
