//! Files that a person or a tool gave cross to every API that has a part for them.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use serde_json::{Value, json};
use stenograph::formats;
use stenograph::replay::{Now, Reader, Replayer, Target};

/// Base64 of a PDF of two lines.
const PDF: &str = "JVBERi0xLjQKJSVFT0YK";
/// Base64 of `a,b` and `1,2`.
const CSV: &str = "YSxiCjEsMgo=";

const CLAUDE_ON_AWS: &str = "anthropic.claude-sonnet-4-5-20250929-v1:0";

/// The body of each API that gives this part beside a text.
fn body(api: &str, part: &Value) -> Value {
    let content = |text: Value| json!([part, text]);
    match api {
        "anthropic" => json!({"model": "claude-sonnet-4-5", "messages": [
            {"role": "user", "content": content(json!({"type": "text", "text": "Sum"}))}]}),
        "chat" => json!({"model": "gpt-4o", "messages": [
            {"role": "user", "content": content(json!({"type": "text", "text": "Sum"}))}]}),
        "responses" => json!({"model": "gpt-5", "input": [
            {"role": "user", "content": content(json!({"type": "input_text", "text": "Sum"}))}]}),
        "gemini" => json!({"model": "gemini-2.5-pro", "contents": [
            {"role": "user", "parts": content(json!({"text": "Sum"}))}]}),
        _ => json!({"modelId": CLAUDE_ON_AWS, "messages": [
            {"role": "user", "content": content(json!({"text": "Sum"}))}]}),
    }
}

/// The same file as each API says it.
fn pdf() -> [(&'static str, Value); 5] {
    let url = format!("data:application/pdf;base64,{PDF}");
    [
        (
            "anthropic",
            json!({"type": "document", "source":
            {"type": "base64", "media_type": "application/pdf", "data": PDF}, "title": "r.pdf"}),
        ),
        ("chat", json!({"type": "file", "file": {"filename": "r.pdf", "file_data": url}})),
        ("responses", json!({"type": "input_file", "filename": "r.pdf", "file_data": url})),
        ("gemini", json!({"inlineData": {"mimeType": "application/pdf", "data": PDF}})),
        (
            "bedrock",
            json!({"document": {"format": "pdf", "name": "r pdf", "source": {"bytes": PDF}}}),
        ),
    ]
}

fn target(api: &str) -> Target {
    match api {
        "anthropic" => Target::anthropic("claude-sonnet-4-5"),
        "chat" => Target::openai_chat("openai", "gpt-4o"),
        "responses" => Target::openai_responses("openai", "gpt-5"),
        "gemini" => Target::gemini("gemini-2.5-pro"),
        "bedrock" => Target::bedrock(CLAUDE_ON_AWS),
        _ => panic!("{api} is no target"),
    }
}

/// What goes out, and what the report says of it.
fn crossed(from: &Value, to: &Target) -> (Value, Vec<&'static str>) {
    let imported = formats::import(from.to_string().as_bytes(), "body.json").expect("a body");
    let mut replayer = Replayer::new(Reader::plain("main"), to.clone());
    replayer.feed(&imported.record.branch_path("main"));
    let prepared = replayer.prepare(&Now::default()).expect("a request");
    let body = serde_json::from_slice(&prepared.request.body().to_vec()).expect("JSON");
    let kinds = prepared.request.report().changes().map(|change| change.kind.as_str()).collect();
    (body, kinds)
}

/// The parts of the user's messages.
fn parts(body: &Value) -> Vec<Value> {
    let messages = ["messages", "input", "contents"].into_iter().find_map(|name| body.get(name));
    let messages = messages.and_then(Value::as_array).expect("messages");
    let content = |message: &Value| message.get("content").or(message.get("parts")).cloned();
    messages
        .iter()
        .filter_map(content)
        .flat_map(|list| list.as_array().cloned())
        .flatten()
        .collect()
}

#[test]
fn a_pdf_crosses_from_every_api_to_every_other() {
    for (from, given) in pdf() {
        for (to, wanted) in pdf() {
            let (out, changes) = crossed(&body(from, &given), &target(to));
            let first = parts(&out).first().cloned().expect("a part");
            let unnamed = |part: &Value| {
                let mut part = part.clone();
                for name in ["title", "filename", "file", "document"] {
                    if let Some(inner) = part.get_mut(name) {
                        match inner.as_object_mut() {
                            Some(inner) => drop((inner.remove("filename"), inner.remove("name"))),
                            None => drop(part.as_object_mut().map(|part| part.remove(name))),
                        }
                    }
                }
                part
            };
            assert_eq!(unnamed(&first), unnamed(&wanted), "{from} to {to}");
            assert!(!changes.contains(&"OPAQUE_NOTED"), "{from} to {to}: {changes:?}");
        }
    }
}

#[test]
fn a_file_keeps_its_name_as_far_as_an_api_takes_it() {
    let named = |name: &str| {
        json!({"type": "document", "title": name, "source":
        {"type": "base64", "media_type": "application/pdf", "data": PDF}})
    };
    let name = |name: &str, to: &str, path: &[&str]| {
        let (out, _) = crossed(&body("anthropic", &named(name)), &target(to));
        path.iter().fold(parts(&out)[0].clone(), |value, member| value[*member].clone())
    };
    assert_eq!(name("Q1_(new).pdf", "bedrock", &["document", "name"]), "Q1 (new) pdf");
    assert_eq!(name("\u{e9}\u{e9}", "bedrock", &["document", "name"]), "document");
    assert_eq!(name("Q1", "responses", &["filename"]), "Q1.pdf");
    assert_eq!(name("Q1.PDF", "chat", &["file", "filename"]), "Q1.PDF");
}

#[test]
fn a_text_file_is_told_in_words_where_no_part_says_it() {
    let csv = json!({"document": {"format": "csv", "name": "t", "source": {"bytes": CSV}}});
    let (out, changes) = crossed(&body("bedrock", &csv), &target("responses"));
    let told = "[Record note: a text file called \"t\" was given here. It says:]\na,b\n1,2\n";
    assert_eq!(parts(&out)[0]["text"], told);
    assert!(changes.contains(&"FILE_TOLD"), "{changes:?}");

    let (out, _) = crossed(&body("bedrock", &csv), &target("gemini"));
    assert_eq!(parts(&out)[0], json!({"inlineData": {"mimeType": "text/csv", "data": CSV}}));
    let (out, _) = crossed(&body("bedrock", &csv), &target("anthropic"));
    assert_eq!(parts(&out)[0]["source"]["data"], "a,b\n1,2\n");
}

#[test]
fn what_a_search_found_crosses_to_the_apis_that_have_it_and_is_told_to_others() {
    let found = json!({"type": "search_result", "source": "https://a.example", "title": "A",
        "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]});
    let (out, _) = crossed(&body("anthropic", &found), &target("bedrock"));
    assert_eq!(
        parts(&out)[0],
        json!({"searchResult": {"source": "https://a.example", "title": "A",
            "content": [{"text": "one"}, {"text": "two"}]}})
    );
    let (out, changes) = crossed(&body("anthropic", &found), &target("chat"));
    let told = "[Record note: a search result was given here: \"A\", from \"https://a.example\". \
                It says:]\none\ntwo";
    assert_eq!(parts(&out)[0]["text"], told);
    assert!(changes.contains(&"FILE_TOLD"), "{changes:?}");
}

#[test]
fn sound_crosses_to_gemini_and_is_named_in_a_note_to_who_has_no_part_for_it() {
    let sound =
        json!({"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}});
    let (out, _) = crossed(&body("chat", &sound), &target("gemini"));
    let inline = json!({"inlineData": {"mimeType": "audio/wav", "data": "UklGRg=="}});
    assert_eq!(parts(&out)[0], inline);
    let (_, changes) = crossed(&body("chat", &sound), &target("anthropic"));
    assert!(changes.contains(&"OPAQUE_NOTED"), "{changes:?}");
}

#[test]
fn a_file_that_is_not_what_it_says_or_says_more_stays_out() {
    let document = |data: &str, more: Value| {
        let mut part = json!({"type": "document", "source":
            {"type": "base64", "media_type": "application/pdf", "data": data}});
        part.as_object_mut()
            .expect("an object")
            .extend(more.as_object().cloned().expect("members"));
        part
    };
    // The premise: as it should be, it crosses.
    let noted = |part: &Value, to: &str| {
        let (_, changes) = crossed(&body("anthropic", part), &target(to));
        changes.contains(&"OPAQUE_NOTED")
    };
    assert!(!noted(&document(PDF, json!({})), "responses"));
    for to in ["chat", "responses", "gemini", "bedrock"] {
        assert!(noted(&document("not base64!", json!({})), to), "{to}");
        assert!(noted(&document("aGVsbG8=", json!({})), to), "{to}: no PDF");
        assert!(noted(&document(PDF, json!({"context": "read this first"})), to), "{to}");
    }
}

#[test]
fn a_file_goes_only_to_who_is_known_to_take_files() {
    let (_, given) = pdf().into_iter().next().expect("one");
    let noted = |to: &Target| crossed(&body("anthropic", &given), to).1.contains(&"OPAQUE_NOTED");
    assert!(!noted(&target("responses")));
    for to in [
        Target::openai_responses("chatgpt", "gpt-5"),
        Target::openai_responses("llm.example.org", "gpt-5"),
        Target::openai_chat("deepseek", "deepseek-chat"),
        Target::openai_chat("llm.example.org", "some-model"),
        Target::bedrock("meta.llama3-1-70b-instruct-v1:0"),
    ] {
        assert!(noted(&to), "{:?}", to.to);
    }
    let link = json!({"type": "document", "source":
        {"type": "url", "url": "https://a.example/r.pdf"}});
    let by_address = |to: &Target| crossed(&body("anthropic", &link), to);
    let (out, _) = by_address(&target("responses"));
    assert_eq!(parts(&out)[0]["file_url"], "https://a.example/r.pdf");
    let azure = Target::openai_responses("azure", "gpt-5");
    assert!(by_address(&azure).1.contains(&"OPAQUE_NOTED"));
    assert!(!noted(&azure));
}

#[test]
fn bedrock_gets_five_documents_each_beside_words() {
    let (_, given) = pdf().into_iter().next().expect("one");
    let mut six = body("anthropic", &given);
    let content = six["messages"][0]["content"].as_array_mut().expect("content");
    (0..5).for_each(|_| content.insert(0, given.clone()));
    let (out, changes) = crossed(&six, &target("bedrock"));
    let documents = parts(&out).iter().filter(|part| part.get("document").is_some()).count();
    assert_eq!((documents, changes.iter().filter(|kind| **kind == "OPAQUE_NOTED").count()), (5, 1));

    let alone = json!({"model": "claude-sonnet-4-5", "messages": [
        {"role": "user", "content": [given]}]});
    let (out, _) = crossed(&alone, &target("bedrock"));
    assert!(parts(&out).iter().all(|part| part.get("document").is_none()), "{out}");
}

#[test]
fn documents_of_one_name_get_names_of_their_own_in_order() {
    let words = |words: &str| {
        json!({"type": "document", "source":
        {"type": "text", "media_type": "text/plain", "data": words}})
    };
    let mut two = body("anthropic", &words("one"));
    two["messages"][0]["content"].as_array_mut().expect("content").insert(1, words("two"));
    let (out, changes) = crossed(&two, &target("bedrock"));
    let names: Vec<Value> =
        parts(&out).iter().filter_map(|part| part["document"].get("name").cloned()).collect();
    assert_eq!(names, ["document", "document 2"]);
    assert!(changes.contains(&"FILE_ADAPTED"), "{changes:?}");

    let same = json!({"document": {"format": "csv", "name": "t", "source": {"bytes": CSV}}});
    let mut own = body("bedrock", &same);
    own["messages"][0]["content"].as_array_mut().expect("content").insert(1, same);
    let (out, _) = crossed(&own, &target("bedrock"));
    assert_eq!(parts(&out)[1]["document"]["name"], "t 2");
}

#[test]
fn what_a_file_loses_on_its_way_is_named() {
    let adapted = |from: &str, part: &Value, to: &str| {
        crossed(&body(from, part), &target(to)).1.contains(&"FILE_ADAPTED")
    };
    let pdf = |title: Value, citations: Value| {
        json!({"type": "document", "title": title,
        "citations": citations,
        "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}})
    };
    assert!(!adapted("anthropic", &pdf(json!("a.pdf"), Value::Null), "responses"));
    assert!(adapted("anthropic", &pdf(json!("a"), Value::Null), "responses"));
    assert!(adapted("anthropic", &pdf(json!("a.pdf"), json!({"enabled": true})), "responses"));
    assert!(adapted("anthropic", &pdf(json!("a.pdf"), Value::Null), "gemini"));
    assert!(!adapted("anthropic", &pdf(Value::Null, Value::Null), "gemini"));
    let html = json!({"inlineData": {"mimeType": "text/html", "data": CSV}});
    assert!(adapted("gemini", &html, "anthropic"));
    let url = format!("data:application/pdf;base64,{PDF}");
    let both = json!({"type": "input_file", "filename": "a.pdf", "file_data": url,
        "file_url": "https://a.example/a.pdf"});
    assert!(adapted("responses", &both, "anthropic"));
    let (out, _) = crossed(&body("responses", &both), &target("anthropic"));
    assert_eq!(parts(&out)[0]["source"]["data"], PDF);
}

#[test]
fn an_address_that_is_none_of_the_web_stays_out() {
    let link = |url: &str| json!({"type": "input_file", "file_url": url});
    let noted = |url: &str| {
        crossed(&body("responses", &link(url)), &target("anthropic")).1.contains(&"OPAQUE_NOTED")
    };
    assert!(!noted("https://a.example/r.pdf"));
    assert!(noted("file:///home/ada/r.pdf"));
    assert!(noted(".pdf"));
}

#[test]
fn a_file_in_a_result_is_told_or_crosses_to_anthropic() {
    let result = |part: Value| {
        json!({"modelId": CLAUDE_ON_AWS, "messages": [
            {"role": "user", "content": [{"text": "Read it"}]},
            {"role": "assistant", "content": [
                {"toolUse": {"toolUseId": "c1", "name": "read", "input": {}}}]},
            {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [part]}}]},
        ]})
    };
    let document = |format: &str, bytes: &str| json!({"document": {"format": format, "name": "t", "source": {"bytes": bytes}}});
    let (out, _) = crossed(&result(document("pdf", PDF)), &target("anthropic"));
    assert_eq!(out["messages"][2]["content"][0]["content"][0]["source"]["data"], PDF);
    let (out, changes) = crossed(&result(document("csv", CSV)), &target("chat"));
    let told = out["messages"][2]["content"].as_str().expect("a text").to_owned();
    assert!(told.ends_with("It says:]\na,b\n1,2\n"), "{told}");
    assert!(changes.contains(&"FILE_TOLD"), "{changes:?}");
}
