//! A script as a few lines a person can read.

#![deny(clippy::wildcard_enum_match_arm)]

use std::fmt::Write;

use record::{Block, Fact, Message, ResultPart};

use crate::script::{AGENTS, OpKind, Script, TARGETS};

/// One line a step.
pub fn describe(script: &Script) -> String {
    let mut out = format!("seed {}\n", script.seed);
    for op in &script.ops {
        let _ = write!(out, "e{} ", op.number);
        match &op.kind {
            OpKind::Entry(fact) => describe_fact(&mut out, fact),
            OpKind::Send { agent, target, choice } => {
                let (name, to) = (AGENTS[*agent], TARGETS[*target]);
                let _ = write!(out, "SEND {name} -> {to:?} {choice:?}");
            }
            OpKind::RetractElsewhere(what) => {
                let (blocks, entries) = (&what.blocks, &what.entries);
                let _ = write!(out, "ELSEWHERE retracted blocks={blocks:?} entries={entries:?}");
            }
            OpKind::Imported { target } => {
                let _ = write!(out, "IMPORTED sent -> {:?}", TARGETS[*target]);
            }
        }
        out.push('\n');
    }
    out
}

fn describe_fact(out: &mut String, fact: &Fact) {
    let _ = match fact {
        Fact::Message(message) => {
            describe_message(out, message);
            Ok(())
        }
        Fact::CallStarted(started) => {
            write!(out, "call_started {}.{}", started.call.row, started.call.block)
        }
        Fact::Compaction(compaction) => write!(
            out,
            "compaction {:?} handoff={:?} by_user={} from={:?} retained={:?} as_found={} \
             cleared={:?}",
            compaction.kind,
            compaction.handoff.as_ref().map(|text| cut(text)),
            compaction.handoff_by_user,
            compaction.retained_from.as_ref().map(|id| id.as_str()),
            compaction.retained,
            compaction.split_as_found,
            compaction.cleared,
        ),
        Fact::Head(head) => write!(
            out,
            "head {} tools={:?} system={:?}",
            head.agent,
            head.head.iter().flat_map(|h| &h.tools).map(|t| t.name().as_str()).collect::<Vec<_>>(),
            head.head.iter().flat_map(|h| &h.system).map(|t| cut(t)).collect::<Vec<_>>(),
        ),
        Fact::Sent(_) => write!(out, "sent"),
        Fact::Retracted(what) => {
            write!(out, "retracted blocks={:?} entries={:?}", what.blocks, what.entries)
        }
        Fact::Opaque(opaque) => write!(out, "opaque fact {}", opaque.kind),
    };
}

fn describe_message(out: &mut String, message: &Message) {
    let _ = write!(out, "{}", message.role.as_str());
    if let Some(author) = &message.author {
        let _ = write!(out, " by {author}");
    }
    if let Some(answers) = &message.answers {
        let _ = write!(out, " answers {answers}");
    }
    if let Some(audience) = &message.audience {
        let _ = write!(out, " for {audience:?}");
    }
    if let Some(record::Source::Model { model, .. }) = &message.source {
        let _ = write!(out, " of {model}");
    }
    if let Some(record::Source::Runtime { .. }) = &message.source {
        out.push_str(" runtime");
    }
    if let Some(kind) = &message.kind {
        let _ = write!(out, " kind {}", kind.as_str());
    }
    if message.interrupted {
        out.push_str(" interrupted");
    }
    if message.runs_logged {
        out.push_str(" runs_logged");
    }
    if let Some(stop) = &message.stop
        && (stop.native.is_some() || !stop.dropped_calls.is_empty())
    {
        let dropped: Vec<&str> = stop.dropped_calls.iter().map(|call| call.name.as_str()).collect();
        let _ = write!(out, " stop {:?} {:?} {dropped:?}", stop.kind, stop.native);
    }
    for block in message.blocks.iter().take(40) {
        out.push_str(" | ");
        describe_block(out, block);
    }
    if message.blocks.len() > 40 {
        let _ = write!(out, " | ... {} blocks", message.blocks.len());
    }
}

fn describe_block(out: &mut String, block: &Block) {
    let _ = match block {
        Block::Text(text) => write!(out, "text {:?}", cut(&text.text)),
        Block::ToolUse(call) => {
            let (id, name, input) = (cut(&call.id), cut(&call.name), cut(call.input.text()));
            write!(out, "call {id:?} {name} {input}")
        }
        Block::ToolResult(result) => {
            let _ =
                write!(out, "result {:?} error={} [", cut(&result.tool_use_id), result.is_error);
            for part in &result.content {
                let _ = match part {
                    ResultPart::Text(text) => write!(out, "{:?} ", cut(text)),
                    ResultPart::Image(image) => write!(out, "image {:?} ", cut_source(image)),
                    ResultPart::Opaque(opaque) => write!(out, "opaque {} ", opaque.kind),
                };
            }
            write!(out, "]")
        }
        Block::Reasoning(thought) => {
            let proof = thought.proof.as_ref().map(|proof| {
                let issuer = &proof.issuer;
                format!(
                    "{:?} v{} {} {}/{}",
                    proof.kind, proof.version, proof.sealed, issuer.platform, issuer.model
                )
            });
            write!(out, "thought {:?} {proof:?}", cut(&thought.reasoning))
        }
        Block::Image(image) => write!(out, "image {:?}", cut_source(image)),
        Block::SystemChange(change) => write!(
            out,
            "change define={:?} remove={:?} add={:?}",
            change.define_tools.iter().map(|t| t.name().as_str()).collect::<Vec<_>>(),
            change.remove_tools,
            change.add_system.iter().map(|t| cut(t)).collect::<Vec<_>>(),
        ),
        Block::Opaque(opaque) => {
            write!(out, "opaque {} proof={} {}", opaque.kind, opaque.proof.is_some(), opaque.raw)
        }
    };
}

fn cut_source(image: &record::Image) -> String {
    let source =
        format!("{:?} {:?}", image.source(), image.measured().map(|m| (m.width, m.height)));
    cut(&source)
}

fn cut(text: &str) -> String {
    if text.chars().count() <= 60 {
        return text.to_owned();
    }
    let head: String = text.chars().take(50).collect();
    format!("{head}... {} bytes", text.len())
}
