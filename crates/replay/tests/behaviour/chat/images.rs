//! Images: where the vendor takes them.

use record::{Block, Image, ImageSource, Message, ResultPart, Role};
use replay::Target;

use super::{asked, body, mistral, openai, outline, part_at, prepare, text_at};
use crate::history::{History, PIXEL, call, changes, pixel, result_of};

const UNSEEN: &str =
    "[Image not seen: image/png. It was not visible to this model and has not been looked at.]";

fn screenshot(history: &mut History) {
    history.user("look");
    history.reply(vec![call("a", "shot", "{}"), call("b", "shot", "{}")]);
    let text = || ResultPart::Text("taken".into());
    history.results(vec![result_of("a", vec![text(), ResultPart::Image(pixel())], false)]);
    history.results(vec![result_of("b", vec![ResultPart::Image(pixel())], false)]);
}

/// 69, 70, 75
#[test]
fn a_users_image_is_native_or_exactly_marked_as_unseen_in_its_place() {
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::text("see"), Block::Image(pixel())]));
    let seen = asked(&history, &openai());
    assert_eq!(outline(&seen), "user: text image_url");
    let url = &seen["messages"][0]["content"][1]["image_url"]["url"];
    assert_eq!(*url, format!("data:image/png;base64,{PIXEL}"));
    let blind = asked(&history, &Target { vision: false, ..openai() });
    assert_eq!(part_at(&blind, 0, 1), UNSEEN);
    assert!(!blind.to_string().contains(PIXEL));
}

/// 70: in a message that is one text.
#[test]
fn a_marker_joins_the_text_beside_it_where_a_message_is_one_text() {
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::text("see"), Block::Image(pixel())]));
    let blind = asked(&history, &Target::openai_chat("deepseek", "deepseek-chat"));
    assert_eq!(text_at(&blind, 0), format!("see\n{UNSEEN}"));
}

/// 73, C-014
#[test]
fn images_of_results_stand_in_one_user_message_behind_all_of_them() {
    let mut history = History::default();
    screenshot(&mut history);
    let prepared = prepare(&history, &openai());
    let shown = body(&openai(), &prepared);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: call call; tool: text; tool: text; \
         user: text image_url text image_url"
    );
    assert_eq!(text_at(&shown, 2), "taken\n[image attached in the next user message]");
    assert_eq!(text_at(&shown, 3), "[image attached in the next user message]");
    assert_eq!(part_at(&shown, 4, 0), "Image returned by shot (call a):");
    assert_eq!(part_at(&shown, 4, 2), "Image returned by shot (call b):");
    assert!(changes(prepared.request.report()).contains(&"IMAGE_MOVED"));
}

/// 73
#[test]
fn images_of_results_stand_inside_them_where_the_vendor_takes_that() {
    let mut history = History::default();
    screenshot(&mut history);
    let shown = asked(&history, &Target::openai_chat("openrouter", "qwen/qwen3-vl"));
    assert_eq!(
        outline(&shown),
        "user: text; assistant: call call; tool: text image_url; tool: image_url"
    );
}

/// 73
#[test]
fn images_stand_where_they_stood_among_the_words_of_a_result() {
    let mut history = History::default();
    history.user("look");
    history.reply(vec![call("a", "shot", "{}"), call("b", "shot", "{}")]);
    let text = |text: &str| ResultPart::Text(text.into());
    let image = || ResultPart::Image(pixel());
    let parts = vec![text("before"), image(), text("between"), text("still"), image()];
    history.results(vec![result_of("a", parts, false)]);
    history.results(vec![result_of("b", vec![image(), text("failed")], true)]);
    history.reply(vec![call("c", "shot", "{}")]);
    let parts = vec![image(), image(), text("after"), image()];
    history.results(vec![result_of("c", parts, false)]);
    let shown = asked(&history, &Target::openai_chat("openrouter", "qwen/qwen3-vl"));
    assert_eq!(
        outline(&shown),
        "user: text; assistant: call call; tool: text image_url text image_url; \
         tool: text image_url text; assistant: call; tool: image_url image_url text image_url"
    );
    assert_eq!(part_at(&shown, 2, 2), "between\nstill");
    assert!(part_at(&shown, 3, 0).starts_with("Error"));
    assert_eq!(part_at(&shown, 3, 2), "failed");
}

/// 73, K-042
#[test]
fn a_round_with_images_is_a_record_where_no_user_message_may_follow_a_result() {
    let mut history = History::default();
    screenshot(&mut history);
    let shown = asked(&history, &mistral());
    assert_eq!(outline(&shown), "user: text; user: text text image_url text image_url");
}

/// 72
#[test]
fn an_assistants_image_is_told_on_the_user_side() {
    let mut history = History::default();
    history.user("draw");
    history.reply(vec![Block::text("here"), Block::Image(pixel())]);
    let shown = asked(&history, &openai());
    assert_eq!(outline(&shown), "user: text; assistant: text; user: text");
    assert!(text_at(&shown, 2).contains("cannot carry an image in an assistant message"));
}

/// 74
#[test]
fn images_over_the_vendors_limit_are_left_out_down_to_half_of_it() {
    let mut history = History::default();
    let crowd = (0..6).map(|_| Block::Image(pixel())).collect();
    history.message(Message::new(Role::User, crowd));
    let prepared = prepare(&history, &Target::openai_chat("groq", "llama-4"));
    let shown = body(&Target::openai_chat("groq", "llama-4"), &prepared);
    assert_eq!(outline(&shown), "user: text text text text image_url image_url");
}

/// K-036
#[test]
fn an_image_by_address_goes_where_addresses_are_fetched() {
    let image = || Image::new("image/png".into(), ImageSource::Url("https://a.example/p".into()));
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::Image(image())]));
    assert_eq!(outline(&asked(&history, &openai())), "user: image_url");
    let local = Target { vision: true, ..Target::openai_chat("ollama", "qwen3") };
    assert!(text_at(&asked(&history, &local), 0).contains("does not accept this image"));
}
