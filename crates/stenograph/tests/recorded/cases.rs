//! Public failures as small inputs: what each asks of replay, or which later part of the project
//! it waits for. The table is complete: a case that is not in it fails.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stenograph::formats;
use stenograph::replay::{Now, Reader, Replayer, Target};

use crate::{files, refused, shared};

/// What a request of a case looks like.
struct Replayed {
    body: Value,
    changes: Vec<&'static str>,
    findings: Vec<&'static str>,
}

impl Replayed {
    /// `role: kinds; ...`
    fn outline(&self) -> String {
        let messages = self.body["messages"].as_array().expect("messages");
        let outline = messages.iter().map(|message| {
            let content = message["content"].as_array().expect("content");
            let kinds: Vec<&str> =
                content.iter().map(|block| block["type"].as_str().expect("type")).collect();
            format!("{}: {}", message["role"].as_str().expect("role"), kinds.join(" "))
        });
        outline.collect::<Vec<_>>().join("; ")
    }

    fn content(&self, message: usize, block: usize) -> &Value {
        &self.body["messages"][message]["content"][block]
    }

    fn text(&self) -> String {
        self.body.to_string()
    }
}

type Check = fn(&Replayed);

/// Cases of this dialect and these sources, and what each has to look like.
const CHECKED: &[(&str, Check)] = &[
    ("002", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: text tool_use tool_use tool_use; \
             user: tool_result tool_result tool_result text"
        );
        let ids: Vec<&Value> = (0..3).map(|at| &r.content(2, at)["tool_use_id"]).collect();
        assert_eq!(ids, ["toolu_1", "toolu_2", "toolu_3"]);
        assert!((0..3).all(|at| r.content(2, at)["is_error"] == json!(true)));
    }),
    ("007", |r| {
        assert_eq!(r.outline(), "user: text; assistant: text tool_use; user: tool_result text");
    }),
    ("008", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result text text");
        assert_eq!(r.content(2, 1)["text"], "are you there?");
        assert_eq!(r.content(2, 2)["text"], "please continue");
    }),
    ("009", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: thinking thinking tool_use; user: tool_result"
        );
        assert_eq!(r.content(1, 0)["thinking"], "step one  ");
        assert_eq!(r.content(1, 1)["thinking"], "step two\n");
        assert_eq!(r.content(1, 1)["signature"], "sigB==");
    }),
    ("010", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: thinking tool_use thinking tool_use redacted_thinking \
             tool_use; user: tool_result tool_result tool_result"
        );
        let results: Vec<&Value> = (0..3).map(|at| &r.content(2, at)["content"]).collect();
        assert_eq!(results, ["1", "2", "3"]);
    }),
    ("012", |r| {
        assert_eq!(r.outline(), "user: text; assistant: text; user: text");
        assert!(r.changes.contains(&"THINKING_WITHHELD"));
    }),
    ("013", |r| {
        assert_eq!(r.outline(), "user: text; assistant: text tool_use; user: tool_result text");
    }),
    // Its own prefix is reproduced: the body names no model, and the default does not bind.
    ("015", |r| assert_eq!(r.outline(), "user: text; assistant: thinking text; user: text")),
    ("018", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result text");
        assert_eq!(r.content(1, 0)["id"], r.content(2, 0)["tool_use_id"]);
        assert!(r.changes.contains(&"CALL_ID_REWRITTEN"));
    }),
    ("025", |_| {}),
    ("026", |r| assert!(r.text().matches("\"type\":\"image\"").count() <= 50)),
    ("029", |r| assert_eq!(r.content(0, 1)["source"]["media_type"], "image/jpeg")),
    ("034", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result text");
        assert_eq!(r.content(2, 0)["content"], "(no output)");
    }),
    ("035", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    ("037", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    ("038", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    ("040", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    // An orphan result is evidence (record-replay 3.7), whatever harness wrote it.
    ("062", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text text")),
    ("063", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: text; user: text; assistant: tool_use; user: tool_result"
        );
    }),
    ("064", |r| {
        let ids: Vec<&Value> = [1, 3].map(|at| &r.content(at, 0)["id"]).into();
        assert_eq!(*ids[0], "toolu_d");
        assert_ne!(ids[0], ids[1]);
        assert_eq!(r.content(4, 0)["tool_use_id"], *ids[1]);
        assert_eq!(r.content(4, 0)["content"], "2");
    }),
    ("065", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result");
        assert!(r.findings.contains(&"COLLAPSED_BLOCK"));
    }),
    ("073", |r| assert!(r.text().matches("cache_control").count() <= 4)),
    ("074", |r| {
        assert_eq!(r.outline(), "user: text; assistant: text; user: text");
        assert!(r.content(0, 0)["text"].as_str().is_some_and(|text| text.contains("summary")));
        assert_eq!(r.content(2, 0)["text"], "today");
        assert!(r.findings.contains(&"DANGLING_PARENT"));
    }),
    ("075", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: text; user: text; assistant: text; user: text"
        );
        assert!(r.findings.contains(&"DANGLING_PARENT"));
    }),
    ("078", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: text; user: text; assistant: text; user: text"
        );
    }),
    ("080", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: text; user: text; assistant: text; user: text"
        );
        assert!(r.findings.contains(&"CORRUPT_LINE"));
    }),
    ("084", |r| {
        assert_eq!(r.content(1, 0)["input"]["option"], "\u{fffd} next");
        assert!(r.changes.contains(&"SURROGATE_REPLACED"));
    }),
    ("090", |r| assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result")),
];

/// Cases of other sources or dialects, and what they wait for.
const WAITING: &[(&str, &str)] = &[
    ("001", "the Goose format"),
    ("004", "the Gemini format"),
    ("005", "the OpenCode format"),
    ("016", "the pi format"),
    ("019", "the Chat Completions format"),
    ("021", "the Chat Completions dialect"),
    ("024", "the Responses dialect"),
    ("028", "the Responses dialect"),
    ("031", "the Responses dialect"),
    ("032", "the Codex format"),
    ("033", "the Responses dialect"),
    ("041", "the Gemini dialect"),
    ("042", "the Gemini dialect"),
    ("045", "the Gemini dialect"),
    ("047", "the Gemini dialect"),
    ("048", "the Responses dialect"),
    ("049", "the Responses dialect"),
    ("051", "the Responses dialect"),
    ("052", "the Responses dialect"),
    ("054", "the Responses dialect"),
    ("056", "the Responses dialect"),
    ("058", "the pi format"),
    ("059", "the Chat Completions dialect"),
    ("060", "the pi format"),
    ("067", "the Chat Completions dialect"),
    ("068", "the Chat Completions dialect"),
    ("069", "the Chat Completions dialect"),
    ("070", "the doctor's own tests: two requests are compared on the command line"),
    ("071", "the Chat Completions dialect"),
    ("081", "the Copilot CLI format"),
    ("082", "the pi format"),
    ("085", "the Chat Completions dialect"),
    ("086", "the Chat Completions format"),
    ("087", "the Chat Completions dialect"),
];

/// The input of a case as the file its harness would have.
fn input(case: &Value) -> Vec<u8> {
    if let Some(lines) = case["lines"].as_array() {
        let lines: Vec<&str> = lines.iter().map(|line| line.as_str().expect("a line")).collect();
        return lines.join("\n").into_bytes();
    }
    let mut body = case["request"].as_object().cloned().unwrap_or_default();
    body.insert("messages".into(), case["messages"].clone());
    serde_json::to_vec(&Value::Object(body)).expect("JSON")
}

fn replayed(id: &str, case: &Value) -> Replayed {
    let imported = formats::import(&input(case), id).expect("an import");
    let path = imported.record.branch_path("main");
    let model = path
        .iter()
        .rev()
        .find_map(|entry| match &entry.fact {
            stenograph::record::Fact::Sent(sent) => Some(sent.target.model.as_str().to_owned()),
            _ => match &entry.message()?.source {
                Some(stenograph::record::Source::Model { model, .. }) => {
                    Some(model.as_str().to_owned())
                }
                _ => None,
            },
        })
        .unwrap_or_else(|| "claude-sonnet-4-5".to_owned());
    let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic(model.as_str()));
    replayer.feed(&path);
    let prepared = replayer.prepare(&Now::default()).expect("a request");
    assert_eq!(refused(&prepared), [""; 0], "{id}");
    Replayed {
        body: serde_json::from_slice(&prepared.request.body().to_vec()).expect("JSON"),
        changes: prepared.request.report().changes().map(|change| change.kind.as_str()).collect(),
        findings: imported.findings.iter().map(|finding| finding.kind.as_str()).collect(),
    }
}

#[test]
fn every_public_failure_of_these_formats_is_what_it_has_to_be() {
    let Some(shared) = shared() else { return };
    let cases: BTreeMap<String, Value> = files(&shared.join("cases"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy()[..3].to_owned();
            let text = std::fs::read(&path).expect("a case");
            (name, serde_json::from_slice(&text).expect("JSON"))
        })
        .collect();
    for id in cases.keys() {
        let listed = CHECKED.iter().any(|(known, _)| known == id)
            || WAITING.iter().any(|(known, _)| known == id);
        assert!(listed, "case {id} is in no table");
    }
    for (id, check) in CHECKED {
        let Some(case) = cases.get(*id) else { panic!("case {id} is not there") };
        check(&replayed(id, case));
    }
    println!("{} cases checked, {} wait for other parts", CHECKED.len(), WAITING.len());
}
