//! Records of every fact, block and fill, from a seed.

use std::sync::Arc;

use json::{Raw, Text};
use record::message::DroppedCall;
use record::*;

use crate::random::Random;

pub fn record(seed: u64) -> Record {
    let random = &mut Random::new(seed);
    let mut ids: Vec<EntryId> = Vec::new();
    let mut record = Record::default();
    for index in 0..1 + random.below(8) {
        let id = new_id(random, index);
        let parent = if ids.is_empty() { None } else { random.maybe(|r| r.pick(&ids)) };
        ids.push(id.clone());
        record.entries.push(Arc::new(entry(random, id, parent, &ids)));
    }
    record.refs = random.list(3, |r| RefMove {
        branch: r.text(),
        tip: r.maybe(|r| r.pick(&ids)),
        reason: r.text(),
        time: r.maybe(Random::text),
        rest: rest(r),
    });
    record
}

fn new_id(random: &mut Random, index: usize) -> EntryId {
    let tail = match random.below(5) {
        0 => "x".repeat(450),
        1 => "\0 \"quoted\" 🙂".into(),
        _ => String::new(),
    };
    EntryId::new(format!("{index}{tail}"))
}

fn entry(random: &mut Random, id: EntryId, parent: Option<EntryId>, ids: &[EntryId]) -> Entry {
    let seq = random.number();
    let fact = fact(random, &id, parent.as_ref(), seq, ids);
    let own_rest =
        matches!(fact, Fact::Message(_) | Fact::Compaction(_) | Fact::Head(_) | Fact::Sent(_));
    let bare = match &fact {
        Fact::Opaque(opaque) => random.one_in(2) && opaque.raw.is_some(),
        _ => false,
    };
    Entry {
        time: if bare { None } else { random.maybe(Random::text) },
        origin: if bare { None } else { random.maybe(origin) },
        rest: if own_rest || bare { Rest::default() } else { rest(random) },
        id,
        parent,
        seq,
        fact,
    }
}

/// Members of names that no field has.
pub fn rest(random: &mut Random) -> Rest {
    let mut rest = Rest::default();
    if random.one_in(3) {
        for index in 0..1 + random.below(3) {
            let name = format!("\"x{index} {}", &random.text().to_literal()[1..]);
            let doc = json::Doc::parse_str(&name).unwrap();
            rest.push(doc.root().to_text().unwrap(), random.raw());
        }
    }
    rest
}

fn origin(random: &mut Random) -> Box<Origin> {
    let lines = random.list(3, |r| SourceLine {
        number: r.number(),
        bytes: match r.below(3) {
            0 => b"{\"torn\":\"\xff\xfe\0".as_slice().into(),
            1 => Box::from(&b""[..]),
            _ => r.text().as_str().as_bytes().into(),
        },
        ended: !r.one_in(4),
    });
    Box::new(Origin { format: "claude-code".into(), lines })
}

fn fact(
    random: &mut Random,
    id: &EntryId,
    parent: Option<&EntryId>,
    seq: u64,
    ids: &[EntryId],
) -> Fact {
    match random.below(14) {
        0 => Fact::CallStarted(CallStarted { call: block_ref(random, ids) }),
        1 => Fact::Compaction(Box::new(compaction(random, ids))),
        2 => Fact::Head(Box::new(head(random, ids))),
        3 | 4 => Fact::Sent(Box::new(sent(random, ids))),
        5 => Fact::Retracted(Retracted {
            blocks: random.list(3, |r| block_ref(r, ids)),
            entries: random.list(3, |r| r.pick(ids)),
            reason: random.text(),
        }),
        6 => {
            let kind = Text::new(random.pick(&["message", "opaque", "corrupt_line", "", "new"]));
            Fact::Opaque(OpaqueFact { kind, raw: random.maybe(Random::raw) })
        }
        7 => Fact::Opaque(whole_line(random, id, parent, seq)),
        _ => Fact::Message(Box::new(message(random, ids))),
    }
}

/// A line of a newer build, as it would stand in the file.
fn whole_line(random: &mut Random, id: &EntryId, parent: Option<&EntryId>, seq: u64) -> OpaqueFact {
    let kind = random.pick(&["checkpoint", "sent", "v9"]);
    let literal = |id: &EntryId| Text::new(id.as_str()).to_literal();
    let parent = parent.map_or("null".into(), literal);
    let (more, id) = (random.raw(), literal(id));
    let line = format!(
        r#"{{"note" :{more},"entry":"{kind}","id":{id}, "seq":{seq},"parent_id":{parent}}}"#
    );
    OpaqueFact { kind: kind.into(), raw: Some(Raw::parse(&line).unwrap()) }
}

fn block_ref(random: &mut Random, ids: &[EntryId]) -> BlockRef {
    BlockRef { row: random.pick(ids), block: random.number() as u32 }
}

fn message(random: &mut Random, ids: &[EntryId]) -> Message {
    Message {
        role: random.pick(&[Role::System, Role::User, Role::Assistant, Role::Tool]),
        blocks: random.list(5, block),
        source: random.maybe(source),
        author: random.maybe(Random::text),
        audience: random.maybe(|r| r.list(2, Random::text)),
        answers: random.maybe(|r| r.pick(ids)),
        usage: random.maybe(|r| Usage {
            input_tokens: r.number(),
            output_tokens: r.number(),
            cache_creation_input_tokens: r.number(),
            cache_read_input_tokens: r.number(),
        }),
        stop: random.maybe(stop),
        interrupted: random.one_in(3),
        runs_logged: random.one_in(3),
        response: random.maybe(Random::raw),
        kind: random.maybe(|r| MessageKind::from_name(&kind(r))),
        meta: rest(random),
        rest: rest(random),
    }
}

fn kind(random: &mut Random) -> Text {
    let known = [
        "user_prompt",
        "compact_boundary",
        "skill_snapshot",
        "skill_catalog",
        "task_notification",
        "ambient",
        "system_change",
    ];
    if random.one_in(4) { random.text() } else { Text::new(random.pick(&known)) }
}

fn source(random: &mut Random) -> Source {
    match random.below(5) {
        0 => Source::User,
        1 => Source::Model {
            platform: random.text(),
            api: random.text(),
            model: random.text(),
            account: random.maybe(Random::text),
        },
        2 => Source::Tool { call_id: random.text() },
        3 => Source::Runtime { what: random.text() },
        _ => Source::Other(random.raw_not_null()),
    }
}

fn stop(random: &mut Random) -> Stop {
    let names = ["stop", "tool-calls", "max-tokens", "aborted", "error"];
    Stop {
        kind: StopKind::from_name(random.pick(&names)).unwrap(),
        native: random.maybe(Random::text),
        failure: random.maybe(Random::raw),
        dropped_calls: random.list(2, |r| DroppedCall { name: r.text(), rest: rest(r) }),
        rest: rest(random),
    }
}

fn proof(random: &mut Random) -> Option<Box<Proof>> {
    let names = ["signature", "redacted", "encrypted", "item_id", "native"];
    random.maybe(|r| {
        Box::new(Proof {
            issuer: Arc::new(Issuer {
                platform: "p".into(),
                account: r.maybe(Random::text),
                api: "anthropic_messages".into(),
                model: r.text(),
            }),
            kind: ProofKind::from_name(&if r.one_in(6) {
                r.text()
            } else {
                Text::new(r.pick(&names))
            }),
            version: r.number() as u32,
            sealed: r.raw(),
        })
    })
}

fn block(random: &mut Random) -> Block {
    match random.below(8) {
        0 | 1 => {
            Block::Text(TextBlock { text: random.text(), proof: proof(random), rest: rest(random) })
        }
        2 => Block::ToolUse(ToolUse {
            id: random.text(),
            name: random.text(),
            input: Input::new(if random.one_in(2) {
                random.raw().as_str().into()
            } else {
                random.text()
            }),
            proof: proof(random),
            rest: rest(random),
        }),
        3 => Block::ToolResult(ToolResult {
            tool_use_id: random.text(),
            tool_name: random.text(),
            content: random.list(3, part),
            is_error: random.one_in(2),
            rest: rest(random),
        }),
        4 => Block::Reasoning(Reasoning {
            reasoning: random.text(),
            proof: proof(random),
            rest: rest(random),
        }),
        5 => Block::Image(image(random)),
        6 => Block::SystemChange(SystemChange {
            define_tools: random.list(2, tool),
            remove_tools: random.list(2, Random::text),
            add_system: random.list(2, Random::text),
            rest: rest(random),
        }),
        _ => Block::Opaque(opaque(random)),
    }
}

fn part(random: &mut Random) -> ResultPart {
    match random.below(4) {
        0 | 1 => ResultPart::Text(random.text()),
        2 => ResultPart::Image(image(random)),
        _ => ResultPart::Opaque(opaque(random)),
    }
}

/// Blocks that look like one of ours, like the wrapped form, or like nothing at all.
fn opaque(random: &mut Random) -> OpaqueBlock {
    let sealed = r#"{"issuer":{"platform":"","api":"","model":""},"kind":"native","version":2,
        "sealed":0}"#;
    let raw = match random.below(6) {
        0 => random.raw(),
        1 => {
            Raw::parse(&format!(r#"{{ "type":"web","proof":{sealed}}}"#).replace('\n', "")).unwrap()
        }
        2 => Raw::parse(r#"{"type":"opaque","kind":"web","raw":[1]}"#).unwrap(),
        3 => Raw::parse(r#"{"type":"text","text":5}"#).unwrap(),
        4 => Raw::parse(r#"{"type":"text","text":"plain"}"#).unwrap(),
        _ => Raw::parse(r#"{ "id":"s1" , "type":"web" , "input":{"q":1.0} }"#).unwrap(),
    };
    let kind = if random.one_in(8) { random.text() } else { "web".into() };
    OpaqueBlock { kind, raw, proof: proof(random) }
}

fn image(random: &mut Random) -> Image {
    let bytes: Text = if random.one_in(2) { "iVBORw0KGgo=".into() } else { random.text() };
    let source = match random.below(4) {
        0 => ImageSource::Base64(bytes),
        1 => ImageSource::Blob(random.text()),
        2 => ImageSource::Url(random.text()),
        _ => ImageSource::File(random.text()),
    };
    let mut image = Image::new(random.text(), source);
    image.renditions = random.maybe(Random::raw);
    image.rest = rest(random);
    image
}

fn tool(random: &mut Random) -> ToolDefinition {
    let (name, schema) = (random.text().to_literal(), random.raw());
    let wire = format!(r#"{{"name": {name},"input_schema":{schema}}}"#);
    ToolDefinition::new(Raw::parse(&wire).unwrap()).unwrap()
}

fn compaction(random: &mut Random, ids: &[EntryId]) -> Compaction {
    let handoff = random.maybe(Random::text);
    Compaction {
        kind: random.pick(&[CompactionKind::Boundary, CompactionKind::Micro]),
        continuation: random.maybe(Random::text),
        handoff_by_user: handoff.is_some() && random.one_in(3),
        handoff,
        retained_from: random.maybe(|r| r.pick(ids)),
        retained: random.list(2, |r| r.pick(ids)),
        split_as_found: random.one_in(3),
        cleared: random.list(2, |r| block_ref(r, ids)),
        rest: rest(random),
    }
}

fn head(random: &mut Random, ids: &[EntryId]) -> Head {
    Head {
        agent: random.text(),
        head: random.maybe(|r| {
            Arc::new(HeadDeclaration { tools: r.list(3, tool), system: r.list(3, Random::text) })
        }),
        folds_through: random.maybe(|r| r.pick(ids)),
        owners: random.maybe(|r| r.list(2, Random::text)),
        reason: random.text(),
        rest: rest(random),
    }
}

fn digest(random: &mut Random) -> Digest {
    let mut bytes = [0; 32];
    bytes.fill_with(|| random.next() as u8);
    Digest(bytes)
}

fn sent(random: &mut Random, ids: &[EntryId]) -> Sent {
    Sent {
        agent: random.text(),
        target: Target {
            dialect: random.text(),
            platform: random.text(),
            model: random.text(),
            account: random.maybe(Random::text),
        },
        covers: random.maybe(|r| r.pick(ids)),
        fills: random.list(6, |r| fill(r, ids)),
        no_vision: random.one_in(3),
        digests: random.maybe(|r| Digests {
            head: digest(r),
            authority: r.maybe(digest),
            parameters: r.maybe(digest),
            checkpoints: r.list(3, |r| Checkpoint {
                messages: r.number(),
                blocks: r.number(),
                digest: digest(r),
            }),
        }),
        build: random.number() as u32,
        rest: rest(random),
    }
}

fn fill(random: &mut Random, ids: &[EntryId]) -> Fill {
    let row = |random: &mut Random| random.pick(ids);
    match random.below(9) {
        0 => Fill::Gap {
            call: block_ref(random, ids),
            wording: match random.below(4) {
                0 => GapWording::Running,
                1 => GapWording::NotStarted,
                2 => GapWording::Unknown,
                _ => GapWording::Text(random.text()),
            },
        },
        1 => Fill::ThinkingOut { from: row(random), to: row(random), reason: random.text() },
        2 => Fill::ImageOut {
            at: block_ref(random, ids),
            image: random.number() as u32,
            reason: random.text(),
        },
        3 => Fill::CallId { call: block_ref(random, ids), wire_id: random.text() },
        4 => Fill::Continue { after: row(random) },
        5 => Fill::ChangeForm { row: row(random), part: random.text(), form: random.text() },
        6 => Fill::ChangeOff { part: random.text(), refusal: random.text() },
        7 => Fill::Recovery { rung: random.pick(&[Rung::DropBlock, Rung::Strip]) },
        _ => Fill::Other(random.raw()),
    }
}
