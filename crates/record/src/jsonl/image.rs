//! Images on disk: `media_type`, one of `data`, `blob`, `url`, `file`, and `renditions` if any.

use json::{Raw, Text, Value};

use crate::entry::Rest;
use crate::image::{Image, ImageSource};
use crate::jsonl::fields::{Context, Read, Taken, members, raw, set, text};
use crate::jsonl::out::Members;

/// An image inside `images`: no `type` says what it is.
pub(super) fn read(context: &mut Context, value: Value<'_, '_>) -> Taken<Image> {
    Some((read_with(context, value, Read::Unknown)?, true))
}

/// An image that is a block, or a part, by its `type`.
pub(super) fn read_typed(context: &mut Context, value: Value<'_, '_>) -> Option<Image> {
    read_with(context, value, Read::Skip)
}

fn read_with(context: &mut Context, value: Value<'_, '_>, tag: Read) -> Option<Image> {
    let (mut media_type, mut renditions) = (None, None);
    let (mut data, mut blob, mut url, mut file) = (None, None, None, None);
    let rest = members(context, value, |_, name, value| match name {
        "type" => tag,
        "media_type" => set(&mut media_type, value, text),
        "data" => set(&mut data, value, text),
        "blob" => set(&mut blob, value, text),
        "url" => set(&mut url, value, text),
        "file" => set(&mut file, value, text),
        "renditions" => {
            renditions = Some(raw(value));
            Read::Exact
        }
        _ => Read::Unknown,
    });
    let mut sources = [
        ("data", data.map(ImageSource::Base64)),
        ("blob", blob.map(ImageSource::Blob)),
        ("url", url.map(ImageSource::Url)),
        ("file", file.map(ImageSource::File)),
    ]
    .into_iter()
    .filter_map(|(name, source)| Some((name, source?)));
    let (_, source) = sources.next()?;
    let mut image = Image::new(media_type.unwrap_or_default(), source);
    image.renditions = renditions;
    image.rest = rest;
    for (name, source) in sources {
        image.rest.push(name.into(), Raw::string(named(&source).1));
    }
    Some(image)
}

fn named(source: &ImageSource) -> (&'static str, &Text) {
    match source {
        ImageSource::Base64(data) => ("data", data),
        ImageSource::Blob(hash) => ("blob", hash),
        ImageSource::Url(url) => ("url", url),
        ImageSource::File(id) => ("file", id),
    }
}

pub(super) fn write(out: &mut Vec<u8>, image: &Image) {
    let rests: [&Rest; 1] = [&image.rest];
    let mut members = Members::open(out, &rests);
    write_members(&mut members, image);
    members.close();
}

pub(super) fn write_typed(out: &mut Vec<u8>, image: &Image) {
    let rests: [&Rest; 1] = [&image.rest];
    let mut members = Members::open(out, &rests);
    members.string("type", "image");
    write_members(&mut members, image);
    members.close();
}

fn write_members(members: &mut Members<'_, '_>, image: &Image) {
    let (name, source) = named(image.source());
    members.text("media_type", image.media_type());
    members.text(name, source);
    members.optional_raw("renditions", image.renditions.as_ref());
}
