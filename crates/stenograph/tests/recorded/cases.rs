//! Public failures as small inputs: what each asks of replay, or of two requests compared. The
//! tables are complete: a case that is in none of them fails.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use stenograph::formats;
use stenograph::json::Doc;
use stenograph::record::{Entry, Fact, Role, Source};
use stenograph::replay::{MovedReason, Now, Prepared, Reader, Replayer, Target};
use stenograph::wire::prompt_cache::{Api, Cause, Comparison, Level, compare};
use testkit::principal;

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

    /// The same of Gemini's contents: a part by its first member, a thought and a signature named.
    fn contents(&self) -> String {
        let contents = self.body["contents"].as_array().expect("contents");
        let outline = contents.iter().map(|content| {
            let parts = content["parts"].as_array().expect("parts").iter().map(|part| {
                let members = part.as_object().expect("a part");
                let name = members.keys().find(|name| *name != "thoughtSignature");
                let signed = if members.contains_key("thoughtSignature") { "+sig" } else { "" };
                format!("{}{signed}", name.expect("data"))
            });
            let parts: Vec<String> = parts.collect();
            format!("{}: {}", content["role"].as_str().expect("role"), parts.join(" "))
        });
        outline.collect::<Vec<_>>().join("; ")
    }

    fn text(&self) -> String {
        self.body.to_string()
    }

    /// The types of the items of a Responses body.
    fn items(&self) -> Vec<&str> {
        let items = self.body["input"].as_array().expect("items");
        items.iter().map(|item| item["type"].as_str().expect("type")).collect()
    }

    fn item(&self, at: usize) -> &Value {
        &self.body["input"][at]
    }

    /// The first text of a message.
    fn says(&self, at: usize) -> &str {
        let content = &self.item(at)["content"];
        content.as_str().or(content[0]["text"].as_str()).expect("a text")
    }
}

type Check = fn(&Replayed);

/// The head of a PNG of 3000 by 1200 pixels, which a case names by its size alone.
const WIDE_PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAC7gAAASwCAIAAADkbJCq";

/// Cases of sources that are read, and what each has to look like. Where a case was for another
/// dialect, what it asks of the view holds on this one too.
const CHECKED: &[(&str, Check)] = &[
    ("001", |r| {
        assert_eq!(r.outline(), "user: text; assistant: text tool_use; user: tool_result text");
        assert_eq!(r.content(2, 0)["is_error"], json!(true));
        assert_eq!(r.content(2, 1)["text"], "go on");
        assert!(r.changes.contains(&"GAP_FILLED"));
    }),
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
    // Both results are used, each with its own call.
    ("004", |r| {
        let messages = r.body["messages"].as_array().expect("messages");
        let roles: Vec<&Value> = messages.iter().map(|message| &message["role"]).collect();
        assert_eq!(roles, ["user", "assistant", "tool", "tool", "user"]);
        for (at, result) in ["a.txt", "hello"].into_iter().enumerate() {
            assert_eq!(messages[at + 2]["tool_call_id"], messages[1]["tool_calls"][at]["id"]);
            assert_eq!(messages[at + 2]["content"], result);
        }
        assert!(!r.changes.contains(&"GAP_FILLED"));
    }),
    // Each step is an assistant's turn of its own, its result behind it.
    ("005", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: tool_use; user: tool_result; assistant: tool_use; \
             user: tool_result; assistant: tool_use; user: tool_result text text"
        );
        assert!(r.changes.contains(&"INTERRUPTED_NOTED"));
        assert!([2, 4].iter().all(|at| r.content(*at, 0)["is_error"] == json!(true)));
        assert_eq!(r.content(6, 0)["content"], "written");
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
    // A model that binds has a test of its own below.
    ("015", |r| assert_eq!(r.outline(), "user: text; assistant: thinking text; user: text")),
    // The id is made legal on both sides; what another provider sealed is not sent.
    ("016", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result text");
        assert_eq!(r.content(1, 0)["id"], r.content(2, 0)["tool_use_id"]);
        assert_ne!(r.content(1, 0)["id"], "call_Q1|fc_0f0d");
        assert!(!r.text().contains("gAAA"));
        assert!(r.changes.contains(&"CALL_ID_REWRITTEN"));
    }),
    ("018", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result text");
        assert_eq!(r.content(1, 0)["id"], r.content(2, 0)["tool_use_id"]);
        assert!(r.changes.contains(&"CALL_ID_REWRITTEN"));
    }),
    ("019", |r| {
        assert_eq!(
            r.outline(),
            "user: text; assistant: tool_use tool_use; user: tool_result tool_result text"
        );
        assert_ne!(r.content(1, 0)["id"], r.content(1, 1)["id"]);
        for (at, result) in ["A", "B"].into_iter().enumerate() {
            assert_eq!(r.content(2, at)["tool_use_id"], r.content(1, at)["id"]);
            assert_eq!(r.content(2, at)["content"], result);
        }
    }),
    // 20 images and one of 3000 pixels: that one is told instead, the others go out.
    // Nothing stands between the calls and their results; the person's words follow.
    ("021", |r| {
        let messages = r.body["messages"].as_array().expect("messages");
        let roles: Vec<&Value> = messages.iter().map(|message| &message["role"]).collect();
        assert_eq!(roles, ["user", "assistant", "tool", "tool", "user"]);
        assert_eq!(messages[1]["tool_calls"].as_array().map(Vec::len), Some(2));
        assert_eq!((&messages[2]["content"], &messages[3]["content"]), (&json!("A"), &json!("B")));
        assert_eq!(r.content(4, 0)["text"], "note from me");
    }),
    ("024", |r| {
        assert_eq!(r.items(), ["message", "function_call", "function_call_output", "message"]);
        let id = r.item(1)["call_id"].as_str().expect("an id");
        assert!(id.len() <= 64 && r.item(2)["call_id"] == id);
        assert!(r.changes.contains(&"CALL_ID_REWRITTEN"));
    }),
    ("025", |r| {
        assert_eq!(r.text().matches("\"type\":\"image\"").count(), 20);
        assert!(!r.text().contains(WIDE_PNG));
        assert!(r.changes.contains(&"IMAGE_UNSEEN"));
    }),
    ("026", |r| assert!(r.text().matches("\"type\":\"image\"").count() <= 50)),
    // The image is a stand-in, and so is told.
    ("028", |r| {
        let items = ["message", "function_call", "function_call_output", "message", "message"];
        assert_eq!(r.items(), items);
        assert!(r.changes.contains(&"IMAGE_UNSEEN") && !r.text().contains("STANDIN"));
    }),
    ("029", |r| assert_eq!(r.content(0, 1)["source"]["media_type"], "image/jpeg")),
    ("031", |r| {
        assert_eq!(r.items(), ["message"; 3]);
        let parts = &r.item(0)["content"];
        assert_eq!(parts[0]["text"], "what is this");
        assert!(parts[1]["text"].as_str().is_some_and(|text| text.starts_with("[Image not seen")));
        assert!(r.changes.contains(&"IMAGE_UNSEEN"));
    }),
    ("032", |r| {
        assert_eq!(r.items(), ["message", "function_call", "function_call_output", "message"]);
        let output = r.item(2)["output"].as_str().expect("a text");
        assert!(output.starts_with("picture\n[Image not seen: "));
        assert!(!r.text().contains("input_image"));
    }),
    // Nothing goes by an id of its harness's, and where nothing is stored by none at all.
    ("033", |r| {
        assert_eq!(r.items(), ["message"; 3]);
        assert!((0..3).all(|at| r.item(at).get("id").is_none()));
    }),
    ("034", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result text");
        assert_eq!(r.content(2, 0)["content"], "(no output)");
    }),
    ("035", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    ("037", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    ("038", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    ("040", |r| assert_eq!(r.outline(), "user: text; assistant: text; user: text")),
    // Nobody has a signature for it: the documented stand-in, on the first call.
    ("041", |r| {
        assert_eq!(r.contents(), "user: text; model: functionCall+sig; user: functionResponse");
        let signature = &r.body["contents"][1]["parts"][0]["thoughtSignature"];
        assert_eq!(signature, "skip_thought_signature_validator");
        assert!(r.changes.contains(&"SIGNATURE_STAND_IN"));
    }),
    ("042", |r| {
        assert_eq!(
            r.contents(),
            "user: text; model: functionCall+sig functionCall; \
             user: functionResponse functionResponse"
        );
        let calls = &r.body["contents"][1]["parts"];
        assert_eq!(calls[0]["thoughtSignature"], "sigP==");
        assert_eq!(calls[0]["functionCall"]["name"], "terminal-execute");
    }),
    // Responses without a call are evidence (record-replay 3.7).
    ("045", |r| {
        assert_eq!(r.contents(), "user: text; model: text; user: text text text");
        assert_eq!(r.body["contents"][2]["parts"][0]["text"], "Result (read_file): x");
        assert!(r.changes.contains(&"RESULT_ORPHAN"));
    }),
    ("047", |r| {
        assert_eq!(
            r.contents(),
            "user: text; model: functionCall+sig; user: functionResponse; user: text; \
             model: text functionCall+sig; user: functionResponse"
        );
        assert_eq!(r.body["contents"][3]["parts"][0]["text"], "Result (b): stray");
        assert!(r.changes.contains(&"RESULT_ORPHAN"));
    }),
    ("048", |r| {
        assert_eq!(r.items(), ["message"; 2]);
        assert_eq!((r.says(0), r.says(1)), ("hi", "are you there?"));
        assert!(r.changes.contains(&"THINKING_WITHHELD"));
    }),
    ("049", |r| {
        assert_eq!(r.items(), ["message"; 3]);
        assert_eq!(r.says(1), "3");
    }),
    ("051", |r| {
        assert_eq!(r.items(), ["message"; 3]);
        assert!(r.says(1) == "answer" && r.item(1).get("id").is_none());
    }),
    ("052", |r| {
        let items = ["message", "function_call", "function_call_output", "message", "message"];
        assert_eq!(r.items(), items);
        assert_eq!(r.body["store"], false);
        assert!(r.says(3).contains("item_reference") && r.says(4) == "go");
    }),
    // What it stands for is not in the record: that is said.
    ("054", |r| {
        assert_eq!(r.items(), ["message"; 2]);
        assert!(!r.text().contains("other-backend"));
        assert!(r.says(0).contains("compaction") && r.says(1) == "go on");
    }),
    ("056", |r| {
        assert_eq!(r.items(), ["message", "function_call", "function_call_output", "message"]);
        assert_eq!(r.item(2)["call_id"], "call_1");
        let output = r.item(2)["output"].as_str().expect("a text");
        assert!(output.starts_with("Error: This call did not complete"));
    }),
    // Both are known, so both are kept; that the reply was aborted is told.
    ("058", |r| {
        assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result text text");
        assert_eq!(r.content(2, 0)["content"], "out");
    }),
    // A window that cut a pair: no result without its call.
    ("059", |r| assert!(!r.text().contains("tool_result"))),
    // The newest summary and what it kept; the orphan is evidence, as in 062.
    ("060", |r| {
        assert_eq!(
            r.items(),
            ["message", "function_call", "function_call_output", "message", "message", "message"]
        );
        assert!(r.says(0).contains("newer") && !r.text().contains("old"));
        assert_eq!(r.item(2)["output"], "ok");
        assert!(r.says(3).contains("late") && r.says(4) == "fine" && r.says(5) == "go");
        assert!(r.changes.contains(&"RESULT_ORPHAN"));
    }),
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
    ("067", |r| {
        assert_ne!(r.content(1, 0)["id"], r.content(1, 1)["id"]);
        for (at, (path, result)) in [("a", "A"), ("b", "B")].into_iter().enumerate() {
            assert_eq!(r.content(1, at)["input"]["p"], path);
            assert_eq!(r.content(2, at)["tool_use_id"], r.content(1, at)["id"]);
            assert_eq!(r.content(2, at)["content"], result);
        }
    }),
    ("068", |r| {
        let ids: Vec<&Value> = [(1, 0), (3, 0), (3, 1)].map(|(m, b)| &r.content(m, b)["id"]).into();
        assert_eq!(*ids[0], "call_0");
        assert_ne!(ids[1], ids[0]);
        assert_eq!(*ids[2], "call_1");
        assert_eq!(r.content(4, 0)["tool_use_id"], *ids[1]);
        assert_eq!(r.content(4, 0)["content"], "2");
    }),
    ("069", |r| {
        assert_ne!(r.content(1, 0)["id"], "");
        assert_eq!(r.content(1, 0)["id"], r.content(2, 0)["tool_use_id"]);
        assert_eq!(r.content(2, 0)["content"], "ok");
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
    ("081", |r| {
        assert_eq!(r.outline(), "user: text; assistant: text; user: text");
        assert_eq!(r.content(1, 0)["text"], "Hello");
        assert!(r.findings.contains(&"CORRUPT_LINE"));
    }),
    // What is whole is read; how the next line is written is the store's.
    ("082", |r| {
        assert_eq!(r.outline(), "user: text");
        assert_eq!(r.content(0, 0)["text"], "hi");
        assert!(r.findings.contains(&"CORRUPT_LINE"));
    }),
    ("084", |r| {
        assert_eq!(r.content(1, 0)["input"]["option"], "\u{fffd} next");
        assert!(r.changes.contains(&"SURROGATE_REPLACED"));
    }),
    ("085", |r| {
        assert!(r.content(1, 0)["input"].is_object());
        assert!(r.text().contains("echo unfinished"));
        assert_eq!(r.content(2, 0)["content"], "[error] missing or non-string argument: command");
    }),
    ("086", |r| {
        assert_eq!(
            r.content(1, 0)["input"]["_unparsed_arguments"],
            "{\"path\":\"a\",\"content\":\"aaa[... tool arguments archived ...]"
        );
        assert_eq!(r.content(2, 0)["content"], "written");
    }),
    // Nobody recorded the reasoning that is due: an empty one stands for it.
    ("087", |r| {
        assert_eq!(r.body["messages"][2]["reasoning_content"], "");
        assert!(r.changes.contains(&"REASONING_EMPTY"));
    }),
    ("090", |r| assert_eq!(r.outline(), "user: text; assistant: tool_use; user: tool_result")),
];

/// Cases that are asked of Chat Completions: the vendor and the model.
const CHAT: &[(&str, &str, &str)] = &[
    ("004", "openai", "gpt-4o"),
    ("021", "openai", "gpt-4o"),
    ("087", "deepseek", "deepseek-reasoner"),
];

/// Cases that are asked of the Gemini API: the model.
const GEMINI: &[(&str, &str)] = &[
    ("041", "gemini-3-pro-preview"),
    ("042", "gemini-3-flash-preview"),
    ("045", "gemini-3-flash-preview"),
    ("047", "gemini-3-flash-preview"),
];

/// Cases that are asked of Responses.
const RESPONSES: &[&str] =
    &["024", "028", "031", "032", "033", "048", "049", "051", "052", "054", "056", "060"];

type Compared = fn(&Comparison);

/// Cases of two requests, and what is said of the second.
const COMPARED: &[(&str, Compared)] = &[
    // The first byte that differs stands in the list that changes.
    ("070", |c| {
        let moved = &c.moves[0];
        assert_eq!((moved.unit.as_str(), moved.cause), ("system[0]", Cause::SystemChanged));
        assert_eq!(moved.level, Level::System);
        let after = moved.after.as_ref().expect("what stands there");
        assert!(after.text.ends_with("eferred tools: a, b\""), "{}", after.text);
        assert_eq!(c.moves.len(), 1);
    }),
    // Tools in another order, and an earlier turn whose thought was taken out.
    ("071", |c| {
        let moves: Vec<_> = c.moves.iter().map(|m| (m.unit.as_str(), m.cause)).collect();
        assert_eq!(
            moves,
            [("tools[0]", Cause::ToolsReordered), ("messages[1]", Cause::ThoughtRemoved)]
        );
        assert_eq!(c.cost.tokens_kept, 0);
    }),
];

/// The two requests of a case, compared.
fn compared(case: &Value) -> Comparison {
    let dialect = case["target"].as_str().expect("a target").replace('-', "_");
    let [before, after] = [0, 1].map(|at| case["requests"][at].to_string());
    let (before, after) = (Doc::parse_str(&before), Doc::parse_str(&after));
    let (before, after) = (before.expect("JSON"), after.expect("JSON"));
    let api = Api { dialect: &dialect, model: "", tokens: None };
    compare(before.root(), after.root(), &api)
}

/// The input of a case as the file its harness would have.
fn input(case: &Value) -> Vec<u8> {
    if case.get("document").is_some() {
        return serde_json::to_vec(&case["document"]).expect("JSON");
    }
    if let Some(lines) = case["lines"].as_array() {
        let lines: Vec<&str> = lines.iter().map(|line| line.as_str().expect("a line")).collect();
        return lines.join("\n").into_bytes();
    }
    let mut body = case["request"].as_object().cloned().unwrap_or_default();
    let contents = case["format"] == "gemini-contents";
    let list = if contents { "contents" } else { "messages" };
    body.insert(list.into(), case["messages"].clone());
    let body = serde_json::to_string(&body).expect("JSON");
    body.replace("STANDIN-3000x1200-PNG", WIDE_PNG).into_bytes()
}

fn replayed(id: &str, case: &Value) -> Replayed {
    let imported = formats::import(&input(case), id).expect("an import");
    let path = imported.record.branch_path("main");
    let claude = Target::anthropic(model(&path).unwrap_or("claude-sonnet-4-5"));
    let chat = CHAT.iter().find(|(case, _, _)| *case == id);
    let chat = chat.map(|(_, vendor, model)| Target::openai_chat(vendor, *model));
    let gemini = GEMINI.iter().find(|(case, _)| *case == id);
    let gemini = gemini.map(|(_, model)| Target::gemini(*model));
    let responses = RESPONSES.contains(&id).then(|| Target::openai_responses("openai", "gpt-5.5"));
    let target = chat.or(gemini).or(responses).unwrap_or(claude);
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(&path);
    let prepared = replayer.prepare(&Now::default()).expect("a request");
    assert_eq!(refused(&target, &prepared), [""; 0], "{id}");
    Replayed {
        body: body(&prepared),
        changes: changes(&prepared),
        findings: imported.findings.iter().map(|finding| finding.kind.as_str()).collect(),
    }
}

fn changes(prepared: &Prepared) -> Vec<&'static str> {
    prepared.request.report().changes().map(|change| change.kind.as_str()).collect()
}

/// The last model of this dialect that a path names.
fn model(path: &[Arc<Entry>]) -> Option<&str> {
    let named = path.iter().rev().filter_map(|entry| match &entry.fact {
        Fact::Sent(sent) => Some(sent.target.model.as_str()),
        _ => match &entry.message()?.source {
            Some(Source::Model { model, .. }) => Some(model.as_str()),
            _ => None,
        },
    });
    named.into_iter().find(|model| model.starts_with("claude"))
}

fn body(prepared: &Prepared) -> Value {
    serde_json::from_slice(&prepared.request.body().to_vec()).expect("JSON")
}

/// The cases by number.
fn cases(shared: &Path) -> BTreeMap<String, Value> {
    files(&shared.join("cases"))
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy()[..3].to_owned();
            let text = std::fs::read(&path).expect("a case");
            (name, serde_json::from_slice(&text).expect("JSON"))
        })
        .collect()
}

#[test]
fn every_public_failure_of_these_formats_is_what_it_has_to_be() {
    let Some(shared) = shared() else { return };
    let cases = cases(&shared);
    let checked = CHECKED.iter().map(|(id, _)| *id);
    let mut listed: Vec<&str> = checked.chain(COMPARED.iter().map(|(id, _)| *id)).collect();
    listed.sort_unstable();
    let there: Vec<&str> = cases.keys().map(String::as_str).collect();
    assert_eq!(listed, there, "every case stands in one of the tables, once");
    for (id, check) in CHECKED {
        println!("case {id}");
        check(&replayed(id, &cases[*id]));
    }
    for (id, check) in COMPARED {
        println!("case {id}");
        check(&compared(&cases[*id]));
    }
    println!("{} cases checked, {} compared", CHECKED.len(), COMPARED.len());
}

/// Case 015: a model that binds thinking gets it back under the prefix the file has; once something
/// stands before it that did not, it stays out, and the report says so.
#[test]
fn a_bound_thought_goes_out_under_its_own_prefix_only() {
    let Some(shared) = shared() else { return };
    let mut case = cases(&shared).remove("015").expect("case 015");
    case["request"]["model"] = json!("claude-opus-5-5");
    let mut path =
        formats::import(&input(&case), "015").expect("an import").record.branch_path("main");
    let target = Target::anthropic("claude-opus-5-5");
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(&path);
    let own = replayer.prepare(&Now::default()).expect("a request");
    assert_eq!(body(&own)["system"][0]["text"], case["request"]["system"]);
    assert_eq!(body(&own)["messages"][1]["content"][0]["signature"], "sig-bound-to-system-A==");

    path.extend(own.append().iter().cloned().map(Arc::new));
    replayer.feed(&path);
    let other = Now { principal: Some(principal(700)), ..Now::default() };
    let other = replayer.prepare(&other).expect("a request");
    assert_eq!(refused(&target, &other), [""; 0]);
    assert_eq!(body(&other)["messages"][1]["content"], json!([{"type": "text", "text": "Hello"}]));
    assert_eq!(changes(&other), ["THINKING_OUT"]);
}

/// Case 026: what was left out stays out, and a request that departs from the one before says so.
#[test]
fn images_over_the_limit_are_left_out_in_one_batch() {
    let Some(shared) = shared() else { return };
    let imported = formats::import(&input(&cases(&shared)["026"]), "026").expect("an import");
    let mut replayer = Replayer::new(Reader::plain("main"), Target::anthropic("claude-sonnet-4-5"));
    let (mut path, mut moves, mut last) = (Vec::new(), 0, Vec::new());
    for entry in imported.record.branch_path("main") {
        let asks = entry.message().is_some_and(|message| message.role != Role::Assistant);
        path.push(entry);
        if !asks {
            continue;
        }
        replayer.feed(&path);
        let prepared = replayer.prepare(&Now::default()).expect("a request");
        path.extend(prepared.append().iter().cloned().map(Arc::new));
        let messages = without_marks(body(&prepared));
        let images = messages.iter().map(|m| m.to_string().matches("\"type\":\"image\"").count());
        assert!(images.sum::<usize>() <= 50);
        match &prepared.request.report().moved {
            Some(moved) => {
                assert_eq!(moved.reason, MovedReason::Images);
                moves += 1;
            }
            None => assert!(messages.starts_with(&last), "it departs and does not say so"),
        }
        last = messages;
    }
    assert_eq!(moves, 1);
}

/// The messages of a body, without cache marks.
fn without_marks(mut body: Value) -> Vec<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove("cache_control");
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut body);
    body["messages"].as_array().expect("messages").clone()
}
