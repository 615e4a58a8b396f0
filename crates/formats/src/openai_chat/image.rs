//! Images as the OpenAI APIs write them: by a URL, which may hold the bytes themselves.

use json::{Text, Value};
use record::{FindingKind, Image, ImageSource};

use crate::picture;
use crate::report::{Place, Report};

/// The image of a URL that stands in `holder`, of which the members `known` are taken. What is
/// neither an address nor the bytes is kept as it is, and reported.
pub(crate) fn image_of(
    url: &Text,
    holder: Value<'_, '_>,
    known: &[&str],
    report: &mut Report,
    place: Place,
) -> Image {
    let image = picture::of_url(Text::default(), url);
    if let ImageSource::Url(url) = image.source()
        && !url.starts_with("https://")
        && !url.starts_with("http://")
    {
        report.add(FindingKind::ImageCorrected, place, "an image whose URL is none");
    }
    picture::read(image, holder, known, report, place)
}

/// The URL of an image; `None` where its bytes are in a store or with another provider.
pub(crate) fn url_of(image: &Image) -> Option<Text> {
    match image.source() {
        ImageSource::Base64(data) => {
            Some(format!("data:{};base64,{}", image.media_type(), data.as_str()).into())
        }
        ImageSource::Url(url) => Some(url.clone()),
        ImageSource::Blob(_) | ImageSource::File(_) => None,
    }
}
