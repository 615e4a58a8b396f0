//! Parts that are no text: images, media, what the provider ran.

use json::Raw;
use record::{Block, Image, ImageSource, Message, OpaqueBlock, ProofKind, Role};
use replay::{Limits, Now, Refusal, Target};

use super::{answer, asked, body, outline, part, prepare, proof, send, three, two, vertex};
use crate::history::{History, PIXEL, changes, pixel};

fn native(target: &Target, kind: &str, raw: &str) -> Block {
    let proof = proof(target, ProofKind::Native, "");
    Block::Opaque(OpaqueBlock { kind: kind.into(), raw: Raw::parse(raw).expect("JSON"), proof })
}

/// 69, 70, 75
#[test]
fn an_image_is_a_part_or_its_marker_is() {
    let mut history = History::default();
    let blocks = vec![Block::text("look"), Block::Image(pixel())];
    history.message(Message::new(Role::User, blocks));
    let shown = asked(&history, &two());
    assert_eq!(outline(&shown), "user: text inlineData");
    assert_eq!(part(&shown, 0, 1)["inlineData"]["mimeType"], "image/png");
    assert_eq!(part(&shown, 0, 1)["inlineData"]["data"], PIXEL);
    let blind = asked(&history, &Target { vision: false, ..two() });
    assert_eq!(outline(&blind), "user: text text");
    let marker = part(&blind, 0, 1)["text"].as_str().expect("a text");
    assert!(marker.starts_with("[Image not seen: image/png."));
}

/// G-028
#[test]
fn an_image_of_a_type_that_is_not_read_is_told_and_an_address_is_read_where_it_is_known() {
    let gif = Image::new("image/gif".into(), ImageSource::Base64("R0lGODlhAQABAAAAACw=".into()));
    let of = |uri: &str| Image::new("image/png".into(), ImageSource::Url(uri.into()));
    let mut history = History::default();
    let images = [
        gif,
        of("gs://shop/a.png"),
        of("https://generativelanguage.googleapis.com/v1beta/files/a"),
    ];
    history.message(Message::new(Role::User, images.map(Block::Image).into()));
    assert_eq!(outline(&asked(&history, &two())), "user: text text fileData");
    assert_eq!(outline(&asked(&history, &vertex())), "user: text fileData fileData");
}

/// 72
#[test]
fn an_image_of_the_models_is_told_on_the_users_side() {
    let mut history = History::default();
    history.user("draw");
    history.reply(vec![Block::text("here"), Block::Image(pixel())]);
    let shown = asked(&history, &two());
    assert_eq!(outline(&shown), "user: text; model: text; user: text");
    let note = part(&shown, 2, 0)["text"].as_str().expect("a text");
    assert!(note.contains("cannot carry an image in an assistant message"));
}

/// 74
#[test]
fn a_request_over_the_limit_loses_its_images_and_is_refused_only_then() {
    let mut history = History::default();
    for _ in 0..4 {
        history.message(Message::new(Role::User, vec![Block::text("see"), Block::Image(pixel())]));
    }
    let bytes = prepare(&history, &two()).request.body().len();
    let at_most = |bytes| Now {
        limits: Limits { body_bytes_max: Some(bytes), images_max: Some(3) },
        ..Now::default()
    };
    let prepared = history.prepare_for(two(), &at_most(100 * bytes)).expect("a request");
    let shown = body(&two(), &prepared).to_string();
    assert_eq!(shown.matches(PIXEL).count(), 1);
    let refused = history.prepare_for(two(), &at_most(50));
    assert!(matches!(refused, Err(Refusal::TooLarge { what: "bytes", .. })));
}

/// G-030: each half of a pair with the other, to who ran it.
#[test]
fn what_the_provider_ran_goes_back_in_pairs_to_who_ran_it() {
    let code = r#"{"executableCode":{"language":"PYTHON","code":"7*2"}}"#;
    let output = r#"{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"14"}}"#;
    let tool = r#"{"toolCall":{"id":"t","toolType":"URL_CONTEXT","args":{}}}"#;
    let came = r#"{"toolResponse":{"id":"t","toolType":"URL_CONTEXT","response":{}}}"#;
    let reply = |target: &Target, blocks: &[(&str, &str)]| {
        let mut history = History::default();
        history.user("go");
        send(&mut history, target);
        let mut all: Vec<Block> =
            blocks.iter().map(|(kind, raw)| native(target, kind, raw)).collect();
        all.push(Block::text("Fourteen."));
        answer(&mut history, target, all);
        history.user("thanks");
        history
    };
    let ran = [("executableCode", code), ("codeExecutionResult", output)];
    let history = reply(&two(), &ran);
    let prepared = prepare(&history, &two());
    let text = String::from_utf8(prepared.request.body().to_vec()).expect("UTF-8");
    assert!(text.contains(&format!("{code},{output}")));
    assert!(changes(prepared.request.report()).is_empty());
    let elsewhere = prepare(&history, &three());
    assert_eq!(changes(elsewhere.request.report()), ["OPAQUE_NOTED", "OPAQUE_NOTED"]);
    assert_eq!(
        outline(&body(&three(), &elsewhere)),
        "user: text; model: text; user: text text text"
    );
    let half = reply(&two(), &ran[1..]);
    assert_eq!(changes(prepare(&half, &two()).request.report()), ["OPAQUE_NOTED"]);
    let tools = [("toolCall", tool), ("toolResponse", came)];
    let own = asked(&reply(&three(), &tools), &three());
    assert_eq!(outline(&own), "user: text; model: toolCall toolResponse text; user: text");
    for other in [two(), vertex()] {
        let prepared = prepare(&reply(&other, &tools), &other);
        assert_eq!(changes(prepared.request.report()), ["OPAQUE_NOTED", "OPAQUE_NOTED"]);
    }
}

#[test]
fn a_document_goes_to_any_model_and_a_file_where_it_is_kept() {
    let pdf = r#"{"inlineData":{"mimeType":"application/pdf","data":"JVBERi0="}}"#;
    let file = r#"{"fileData":{"mimeType":"application/pdf","fileUri":"https://generativelanguage.googleapis.com/v1beta/files/a"}}"#;
    let odd = r#"{"inlineData":{"mimeType":"application/zip","data":"JVBERi0="}}"#;
    let mut history = History::default();
    let blocks = vec![
        native(&two(), "inlineData", pdf),
        native(&two(), "fileData", file),
        native(&two(), "inlineData", odd),
    ];
    history.message(Message::new(Role::User, blocks));
    assert_eq!(outline(&asked(&history, &three())), "user: inlineData fileData text");
    assert_eq!(outline(&asked(&history, &vertex())), "user: inlineData text text");
}
