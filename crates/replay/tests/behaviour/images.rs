//! Images: seen, or told not to have been.

use json::Text;
use record::{Block, Image, ImageSource, Message, ResultPart, Role};
use replay::{Now, Target};

use crate::history::{
    History, OPUS_4_8, PIXEL, body, call, changes, outline, pixel, result_of, text_at,
};

fn blind() -> Target {
    Target { vision: false, ..Target::anthropic(OPUS_4_8) }
}

fn with_image(role: Role) -> History {
    let mut history = History::default();
    history.message(Message::new(role, vec![Block::text("see"), Block::Image(pixel())]));
    history.user("well?");
    history
}

/// 69, 70, 75
#[test]
fn a_users_image_is_native_or_exactly_marked_as_unseen() {
    let history = with_image(Role::User);
    let seen = history.body(OPUS_4_8);
    assert_eq!(outline(&seen), "user: text image text");
    assert_eq!(seen["messages"][0]["content"][1]["source"]["data"], PIXEL);
    let unseen = body(&history.prepare_for(blind(), &Now::default()).expect("a request"));
    assert_eq!(
        text_at(&unseen, 0, 1),
        "[Image not seen: image/png. It was not visible to this model and has not been looked at.]"
    );
    assert!(!unseen.to_string().contains(PIXEL));
    assert_eq!(text_at(&unseen, 0, 0), "see");
}

/// 72
#[test]
fn an_assistants_image_is_told_on_the_user_side() {
    let mut history = History::default();
    history.user("draw");
    history.reply(vec![Block::text("here"), Block::Image(pixel())]);
    let body = history.body(OPUS_4_8);
    assert_eq!(outline(&body), "user: text; assistant: text; user: text");
    assert!(text_at(&body, 2, 0).contains("cannot carry an image in an assistant message"));
}

/// 71
#[test]
fn an_image_beside_calls_is_told_after_the_rounds_last_result() {
    let mut history = History::default();
    history.user("draw");
    history.reply(vec![call("a", "ls", "{}"), Block::Image(pixel()), call("b", "ls", "{}")]);
    history.results(vec![crate::history::result("b", "B")]);
    history.results(vec![crate::history::result("a", "A")]);
    history.user("on");
    let shown = history.body(OPUS_4_8);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: tool_use tool_use; user: tool_result tool_result text text"
    );
    assert!(text_at(&shown, 2, 2).contains("cannot carry an image in an assistant message"));
    // The old form: the whole turn in one row.
    let mut whole = History::default();
    whole.user("draw");
    whole.reply(vec![
        call("a", "ls", "{}"),
        Block::Image(pixel()),
        crate::history::result("a", "A"),
        Block::text("drawn"),
    ]);
    whole.user("on");
    let shown = whole.body(OPUS_4_8);
    assert_eq!(
        outline(&shown),
        "user: text; assistant: tool_use; user: tool_result; assistant: text; user: text text"
    );
    assert!(text_at(&shown, 4, 0).starts_with("[Image not seen: image/png (this provider"));
}

/// 75
#[test]
fn with_and_without_vision_messages_differ_only_where_an_image_is() {
    let mut history = with_image(Role::User);
    history.reply(vec![call("a", "shot", "{}"), call("b", "ls", "{}"), call("c", "shot", "{}")]);
    let parts = || vec![ResultPart::Text("shot".into()), ResultPart::Image(pixel())];
    history.results(vec![result_of("a", parts(), false), crate::history::result("b", "B")]);
    history.results(vec![result_of("c", vec![ResultPart::Image(pixel())], false)]);
    history.user("well?");
    let seen = history.body(OPUS_4_8);
    let unseen = body(&history.prepare_for(blind(), &Now::default()).expect("a request"));
    let mut differing = Vec::new();
    for (message, (own, other)) in
        std::iter::zip(seen["messages"].as_array().unwrap(), unseen["messages"].as_array().unwrap())
            .enumerate()
    {
        let blocks = |value: &serde_json::Value| value["content"].as_array().unwrap().clone();
        assert_eq!(blocks(own).len(), blocks(other).len());
        for (block, (own, other)) in std::iter::zip(blocks(own), blocks(other)).enumerate() {
            if own != other {
                assert!(own.to_string().contains(PIXEL), "{own}");
                differing.push((message, block));
            }
        }
    }
    assert_eq!(differing, [(0, 1), (2, 0), (2, 2)]);
}

#[test]
fn an_image_of_a_result_stands_inside_it() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "shot", "{}")]);
    let parts = vec![ResultPart::Text("shot".into()), ResultPart::Image(pixel())];
    history.results(vec![result_of("a", parts, false)]);
    let body = history.body(OPUS_4_8);
    let content = body["messages"][2]["content"][0]["content"].as_array().expect("parts");
    assert_eq!((content.len(), &content[1]["type"]), (2, &"image".into()));
}

/// 76, and rule A-037
#[test]
fn an_image_of_an_error_result_stands_after_all_results_with_a_label() {
    let mut history = History::default();
    history.user("go");
    history.reply(vec![call("a", "shot", "{}"), call("b", "ls", "{}")]);
    let parts = vec![ResultPart::Text("failed".into()), ResultPart::Image(pixel())];
    history.results(vec![result_of("a", parts, true), crate::history::result("b", "B")]);
    let body = history.body(OPUS_4_8);
    assert_eq!(
        outline(&body),
        "user: text; assistant: tool_use tool_use; user: tool_result tool_result text image"
    );
    assert_eq!(body["messages"][2]["content"][0]["is_error"], true);
    assert_eq!(text_at(&body, 2, 2), "Image returned by shot (call a):");
}

#[test]
fn an_images_type_is_what_its_bytes_say() {
    let mut history = History::default();
    let jpeg = Image::new(
        "image/png".into(),
        ImageSource::Base64("/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////2Q==".into()),
    );
    history.message(Message::new(Role::User, vec![Block::Image(jpeg)]));
    let prepared = history.prepare(OPUS_4_8).expect("a request");
    assert_eq!(body(&prepared)["messages"][0]["content"][0]["source"]["media_type"], "image/jpeg");
    assert_eq!(changes(prepared.request.report()), ["IMAGE_TYPE_CORRECTED"]);
}

#[test]
fn an_image_nobody_can_decode_is_told_not_sent() {
    for (data, reason) in [
        ("", "the image data is missing"),
        ("not base64!", "this provider does not accept this image"),
        ("Qk0AAAAA", "this provider does not accept this image"),
    ] {
        let mut history = History::default();
        let source = ImageSource::Base64(Text::from(data));
        history.message(Message::new(
            Role::User,
            vec![Block::Image(Image::new("image/bmp".into(), source))],
        ));
        let body = history.body(OPUS_4_8);
        assert!(text_at(&body, 0, 0).contains(reason), "{data}: {body}");
        assert!(text_at(&body, 0, 0).starts_with("[Image not seen: image/bmp"));
    }
}

#[test]
fn where_one_image_may_stand_the_newest_does() {
    let mut history = History::default();
    let crowd = (0..3).map(|_| Block::Image(pixel())).collect();
    history.message(Message::new(Role::User, crowd));
    for (max, standing) in [(0, 0), (1, 1), (2, 1)] {
        let mut now = Now::default();
        now.limits.images_max = Some(max);
        let prepared = history.prepare_for(Target::anthropic(OPUS_4_8), &now).expect("a request");
        let seen = outline(&body(&prepared));
        assert_eq!(seen.matches("image").count(), standing, "{seen}");
    }
}

/// 74, 129
#[test]
fn images_over_the_limit_are_left_out_in_one_batch_oldest_first_and_none_comes_back() {
    let mut history = History::default();
    for n in 0..12 {
        let text = Block::text(format!("image {n}"));
        history.message(Message::new(Role::User, vec![text, Block::Image(pixel())]));
    }
    let mut now = Now::default();
    now.limits.images_max = Some(10);
    let count = |prepared: &replay::Prepared| {
        body(prepared).to_string().matches("\"type\":\"image\"").count()
    };
    let prepared = history.prepare_for(Target::anthropic(OPUS_4_8), &now).expect("a request");
    assert_eq!(count(&prepared), 5);
    let shown = body(&prepared).to_string();
    assert!(shown.contains("left out to keep the request within its size limit"));
    history.append(&prepared);
    history.message(Message::new(Role::User, vec![Block::Image(pixel())]));
    let next = history.prepare_for(Target::anthropic(OPUS_4_8), &now).expect("a request");
    assert_eq!(count(&next), 6);
    assert!(next.request.report().moved.is_none());
}

#[test]
fn a_url_or_file_crosses_where_its_provider_takes_it() {
    let mut history = History::default();
    let image = |source| Block::Image(Image::new("image/png".into(), source));
    history.message(Message::new(
        Role::User,
        vec![
            image(ImageSource::Url("https://example.com/a.png".into())),
            image(ImageSource::Url("file:///etc/passwd".into())),
            image(ImageSource::File("file_1".into())),
            image(ImageSource::Blob("sha256:0".into())),
        ],
    ));
    assert_eq!(outline(&history.body(OPUS_4_8)), "user: image text image text");
    let mut elsewhere = Target::anthropic(OPUS_4_8);
    elsewhere.to.platform = "bedrock".into();
    let prepared = history.prepare_for(elsewhere, &Now::default()).expect("a request");
    assert_eq!(outline(&body(&prepared)), "user: text text text text");
}

/// 130
#[test]
fn an_oversized_images_rendition_goes_out_the_same_bytes_whatever_the_image_count() {
    // The header says 3000 by 1; only the header is looked at.
    let wide = "iVBORw0KGgoAAAANSUhEUgAAC7gAAAABCAYAAAA=";
    let mut large = Image::new("image/png".into(), ImageSource::Base64(wide.into()));
    assert_eq!(large.measured().map(|measured| measured.width), Some(3000));
    let small = pixel().measured().expect("measured");
    large.add_rendition(PIXEL, small);
    let mut history = History::default();
    history.message(Message::new(Role::User, vec![Block::Image(large)]));
    let first = history.send(OPUS_4_8);
    assert_eq!(body(&first)["messages"][0]["content"][0]["source"]["data"], PIXEL);
    assert_eq!(changes(first.request.report()), ["IMAGE_RENDITION"]);
    let more = vec![Block::Image(pixel()); 30];
    history.message(Message::new(Role::User, more));
    let second = history.prepare(OPUS_4_8).expect("a request");
    assert!(crate::history::extends(&second, &first));
}

#[test]
fn a_model_that_is_let_see_images_or_no_longer_is_what_moved() {
    for model in [OPUS_4_8, crate::history::OPUS_5_5] {
        let targets = |vision| Target { vision, ..Target::anthropic(model) };
        let thought = |n: &str| crate::history::thought(model, n, n);
        let mut now = Now::default();
        now.parameters.thinking = replay::ThinkingChoice::On;
        let mut history = History::default();
        history.user("go");
        for (n, vision) in [true, true, false, false, true].into_iter().enumerate() {
            let prepared = history.prepare_for(targets(vision), &now).expect("a request");
            body(&prepared);
            let moved = prepared.request.report().moved;
            let toggled = n == 2 || n == 4;
            let told = moved.map(|moved| (moved.unit, moved.reason.as_str()));
            let at = replay::Unit::Content { message: 2, block: 1 };
            assert_eq!(told, toggled.then_some((at, "capability")), "{model} {n}");
            let bound = model == crate::history::OPUS_5_5;
            // The thought before the image is never out, those after it are from the toggle on.
            let thoughts = if bound && n >= 2 { 1 + u64::from(n == 3) } else { n as u64 };
            assert_eq!(prepared.request.report().thoughts, thoughts, "{model} {n}");
            history.append(&prepared);
            history.answer(model, vec![thought(&format!("t{n}")), Block::text("ok")]);
            let blocks = vec![Block::text("see"), Block::Image(pixel())];
            history.message(Message::new(Role::User, blocks));
        }
    }
}
