//! Images on this wire.

use record::{Image, ImageSource};
use wire::anthropic_messages::request;

use crate::fold::View;
use crate::project::Conversation;
use crate::project::image::fitting_within;
use crate::read::Row;
use crate::report::ChangeKind;
use crate::target::Target;
use crate::wording::UnseenReason;

/// Pixels of an image's longer side.
pub(crate) const SIDE_MAX: u32 = 8000;

/// The same, where a request has more than [`MANY_IMAGES`] images.
pub(crate) const SIDE_MAX_OF_MANY: u32 = 2000;

/// Images up to which the larger bound holds.
pub(crate) const MANY_IMAGES: usize = 20;

/// Images that every server of this dialect takes: gateways refuse more than 50, the Claude API
/// 100 or 600. A caller who knows better says so in [`crate::Limits`].
pub(crate) const IMAGES_MAX_ANYWHERE: u32 = 50;

/// Base64 characters of one image, by platform.
fn data_chars_max(target: &Target) -> usize {
    if target.to.platform.as_str() == "anthropic" { 10_000_000 } else { 5_242_880 }
}

/// Why an image cannot be on the wire, if it cannot.
pub(in crate::project) fn unseen_reason(view: View<'_>, image: &Image) -> Option<UnseenReason> {
    let on_claude_api = view.target.to.platform.as_str() == "anthropic";
    match image.source() {
        ImageSource::Base64(data) => match image.measured() {
            None if data.is_empty() => Some(UnseenReason::DataMissing),
            None => Some(UnseenReason::NotAccepted),
            Some(measured) => {
                let large = data.len() > data_chars_max(view.target)
                    || measured.width.max(measured.height) > SIDE_MAX;
                let unfit = large && fitting(view.target, image).is_none();
                unfit.then_some(UnseenReason::SizeLimit)
            }
        },
        ImageSource::Blob(_) => Some(UnseenReason::DataMissing),
        ImageSource::Url(url) => {
            let plain = url.starts_with("https://") && !url.has_lone_surrogate();
            (!on_claude_api || !plain).then_some(UnseenReason::NotAccepted)
        }
        ImageSource::File(id) => {
            (!on_claude_api || id.is_empty()).then_some(UnseenReason::NotAccepted)
        }
    }
}

/// The form of an image that every request takes: itself, or its rendition where it is too large.
fn fitting(target: &Target, image: &Image) -> Option<Image> {
    fitting_within(image, data_chars_max(target), SIDE_MAX_OF_MANY)
}

impl Conversation {
    /// Writes an image that can be seen; its bytes on the wire and its longer side.
    pub(in crate::project) fn anthropic_image(
        &mut self,
        view: View<'_>,
        row: &Row,
        block: u32,
        image: &Image,
    ) -> (u64, u32) {
        let rendition = fitting(view.target, image);
        if rendition.is_some() {
            self.change(ChangeKind::ImageRendition, Some(&row.entry), Some(block));
        }
        let image = rendition.as_ref().unwrap_or(image);
        match (image.source(), image.measured()) {
            (ImageSource::Base64(data), Some(measured)) => {
                let sniffed = measured.media_type.as_str();
                if image.media_type().as_str() != sniffed {
                    self.change(ChangeKind::ImageTypeCorrected, Some(&row.entry), Some(block));
                }
                request::image_base64(&mut self.pages, sniffed, image.data());
                (data.len() as u64, measured.width.max(measured.height))
            }
            (ImageSource::Url(url), _) => {
                request::image_url(&mut self.pages, url);
                (url.len() as u64, 0)
            }
            (ImageSource::File(id) | ImageSource::Blob(id) | ImageSource::Base64(id), _) => {
                request::image_file(&mut self.pages, id);
                (id.len() as u64, 0)
            }
        }
    }
}
