//! Gemini: calls whose arguments come path by path, as Vertex streams them.

use assemble::Dialect::Gemini;
use assemble::{Live, Stream};
use json::{Doc, Kind, Object, Raw, Value};
use testkit::Rng;

use super::gemini::{reply, streamed};
use super::{asked, clean, told};

/// A piece of a call, with members of its own.
fn part(members: &str) -> String {
    format!(r#"{{"functionCall":{{{members}}}}}"#)
}

/// A piece with these arguments; another follows.
fn args(pieces: &str) -> String {
    part(&format!(r#""partialArgs":[{pieces}],"willContinue":true"#))
}

fn text(path: &str, text: &str) -> String {
    format!(r#"{{"jsonPath":{},"stringValue":"{text}"}}"#, Raw::string(&path.into()))
}

fn number(path: &str) -> String {
    format!(r#"{{"jsonPath":{},"numberValue":1.0}}"#, Raw::string(&path.into()))
}

const BEGIN: &str =
    r#"{"functionCall":{"id":"c1","name":"f","willContinue":true},"thoughtSignature":"c2ln"}"#;
const END: &str = r#"{"functionCall":{}}"#;

/// The blocks of a reply that is a call of these pieces.
fn called(pieces: &[String]) -> Vec<String> {
    let parts: Vec<&str> = [BEGIN].into_iter().chain(pieces.iter().map(String::as_str)).collect();
    told(&clean(reply(&[&parts[..], &[END]].concat(), "STOP")))
}

/// Why there is no reply, and what was odd about it.
fn cut(parts: &[&str]) -> (String, usize) {
    let failed = reply(parts, "STOP").expect_err("no reply");
    let odd = failed.findings.iter().map(|finding| finding.count as usize).sum();
    assert_eq!(failed.cut.expect("what was there").blocks.len(), 0);
    (failed.failure.code.as_str().to_owned(), odd)
}

#[test]
fn arguments_that_come_path_by_path_are_one_call() {
    let pieces = [
        args(r#"{"jsonPath":"$.path","stringValue":"a \"b","willContinue":true}"#),
        args(&[text("$.path", r"\n.txt"), number("$.at.line")].join(",")),
        args(r#"{"jsonPath":"$.at['to end']","boolValue":true}"#),
        args(r#"{"jsonPath":"$.edits[0].old","nullValue":null}"#),
        args(&[text("$.edits[0].new", ""), text("$.edits[1]", "x"), text("$.z", "y")].join(",")),
    ];
    let expected = r#"{"path":"a \"b\n.txt","at":{"line":1.0,"to end":true},"edits":[{"old":null,"new":""},"x"],"z":"y"}"#;
    assert_eq!(called(&pieces), [format!(r#"call c1 f({expected}) [signature "c2ln"]"#)]);
}

#[test]
fn a_call_in_pieces_may_have_no_arguments_end_with_its_last_one_and_stand_beside_others() {
    assert_eq!(called(&[]), [r#"call c1 f({}) [signature "c2ln"]"#]);
    let one = part(&format!(r#""name":"g","partialArgs":[{}]"#, text("$.a", "b")));
    let named = part(r#""id":"c1","name":"f","args":{}"#);
    let whole = part(r#""name":"f","args":{"n":2}"#);
    let parts = [BEGIN, named.as_str(), r#"{"text":"x"}"#, one.as_str(), whole.as_str()];
    let expected = [
        r#"call c1 f({}) [signature "c2ln"]"#,
        "text x",
        r#"call call-2 g({"a":"b"})"#,
        r#"call call-3 f({"n":2})"#,
    ];
    assert_eq!(told(&clean(reply(&parts, "STOP"))), expected);
}

#[test]
fn members_beside_the_pieces_of_a_call_are_kept_once() {
    let more = r#"{"functionCall":{"willContinue":true},"partMetadata":{"a":1}}"#;
    let last = r#"{"functionCall":{},"partMetadata":{"a":2},"thoughtSignature":"bmV3"}"#;
    let message = clean(reply(&[BEGIN, more, last], "STOP"));
    assert_eq!(told(&message), [r#"call c1 f({}) [signature "bmV3"]"#]);
    let call = message.blocks[0].as_tool_use().expect("a call");
    assert_eq!(call.rest.iter().count(), 1);
    assert_eq!(call.rest.get("partMetadata").expect("kept").as_str(), r#"{"a":2}"#);
}

#[test]
fn a_call_that_promised_more_is_cut_and_not_run() {
    let piece = args(&text("$.a", "b"));
    assert_eq!(cut(&[BEGIN]), ("STREAM_CUT".into(), 0));
    assert_eq!(cut(&[BEGIN, &piece]), ("STREAM_CUT".into(), 0));
    let other = part(r#""name":"g","willContinue":true"#);
    assert_eq!(cut(&[BEGIN, &other, END]), ("STREAM_CUT".into(), 0));
    let message = clean(reply(&[r#"{"text":"x"}"#, BEGIN, &piece], "MAX_TOKENS"));
    assert_eq!(told(&message), ["text x"]);
    assert_eq!(message.stop.expect("a stop").dropped_calls.len(), 1);
}

#[test]
fn arguments_that_cannot_be_placed_are_not_run() {
    let bad: [&[String]; 20] = [
        &[number("$")],
        &[number("$[0]")],
        &[number("$.*")],
        &[number("$.a"), number("$.a")],
        &[number("$.a"), text("$.a", "x")],
        &[number("$.a"), number("$.a.b")],
        &[number("$.a.b"), number("$.a")],
        &[number("$.a"), number("$.b"), number("$.a")],
        &[number("$.a.x"), number("$.b"), number("$.a.y")],
        &[text("$.a", "x"), number("$.b"), text("$.a", "y")],
        &[text("$.a", "x"), text("$.a.b", "y")],
        &[text("$.a.b", "x"), text("$.a", "y")],
        &[text("$.a", "x"), r#"{"jsonPath":"$.b","willContinue":true}"#.into()],
        &[number("$.a"), r#"{"jsonPath":"$.a","willContinue":true}"#.into()],
        &[number("$.a[1]")],
        &[number("$.a[0]"), number("$.a[2]")],
        &[number("$.a[0]"), number("$.a.b")],
        &[r#"{"jsonPath":"$.a","numberValue":"NaN"}"#.into()],
        &[r#"{"jsonPath":"$.a","willContinue":true}"#.into()],
        &[r#"{"numberValue":1}"#.into()],
    ];
    for pieces in bad {
        assert_eq!(cut(&[BEGIN, &args(&pieces.join(",")), END]), ("STREAM_CUT".into(), 1));
    }
    let fine = args(&number("$.b"));
    let bad = args(&number("$"));
    assert_eq!(cut(&[BEGIN, &bad, &fine, END]), ("STREAM_CUT".into(), 2), "none after it");
    let both = part(r#""args":{"a":1},"willContinue":true"#);
    assert_eq!(cut(&[BEGIN, &both, END]), ("STREAM_CUT".into(), 1));
}

#[test]
fn a_text_is_over_where_nothing_more_is_said_of_it() {
    let over = r#"{"jsonPath":"$.a","willContinue":false}"#;
    let pieces = [text("$.a", "x"), over.to_owned(), number("$.b")];
    assert_eq!(
        called(&[args(&pieces.join(","))]),
        [r#"call c1 f({"a":"x","b":1.0}) [signature "c2ln"]"#]
    );
}

#[test]
fn halves_of_a_character_in_two_pieces_are_one() {
    let pieces = [args(&text("$.a", r"\ud83d")), args(&text("$.a", r"\ude42"))];
    assert_eq!(called(&pieces), [r#"call c1 f({"a":"\ud83d\ude42"}) [signature "c2ln"]"#]);
}

#[test]
fn arguments_are_shown_while_they_stream() {
    let mut shown = Vec::new();
    let mut stream = Stream::new(Gemini, asked("google", Gemini));
    let mut live = |live: Live<'_>| {
        if let Live::Call { id, name, arguments, .. } = live {
            shown.push(format!("{id} {name} {arguments}"));
        }
    };
    let pieces = [args(&text("$.a", "x")), args(&text("$.a", "y")), args(&number("$.b"))];
    let parts = [BEGIN, &pieces[0], &pieces[1], &pieces[2], END];
    stream.push(&streamed(&parts, "STOP"), &mut live).expect("within the limits");
    let expected = [r#"{"#, r#""a":"x"#, "y", r#"","b":1.0"#, "}"];
    assert_eq!(shown, expected.map(|arguments| format!("c1 f {arguments}")));
}

/// The pieces of a value, its texts cut in two.
fn pieces_of(value: Value<'_, '_>, path: &str, pieces: &mut Vec<String>) {
    let path_of = |name: &str| {
        let (_, name) = name.split_at(1);
        format!("{path}['{}']", name.strip_suffix('"').expect("a name").replace('\'', "\\'"))
    };
    let mut push = |name: &str, raw: &str| {
        let mut piece = Object::new();
        piece.string("jsonPath", path).raw(name, &Raw::parse(raw).expect("JSON"));
        pieces.push(piece.finish().as_str().to_owned());
    };
    match value.kind() {
        Kind::Object => {
            value.members().for_each(|(name, value)| pieces_of(value, &path_of(name.raw()), pieces))
        }
        Kind::Array => (0..).zip(value.items()).for_each(|(at, value): (u64, _)| {
            pieces_of(value, &format!("{path}[{at}]"), pieces);
        }),
        Kind::String => {
            let text = value.to_text().expect("a text");
            let (head, tail) = text.split_at(text.char_indices().nth(2).map_or(0, |(at, _)| at));
            push("stringValue", Raw::string(&head.into()).as_str());
            push("stringValue", Raw::string(&tail.into()).as_str());
        }
        Kind::Number => push("numberValue", value.raw()),
        Kind::Bool => push("boolValue", value.raw()),
        Kind::Null => push("nullValue", "\"NULL_VALUE\""),
    }
}

/// An object of anything that pieces can say.
fn generated(rng: &mut Rng, depth: u64) -> String {
    const NAMES: [&str; 6] = ["a", "it's", "x.y", "", "[0]", "q\\\"q"];
    let value = |rng: &mut Rng| match rng.below(7) {
        0 if depth > 0 => generated(rng, depth - 1),
        1 if depth > 0 => format!("[{},{}]", generated(rng, depth - 1), generated(rng, depth - 1)),
        2 => "[1,\"two\"]".into(),
        3 => format!("{}", rng.below(1000)),
        4 => "null".into(),
        5 => "false".into(),
        _ => "\"words, \u{e9}\\n\"".into(),
    };
    let names = &NAMES[rng.below(NAMES.len() - 1)..];
    let members: Vec<String> =
        names.iter().map(|name| format!("\"{name}\":{}", value(rng))).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn generated_arguments_come_back_from_their_pieces() {
    for seed in 1..=500 {
        let mut rng = Rng::new(seed);
        let arguments = generated(&mut rng, 3);
        let doc = Doc::parse_str(&arguments).expect("JSON");
        let mut pieces = Vec::new();
        pieces_of(doc.root(), "$", &mut pieces);
        let parts: Vec<String> = pieces.iter().map(|piece| args(piece)).collect();
        let expected = format!(r#"call c1 f({arguments}) [signature "c2ln"]"#);
        assert_eq!(called(&parts), [expected], "seed {seed}");
    }
}

#[test]
fn a_piece_of_no_call_that_names_none_is_kept_and_not_run() {
    let piece = args(&number("$.a"));
    let read = reply(&[r#"{"text":"x"}"#, &piece], "STOP").expect("a reply");
    assert_eq!(read.calls().count(), 0);
    assert_eq!(read.findings.len(), 1);
    assert_eq!(told(&read.message), ["text x".to_owned(), format!("functionCall {piece}")]);
}
