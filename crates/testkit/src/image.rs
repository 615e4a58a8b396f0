//! Images: small ones that are what they say, and all the ways not to be.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use record::{Image, ImageSource};

use crate::rng::Rng;
use crate::tag::{Tag, Tags};

/// The head of a PNG of this size, and a number that makes its bytes its own.
fn png(width: u32, height: u32, number: u64) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend([8, 2, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend(number.to_be_bytes());
    bytes
}

fn base64(bytes: &[u8]) -> ImageSource {
    ImageSource::Base64(STANDARD.encode(bytes).into())
}

/// A small image that every provider takes.
pub(crate) fn sound(number: u64) -> Image {
    Image::new("image/png".into(), base64(&png(16, 16, number)))
}

/// Any image.
pub(crate) fn image(rng: &mut Rng, tags: &mut Tags, number: u64) -> Image {
    match rng.weighted(&[50, 8, 8, 6, 6, 4, 4, 4, 3, 2, 2]) {
        0 => sound(number),
        1 => {
            tags.add(Tag::WrongMagic);
            Image::new("image/jpeg".into(), base64(&png(9, 9, number)))
        }
        2 => {
            tags.add(Tag::NotBase64);
            let data = format!("not base64! {number}");
            Image::new("image/png".into(), ImageSource::Base64(data.into()))
        }
        3 => {
            tags.add(Tag::WrongMagic);
            let data = format!("<svg>{number}</svg>");
            Image::new("image/svg+xml".into(), base64(data.as_bytes()))
        }
        4 | 5 => {
            let side = if rng.one_in(2) { 2500 } else { 9000 };
            let mut image = Image::new("image/png".into(), base64(&png(side, 20, number)));
            if rng.one_in(2) {
                tags.add(Tag::Rendition);
                let small = sound(number);
                if let (ImageSource::Base64(data), Some(measured)) =
                    (small.source(), small.measured())
                {
                    image.add_rendition(data, measured);
                }
            }
            image
        }
        6 => Image::new("image/png".into(), ImageSource::Blob(format!("{number:064x}").into())),
        7 => {
            let url = format!("https://example.com/{number}.png");
            Image::new("image/png".into(), ImageSource::Url(url.into()))
        }
        8 => Image::new("image/png".into(), ImageSource::Url(format!("file:///{number}").into())),
        9 => Image::new("image/png".into(), ImageSource::File(format!("file_{number}").into())),
        _ => Image::new("".into(), ImageSource::Base64("".into())),
    }
}
