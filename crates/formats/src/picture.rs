//! An image as foreign files hold it: read once, with a finding where it is not what it says.

use json::{Text, Value};
use record::{FindingKind, Image, ImageSource};

use crate::report::{Place, Report};
use crate::rest::rest_of;

/// Completes an image that was read from `value`, of which the members `known` are taken.
pub(crate) fn read(
    mut image: Image,
    value: Value<'_, '_>,
    known: &[&str],
    report: &mut Report,
    place: Place,
) -> Image {
    image.rest = rest_of(value, known);
    crate::rendition::add(&mut image);
    let declared = image.media_type().as_str();
    if let ImageSource::Base64(_) = image.source() {
        let detail = match image.measured() {
            Some(m) if m.media_type.as_str() == declared => None,
            Some(m) => {
                Some(format!("declared {declared:?}, its bytes are {}", m.media_type.as_str()))
            }
            None => Some(format!("declared {declared:?}, its data is no image")),
        };
        if let Some(detail) = detail {
            report.add(FindingKind::ImageCorrected, place, detail);
        }
    }
    image
}

/// The image of a URL: its bytes where it holds them (`data:`), else where they are.
pub(crate) fn of_url(media_type: Text, url: &Text) -> Image {
    let data = url.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    match data {
        Some((declared, data)) => {
            let media_type = if media_type.is_empty() { Text::from(declared) } else { media_type };
            Image::new(media_type, ImageSource::Base64(data.into()))
        }
        None => Image::new(media_type, ImageSource::Url(url.clone())),
    }
}
