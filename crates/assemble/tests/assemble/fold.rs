//! The fold over chunks: specification 2.2 to 2.6.

use std::sync::Arc;

use assemble::chunk::{
    BlockType, Chunk, End, Failure, Finish, FinishReason, MALFORMED_STREAM, STREAM_CUT,
};
use assemble::{Asked, Assembler, Dialect, Failed, FindingKind, Live, Reply};
use json::Raw;
use record::{Block, Issuer, Proof, ProofKind, Rest, StopKind, Usage};

use super::{asked, told};

fn issuer() -> Arc<Issuer> {
    let (platform, api, model) = ("anthropic".into(), "anthropic_messages".into(), "m".into());
    Arc::new(Issuer { platform, account: None, api, model })
}

fn ours() -> Asked {
    Asked { issuer: issuer(), ..asked("anthropic", Dialect::AnthropicMessages) }
}

pub fn proof(sealed: &str) -> Option<Box<Proof>> {
    let sealed = Raw::string(&sealed.into());
    Some(Box::new(Proof { issuer: issuer(), kind: ProofKind::Signature, version: 1, sealed }))
}

pub fn text(index: u64, text: &str) -> Chunk {
    Chunk::TextDelta { index, text: text.into() }
}

pub fn thought(index: u64, text: &str) -> Chunk {
    Chunk::ReasoningDelta { index, text: text.into() }
}

pub fn call(index: u64, id: &str, name: &str, arguments: &str) -> Chunk {
    let (id, name) = (Some(id.into()), Some(name.into()));
    Chunk::ToolCallDelta { index, id, name, arguments: arguments.into() }
}

fn start(index: u64, kind: BlockType) -> Chunk {
    Chunk::BlockStart { index, kind }
}

fn sealed(index: u64, sealed: &str) -> Chunk {
    let proof = if sealed.is_empty() { None } else { proof(sealed) };
    Chunk::BlockEnd { index, end: End::Sealed { proof, rest: Rest::NONE } }
}

fn finish(reason: FinishReason) -> Chunk {
    Chunk::Finish(Finish { reason, ..Finish::default() })
}

fn folded(chunks: impl IntoIterator<Item = Chunk>) -> Assembler {
    let mut fold = Assembler::default();
    for chunk in chunks {
        fold.take(chunk, &mut |_| {}).expect("within the limits");
    }
    fold
}

pub fn fold(chunks: impl IntoIterator<Item = Chunk>) -> Result<Reply, Failed> {
    folded(chunks).finish(&ours())
}

fn row(chunks: impl IntoIterator<Item = Chunk>) -> Vec<String> {
    told(&fold(chunks).expect("a reply").message)
}

// 22
#[test]
fn blocks_stand_in_the_order_in_which_they_were_first_seen() {
    let said = row([
        text(7, "a"),
        thought(2, "b"),
        call(5, "c1", "ls", "{\"p\""),
        text(7, "A"),
        call(5, "", "", ":1}"),
        thought(2, "B"),
        finish(FinishReason::ToolCalls),
    ]);
    assert_eq!(said, ["text aA", "thought bB", "call c1 ls({\"p\":1})"]);
}

// 23
#[test]
fn deltas_without_a_start_or_an_end_make_whole_blocks() {
    assert_eq!(row([thought(0, "t"), text(1, "x")]), ["thought t", "text x"]);
}

#[test]
fn a_second_start_of_a_block_says_nothing() {
    let again = start(0, BlockType::ToolCall);
    assert_eq!(row([start(0, BlockType::Text), text(0, "a"), again, text(0, "b")]), ["text ab"]);
}

// 24
#[test]
fn the_first_end_of_a_block_counts_and_what_comes_after_it_does_not() {
    let whole = Chunk::BlockEnd { index: 0, end: End::Block(Block::text("whole")) };
    let other = Chunk::BlockEnd { index: 0, end: End::Block(Block::text("other")) };
    let reply = fold([text(0, "who"), whole, text(0, "le"), other]).expect("a reply");
    assert_eq!(told(&reply.message), ["text whole"]);
    assert_eq!(reply.findings[0].count, 2, "both are reported: {:?}", reply.findings);
}

#[test]
fn an_end_makes_a_block_that_never_began_where_it_holds_one() {
    let whole = Chunk::BlockEnd { index: 3, end: End::Block(Block::text("whole")) };
    assert_eq!(row([whole]), ["text whole"]);
    let reply = fold([text(0, "a"), sealed(3, "s")]).expect("a reply");
    assert_eq!(told(&reply.message), ["text a"]);
    assert_eq!(reply.findings[0].kind, FindingKind::MalformedStream);
}

#[test]
fn a_delta_of_another_kind_is_ignored_and_reported() {
    let reply = fold([text(0, "a"), thought(0, "b"), call(0, "c", "d", "{}")]).expect("a reply");
    assert_eq!(told(&reply.message), ["text a"]);
    assert_eq!(reply.findings.len(), 1);
    assert_eq!((reply.findings[0].kind.as_str(), reply.findings[0].count), ("MALFORMED_STREAM", 2));
}

// 25, 26
#[test]
fn a_reply_that_was_cut_keeps_each_block_with_its_own_proof_and_no_call() {
    let chunks = [
        text(0, "said"),
        sealed(0, "of the text"),
        call(1, "c1", "rm", "{\"path\":\"/\"}"),
        sealed(1, "of the call"),
        thought(2, "thought"),
        sealed(2, "of the thought"),
        call(3, "c2", "rm", "{\"pa"),
        finish(FinishReason::MaxTokens),
    ];
    let reply = fold(chunks).expect("a reply");
    let kept =
        ["text said [signature \"of the text\"]", "thought thought [signature \"of the thought\"]"];
    assert_eq!(told(&reply.message), kept);
    assert_eq!(reply.calls().count(), 0, "a closed call of whole JSON is not run either");
}

// 27, 30
#[test]
fn what_was_emitted_is_stored_with_its_proofs_unless_a_cut_takes_its_calls() {
    let said = [thought(0, "t"), sealed(0, "of t"), text(1, "x"), sealed(1, "of x")];
    let kept = [r#"thought t [signature "of t"]"#, r#"text x [signature "of x"]"#];
    for reason in [FinishReason::MaxTokens, FinishReason::Stop, FinishReason::ToolCalls] {
        assert_eq!(row(said.iter().cloned().chain([finish(reason)])), kept);
    }
    let called = [call(2, "c", "ls", "{}"), sealed(2, "of c"), finish(FinishReason::ToolCalls)];
    let all = [kept[0], kept[1], r#"call c ls({}) [signature "of c"]"#];
    assert_eq!(row(said.into_iter().chain(called)), all);
}

// 33, 35
#[test]
fn a_call_that_was_dropped_is_named_and_its_arguments_are_nowhere() {
    let usage = Usage { output_tokens: 9, ..Usage::default() };
    let chunks = [
        call(4, "c1", "write", "{\"secret\":\"tex"),
        Chunk::Usage(usage.clone()),
        finish(FinishReason::MaxTokens),
    ];
    let reply = fold(chunks).expect("a row without blocks");
    assert_eq!(reply.message.blocks, []);
    assert_eq!(reply.message.usage, Some(usage));
    let stop = reply.message.stop.as_ref().expect("a stop");
    assert_eq!(stop.kind, StopKind::MaxTokens);
    let dropped = &stop.dropped_calls[0];
    let member = |name: &str| dropped.rest.get(name).map(Raw::as_str);
    assert_eq!(dropped.name.as_str(), "write");
    assert_eq!(member("index"), Some("4"));
    assert_eq!(member("id"), Some("\"c1\""));
    assert_eq!(member("args_bytes"), Some("14"));
    assert_eq!(member("closed"), Some("false"));
    assert!(!format!("{:?}", reply.message).contains("secret"));
}

#[test]
fn a_call_without_a_name_is_incomplete_and_dropped() {
    let reply = fold([text(0, "x"), call(1, "c1", "", "{}"), call(2, "c2", "ls", "{}")]);
    let reply = reply.expect("a reply");
    assert_eq!(told(&reply.message), ["text x", "call c2 ls({})"]);
    assert_eq!(reply.message.stop.expect("a stop").dropped_calls.len(), 1);
}

#[test]
fn a_call_without_an_id_is_given_one_of_its_own() {
    let chunks = [call(2, "", "ls", "{}"), call(1, "call-2", "ls", "{}"), call(3, "", "ls", "")];
    let ids = ["call call-2-2 ls({})", "call call-2 ls({})", "call call-3 ls()"];
    assert_eq!(row(chunks), ids);
}

// 36
#[test]
fn a_reply_that_was_interrupted_keeps_what_was_said_without_a_proof() {
    let chunks = [
        thought(0, "thought"),
        sealed(0, "signed"),
        text(1, "said"),
        text(2, " \n"),
        call(3, "c1", "rm", "{\"path\":"),
        call(4, "c2", "ls", "{}"),
        sealed(4, ""),
    ];
    let message = folded(chunks).interrupt(&ours()).expect("a row").message;
    assert_eq!(told(&message), ["thought thought", "text said"]);
    assert!(message.interrupted && message.response.is_none());
    let stop = message.stop.expect("a stop");
    assert_eq!(stop.kind, StopKind::Aborted);
    let names: Vec<&str> = stop.dropped_calls.iter().map(|call| &*call.name).collect();
    assert_eq!(names, ["rm", "ls"], "nothing was dispatched, closed or not");
}

// 37
#[test]
fn an_interruption_before_anything_was_said_stores_nothing() {
    assert!(folded([text(0, " \n\u{feff}")]).interrupt(&ours()).is_none());
    assert!(folded([]).interrupt(&ours()).is_none());
    let native = start(0, BlockType::Other("server_tool_use".into()));
    assert!(folded([native]).interrupt(&ours()).is_none());
}

// 38
#[test]
fn a_stop_with_a_call_cut_in_its_arguments_is_a_cut_stream() {
    for reason in [FinishReason::Stop, FinishReason::ToolCalls] {
        let chunks = [text(0, "x"), call(1, "c1", "rm", "{\"path\":\"/"), finish(reason)];
        let failed = fold(chunks).expect_err("no reply");
        assert_eq!(failed.failure.code.as_str(), STREAM_CUT);
        let cut = failed.cut.expect("what was there");
        assert_eq!(told(&cut), ["text x"]);
        let stop = cut.stop.expect("a stop");
        assert_eq!(stop.kind, StopKind::Error);
        assert_eq!(stop.dropped_calls[0].name.as_str(), "rm");
        assert!(stop.failure.expect("a failure").as_str().contains(STREAM_CUT));
    }
    let failed = fold([call(0, "c1", "rm", "{")]).expect_err("no finish is a stop");
    assert_eq!(failed.failure.code.as_str(), STREAM_CUT);
}

#[test]
fn arguments_that_are_json_or_none_at_all_are_legal() {
    let calls = [call(0, "a", "n", ""), call(1, "b", "n", "[1]"), call(2, "c", "n", " {} ")];
    assert_eq!(row(calls), ["call a n()", "call b n([1])", "call c n( {} )"]);
    let freeform = [start(0, BlockType::FreeformCall), call(0, "a", "sh", "ls -l")];
    assert_eq!(row(freeform), ["call a sh(ls -l)"]);
}

// 39
#[test]
fn a_chunk_after_the_finish_changes_nothing_and_is_reported() {
    let chunks =
        [text(0, "a"), finish(FinishReason::Stop), text(0, "b"), finish(FinishReason::MaxTokens)];
    let reply = fold(chunks).expect("a reply");
    assert_eq!(told(&reply.message), ["text a"]);
    assert_eq!(reply.message.stop.expect("a stop").kind, StopKind::Stop);
    assert_eq!((reply.findings[0].kind.as_str(), reply.findings[0].count), ("MALFORMED_STREAM", 2));
}

// 21
#[test]
fn a_success_with_nothing_in_it_is_an_error() {
    for reason in [FinishReason::Stop, FinishReason::ToolCalls, FinishReason::MaxTokens] {
        let failed = fold([text(0, ""), finish(reason)]).expect_err("no reply");
        assert_eq!(failed.failure.code.as_str(), "EMPTY_RESPONSE");
    }
    assert_eq!(row([start(0, BlockType::Reasoning), sealed(0, "hidden")]).len(), 1);
}

#[test]
fn a_refusal_is_a_reply_that_was_given() {
    let chunks = [text(0, "no"), call(1, "c", "n", "{}"), finish(FinishReason::Refused)];
    let reply = fold(chunks).expect("a reply");
    assert_eq!(told(&reply.message), ["text no"]);
    assert_eq!(reply.message.stop.expect("a stop").kind, StopKind::Error);
    assert!(fold([finish(FinishReason::Refused)]).expect("a reply").message.blocks.is_empty());
}

#[test]
fn of_a_stream_that_was_cut_before_anything_came_nothing_is_left() {
    let cut = |chunks: &[Chunk]| {
        let reason = FinishReason::Error(Failure::of(STREAM_CUT, "cut"));
        fold(chunks.iter().cloned().chain([finish(reason)])).expect_err("no reply").cut
    };
    assert_eq!(cut(&[]), None);
    assert!(cut(&[text(0, "x")]).is_some());
}

#[test]
fn a_failed_attempt_stores_nothing() {
    for reason in [FinishReason::Error, FinishReason::Aborted] {
        let failure = Failure::of("overloaded_error", "Overloaded");
        let failed = fold([text(0, "x"), finish(reason(failure.clone()))]).expect_err("no reply");
        assert_eq!((*failed.failure, failed.cut), (failure, None));
    }
}

#[test]
fn a_block_of_an_unknown_kind_that_never_ended_cannot_be_assembled() {
    let open = || [text(0, "x"), start(1, BlockType::Other("hologram".into()))];
    let failed = fold(open()).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), MALFORMED_STREAM);
    assert!(failed.failure.message.contains("hologram"));
    let message = folded(open()).interrupt(&ours()).expect("a row").message;
    assert_eq!(told(&message), ["text x"], "an interruption skips it");
}

#[test]
fn a_reply_says_which_request_it_answers_and_who_gave_it() {
    let mut asked = ours();
    asked.runs_logged = true;
    let fold = folded([text(0, "x"), call(1, "c", "n", "{}")]);
    let message = fold.finish(&asked).expect("a reply").message;
    assert_eq!(message.answers, Some("sent-1".into()));
    assert!(message.runs_logged);
    assert!(matches!(message.source, Some(record::Source::Model { .. })));
    let message = folded([text(0, "x")]).finish(&asked).expect("a reply").message;
    assert!(!message.runs_logged, "there is no call of which it would say anything");
}

#[test]
fn halves_of_a_character_in_two_deltas_are_one_character() {
    let half = |literal: &str| json::Doc::parse_str(literal).unwrap().root().to_text().unwrap();
    let (high, low) = (half(r#""a\"\ud83d""#), half(r#""\ude42b""#));
    let chunks = [high, low].map(|text| Chunk::TextDelta { index: 0, text });
    assert_eq!(row(chunks), ["text a\"\u{1f642}b"]);
    let alone = Chunk::TextDelta { index: 0, text: half(r#""\ud83d""#) };
    let reply = fold([text(0, "a"), alone, text(0, "b")]).expect("a reply");
    let text = reply.message.blocks[0].as_text().expect("a text").text.to_literal();
    assert_eq!(text, r#""a\ud83db""#);
}

// 31, 32
#[test]
fn whatever_is_emitted_every_stored_proof_is_the_one_it_was_emitted_with() {
    let (mut proofs, mut called) = (0, 0);
    for seed in 1..=20_000 {
        let (chunks, emitted) = super::generate::chunks(seed);
        let is_cut = chunks.iter().any(|chunk| match chunk {
            Chunk::Finish(finish) => {
                matches!(finish.reason, FinishReason::MaxTokens | FinishReason::Refused)
            }
            _ => false,
        });
        let shown = std::cell::RefCell::new(Vec::<String>::new());
        let mut fold = Assembler::default();
        for chunk in chunks {
            let mut live = |live: Live<'_>| {
                let (block, text) = match live {
                    Live::Speech { block, text } | Live::Thought { block, text } => (block, text),
                    Live::Call { block, arguments, .. } => (block, arguments),
                    Live::Whole { .. } | Live::Closed { .. } => return,
                };
                let mut shown = shown.borrow_mut();
                let blocks = shown.len().max(block + 1);
                shown.resize(blocks, String::new());
                shown[block].push_str(text);
            };
            fold.take(chunk, &mut live).expect("within the limits");
        }
        let Ok(reply) = fold.finish(&ours()) else { continue };
        for block in &reply.message.blocks {
            let (key, proof) = match block {
                Block::Text(text) => (&text.text, &text.proof),
                Block::Reasoning(thought) => (&thought.reasoning, &thought.proof),
                Block::ToolUse(call) => (call.input.text(), &call.proof),
                _ => continue,
            };
            // A proof says whose it is: the index its block had.
            let Some(proof) = proof else { continue };
            proofs += 1;
            let of = proof.sealed.doc().root().as_str().expect("a string").into_owned();
            assert_eq!(emitted.get(&of).map(String::as_str), Some(key.as_str()), "seed {seed}");
        }
        let calls: Vec<_> = reply.calls().map(|(_, call)| call).collect();
        let stored = reply.message.blocks.iter().filter_map(Block::as_tool_use);
        assert_eq!(calls, stored.collect::<Vec<_>>(), "seed {seed}");
        assert!(calls.is_empty() || !is_cut, "seed {seed}: a call of a reply that was cut");
        called += calls.len();
        let shown = shown.into_inner();
        for block in reply.message.blocks.iter().filter_map(Block::as_text) {
            let text = block.text.as_str();
            assert!(text.is_empty() || shown.iter().any(|shown| shown == text), "seed {seed}");
        }
    }
    assert!(proofs > 1000 && called > 1000, "{proofs} proofs and {called} calls were stored");
}
