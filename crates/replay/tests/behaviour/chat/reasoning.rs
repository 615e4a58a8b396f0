//! Thoughts go back to who issued them, in the vendor's own field, and to nobody else.

use std::sync::Arc;

use json::Raw;
use record::{Block, Issuer, Message, Proof, ProofKind, Reasoning, Rest, Role};
use replay::Target;

use super::{answer, asked, body, deepseek, mistral, openai, outline, prepare, send, thought};
use crate::history::{self, History, OPUS_4_8, call, changes, conversation, result};

fn openrouter() -> Target {
    Target::openai_chat("openrouter", "deepseek/deepseek-v4")
}

fn kimi() -> Target {
    Target::openai_chat("moonshot", "kimi-k2.6")
}

/// A turn of a target: thoughts, a call and its result.
fn turn(history: &mut History, target: &Target, thoughts: Vec<Block>) {
    let id = format!("c{}", history.path.len());
    let mut blocks = thoughts;
    blocks.push(call(&id, "ls", "{}"));
    answer(history, target, blocks);
    history.results(vec![result(&id, "A")]);
}

#[test]
fn a_thought_goes_back_under_the_vendors_key_byte_for_byte() {
    let text = " so  \u{e9}\n\"quoted\" ";
    for (target, came_under, key) in [
        (deepseek(), "reasoning_content", "reasoning_content"),
        (kimi(), "reasoning_content", "reasoning_content"),
        (Target::openai_chat("zai", "glm-5"), "reasoning_content", "reasoning_content"),
        (Target::openai_chat("vllm", "qwen3"), "reasoning_content", "reasoning"),
        (Target::openai_chat("groq", "gpt-oss-120b"), "reasoning", "reasoning"),
        (openrouter(), "reasoning", "reasoning"),
    ] {
        let mut history = History::default();
        history.user("go");
        turn(&mut history, &target, vec![thought(came_under, text)]);
        let prepared = prepare(&history, &target);
        let shown = body(&target, &prepared);
        assert_eq!(shown["messages"][1][key], text, "{target:?}");
        assert_eq!(prepared.request.report().thoughts, 1);
        assert!(changes(prepared.request.report()).iter().all(|kind| !kind.contains("THINKING")));
    }
}

/// 62, 65
#[test]
fn a_thought_goes_to_no_other_vendor_model_or_api() {
    let mut history = History::default();
    history.user("go");
    turn(&mut history, &deepseek(), vec![thought("reasoning_content", "secret")]);
    let others = [
        openai(),
        mistral(),
        openrouter(),
        kimi(),
        Target::openai_chat("deepseek", "deepseek-chat"),
        Target::openai_chat("together", "deepseek-v4-pro"),
    ];
    for target in others {
        let prepared = prepare(&history, &target);
        let shown = body(&target, &prepared).to_string();
        assert!(!shown.contains("secret") && !shown.contains("[Reasoning]"), "{target:?}");
        assert!(changes(prepared.request.report()).contains(&"THINKING_WITHHELD"), "{target:?}");
    }
    assert!(!history.body(OPUS_4_8).to_string().contains("secret"));
    let mut claude = History::default();
    claude.user("go");
    let signed = history::thought(OPUS_4_8, "secret", "sig");
    claude.answer(OPUS_4_8, vec![signed, call("a", "ls", "{}")]);
    claude.results(vec![result("a", "A")]);
    assert!(!asked(&claude, &deepseek()).to_string().contains("secret"));
}

/// 131
#[test]
fn a_history_that_went_elsewhere_and_back_has_every_thought_where_it_belongs() {
    let mut history = History::default();
    history.user("go");
    send(&mut history, &deepseek());
    turn(&mut history, &deepseek(), vec![thought("reasoning_content", "deep")]);
    let first = send(&mut history, &deepseek());
    answer(&mut history, &deepseek(), vec![Block::text("there")]);
    history.user("and you?");
    let there = history.send(OPUS_4_8);
    assert!(!String::from_utf8_lossy(&there.request.body().to_vec()).contains("deep\""));
    history.answer(OPUS_4_8, vec![history::thought(OPUS_4_8, "claude", "sig"), Block::text("I")]);
    history.user("back");
    let back = prepare(&history, &deepseek());
    let shown = body(&deepseek(), &back).to_string();
    assert!(conversation(&back).starts_with(&conversation(&first)));
    assert!(back.request.report().moved.is_none());
    assert!(shown.contains(r#""reasoning_content":"deep""#) && !shown.contains("claude\""));
    let again = history.body(OPUS_4_8).to_string();
    assert!(again.contains(r#""signature":"sig""#) && !again.contains("deep\""));
}

/// K-020
#[test]
fn an_empty_thought_stands_beside_calls_where_one_is_due_and_lost() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![Block::text("hello")]);
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    let prepared = prepare(&history, &deepseek());
    let shown = body(&deepseek(), &prepared);
    assert!(shown["messages"][1].get("reasoning_content").is_none());
    assert_eq!(shown["messages"][3]["reasoning_content"], "");
    assert!(changes(prepared.request.report()).contains(&"REASONING_EMPTY"));
    let typed = asked(&history, &openrouter());
    assert_eq!(typed["messages"][3]["reasoning_details"], serde_json::json!([]));
    assert!(asked(&history, &openai())["messages"][3].get("reasoning_content").is_none());
}

/// K-020
#[test]
fn thinking_is_off_where_reasoning_is_due_and_an_empty_one_is_doubtful() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "ls", "{}")]);
    history.results(vec![result("a", "A")]);
    let prepared = prepare(&history, &kimi());
    let shown = body(&kimi(), &prepared);
    assert_eq!(shown["thinking"]["type"], "disabled");
    assert!(shown["messages"][1].get("reasoning_content").is_none());
    assert!(changes(prepared.request.report()).contains(&"THINKING_TURNED_OFF"));
    // Where it cannot be, an empty one is the best there is.
    let always = prepare(&history, &Target::openai_chat("moonshot", "kimi-k3"));
    let text = String::from_utf8(always.request.body().to_vec()).expect("UTF-8");
    assert!(text.contains(r#""reasoning_content":"""#) && !text.contains("disabled"));
}

fn typed(target: &Target, text: &str, details: &str, sealed: bool) -> Block {
    let raw = Raw::parse(details).expect("JSON");
    let mut thought = Reasoning { reasoning: text.into(), proof: None, rest: Rest::default() };
    if sealed {
        let to = target.to.clone();
        let issuer =
            Issuer { platform: to.platform, account: None, api: to.dialect, model: to.model };
        let kind = ProofKind::Other("reasoning_details".into());
        let issuer = Arc::new(issuer);
        thought.proof = Some(Box::new(Proof { issuer, kind, version: 1, sealed: raw }));
    } else {
        thought.rest.push("reasoning_details".into(), raw);
    }
    Block::Reasoning(thought)
}

#[test]
fn what_is_sealed_goes_back_whichever_thought_it_stands_with() {
    let details = r#"[{"type":"reasoning.encrypted","data":"AA=="}]"#;
    let mut history = History::default();
    history.user("go");
    let plain = Block::Reasoning(Reasoning {
        reasoning: "plain".into(),
        proof: None,
        rest: Rest::default(),
    });
    let thoughts = vec![plain, typed(&openrouter(), "", details, true)];
    turn(&mut history, &openrouter(), thoughts);
    let prepared = prepare(&history, &openrouter());
    let text = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(text.contains(&format!("\"reasoning_details\":{details}")), "{text}");
    assert!(changes(prepared.request.report()).contains(&"THINKING_WITHHELD"));
}

#[test]
fn typed_reasoning_goes_back_as_it_came() {
    let details = r#"[{"type":"reasoning.encrypted","data":"AA==", "index":1.0}]"#;
    for sealed in [true, false] {
        let mut history = History::default();
        history.user("go");
        turn(&mut history, &openrouter(), vec![typed(&openrouter(), "", details, sealed)]);
        let prepared = prepare(&history, &openrouter());
        let shown = body(&openrouter(), &prepared);
        let text = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
        assert!(text.contains(&format!("\"reasoning_details\":{details}")), "{text}");
        assert!(shown["messages"][1].get("reasoning").is_none(), "not both");
        let other = Target::openai_chat("openrouter", "anthropic/claude");
        assert!(!asked(&history, &other).to_string().contains("AA=="));
    }
}

#[test]
fn mistrals_thoughts_are_parts_at_the_head_of_the_content() {
    let target = Target::openai_chat("mistral", "magistral-medium");
    let mut history = History::default();
    history.user("go");
    answer(&mut history, &target, vec![thought("content", "hm"), Block::text("yes")]);
    history.user("sure?");
    let shown = asked(&history, &target);
    assert_eq!(outline(&shown), "user: text; assistant: thinking text; user: text");
    let part = &shown["messages"][1]["content"][0];
    assert_eq!(part["thinking"], serde_json::json!([{ "type": "text", "text": "hm" }]));
    assert_eq!(shown["messages"][1]["content"][1]["text"], "yes");
}

/// 63
#[test]
fn a_reply_of_thoughts_alone_is_no_message_and_a_thought_is_never_speech() {
    let mut history = History::default();
    history.user("go");
    answer(&mut history, &deepseek(), vec![thought("reasoning_content", "alone")]);
    history.message(Message::new(Role::User, vec![thought("reasoning_content", "wrong side")]));
    let prepared = prepare(&history, &deepseek());
    let shown = body(&deepseek(), &prepared);
    assert_eq!(outline(&shown), "user: text");
    assert_eq!(changes(prepared.request.report()), ["THINKING_TRAILING", "THINKING_WITHHELD"]);
}
