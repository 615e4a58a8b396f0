//! Message rows on disk: their members stand at the top level of the line.

use json::{Kind, Raw, Text, Value};

use crate::block::Block;
use crate::entry::Rest;
use crate::jsonl::block;
use crate::jsonl::entry::is_envelope;
use crate::jsonl::fields::{
    Context, Failed, Read, Taken, array, filled_array, id, members, optional_text, pick, present,
    raw, set, set_flag, text,
};
use crate::jsonl::out::{Members, push_raw, push_text};
use crate::limits::BLOCKS_MAX;
use crate::message::{DroppedCall, Message, MessageKind, Role, Source, Stop, StopKind, Usage};

pub(super) fn read(context: &mut Context, line: Value<'_, '_>) -> Result<Message, Failed> {
    let (mut role, mut blocks, mut meta) = (None, None, None);
    let mut too_many = false;
    let mut message = Message::new(Role::User, Vec::new());
    message.rest = members(context, line, |context, name, value| match name {
        "role" => set(&mut role, value, |value| Some((Role::from_name(&value.as_str()?)?, true))),
        "blocks" => {
            too_many = value.items().nth(BLOCKS_MAX).is_some();
            set(&mut blocks, value, |value| read_blocks(context, value, too_many))
        }
        "source" => set(&mut message.source, value, |value| read_source(context, value)),
        "author" => set(&mut message.author, value, text),
        "audience" => read_audience(&mut message.audience, value),
        "answers" => set(&mut message.answers, value, id),
        "usage" => set(&mut message.usage, value, read_usage),
        "stop" => set(&mut message.stop, value, |value| read_stop(context, value)),
        "interrupted" => set_flag(&mut message.interrupted, value),
        "runs_logged" => set_flag(&mut message.runs_logged, value),
        "response" => {
            message.response = Some(raw(value));
            Read::Exact
        }
        "meta" => set(&mut meta, value, |value| read_meta(context, value)),
        _ if is_envelope(name) => Read::Skip,
        _ => Read::Unknown,
    });
    if too_many {
        return Err(Failed::TooManyBlocks);
    }
    message.role = role.ok_or(Failed::Field("role"))?;
    message.blocks = blocks.ok_or(Failed::Field("blocks"))?;
    (message.kind, message.meta) = meta.unwrap_or_default();
    Ok(message)
}

fn read_blocks(context: &mut Context, value: Value<'_, '_>, too_many: bool) -> Taken<Vec<Block>> {
    let blocks = value.items().take(if too_many { 0 } else { BLOCKS_MAX });
    let blocks = blocks.map(|item| block::read(context, item)).collect();
    (value.kind() == Kind::Array).then_some((blocks, true))
}

fn read_source(context: &mut Context, value: Value<'_, '_>) -> Taken<Source> {
    let known = ["user", "model", "tool", "runtime"];
    let kind = value.get_str("kind");
    let read = known_source(value);
    if read.is_none() && kind.is_none_or(|kind| known.contains(&&*kind)) {
        context.unread(value, "a source that cannot be read is kept as written".into());
    }
    Some(read.unwrap_or_else(|| (Source::Other(Raw::of(value)), true)))
}

fn known_source(value: Value<'_, '_>) -> Taken<Source> {
    let kind = value.get("kind")?.as_str()?;
    let (source, exact) = match &*kind {
        "user" => (Source::User, pick(value, ["kind"]).1),
        "model" => {
            let ([_, platform, api, model, account], mut exact) =
                pick(value, ["kind", "platform", "api", "model", "account"]);
            let source = Source::Model {
                platform: platform?.to_text()?,
                api: api?.to_text()?,
                model: model?.to_text()?,
                account: optional_text(account, &mut exact)?,
            };
            (source, exact)
        }
        "tool" => {
            let ([_, call_id], exact) = pick(value, ["kind", "call_id"]);
            (Source::Tool { call_id: call_id?.to_text()? }, exact)
        }
        "runtime" => {
            let ([_, what], exact) = pick(value, ["kind", "what"]);
            (Source::Runtime { what: what?.to_text()? }, exact)
        }
        _ => return None,
    };
    Some((source, exact))
}

/// An audience that cannot be read is nobody: a message is never shown to more than were named.
fn read_audience(field: &mut Option<Vec<Text>>, value: Value<'_, '_>) -> Read {
    let read = set(field, value, |value| array(value, text));
    if read == Read::Unread {
        *field = Some(Vec::new());
    }
    read
}

fn read_usage(value: Value<'_, '_>) -> Taken<Usage> {
    let (counts, mut exact) = pick(value, USAGE);
    let mut numbers = [0; 4];
    for (number, count) in numbers.iter_mut().zip(counts) {
        exact &= count.is_some();
        *number = match present(count, &mut exact) {
            Some(count) => count.as_u64()?,
            None => 0,
        };
    }
    let [input, output, cache_creation, cache_read] = numbers;
    let usage = Usage {
        input_tokens: input,
        output_tokens: output,
        cache_creation_input_tokens: cache_creation,
        cache_read_input_tokens: cache_read,
    };
    (value.kind() == Kind::Object).then_some((usage, exact))
}

const USAGE: [&str; 4] =
    ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

fn read_stop(context: &mut Context, value: Value<'_, '_>) -> Taken<Stop> {
    let kind = StopKind::from_name(&value.get_str("kind")?)?;
    let (mut native, mut failure, mut dropped_calls) = (None, None, None);
    let rest = members(context, value, |context, name, value| match name {
        "kind" => Read::Skip,
        "native" => set(&mut native, value, text),
        "failure" => {
            failure = Some(raw(value));
            Read::Exact
        }
        "dropped_calls" => set(&mut dropped_calls, value, |value| {
            filled_array(value, |value| read_dropped_call(context, value))
        }),
        _ => Read::Unknown,
    });
    let dropped_calls = dropped_calls.unwrap_or_default();
    Some((Stop { kind, native, failure, dropped_calls, rest }, true))
}

fn read_dropped_call(context: &mut Context, value: Value<'_, '_>) -> Taken<DroppedCall> {
    let mut name = None;
    let rest = members(context, value, |_, member, value| match member {
        "name" => set(&mut name, value, text),
        _ => Read::Unknown,
    });
    let call = DroppedCall { name: name.unwrap_or_default(), rest };
    (value.kind() == Kind::Object).then_some((call, true))
}

/// `meta`, parted into its kind and the rest; an empty one is kept as written.
fn read_meta(context: &mut Context, value: Value<'_, '_>) -> Taken<(Option<MessageKind>, Rest)> {
    let mut kind = None;
    let rest = members(context, value, |_, name, value| match name {
        "kind" => {
            set(&mut kind, value, |value| Some((MessageKind::from_name(&value.to_text()?), true)))
        }
        _ => Read::Unknown,
    });
    let filled = kind.is_some() || !rest.is_empty();
    (value.kind() == Kind::Object).then_some(((kind, rest), filled))
}

pub(super) fn write(members: &mut Members<'_, '_>, message: &Message) {
    members.string("role", message.role.as_str());
    members.array("blocks", &message.blocks, block::write);
    if let Some(source) = &message.source {
        members.value("source", |out| write_source(out, source));
    }
    members.optional_text("author", message.author.as_ref());
    if let Some(audience) = &message.audience {
        members.array("audience", audience, push_text);
    }
    if let Some(answers) = &message.answers {
        members.id("answers", answers);
    }
    if let Some(usage) = &message.usage {
        members.value("usage", |out| write_usage(out, usage));
    }
    if let Some(stop) = &message.stop {
        members.value("stop", |out| write_stop(out, stop));
    }
    for (name, set) in [("interrupted", message.interrupted), ("runs_logged", message.runs_logged)]
    {
        if set {
            members.bool(name, true);
        }
    }
    members.optional_raw("response", message.response.as_ref());
    if message.kind.is_some() || !message.meta.is_empty() {
        members.value("meta", |out| write_meta(out, message));
    }
}

fn write_source(out: &mut Vec<u8>, source: &Source) {
    match source {
        Source::User => write_source_of(out, "user", &[]),
        Source::Model { platform, api, model, account } => {
            let fields = [("platform", platform), ("api", api), ("model", model)];
            let account = account.iter().map(|account| ("account", account));
            write_source_of(out, "model", &fields.into_iter().chain(account).collect::<Vec<_>>());
        }
        Source::Tool { call_id } => write_source_of(out, "tool", &[("call_id", call_id)]),
        Source::Runtime { what } => write_source_of(out, "runtime", &[("what", what)]),
        Source::Other(raw) => push_raw(out, raw),
    }
}

fn write_source_of(out: &mut Vec<u8>, kind: &str, fields: &[(&str, &Text)]) {
    let mut members = Members::open(out, &[]);
    members.string("kind", kind);
    for (name, value) in fields {
        members.text(name, value);
    }
    members.close();
}

fn write_usage(out: &mut Vec<u8>, usage: &Usage) {
    let counts = [
        usage.input_tokens,
        usage.output_tokens,
        usage.cache_creation_input_tokens,
        usage.cache_read_input_tokens,
    ];
    let mut members = Members::open(out, &[]);
    for (name, count) in USAGE.into_iter().zip(counts) {
        members.number(name, count);
    }
    members.close();
}

fn write_stop(out: &mut Vec<u8>, stop: &Stop) {
    let rests = [&stop.rest];
    let mut members = Members::open(out, &rests);
    members.string("kind", stop.kind.as_str());
    members.optional_text("native", stop.native.as_ref());
    members.optional_raw("failure", stop.failure.as_ref());
    members.filled_array("dropped_calls", &stop.dropped_calls, |out, call| {
        let rests = [&call.rest];
        let mut members = Members::open(out, &rests);
        members.text("name", &call.name);
        members.close();
    });
    members.close();
}

fn write_meta(out: &mut Vec<u8>, message: &Message) {
    let rests = [&message.meta];
    let mut members = Members::open(out, &rests);
    match &message.kind {
        Some(MessageKind::Other(name)) => members.text("kind", name),
        Some(kind) => members.string("kind", kind.as_str()),
        None => {}
    }
    members.close();
}
