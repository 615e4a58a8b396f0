//! Every block kind, in every row and state: on the wire, or named in the report.
//!
//! 85

use json::Raw;
use record::{
    Block, BlockKind, EntryId, Message, OpaqueBlock, ProofKind, Rest, Role, SystemChange,
};
use replay::{Effect, Now, Target};

use crate::history::{
    History, OPUS_4_8, OPUS_5_5, PIXEL, blank, body, call, issuer, pixel, result, thought,
};

/// What a block's text is found by.
const MARK: &str = "@@here@@";

const ROLES: [Role; 4] = [Role::System, Role::User, Role::Assistant, Role::Tool];

/// What became of the calls beside the block.
#[derive(Clone, Copy, Debug)]
enum State {
    Answered,
    Unanswered,
    Orphan,
}

/// A case's block, what it is found by, and the changes by which it may be gone without a word.
struct Case {
    block: Block,
    mark: &'static str,
    omitted: &'static [&'static str],
}

fn opaque(kind: &str, raw: &str, native: bool) -> Block {
    let proof = native.then(|| {
        let sealed = Raw::parse("true").expect("JSON");
        let issuer = issuer(OPUS_4_8);
        Box::new(record::Proof { issuer, kind: ProofKind::Native, version: 1, sealed })
    });
    Block::Opaque(OpaqueBlock { kind: kind.into(), raw: Raw::parse(raw).expect("JSON"), proof })
}

fn cases() -> Vec<Case> {
    let case = |block, mark, omitted| Case { block, mark, omitted };
    let document = r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"@@here@@"}}"#;
    let change = SystemChange {
        define_tools: vec![crate::system::tool("here")],
        remove_tools: Vec::new(),
        add_system: Vec::new(),
        rest: Rest::default(),
    };
    const THOUGHT: &[&str] = &["THINKING_WITHHELD", "THINKING_OUT", "THINKING_TRAILING"];
    vec![
        case(Block::text(MARK), MARK, &[]),
        case(blank(" \u{feff}"), MARK, &["BLANK_TEXT"]),
        case(call("own", "ls", r#"{"at":"@@here@@"}"#), MARK, &[]),
        case(result("a", MARK), MARK, &[]),
        case(result("z", MARK), MARK, &[]),
        case(thought(OPUS_4_8, MARK, "s"), MARK, THOUGHT),
        case(crate::history::reasoning(MARK, None), MARK, THOUGHT),
        case(Block::Image(pixel()), PIXEL, &[]),
        case(Block::SystemChange(change), "here", &[]),
        case(opaque("document", document, true), MARK, &[]),
        case(opaque("new_kind", r#"{"type":"new_kind","text":"@@here@@"}"#, false), MARK, &[]),
    ]
}

/// The history of a case, and the row the block stands in.
fn history(case: &Case, role: Role, state: State, first: bool) -> (History, EntryId, u32) {
    let mut history = History::default();
    history.user("go");
    let mut blocks = vec![Block::text("beside")];
    if role == Role::Assistant {
        blocks.push(call("a", "grep", "{}"));
    } else {
        history.reply(vec![call("a", "grep", "{}")]);
    }
    let at = if first { 0 } else { blocks.len() };
    blocks.insert(at, case.block.clone());
    let row = history.message(Message::new(role, blocks));
    match state {
        State::Answered => {
            history.results(vec![result("a", "A")]);
        }
        State::Orphan => {
            history.results(vec![result("elsewhere", "E")]);
        }
        State::Unanswered => {}
    }
    history.user("on");
    (history, row, at as u32)
}

/// Targets, each with whether the block stands first in its row.
fn targets() -> Vec<(Target, bool)> {
    let claude = |model, vision| Target { vision, ..Target::anthropic(model) };
    let prose = Target { tools: false, ..crate::chat::openai() };
    vec![
        (claude(OPUS_4_8, true), true),
        (claude(OPUS_4_8, false), false),
        (claude(OPUS_5_5, true), false),
        (claude("claude-sonnet-4-5", true), true),
        (claude("model-nobody-knows", false), false),
        (crate::chat::openai(), true),
        (Target { vision: false, ..crate::chat::openai() }, false),
        (crate::chat::mistral(), false),
        (crate::chat::deepseek(), true),
        (Target::openai_chat("openrouter", "qwen/qwen3-vl"), false),
        (crate::chat::unknown(), false),
        (Target::ollama_chat("qwen3"), false),
        (prose, true),
        (crate::gemini::three(), true),
        (crate::gemini::two(), false),
        (Target::vertex("gemini-3.8-flash"), false),
        (Target { vision: false, ..Target::vertex("gemini-nobody-knows") }, true),
        (crate::responses::gpt(), true),
        (crate::responses::stored(), false),
        (Target::openai_responses("chatgpt", "o3-mini"), false),
        (Target::bedrock("us.anthropic.claude-opus-4-5-20251101-v1:0"), true),
        (Target::bedrock("us.amazon.nova-micro-v1:0"), false),
        (Target::bedrock("mistral.mistral-large-2407-v1:0"), true),
        (Target::bedrock("somebody.new-v1:0"), false),
        (Target { tools: false, ..Target::bedrock("us.amazon.nova-micro-v1:0") }, true),
    ]
}

#[test]
fn every_kind_in_every_state_is_on_the_wire_or_named() {
    for kind in BlockKind::ALL {
        assert!(cases().iter().any(|case| case.block.kind() == kind), "{kind:?} has no case");
    }
    for case in cases() {
        for role in ROLES {
            for state in [State::Answered, State::Unanswered, State::Orphan] {
                for (target, first) in targets() {
                    let place = format!("{:?} {role:?} {state:?} {target:?} {first}", case.block);
                    let (history, row, at) = history(&case, role, state, first);
                    let prepared =
                        history.prepare_for(target.clone(), &Now::default()).expect(&place);
                    let body = match target.to.dialect.as_str() {
                        "openai_chat" | "ollama_chat" => crate::chat::body(&target, &prepared),
                        "gemini" => crate::gemini::body(&target, &prepared),
                        "openai_responses" => crate::responses::body(&target, &prepared),
                        "bedrock_converse" => crate::converse::body(&target, &prepared),
                        _ => body(&prepared),
                    };
                    // A file that is text may go out as its bytes.
                    let bytes = wire::media::base64_of(case.mark);
                    let body = body.to_string();
                    let shown = body.contains(case.mark) || body.contains(&bytes);
                    let named: Vec<_> = prepared
                        .request
                        .report()
                        .changes()
                        .filter(|change| change.row.as_ref() == Some(&row))
                        .filter(|change| change.block == Some(at))
                        .map(|change| (change.kind.as_str(), change.kind.effect()))
                        .collect();
                    assert!(shown || !named.is_empty(), "{place}: gone");
                    for (name, effect) in named {
                        let omitted = effect == Effect::Omitted;
                        assert!(
                            !omitted || case.omitted.contains(&name),
                            "{place}: {name} leaves nothing in its place"
                        );
                    }
                }
            }
        }
    }
}
