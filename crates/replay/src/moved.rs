//! The first place at which a conversation stops extending another, read off their bytes.

use json::{Doc, Value};
use wire::pages::Chain;

use crate::report::Unit;

/// The first block of `told` that is not in its place in `now`; `None` where all of them are.
///
/// Both end after a block, their last message still open.
pub(crate) fn first_difference(told: &Chain<u8>, now: &Chain<u8>) -> Option<Unit> {
    if extends(told, now) {
        return None;
    }
    let (told, now) = (array(told), array(now));
    let (told, now) = (Doc::parse(&told).ok()?, Doc::parse(&now).ok()?);
    let mut others = now.root().items();
    let mut told = told.root().items().zip(0u64..).peekable();
    while let Some((message, at)) = told.next() {
        let start = Unit::Content { message: at, block: 0 };
        let other = others.next().filter(|other| role(*other) == role(message));
        let Some(other) = other else { return Some(start) };
        let (mut own, mut others) = (blocks(message), blocks(other));
        for block in 0u64.. {
            let same = match (own.next(), others.next()) {
                (Some(own), Some(other)) => own.raw() == other.raw(),
                (None, None) => break,
                // The last message may have been gone on with.
                (None, Some(_)) if told.peek().is_none() => break,
                (None, Some(_)) | (Some(_), None) => false,
            };
            if !same {
                return Some(Unit::Content { message: at, block });
            }
        }
    }
    None
}

fn extends(told: &Chain<u8>, now: &Chain<u8>) -> bool {
    let mut now_bytes = now.runs_from(0).into_iter().flatten();
    told.len() <= now.len()
        && told.runs_from(0).into_iter().flatten().all(|byte| now_bytes.next() == Some(byte))
}

fn array(conversation: &Chain<u8>) -> Vec<u8> {
    let mut out = vec![b'['];
    out.extend(conversation.runs_from(0).concat());
    out.extend_from_slice(b"]}]");
    out
}

fn role<'t>(message: Value<'_, 't>) -> Option<std::borrow::Cow<'t, str>> {
    message.get_str("role")
}

fn blocks<'d, 't>(message: Value<'d, 't>) -> impl Iterator<Item = Value<'d, 't>> {
    message.get("content").into_iter().flat_map(|content| content.items())
}
