//! Ids of items and of calls.

use std::collections::HashSet;

use super::{Body, Verdict};
use crate::report::Fill;

/// Characters of an id.
const ID_CHARS_MAX: usize = 64;

///
pub(super) fn check(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut seen = HashSet::new();
    for item in &body.items {
        let at = item.value.offset();
        if let Some(id) = item.text("id") {
            let path = item.path(".id");
            let prefix = item.shape.map_or("", |shape| shape.prefix);
            if !id.starts_with(prefix) {
                let fill: Fill<'_> = &[("id", &id), ("prefix", &prefix)];
                verdict.unless(body.platform.other_ids, "R-031", path, at, fill);
            } else if let Some(words) = malformed(&id, &path) {
                verdict.say("R-032", path, at, words);
            } else if item.kind != "item_reference" && !seen.insert(id.clone()) {
                verdict.add("R-034", path, at, &[("id", &id)]);
            }
        }
        if let Some(id) = item.text("call_id") {
            let len = id.chars().count();
            if len == 0 || len > ID_CHARS_MAX {
                verdict.add("R-033", item.path(".call_id"), at, &[("len", &len)]);
            }
        }
    }
}

/// What is said of an id that is none.
fn malformed(id: &str, path: &str) -> Option<String> {
    let len = id.chars().count();
    if len > ID_CHARS_MAX {
        return Some(format!(
            "Invalid '{path}': string too long. Expected a string with maximum length \
             {ID_CHARS_MAX}, but got a string with length {len} instead."
        ));
    }
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (len == 0 || !id.bytes().all(legal)).then(|| {
        format!(
            "Invalid '{path}': '{id}'. Expected an ID that contains letters, numbers, \
             underscores, or dashes, but this value contained additional characters."
        )
    })
}
