//! Proofs beside the blocks: each goes into its block, or none does.

use assemble::Reply;
use assemble::chunk::{Chunk, End, Finish, FinishReason};
use json::{Raw, Text};
use record::{Block, OpaqueBlock, Proof, Rest};

use super::fold::{call, fold, proof, text, thought};
use super::told;

fn enveloped(envelope: &str, reason: FinishReason) -> Reply {
    let envelope = Some(Raw::parse(envelope).expect("JSON"));
    let chunks = [
        thought(0, "t"),
        call(1, "c1", "ls", "{}"),
        text(2, "x"),
        Chunk::Finish(Finish { reason, envelope, ..Finish::default() }),
    ];
    fold(chunks).expect("a reply")
}

const RESPONSE: &str = r#""response":{"kind":"seed","version":2,"api":"anthropic-messages","provider":"anthropic","model":"m","stopReason":"stop"}"#;

// 25
#[test]
fn proofs_beside_the_blocks_are_zipped_before_any_call_is_dropped() {
    let entries = r#"{"type":"reasoning","thinkingSignature":"of t"},{"type":"tool-call","thoughtSignature":"of c"},{"type":"text","textSignature":"of x"}"#;
    let reply =
        enveloped(&format!("{{{RESPONSE},\"blocks\":[{entries}]}}"), FinishReason::MaxTokens);
    let kept = ["thought t [signature \"of t\"]", "text x [signature \"of x\"]"];
    assert_eq!(told(&reply.message), kept);
    assert!(reply.message.response.is_some());
}

// 28
#[test]
fn proofs_beside_the_blocks_that_do_not_fit_them_are_set_aside_with_the_response() {
    let own =
        Chunk::BlockEnd { index: 0, end: End::Sealed { proof: proof("own"), rest: Rest::NONE } };
    let envelope = Raw::parse(r#"{"blocks":[]}"#).ok();
    let finish = Finish { reason: FinishReason::Stop, envelope, ..Finish::default() };
    let reply = fold([thought(0, "t"), own, Chunk::Finish(finish)]).expect("a reply");
    assert_eq!(told(&reply.message), ["thought t"], "no proof of the row is to be trusted");
    let one = r#"{"type":"reasoning","thinkingSignature":"s"}"#;
    for blocks in
        [format!("[{one}]"), format!("[{one},{one},{one},{one}]"), "{}".into(), "[1,2,3]".into()]
    {
        let reply =
            enveloped(&format!("{{{RESPONSE},\"blocks\":{blocks}}}"), FinishReason::ToolCalls);
        assert_eq!(told(&reply.message), ["thought t", "call c1 ls({})", "text x"]);
        assert_eq!(reply.message.response, None);
        assert_eq!(reply.findings[0].kind.as_str(), "ENVELOPE_MISALIGNED");
    }
}

// 29
#[test]
fn a_response_that_depends_on_no_block_is_kept_whatever_is_dropped() {
    let reply = enveloped(&format!("{{{RESPONSE}}}"), FinishReason::MaxTokens);
    assert_eq!(told(&reply.message), ["thought t", "text x"]);
    let response = RESPONSE.strip_prefix("\"response\":");
    assert_eq!(reply.message.response.as_ref().map(Raw::as_str), response);
    assert_eq!(reply.findings, []);
}

/// What seals each block of a reply of a thought, a call and words, where this stands beside them.
fn sealed(response: &str, entries: &str) -> Vec<Option<Box<Proof>>> {
    let envelope = format!("{{{response}\"blocks\":[{entries}]}}");
    let reply = enveloped(&envelope, FinishReason::ToolCalls);
    assert_eq!(reply.findings, []);
    reply.message.blocks.iter().map(proof_in).collect()
}

fn proof_in(block: &Block) -> Option<Box<Proof>> {
    match block {
        Block::Text(text) => text.proof.clone(),
        Block::Reasoning(thought) => thought.proof.clone(),
        Block::ToolUse(call) => call.proof.clone(),
        Block::Opaque(block) => block.proof.clone(),
        Block::ToolResult(_) | Block::Image(_) | Block::SystemChange(_) => None,
    }
}

#[test]
fn a_proof_beside_the_blocks_is_of_its_block_s_kind_or_none() {
    let entries = [
        r#"{"type":"reasoning","redacted":true,"thinkingSignature":"r"}"#,
        r#"{"type":"tool-call","thoughtSignature":"c"}"#,
        r#"{"type":"text","textSignature":"x"}"#,
    ];
    let told: Vec<String> = sealed("", &entries.join(","))
        .into_iter()
        .flatten()
        .map(|proof| format!("{} {}", proof.kind.as_str(), proof.sealed))
        .collect();
    assert_eq!(told, ["redacted \"r\"", "signature \"c\"", "signature \"x\""]);
    let nothing = [r#"{"type":"reasoning"}"#, r#"{"type":"tool-call"}"#, "{}"];
    assert_eq!(sealed("", &nothing.join(",")), [None, None, None]);
}

// 42
#[test]
fn proofs_of_another_kind_than_their_blocks_or_of_a_wrong_type_are_set_aside_all_of_them() {
    let call = r#"{"type":"tool-call","thoughtSignature":"c"}"#;
    let first = [
        r#"{"type":"text","textSignature":"t"}"#,
        r#"{"type":"tool-call","thoughtSignature":"t"}"#,
        r#"{"type":"native"}"#,
        r#"{"type":"new"}"#,
        r#"{"type":7}"#,
        r#"{"type":"reasoning","thinkingSignature":7}"#,
        r#"{"type":"reasoning","thinkingSignature":"t","redacted":"yes"}"#,
    ];
    for first in first {
        let envelope = format!(r#"{{"blocks":[{first},{call},{{"type":"text"}}]}}"#);
        let reply = enveloped(&envelope, FinishReason::ToolCalls);
        assert_eq!(reply.findings[0].kind.as_str(), "ENVELOPE_MISALIGNED", "{first}");
        let proofs: Vec<_> = reply.message.blocks.iter().filter_map(proof_in).collect();
        assert_eq!(proofs, [], "{first}");
    }
}

#[test]
fn a_proof_beside_the_blocks_names_who_issued_it_as_the_response_says() {
    let entry = r#"{"type":"reasoning","thinkingSignature":"t"},{},{}"#;
    let issued = |response: &str| {
        let proof = sealed(response, entry)[0].clone().expect("a proof");
        let of = &proof.issuer;
        let account = of.account.as_deref().unwrap_or("none").to_owned();
        format!("{} {account} {} {} {}", of.platform, of.api, of.model, proof.version)
    };
    let elsewhere = RESPONSE.replace("\"anthropic\"", "\"vertex\"");
    assert_eq!(issued(""), "anthropic none anthropic_messages m 0", "who was asked");
    assert_eq!(issued(&format!("{elsewhere},")), "vertex none anthropic_messages m 1");
    let other = elsewhere.replace("\"version\":2", "\"version\":3,\"account\":\"a\"");
    assert_eq!(issued(&format!("{other},")), "vertex a anthropic_messages m 0");
    let nameless = elsewhere.replace(",\"model\":\"m\"", "");
    assert_eq!(issued(&format!("{nameless},")), "anthropic none anthropic_messages m 1");
}

#[test]
fn blocks_beside_which_there_are_no_proofs_keep_their_own() {
    let raw = Raw::parse("{}").expect("JSON");
    let opaque = Block::Opaque(OpaqueBlock { kind: Text::new("o"), raw, proof: proof("of o") });
    let end = |index, text: &str| {
        let (proof, rest) = (proof(text), Rest::NONE);
        Chunk::BlockEnd { index, end: End::Sealed { proof, rest } }
    };
    let envelope = Some(Raw::parse(&format!("{{{RESPONSE}}}")).expect("JSON"));
    let reason = FinishReason::ToolCalls;
    let chunks = [
        thought(0, "t"),
        end(0, "of t"),
        call(1, "c1", "ls", "{}"),
        end(1, "of c"),
        text(2, "x"),
        end(2, "of x"),
        Chunk::BlockEnd { index: 3, end: End::Block(opaque) },
        Chunk::Finish(Finish { reason, envelope, ..Finish::default() }),
    ];
    let reply = fold(chunks).expect("a reply");
    let sealed: Vec<String> = reply
        .message
        .blocks
        .iter()
        .filter_map(|block| Some(proof_in(block)?.sealed.to_string()))
        .collect();
    assert_eq!(sealed, ["\"of t\"", "\"of c\"", "\"of x\"", "\"of o\""]);
}

#[test]
fn an_envelope_that_is_no_object_sets_every_proof_aside() {
    let reply = enveloped("[]", FinishReason::ToolCalls);
    assert_eq!(reply.findings[0].kind.as_str(), "ENVELOPE_MISALIGNED");
}
