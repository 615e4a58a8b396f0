//! An entry's line: the envelope (`v`, `entry`, `id`, `parent_id`, `seq`, `timestamp`, `origin`)
//! around the members of its fact.

use json::{Doc, Kind, Raw, Text, Value};

use crate::entry::{Entry, EntryId, Fact, OpaqueFact, Origin, Rest};
use crate::finding::FindingKind;
use crate::jsonl::fields::{Context, Failed, Read, Taken, members, optional_text, pick, set, text};
use crate::jsonl::out::{Members, push_raw};
use crate::jsonl::{compaction, fields, head, message, origin, refs, retracted, sent};
use crate::limits::FORMAT_VERSION;
use crate::refs::RefMove;

/// The kind on disk of an opaque fact that is no whole line of this format.
const OPAQUE: &str = "opaque";

/// What a parent member said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parent {
    /// Nothing: the entry before.
    Before,
    /// `null`
    Root,
    /// An id.
    Named(EntryId),
}

/// What an entry's line says, its place in the tree not yet settled.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) id: Option<EntryId>,
    pub(super) parent: Parent,
    pub(super) seq: Option<u64>,
    pub(super) time: Option<Text>,
    pub(super) fact: Fact,
    pub(super) origin: Option<Box<Origin>>,
    pub(super) rest: Rest,
}

/// What a line is.
#[derive(Debug)]
pub(super) enum Line {
    /// The header of this version, saying nothing more.
    Header,
    /// A move of a ref.
    Ref(RefMove),
    /// An entry.
    Entry(Box<Parsed>),
}

/// Whether a member is the envelope's.
pub(super) fn is_envelope(name: &str) -> bool {
    matches!(name, "v" | "entry" | "id" | "parent_id" | "seq" | "timestamp" | "origin")
}

/// A version; one above [`FORMAT_VERSION`] is not exact, as it is not what would be written.
pub(super) fn version(value: Value<'_, '_>) -> Taken<u64> {
    let version = value.as_u64()?;
    Some((version, version == u64::from(FORMAT_VERSION)))
}

/// Reads one object. An error is a line that has to be kept as bytes.
pub(super) fn read(context: &mut Context, line: Value<'_, '_>) -> Result<Line, Failed> {
    let ([entry, role, branch, header], _) = pick(line, ["entry", "role", "ref", "stenograph"]);
    if entry.or(role).is_none() && branch.is_some_and(|branch| branch.kind() == Kind::String) {
        return match refs::read(context, line) {
            Ok(moved) => Ok(Line::Ref(moved)),
            Err(failed) => {
                unread_line(context, "ref", failed)?;
                Ok(Line::Entry(Box::new(unplaced("ref".into(), Some(line)))))
            }
        };
    }
    if entry.or(role).is_none() && header.is_some() {
        return Ok(read_header(context, line));
    }
    let kind = match entry {
        Some(entry) => entry.to_text().unwrap_or_default(),
        None if role.is_some() => "message".into(),
        None => Text::default(),
    };
    Ok(Line::Entry(Box::new(read_entry(context, line, kind)?)))
}

fn read_header(context: &mut Context, line: Value<'_, '_>) -> Line {
    let ([name, v], exact) = pick(line, ["stenograph", "v"]);
    let ours = name.is_some_and(|name| name.is_str("record"));
    let known = ours && v.and_then(version).is_some_and(|(_, exact)| exact);
    if known && exact {
        return Line::Header;
    }
    if !known {
        context.unread(line, "a header of another kind or version, kept as written".into());
    }
    Line::Entry(Box::new(unplaced("header".into(), Some(line))))
}

fn read_entry(context: &mut Context, line: Value<'_, '_>, kind: Text) -> Result<Parsed, Failed> {
    let before = context.findings.len();
    let mut v = None;
    let mut parsed = unplaced(kind.clone(), None);
    parsed.rest = members(context, line, |context, name, value| match name {
        "v" => set(&mut v, value, version),
        // An id that is `null` is none, and one will be written.
        "id" if value.is_null() => Read::Skip,
        "id" => set(&mut parsed.id, value, |value| id(context, value)),
        "parent_id" if value.is_null() => {
            parsed.parent = Parent::Root;
            Read::Exact
        }
        "parent_id" => {
            let mut named = None;
            let read = set(&mut named, value, |value| id(context, value));
            parsed.parent = named.map_or(Parent::Before, Parent::Named);
            read
        }
        "seq" => set(&mut parsed.seq, value, |value| Some((value.as_u64()?, true))),
        "timestamp" => set(&mut parsed.time, value, text),
        "origin" => set(&mut parsed.origin, value, origin::read),
        _ => Read::Skip,
    });
    let newer = v.is_some_and(|v| v > u64::from(FORMAT_VERSION));
    let read = if newer { Err(Failed::Field("v")) } else { read_fact(context, line, &kind) };
    match read {
        Ok(Some((fact, rest))) => {
            parsed.fact = fact;
            rest.iter().for_each(|(name, value)| parsed.rest.push(name.clone(), value.clone()));
        }
        Ok(None) => parsed.keep_whole(line, kind),
        Err(failed) => {
            context.findings.truncate(before);
            unread_line(context, &kind, failed)?;
            parsed.keep_whole(line, kind);
        }
    }
    Ok(parsed)
}

/// An id; one that is no string is read as its JSON text, so that it still names the entry.
fn id(context: &mut Context, value: Value<'_, '_>) -> Taken<EntryId> {
    if let Some(last) = &context.last_id
        && value.is_str(last.as_str())
        && !value.raw().contains('\\')
    {
        return Some((last.clone(), true));
    }
    if let Some((id, true)) = fields::id(value) {
        return Some((id, true));
    }
    context.unread(value, "an id that is no text is kept as written".into());
    fields::id(value).or_else(|| Some((EntryId::new(value.raw()), false)))
}

/// The fact of a kind, and its unknown members where the fact has no rest of its own; `None` where
/// the kind is unknown.
fn read_fact(
    context: &mut Context,
    line: Value<'_, '_>,
    kind: &str,
) -> Result<Option<(Fact, Rest)>, Failed> {
    let none = Rest::default();
    Ok(Some(match kind {
        "message" => (Fact::Message(Box::new(message::read(context, line)?)), none),
        "call_started" => {
            let (started, rest) = retracted::read_call_started(context, line)?;
            (Fact::CallStarted(started), rest)
        }
        "compaction" => (Fact::Compaction(Box::new(compaction::read(context, line)?)), none),
        "head" => (Fact::Head(Box::new(head::read(context, line)?)), none),
        "sent" => (Fact::Sent(Box::new(sent::read(context, line)?)), none),
        "retracted" => {
            let (retracted, rest) = retracted::read_retracted(context, line)?;
            (Fact::Retracted(retracted), rest)
        }
        OPAQUE => return Ok(read_opaque(context, line)),
        "" => return Err(Failed::Field("entry")),
        _ => return Ok(None),
    }))
}

fn read_opaque(context: &mut Context, line: Value<'_, '_>) -> Option<(Fact, Rest)> {
    let ([kind], mut exact) = pick(line, ["kind"]);
    let kind = optional_text(kind, &mut exact)??;
    let mut raw = None;
    let rest = members(context, line, |_, name, value| match name {
        "kind" => Read::Skip,
        "raw" => {
            raw = Some(Raw::of(value));
            Read::Exact
        }
        _ if is_envelope(name) => Read::Skip,
        _ => Read::Unknown,
    });
    Some((Fact::Opaque(OpaqueFact { kind, raw }), rest))
}

fn unread_line(context: &mut Context, kind: &str, failed: Failed) -> Result<(), Failed> {
    match failed {
        Failed::Field("v") => {
            let detail = format!("a `{kind}` line of a newer version is kept as written");
            context.found(FindingKind::UnreadField, detail);
            Ok(())
        }
        Failed::Field(name) => {
            let detail = format!("a `{kind}` line without a readable `{name}` is kept as written");
            context.found(FindingKind::UnreadField, detail);
            Ok(())
        }
        Failed::TooManyBlocks => Err(failed),
    }
}

/// A line about whose place nothing is known yet, kept whole if it is given.
pub(super) fn unplaced(kind: Text, line: Option<Value<'_, '_>>) -> Parsed {
    Parsed {
        id: None,
        parent: Parent::Before,
        seq: None,
        time: None,
        fact: Fact::Opaque(OpaqueFact { kind, raw: line.map(Raw::of) }),
        origin: None,
        rest: Rest::default(),
    }
}

impl Parsed {
    /// Keeps the whole line in place of what could be read of it.
    fn keep_whole(&mut self, line: Value<'_, '_>, kind: Text) {
        self.fact = Fact::Opaque(OpaqueFact { kind, raw: Some(Raw::of(line)) });
        self.rest = Rest::default();
    }

    /// The entry, if the line said its id, parent and seq itself.
    pub(super) fn complete(self) -> Option<Entry> {
        let Parsed { id, parent, seq, time, fact, origin, rest } = self;
        let parent = match parent {
            Parent::Before => return None,
            Parent::Root => None,
            Parent::Named(parent) => Some(parent),
        };
        Some(Entry { id: id?, parent, seq: seq?, time, fact, origin, rest })
    }
}

/// Appends an entry as one line, without its line feed.
pub(super) fn write(out: &mut Vec<u8>, entry: &Entry) {
    if let Fact::Opaque(OpaqueFact { raw: Some(raw), .. }) = &entry.fact
        && reads_as(raw, entry)
    {
        return push_raw(out, raw);
    }
    let rests = [&entry.rest, own_rest(&entry.fact)];
    let mut members = Members::open(out, &rests);
    members.number("v", FORMAT_VERSION.into());
    members.string("entry", kind(&entry.fact));
    members.id("id", &entry.id);
    members.id_or_null("parent_id", entry.parent.as_ref());
    members.number("seq", entry.seq);
    members.optional_text("timestamp", entry.time.as_ref());
    write_fact(&mut members, &entry.fact);
    if let Some(origin) = &entry.origin {
        members.value("origin", |out| origin::write(out, origin));
    }
    members.close();
}

/// Whether a text is a line of this format that says exactly this entry.
fn reads_as(raw: &Raw, entry: &Entry) -> bool {
    let Ok(doc) = Doc::parse_str(raw.as_str()) else { return false };
    match read(&mut Context::default(), doc.root()) {
        Ok(Line::Entry(parsed)) => parsed.complete().as_ref() == Some(entry),
        Ok(Line::Header | Line::Ref(_)) | Err(_) => false,
    }
}

fn kind(fact: &Fact) -> &'static str {
    match fact {
        Fact::Message(_) => "message",
        Fact::CallStarted(_) => "call_started",
        Fact::Compaction(_) => "compaction",
        Fact::Head(_) => "head",
        Fact::Sent(_) => "sent",
        Fact::Retracted(_) => "retracted",
        Fact::Opaque(_) => OPAQUE,
    }
}

fn own_rest(fact: &Fact) -> &Rest {
    static NONE: Rest = Rest::NONE;
    match fact {
        Fact::Message(message) => &message.rest,
        Fact::Compaction(compaction) => &compaction.rest,
        Fact::Head(head) => &head.rest,
        Fact::Sent(sent) => &sent.rest,
        Fact::CallStarted(_) | Fact::Retracted(_) | Fact::Opaque(_) => &NONE,
    }
}

fn write_fact(members: &mut Members<'_, '_>, fact: &Fact) {
    match fact {
        Fact::Message(message) => message::write(members, message),
        Fact::CallStarted(started) => retracted::write_call_started(members, started),
        Fact::Compaction(compaction) => compaction::write(members, compaction),
        Fact::Head(head) => head::write(members, head),
        Fact::Sent(sent) => sent::write(members, sent),
        Fact::Retracted(retracted) => retracted::write_retracted(members, retracted),
        Fact::Opaque(opaque) => {
            members.text("kind", &opaque.kind);
            members.optional_raw("raw", opaque.raw.as_ref());
        }
    }
}
