//! Media as their bytes: base64 and what the first bytes say.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Base64 bytes that hold the header of nearly every image; a multiple of four.
pub(crate) const HEADER_BYTES: usize = 4096;

/// The image types every vendor that takes images takes.
pub(crate) const IMAGE_TYPES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Whether a text is standard base64 with its padding, without white space.
pub(crate) fn is_base64(text: &str) -> bool {
    let bare = text.trim_end_matches('=');
    let in_alphabet =
        bare.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
    in_alphabet && text.len().is_multiple_of(4) && text.len() - bare.len() <= 2
}

/// The bytes of a base64 text; none where it is not base64.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap_or_default()
}

/// The text whose base64 this is; none where it is not base64, or no text.
pub fn text_of(base64: &str) -> Option<String> {
    String::from_utf8(STANDARD.decode(base64).ok()?).ok()
}

/// The base64 of a text.
pub fn base64_of(text: &str) -> String {
    STANDARD.encode(text)
}

/// The type of an image by its first bytes.
pub(crate) fn media_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}
