//! Renditions: an image beyond the providers' limits gets a smaller form, once, on the way in.
//!
//! In: an image as its file holds it. Out: the same image, and a rendition beside it where it needs
//! one. The rule books bound an image's sides more tightly once a request has many images,
//! and nothing that was sent may be encoded anew; so the form that fits every request is made here.
//! The original's bytes stay. An image that cannot be decoded gets none.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageReader, Limits};
use record::{Image, ImageSource, Measured, MediaType};

use crate::limits::{DECODED_BYTES_MAX, DECODED_SIDE_MAX};

/// Pixels of a side that every request takes, whatever its number of images.
const SIDE_MAX: u32 = 2000;

/// Pixels of the longer side of a rendition: what models are given at most.
const RENDITION_SIDE: u32 = 1568;

/// Base64 characters of an image that every platform takes.
const DATA_CHARS_MAX: usize = 5_000_000;

/// Quality of a rendition that is written as JPEG.
const JPEG_QUALITY: u8 = 85;

/// Gives an image a rendition, where it is beyond the limits and can be decoded.
pub(crate) fn add(image: &mut Image) {
    let (ImageSource::Base64(data), Some(measured)) = (image.source(), image.measured()) else {
        return;
    };
    let large = measured.width.max(measured.height) > SIDE_MAX || data.len() > DATA_CHARS_MAX;
    if !large {
        return;
    }
    if let Some((data, measured)) = smaller(data, measured.media_type) {
        image.add_rendition(&data, measured);
    }
}

fn smaller(data: &str, media_type: MediaType) -> Option<(String, Measured)> {
    let bytes = STANDARD.decode(data).ok()?;
    let mut reader = ImageReader::new(Cursor::new(bytes));
    reader.set_format(match media_type {
        MediaType::Png => image::ImageFormat::Png,
        MediaType::Jpeg => image::ImageFormat::Jpeg,
        MediaType::Gif => image::ImageFormat::Gif,
        MediaType::Webp => image::ImageFormat::WebP,
    });
    let mut limits = Limits::default();
    limits.max_image_width = Some(DECODED_SIDE_MAX);
    limits.max_image_height = Some(DECODED_SIDE_MAX);
    limits.max_alloc = Some(DECODED_BYTES_MAX);
    reader.limits(limits);
    let decoded = reader.decode().ok()?;
    let fitted = decoded.resize(RENDITION_SIDE, RENDITION_SIDE, FilterType::Triangle);
    let (encoded, media_type) = encode(&fitted, media_type)?;
    let data = STANDARD.encode(&encoded);
    let (width, height) = (fitted.width(), fitted.height());
    (data.len() <= DATA_CHARS_MAX).then_some((data, Measured { media_type, width, height }))
}

/// A photograph stays a JPEG; everything else is a PNG, unless that is too large.
fn encode(fitted: &DynamicImage, from: MediaType) -> Option<(Vec<u8>, MediaType)> {
    let mut out = Vec::new();
    if from != MediaType::Jpeg {
        fitted.write_with_encoder(PngEncoder::new(&mut out)).ok()?;
        if out.len() <= DATA_CHARS_MAX / 4 * 3 {
            return Some((out, MediaType::Png));
        }
        out.clear();
    }
    let encoder = JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY);
    DynamicImage::ImageRgb8(fitted.to_rgb8()).write_with_encoder(encoder).ok()?;
    Some((out, MediaType::Jpeg))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Image {
        let mut out = Vec::new();
        let pixels = image::GrayImage::from_fn(width, height, |x, y| [(x ^ y) as u8].into());
        let pixels = DynamicImage::ImageLuma8(pixels);
        pixels.write_with_encoder(PngEncoder::new(&mut out)).expect("encoded");
        Image::new("image/png".into(), ImageSource::Base64(STANDARD.encode(out).into()))
    }

    #[test]
    fn an_oversized_image_gets_a_smaller_form_of_the_same_bytes_every_time() {
        let (mut one, mut two) = (png(3000, 100), png(3000, 100));
        add(&mut one);
        add(&mut two);
        assert_eq!(one, two);
        let measured = one.rendition().and_then(|small| small.measured()).expect("a rendition");
        assert_eq!((measured.width, measured.height), (1568, 52));
        assert_eq!(measured.media_type, MediaType::Png);
        assert_eq!(one.measured().map(|original| original.width), Some(3000));
    }

    #[test]
    fn an_image_within_the_limits_and_one_that_is_broken_get_none() {
        let mut fits = png(2000, 10);
        add(&mut fits);
        assert!(fits.rendition().is_none());
        let ImageSource::Base64(data) = png(2001, 10).source().clone() else { panic!("data") };
        let cut = data.get(..data.len() / 8 * 4).expect("a prefix");
        let mut broken = Image::new("image/png".into(), ImageSource::Base64(cut.into()));
        assert!(broken.measured().is_some());
        add(&mut broken);
        assert!(broken.rendition().is_none());
    }
}
