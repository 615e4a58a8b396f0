//! From every API to every other: what a request asks for beside its conversation is said by the
//! other's, or named as left out.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use serde_json::Value;
use stenograph::formats;
use stenograph::record::EntryId;
use stenograph::replay::{Now, Prepared, Reader, Replayer, Target};

/// A request of an API.
struct Asked {
    api: &'static str,
    body: &'static str,
    /// A tool that only its API has: what it is called in a report, and a word of its definition.
    tool: (&'static str, &'static str),
    /// Every parameter beside the tools.
    parameters: &'static [&'static str],
}

const ASKED: &[Asked] = &[
    Asked {
        api: "anthropic_messages",
        body: r#"{"model":"claude-opus-4-8","max_tokens":77,"temperature":0.3,"top_k":5,
            "stop_sequences":["x"],"metadata":{"user_id":"u"},"stream":true,
            "tools":[{"name":"look","input_schema":{"type":"object","properties":{}}},
                {"type":"web_search_20250305","name":"web_search"}],
            "messages":[{"role":"user","content":"hi"}]}"#,
        tool: ("web_search", "web_search_20250305"),
        parameters: &["max_tokens", "temperature", "top_k", "stop_sequences", "metadata"],
    },
    Asked {
        api: "openai_chat",
        body: r#"{"model":"gpt-4o","max_completion_tokens":77,"temperature":0.3,"seed":5,
            "logit_bias":{"1":2},"response_format":{"type":"json_object"},"stream":true,
            "tools":[{"type":"function","function":{"name":"look"}},
                {"type":"custom","custom":{"name":"write_freely"}}],
            "messages":[{"role":"user","content":"hi"}]}"#,
        tool: ("write_freely", "write_freely"),
        parameters: &[
            "max_completion_tokens",
            "temperature",
            "seed",
            "logit_bias",
            "response_format",
        ],
    },
    Asked {
        api: "openai_responses",
        body: r#"{"model":"gpt-5.5","max_output_tokens":77,"temperature":0.3,"store":false,
            "reasoning":{"effort":"low"},"text":{"verbosity":"low"},"stream":true,
            "tools":[{"type":"function","name":"look","parameters":{"type":"object"}},
                {"type":"mcp","server_label":"@@shop@@","server_url":"https://shop.example.org"}],
            "input":[{"role":"user","content":"hi"}]}"#,
        tool: ("mcp", "@@shop@@"),
        parameters: &["max_output_tokens", "temperature", "store", "reasoning", "text"],
    },
    Asked {
        api: "gemini",
        body: r#"{"generationConfig":{"maxOutputTokens":77,"topK":5,"responseMimeType":"text/plain"},
            "safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}],
            "toolConfig":{"functionCallingConfig":{"mode":"ANY"}},
            "tools":[{"functionDeclarations":[{"name":"look"}]},{"googleSearch":{}}],
            "contents":[{"role":"user","parts":[{"text":"hi"}]}]}"#,
        tool: ("googleSearch", "googleSearch"),
        parameters: &[
            "generationConfig.maxOutputTokens",
            "generationConfig.topK",
            "generationConfig.responseMimeType",
            "safetySettings",
            "toolConfig.functionCallingConfig",
        ],
    },
    Asked {
        api: "bedrock_converse",
        body: r#"{"modelId":"amazon.nova-2-lite-v1:0",
            "inferenceConfig":{"maxTokens":77,"temperature":0.3},
            "additionalModelRequestFields":{"top_k":5},
            "guardrailConfig":{"guardrailIdentifier":"g","guardrailVersion":"1"},
            "toolConfig":{"tools":[
                {"toolSpec":{"name":"look","inputSchema":{"json":{"type":"object"}}}},
                {"systemTool":{"name":"nova_grounding"}}],"toolChoice":{"auto":{}}},
            "messages":[{"role":"user","content":[{"text":"hi"}]}]}"#,
        tool: ("nova_grounding", "nova_grounding"),
        parameters: &[
            "inferenceConfig.maxTokens",
            "inferenceConfig.temperature",
            "additionalModelRequestFields.top_k",
            "guardrailConfig",
            "toolConfig.toolChoice",
        ],
    },
    Asked {
        api: "ollama_chat",
        body: r#"{"model":"qwen3","options":{"num_ctx":77,"top_k":5},"keep_alive":"5m",
            "think":true,"stream":true,
            "tools":[{"type":"function","function":{"name":"look"}}],
            "messages":[{"role":"user","content":"hi"}]}"#,
        tool: ("", ""),
        parameters: &["options.num_ctx", "options.top_k", "keep_alive", "think"],
    },
];

fn targets() -> [Target; 6] {
    [
        Target::anthropic("claude-opus-4-8"),
        Target::openai_chat("openai", "gpt-4o"),
        Target::openai_responses("openai", "gpt-5.5"),
        Target::gemini("gemini-3-pro-preview"),
        Target::bedrock("amazon.nova-2-lite-v1:0"),
        Target::ollama_chat("qwen3"),
    ]
}

fn prepared(asked: &Asked, target: &Target) -> Prepared {
    let read = formats::import(asked.body.as_bytes(), "body.json").expect("it imports");
    assert_eq!(read.format.name().replace('-', "_"), asked.api);
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(&read.record.branch_path("main"));
    replayer.prepare(&Now::default()).expect("a request")
}

/// What the report says of a kind.
fn details(prepared: &Prepared, kind: &str) -> Vec<(Option<EntryId>, String)> {
    let changes = prepared.request.report().changes();
    let of_kind = changes.filter(|change| change.kind.as_str() == kind);
    of_kind
        .map(|change| (change.row.clone(), change.detail.as_deref().unwrap_or_default().to_owned()))
        .collect()
}

#[test]
fn a_tool_that_one_api_has_goes_to_no_other_and_is_named() {
    let mut pairs = 0;
    for asked in ASKED.iter().filter(|asked| !asked.tool.0.is_empty()) {
        for target in targets() {
            let prepared = prepared(asked, &target);
            let body = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
            let omitted = details(&prepared, "TOOL_OMITTED");
            let is_named = omitted.iter().any(|(_, name)| name == asked.tool.0);
            let stands = body.contains(asked.tool.1);
            let pair = format!("{} to {}: {omitted:?}\n{body}", asked.api, target.to.dialect);
            assert!(stands != is_named, "{pair}");
            assert!(!stands || asked.api == target.to.dialect.as_str(), "{pair}");
            assert!(body.contains("\"look\""), "{pair}");
            pairs += 1;
        }
    }
    assert_eq!(pairs, 30);
}

#[test]
fn a_parameter_of_the_recorded_request_is_said_or_named_as_left_out() {
    for asked in ASKED {
        for target in targets() {
            let prepared = prepared(asked, &target);
            let body: Value =
                serde_json::from_slice(&prepared.request.body().to_vec()).expect("JSON");
            let omitted = details(&prepared, "PARAMETER_OMITTED");
            assert!(omitted.iter().all(|(row, _)| row == &Some("sent".into())));
            let recorded: Value = serde_json::from_str(asked.body).expect("JSON");
            for name in asked.parameters {
                let at =
                    |body: &Value| body.pointer(&format!("/{}", name.replace('.', "/"))).cloned();
                let is_said = at(&body).is_some_and(|said| Some(said) == at(&recorded));
                let is_named = omitted.iter().any(|(_, omitted)| omitted == name);
                let pair =
                    format!("{name}, {} to {}: {omitted:?} {body}", asked.api, target.to.dialect);
                assert!(is_said != is_named, "{pair}");
            }
            let others = omitted.iter().filter(|(_, name)| !asked.parameters.contains(&&**name));
            assert_eq!(others.count(), 0, "{omitted:?}");
        }
    }
}

/// A request made since then asked for none of them.
#[test]
fn parameters_are_named_once_and_not_by_requests_that_follow() {
    let target = Target::gemini("gemini-3-pro-preview");
    let read = formats::import(ASKED[0].body.as_bytes(), "body.json").expect("it imports");
    let mut path = read.record.branch_path("main");
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(&path);
    let first = replayer.prepare(&Now::default()).expect("a request");
    assert_eq!(details(&first, "PARAMETER_OMITTED").len(), ASKED[0].parameters.len());
    path.extend(first.append().iter().cloned().map(std::sync::Arc::new));
    replayer.feed(&path);
    let next = replayer.prepare(&Now::default()).expect("a request");
    assert_eq!(details(&next, "PARAMETER_OMITTED"), []);
}
