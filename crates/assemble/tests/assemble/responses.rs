//! OpenAI Responses: events and bodies.

use assemble::Dialect::OpenAiResponses;
use assemble::{Failed, Live, Reply, Stream};
use record::{Block, Message, StopKind, Usage};

use super::{asked, clean, read, read_body, sse, told};

const CREATED: &str = r#"{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","created_at":7,"status":"in_progress","model":"gpt-5.5-2026-06-01","instructions":"be brief","tools":[],"output":[],"service_tier":"auto","usage":null,"error":null}}"#;
const USAGE: &str = r#"{"input_tokens":50,"input_tokens_details":{"cached_tokens":40,"cache_write_tokens":3},"output_tokens":12,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":62}"#;

fn added(index: u64, item: &str) -> String {
    format!(r#"{{"type":"response.output_item.added","output_index":{index},"item":{item}}}"#)
}

fn done(index: u64, item: &str) -> String {
    format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#)
}

fn delta(index: u64, kind: &str, delta: &str) -> String {
    format!(r#"{{"type":"response.{kind}.delta","output_index":{index},"delta":"{delta}"}}"#)
}

fn response(status: &str, details: &str, output: &[&str]) -> String {
    let output = output.join(",");
    format!(
        r#"{{"id":"resp_1","object":"response","created_at":7,"status":"{status}",{details}"model":"gpt-5.5-2026-06-01","instructions":"be brief","tools":[],"output":[{output}],"service_tier":"default","usage":{USAGE},"error":null}}"#
    )
}

fn completed() -> String {
    format!(r#"{{"type":"response.completed","response":{}}}"#, response("completed", "", &[]))
}

fn incomplete(reason: &str) -> String {
    let details = format!(r#""incomplete_details":{{"reason":"{reason}"}},"#);
    let response = response("incomplete", &details, &[]);
    format!(r#"{{"type":"response.incomplete","response":{response}}}"#)
}

/// A reply of these events, the last of which ends it.
pub fn streamed(events: &[String], end: &str) -> Vec<u8> {
    sse([CREATED.to_owned()].iter().chain(events).chain([&end.to_owned()]))
}

fn reply(events: &[String], end: &str) -> Result<Reply, Failed> {
    read(OpenAiResponses, "openai", &streamed(events, end))
}

const THOUGHT: &str = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"The file "},{"type":"summary_text","text":"first."}],"encrypted_content":"gAAAend"}"#;
const WORDS: &str = r#"{"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"I look.","annotations":[]}]}"#;
const CALL: &str = r#"{"type":"function_call","id":"fc_1","call_id":"call_1","name":"read","arguments":"{\"path\": \"a.txt\"}","status":"completed"}"#;
const FREE: &str = r#"{"type":"custom_tool_call","id":"ctc_1","call_id":"call_2","name":"sh","input":"ls -l","status":"completed"}"#;
const SEARCH: &str = r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"x"}}"#;

/// A thought, words, two calls and a search, as they stream.
pub fn a_turn() -> Vec<String> {
    vec![
        added(
            0,
            r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAAbegin"}"#,
        ),
        r#"{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}"#.into(),
        delta(0, "reasoning_summary_text", "The "),
        delta(0, "reasoning_summary_text", "file "),
        r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"first."}"#.into(),
        done(0, THOUGHT),
        added(1, r#"{"type":"message","id":"msg_1","role":"assistant","status":"in_progress","content":[],"phase":"commentary"}"#),
        r#"{"type":"response.content_part.added","output_index":1,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}"#.into(),
        delta(1, "output_text", "I "),
        delta(1, "output_text", "look."),
        r#"{"type":"response.output_text.done","output_index":1,"content_index":0,"text":"I look."}"#.into(),
        done(1, WORDS),
        added(2, r#"{"type":"function_call","id":"fc_other","call_id":"call_1","name":"read","arguments":"","status":"in_progress"}"#),
        added(3, r#"{"type":"custom_tool_call","id":"ctc_1","call_id":"call_2","name":"sh","input":""}"#),
        delta(3, "custom_tool_call_input", "ls "),
        delta(2, "function_call_arguments", r#"{\"path\": "#),
        delta(3, "custom_tool_call_input", "-l"),
        delta(2, "function_call_arguments", r#"\"a.txt\"}"#),
        done(2, CALL),
        done(3, FREE),
        added(4, r#"{"type":"web_search_call","id":"ws_1","status":"in_progress"}"#),
        r#"{"type":"response.web_search_call.searching","output_index":4}"#.into(),
        done(4, SEARCH),
    ]
}

fn a_turn_told() -> Vec<String> {
    vec![
        "thought The file \n\nfirst. [encrypted \"gAAAend\"]".into(),
        "text I look. [item_id \"msg_1\"]".into(),
        r#"call call_1 read({"path": "a.txt"}) [item_id "fc_1"]"#.into(),
        r#"call call_2 sh(ls -l) [item_id "ctc_1"]"#.into(),
        format!("web_search_call {SEARCH} [native \"\"]"),
    ]
}

/// The stream of a whole turn.
pub fn a_stream() -> Vec<u8> {
    streamed(&a_turn(), &completed())
}

#[test]
fn a_turn_is_stored_as_its_items_ended() {
    let message = clean(reply(&a_turn(), &completed()));
    assert_eq!(told(&message), a_turn_told());
    let stop = message.stop.expect("a stop");
    assert_eq!((stop.kind, stop.native.as_deref()), (StopKind::ToolCalls, Some("completed")));
    let usage = Usage {
        input_tokens: 7,
        output_tokens: 12,
        cache_creation_input_tokens: 3,
        cache_read_input_tokens: 40,
    };
    assert_eq!(message.usage, Some(usage));
    let kept = format!(
        r#"{{"kind":"openai_responses","version":1,"created_at":7,"id":"resp_1","model":"gpt-5.5-2026-06-01","service_tier":"default","usage":{USAGE}}}"#
    );
    assert_eq!(message.response.expect("a response").as_str(), kept, "no echo of the request");
}

#[test]
fn a_body_gives_the_message_that_its_stream_gives() {
    let body = response("completed", "", &[THOUGHT, WORDS, CALL, FREE, SEARCH]);
    let body = clean(read_body(OpenAiResponses, "openai", &body));
    assert_eq!(body, clean(reply(&a_turn(), &completed())));
}

#[test]
fn what_an_item_says_beside_its_content_stands_on_its_block() {
    let message = clean(reply(&a_turn(), &completed()));
    let rest = |block: &Block| match block {
        Block::Text(text) => text.rest.clone(),
        Block::Reasoning(thought) => thought.rest.clone(),
        Block::ToolUse(call) => call.rest.clone(),
        _ => record::Rest::NONE,
    };
    let of = |at: usize, name: &str| {
        rest(&message.blocks[at]).get(name).map(|value| value.as_str().to_owned())
    };
    assert_eq!(of(0, "id").as_deref(), Some("\"rs_1\""), "the id of a sealed thought");
    assert!(of(0, "summary").expect("a summary").contains("summary_text"));
    assert_eq!(of(1, "phase").as_deref(), Some("\"commentary\""));
    assert_eq!(of(1, "annotations").as_deref(), Some("[]"));
    assert_eq!(of(3, "item").as_deref(), Some("\"custom_tool_call\""));
    assert_eq!(of(2, "item"), None);
}

#[test]
fn a_proof_names_who_issued_it_by_the_name_that_was_asked_for() {
    let message = clean(reply(&a_turn(), &completed()));
    let proof = message.blocks[0].as_reasoning().and_then(|thought| thought.proof.as_ref());
    let issuer = &proof.expect("a proof").issuer;
    assert_eq!((&*issuer.platform, &*issuer.api), ("openai", "openai_responses"));
    assert_eq!(&*issuer.model, "gpt-5.5-2026-06-01", "the one that is named where none was");
}

#[test]
fn the_parts_of_a_message_are_blocks_under_its_id_and_a_refusal_is_marked() {
    let item = r#"{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"Well,","annotations":[]},{"type":"refusal","refusal":"no."}]}"#;
    let events = [
        added(0, r#"{"type":"message","id":"msg_1","role":"assistant","content":[]}"#),
        delta(0, "output_text", "Well,"),
        r#"{"type":"response.refusal.delta","output_index":0,"content_index":1,"delta":"no."}"#
            .into(),
        done(0, item),
    ];
    let message = clean(reply(&events, &completed()));
    assert_eq!(told(&message), ["text Well, [item_id \"msg_1\"]", "text no. [item_id \"msg_1\"]"]);
    let refusal = message.blocks[1].as_text().expect("a text").rest.get("item");
    assert_eq!(refusal.expect("a mark").as_str(), "\"refusal\"");
    assert_eq!(message.stop.expect("a stop").kind, StopKind::Stop);
}

#[test]
fn a_part_that_only_the_provider_reads_is_kept_as_a_message_of_its_own() {
    let part = r#"{"type":"output_audio","data":"AAAA"}"#;
    let words = r#"{"type":"output_text","text":"x"}"#;
    let item = |content: &str| {
        format!(r#"{{"type":"message","id":"m","role":"assistant","content":[{content}]}}"#)
    };
    let message = clean(reply(&[done(0, &item(&format!("{words},{part}")))], &completed()));
    let own = format!(r#"{{"type":"message","role":"assistant","content":[{part}]}}"#);
    assert_eq!(
        told(&message),
        ["text x [item_id \"m\"]".to_owned(), format!("message {own} [native \"\"]")]
    );
    let message = clean(reply(&[done(0, &item(part))], &completed()));
    assert_eq!(told(&message), [format!("message {} [native \"\"]", item(part))]);
}

#[test]
fn a_reply_that_reached_its_limit_keeps_its_words_and_drops_its_calls() {
    let mut events = a_turn();
    events.truncate(events.len() - 5);
    let message = clean(reply(&events, &incomplete("max_output_tokens")));
    assert_eq!(told(&message), a_turn_told()[..2]);
    let stop = message.stop.expect("a stop");
    assert_eq!(
        (stop.kind, stop.native.as_deref()),
        (StopKind::MaxTokens, Some("max_output_tokens"))
    );
    let names: Vec<&str> = stop.dropped_calls.iter().map(|call| call.name.as_str()).collect();
    assert_eq!(names, ["read", "sh"]);
}

#[test]
fn an_item_without_an_end_is_what_was_streamed_of_it_and_has_no_proof() {
    let said = &a_turn()[6..9];
    let message = clean(reply(said, &incomplete("max_output_tokens")));
    assert_eq!(told(&message), ["text I "]);
    let thought = &a_turn()[..4];
    let message = clean(reply(thought, &incomplete("content_filter")));
    assert_eq!(told(&message), ["thought The file "]);
    assert_eq!(message.stop.expect("a stop").kind, StopKind::Error);
    let search = &a_turn()[20..22];
    let message = clean(reply(search, &incomplete("max_output_tokens")));
    let begun = r#"{"type":"web_search_call","id":"ws_1","status":"in_progress"}"#;
    assert_eq!(told(&message), [format!("web_search_call {begun}")]);
}

#[test]
fn what_only_the_last_event_holds_is_taken_from_there() {
    let end = format!(
        r#"{{"type":"response.completed","response":{}}}"#,
        response("completed", "", &[THOUGHT, WORDS, CALL, FREE, SEARCH])
    );
    assert_eq!(told(&clean(reply(&[], &end))), a_turn_told());
    let unfinished: Vec<String> =
        a_turn().into_iter().filter(|event| !event.contains("output_item.done")).collect();
    assert_eq!(told(&clean(reply(&unfinished, &end))), a_turn_told());
    assert_eq!(told(&clean(reply(&a_turn(), &end))), a_turn_told(), "and nothing twice");
}

#[test]
fn arguments_that_an_end_leaves_out_are_those_that_were_streamed() {
    let end = CALL.replace(r#""{\"path\": \"a.txt\"}""#, "\"\"");
    let events = [
        added(0, r#"{"type":"function_call","id":"fc_1","call_id":"call_1","name":"read"}"#),
        delta(0, "function_call_arguments", r#"{\"n\":1}"#),
        done(0, &end),
    ];
    let message = clean(reply(&events, &completed()));
    assert_eq!(told(&message), [r#"call call_1 read({"n":1}) [item_id "fc_1"]"#]);
}

#[test]
fn deltas_of_an_item_that_never_began_open_it() {
    let events = [delta(4, "output_text", "late"), delta(4, "output_text", "r")];
    assert_eq!(told(&clean(reply(&events, &completed()))), ["text later"]);
}

#[test]
fn a_full_thought_and_its_summary_are_one_block() {
    let item = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"short"}],"content":[{"type":"reasoning_text","text":"long"}]}"#;
    let events = [
        added(0, r#"{"type":"reasoning","id":"rs_1","summary":[]}"#),
        delta(0, "reasoning_text", "long"),
        delta(0, "reasoning_summary_text", "short"),
        done(0, item),
    ];
    let message = clean(reply(&events, &completed()));
    assert_eq!(told(&message), ["thought long [item_id \"rs_1\"]"]);
    let cut = clean(reply(&events[..3], &incomplete("max_output_tokens")));
    assert_eq!(told(&cut), ["thought long"]);
}

#[test]
fn a_stream_that_fails_is_no_reply() {
    let failed = r#"{"type":"response.failed","response":{"id":"resp_1","status":"failed","error":{"code":"server_error","message":"sorry"},"output":[]}}"#;
    let why = reply(&a_turn(), failed).expect_err("no reply").failure;
    assert_eq!((&*why.code, &*why.message), ("server_error", "sorry"));
    let error =
        r#"{"type":"error","code":"rate_limit_exceeded","message":"slow down","param":null}"#;
    let why = reply(&a_turn(), error).expect_err("no reply").failure;
    assert_eq!((&*why.code, &*why.message), ("rate_limit_exceeded", "slow down"));
    let cut = reply(&a_turn(), "[DONE]").expect_err("no reply");
    assert_eq!(cut.failure.code.as_str(), "STREAM_CUT");
    let cut: Message = *cut.cut.expect("what was there");
    assert_eq!(cut.stop.expect("a stop").dropped_calls.len(), 2);
}

#[test]
fn a_body_that_is_no_reply_is_a_failure() {
    let body =
        r#"{"error":{"message":"no","type":"invalid_request_error","param":null,"code":null}}"#;
    let failed = read_body(OpenAiResponses, "openai", body).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "invalid_request_error");
    let failed = read_body(OpenAiResponses, "openai", "{}").expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "MALFORMED_STREAM");
    let failed = r#"{"status":"failed","error":{"code":"server_error","message":"x"},"output":[]}"#;
    let failed = read_body(OpenAiResponses, "openai", failed).expect_err("no reply");
    assert_eq!(failed.failure.code.as_str(), "server_error");
}

#[test]
fn every_ending_is_told_apart() {
    let text = [delta(0, "output_text", "x")];
    for (reason, _) in wire::openai_responses::events::ENDINGS {
        let expected = match reason {
            "max_output_tokens" | "incomplete" => StopKind::MaxTokens,
            "content_filter" => StopKind::Error,
            "failed" | "cancelled" => continue,
            _ => StopKind::Stop,
        };
        let message = clean(reply(&text, &incomplete(reason)));
        let stop = message.stop.expect("a stop");
        assert_eq!((stop.kind, stop.native.as_deref()), (expected, Some(reason)));
    }
    let odd = reply(&text, &incomplete("sunset")).expect("a reply");
    assert!(odd.findings[0].words[0].contains("sunset"));
}

#[test]
fn what_no_build_has_a_name_for_is_passed_over_and_reported() {
    let mut events = a_turn();
    events.insert(3, r#"{"type":"response.weather","sunny":true}"#.into());
    events.insert(4, "nonsense".into());
    events.insert(5, r#"{"type":"response.output_text.delta","delta":"x"}"#.into());
    events.insert(6, r#"{"type":"keepalive","sequence_number":9}"#.into());
    events.push(done(4, SEARCH));
    let reply = reply(&events, &completed()).expect("a reply");
    assert_eq!(told(&reply.message), a_turn_told());
    let kinds: Vec<(&str, u64)> =
        reply.findings.iter().map(|finding| (finding.kind.as_str(), finding.count)).collect();
    assert_eq!(kinds, [("UNKNOWN", 1), ("MALFORMED_STREAM", 3)]);
    let unknown = r#"{"type":"quantum_call","id":"q_1","call_id":"c","spin":0.5}"#;
    let message = clean(super::responses::reply(&[done(0, unknown)], &completed()));
    assert_eq!(told(&message), [format!("quantum_call {unknown} [native \"\"]")]);
}

#[test]
fn speech_thought_and_call_are_told_apart_while_they_stream() {
    let mut shown = Vec::new();
    let mut stream = Stream::new(OpenAiResponses, asked("openai", OpenAiResponses));
    let mut live = |live: Live<'_>| {
        shown.push(match live {
            Live::Speech { block, text } => format!("{block} says {text}"),
            Live::Thought { block, text } => format!("{block} thinks {text}"),
            Live::Call { block, id, name, arguments } => {
                format!("{block} calls {id} {name} {arguments}")
            }
            Live::Whole { .. } | Live::Closed { .. } => return,
        });
    };
    stream.push(&a_stream(), &mut live).expect("within the limits");
    let expected = [
        "0 thinks The ",
        "0 thinks file ",
        "0 thinks \n\n",
        "0 thinks first.",
        "1 says I ",
        "1 says look.",
        "2 calls call_1 read ",
        "3 calls call_2 sh ",
        "3 calls call_2 sh ls ",
        "2 calls call_1 read {\"path\": ",
        "3 calls call_2 sh -l",
        "2 calls call_1 read \"a.txt\"}",
    ];
    assert_eq!(shown, expected);
}

const BEGUN: &str =
    r#"{"type":"function_call","id":"fc_9","call_id":"call_9","name":"ls","arguments":""}"#;

/// The tools of the calls that are not run.
fn dropped(message: &Message) -> Vec<&str> {
    let stop = message.stop.as_ref().expect("a stop");
    stop.dropped_calls.iter().map(|call| call.name.as_str()).collect()
}

#[test]
fn a_call_that_was_only_added_is_not_run_and_is_named_as_dropped() {
    let free = r#"{"type":"custom_tool_call","id":"c","call_id":"c","name":"sh","input":""}"#;
    let cut = [done(0, WORDS), added(1, BEGUN), added(2, free)];
    let mut in_pieces = cut.to_vec();
    in_pieces.push(delta(1, "function_call_arguments", r#"{\"a\":"#));
    in_pieces.push(delta(2, "custom_tool_call_input", "rm -rf /"));
    for (events, end) in [
        (&cut[..], incomplete("steered")),
        (&cut[..], completed()),
        (&in_pieces[..], incomplete("steered")),
    ] {
        let message = clean(reply(events, &end));
        assert_eq!(told(&message), ["text I look. [item_id \"msg_1\"]"]);
        assert_eq!(dropped(&message), ["ls", "sh"]);
        assert_eq!(message.stop.expect("a stop").kind, StopKind::Stop);
    }
}

#[test]
fn a_call_whose_item_never_ended_is_run_where_its_arguments_are_whole() {
    let whole = delta(0, "function_call_arguments", r#"{\"a\":1}"#);
    let message = clean(reply(&[added(0, BEGUN), whole.clone()], &completed()));
    assert_eq!(told(&message), [r#"call call_9 ls({"a":1})"#]);
    assert_eq!(message.stop.expect("a stop").kind, StopKind::ToolCalls);
    let message = clean(reply(&[done(1, WORDS), added(0, BEGUN), whole], &incomplete("steered")));
    assert_eq!(dropped(&message), ["ls"], "a response that did not end holds no more than it says");
    let none =
        r#"{"type":"response.function_call_arguments.done","output_index":0,"arguments":""}"#;
    let message = clean(reply(&[added(0, BEGUN), none.into()], &completed()));
    assert_eq!(told(&message), ["call call_9 ls()"]);
}

#[test]
fn what_comes_whole_and_in_no_delta_counts() {
    let events = |index: u64, kind: &str, rest: &str| {
        format!(r#"{{"type":"response.{kind}.done","output_index":{index},{rest}}}"#)
    };
    let free = r#"{"type":"custom_tool_call","id":"c","call_id":"c","name":"sh","input":""}"#;
    let message = clean(reply(
        &[
            events(0, "reasoning_summary_text", r#""summary_index":0,"text":"Hm""#),
            events(1, "output_text", r#""content_index":0,"text":"yes""#),
            events(1, "refusal", r#""content_index":1,"refusal":"no""#),
            added(2, BEGUN),
            events(2, "function_call_arguments", r#""arguments":"{\"a\":1}""#),
            added(3, free),
            events(3, "custom_tool_call_input", r#""input":"ls -l""#),
        ],
        &completed(),
    ));
    let calls = [r#"call call_9 ls({"a":1})"#, "call c sh(ls -l)"];
    assert_eq!(told(&message), ["thought Hm", "text yes", "text no", calls[0], calls[1]]);
}

#[test]
fn what_comes_whole_after_its_deltas_adds_nothing_and_closes_what_they_said() {
    let input = |text: &str| {
        format!(
            r#"{{"type":"response.custom_tool_call_input.done","output_index":0,"input":"{text}"}}"#
        )
    };
    let free = r#"{"type":"custom_tool_call","id":"c","call_id":"c","name":"sh","input":""}"#;
    let begun = [added(0, free), delta(0, "custom_tool_call_input", "rm a")];
    let with = |text: &str| [&begun[..], &[input(text)]].concat();
    assert_eq!(told(&clean(reply(&with("rm a"), &completed()))), ["call c sh(rm a)"]);
    let cut = clean(reply(&with("rm a.bak"), &completed()));
    assert_eq!((told(&cut).len(), dropped(&cut)), (0, vec!["sh"]), "a piece is missing");
    let mut again = a_turn();
    again.push(r#"{"type":"response.output_text.done","output_index":1,"text":"late"}"#.into());
    assert_eq!(told(&clean(reply(&again, &completed()))), a_turn_told());
}

#[test]
fn a_response_that_is_still_made_is_no_reply() {
    for status in ["in_progress", "queued"] {
        for output in [&[WORDS, CALL][..], &[]] {
            let body = response(status, "", output);
            let failed = read_body(OpenAiResponses, "openai", &body).expect_err("no reply");
            assert_eq!(failed.failure.code.as_str(), "NOT_FINISHED");
            let words = format!("the response is `{status}`: it has not ended");
            assert_eq!(failed.failure.message.as_str(), words);
        }
    }
}

/// Events as they are without the places of their items.
fn unplaced(events: &[String]) -> Vec<String> {
    let without = |event: &String| {
        let (begin, rest) = event.split_once(r#""output_index":"#)?;
        Some(format!("{begin}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()).get(1..)?))
    };
    events.iter().map(|event| without(event).unwrap_or_else(|| event.clone())).collect()
}

#[test]
fn items_that_no_event_places_are_found_by_their_id() {
    let of = |id: &str, kind: &str, delta: &str| {
        format!(r#"{{"type":"response.{kind}.delta","item_id":"{id}","delta":"{delta}"}}"#)
    };
    let call = r#"{"type":"function_call","call_id":"fc_1","name":"read","arguments":"ARGS"}"#;
    let events = [
        added(0, r#"{"type":"message","id":"msg_1","role":"assistant","content":[]}"#),
        of("msg_1", "output_text", "I "),
        added(1, &call.replace("ARGS", "")),
        of("fc_1", "function_call_arguments", "{}"),
        of("msg_1", "output_text", "look."),
        done(0, WORDS),
        done(1, &call.replace("ARGS", "{}")),
    ];
    let expected = ["text I look. [item_id \"msg_1\"]", "call fc_1 read({})"];
    assert_eq!(told(&clean(reply(&unplaced(&events), &completed()))), expected);
    assert_eq!(
        told(&clean(reply(&unplaced(&events[..5]), &completed()))),
        ["text I look.", "call fc_1 read({})"]
    );
    let nameless = WORDS.replace(r#""id":"msg_1","#, "");
    let message = clean(reply(&unplaced(&[done(0, &nameless), done(1, CALL)]), &completed()));
    assert_eq!(told(&message), ["text I look.", &*a_turn_told()[2]]);
}

#[test]
fn an_error_in_place_of_an_event_fails_the_attempt() {
    let error = r#"{"error":{"code":"server_error","message":"sorry","type":"x"}}"#;
    let why = reply(&a_turn(), error).expect_err("no reply").failure;
    assert_eq!((&*why.code, &*why.message), ("server_error", "sorry"));
}

#[test]
fn an_event_whose_data_have_no_type_is_what_its_frame_says() {
    let text = String::from_utf8(a_stream()).expect("text");
    let frames = text.lines().filter_map(|line| line.strip_prefix("data: {\"type\":\""));
    let named = frames.map(|rest| {
        let (name, data) = rest.split_once("\",").expect("more");
        format!("event: {name}\ndata: {{{data}\n\n")
    });
    let named: String = named.collect();
    assert!(!named.contains("\ndata: {\"type\""));
    let message = clean(read(OpenAiResponses, "openai", named.as_bytes()));
    assert_eq!(told(&message), a_turn_told());
    let failed = b"event: error\ndata: {\"code\":\"slow_down\",\"message\":\"later\"}\n\n";
    let why = read(OpenAiResponses, "openai", failed).expect_err("no reply").failure;
    assert_eq!((&*why.code, &*why.message), ("slow_down", "later"));
}

#[test]
fn a_part_that_is_not_the_first_by_its_index_is_said_once() {
    let part = |of: &str, rest: &str| {
        format!(r#"{{"type":"response.{of}","output_index":0,"content_index":1,{rest}}}"#)
    };
    let done_item = r#"{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Hi","annotations":[]}]}"#;
    let events = [
        added(0, r#"{"type":"message","id":"m","role":"assistant","content":[]}"#),
        part("content_part.added", r#""part":{"type":"output_text","text":""}"#),
        part("output_text.delta", r#""delta":"Hi""#),
        done(0, done_item),
    ];
    let message = clean(reply(&events, &completed()));
    assert_eq!(told(&message), [r#"text Hi [item_id "m"]"#]);
}
