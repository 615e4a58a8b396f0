//! Images: typed and sized once, on the way in.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use json::Text;

use crate::entry::Rest;

/// Bytes of an image's head that are decoded to type and size it: few say it in most, a photo
/// may have a long preamble.
const HEADS_BYTES: [usize; 2] = [6 << 10, 256 << 10];

/// Where the bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageSource {
    /// Standard base64.
    Base64(Text),
    /// A content-addressed blob of the store.
    Blob(Text),
    /// A URL; nothing here ever fetches it.
    Url(Text),
    /// A file the provider holds.
    File(Text),
}

impl AsRef<[u8]> for ImageSource {
    fn as_ref(&self) -> &[u8] {
        match self {
            ImageSource::Base64(text)
            | ImageSource::Blob(text)
            | ImageSource::Url(text)
            | ImageSource::File(text) => text.as_bytes(),
        }
    }
}

/// The types every provider takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaType {
    /// `image/png`
    Png,
    /// `image/jpeg`
    Jpeg,
    /// `image/gif`
    Gif,
    /// `image/webp`
    Webp,
}

impl MediaType {
    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            MediaType::Png => "image/png",
            MediaType::Jpeg => "image/jpeg",
            MediaType::Gif => "image/gif",
            MediaType::Webp => "image/webp",
        }
    }
}

/// What the bytes turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// By magic bytes.
    pub media_type: MediaType,
    /// Pixels; 0 where the header does not say.
    pub width: u32,
    /// Pixels; 0 where the header does not say.
    pub height: u32,
}

/// An image, as it was given, with what its bytes say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    media_type: Text,
    source: Arc<ImageSource>,
    /// `None` where the bytes are elsewhere, are no base64, or are no image a provider takes.
    measured: Option<Measured>,
    /// Smaller forms made once on import, as written.
    pub renditions: Option<json::Raw>,
    /// Members this build has no field for.
    pub rest: Rest,
}

impl Image {
    /// An image of a declared type; its bytes are looked at once, here.
    pub fn new(media_type: Text, source: ImageSource) -> Image {
        let measured = match &source {
            ImageSource::Base64(data) => measure(data),
            ImageSource::Blob(_) | ImageSource::Url(_) | ImageSource::File(_) => None,
        };
        let source = Arc::new(source);
        Image { media_type, source, measured, renditions: None, rest: Rest::default() }
    }

    /// The type the source declared.
    pub fn media_type(&self) -> &Text {
        &self.media_type
    }

    /// Where the bytes are.
    pub fn source(&self) -> &ImageSource {
        &self.source
    }

    /// The data, or what names it, for whoever writes it out as it is and need not copy it.
    pub fn data(&self) -> Arc<ImageSource> {
        Arc::clone(&self.source)
    }

    /// A smaller form that was made on the way in, whose bytes are here.
    ///
    /// It is what goes to a provider in place of an image beyond the limits, the same bytes every
    /// time; the original stays in the record.
    pub fn rendition(&self) -> Option<Image> {
        let renditions = self.renditions.as_ref()?.doc();
        renditions.root().items().find_map(|item| {
            let media_type = item.get("media_type")?.to_text()?;
            let data = item.get("data")?.to_text()?;
            let image = Image::new(media_type, ImageSource::Base64(data));
            image.measured.is_some().then_some(image)
        })
    }

    /// Adds a smaller form, as base64 of its own type and size.
    pub fn add_rendition(&mut self, data: &str, measured: Measured) {
        let mut rendition = json::Object::new();
        rendition
            .string("media_type", measured.media_type.as_str())
            .number("width", measured.width)
            .number("height", measured.height)
            .string("data", data);
        self.renditions = Some(json::Array::of([&rendition.finish()]));
    }

    /// What the bytes are.
    pub fn measured(&self) -> Option<Measured> {
        self.measured
    }
}

fn measure(data: &str) -> Option<Measured> {
    if !is_base64(data) {
        return None;
    }
    let mut measured = None;
    for bytes in HEADS_BYTES {
        let head = STANDARD.decode(data.get(..data.len().min(bytes / 3 * 4))?).ok()?;
        let media_type = sniff(&head)?;
        if let Ok(size) = imagesize::blob_size(&head) {
            let (width, height) = (size.width as u32, size.height as u32);
            return Some(Measured { media_type, width, height });
        }
        measured = Some(Measured { media_type, width: 0, height: 0 });
    }
    measured
}

fn sniff(head: &[u8]) -> Option<MediaType> {
    if head.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(MediaType::Png)
    } else if head.starts_with(b"\xff\xd8\xff") {
        Some(MediaType::Jpeg)
    } else if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") {
        Some(MediaType::Gif)
    } else if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        Some(MediaType::Webp)
    } else {
        None
    }
}

/// Standard alphabet, padded, no line breaks: what a provider takes.
fn is_base64(data: &str) -> bool {
    let bytes = data.as_bytes();
    let body = data.trim_end_matches('=').len();
    !bytes.is_empty()
        && bytes.len().is_multiple_of(4)
        && bytes.len() - body <= 2
        // A chunk is looked at as a whole, in vectors.
        && bytes.get(..body).unwrap_or_default().chunks(64).all(|chunk| {
            let of = |b: &u8| b.is_ascii_alphanumeric() | matches!(b, b'+' | b'/');
            chunk.iter().fold(true, |all, byte| all & of(byte))
        })
}
