//! The models and the platforms: which row a name has, and that each row says something of its own.

use wire::gemini::models::{MODELS, Thinking, UNKNOWN, model};
use wire::gemini::platforms::{self, PLATFORMS, platform};
use wire::takes::Takes;

#[test]
fn a_name_is_of_the_longest_family_that_it_begins_with() {
    let row = |name: &str| model(name).id;
    assert_eq!(row("gemini-3-pro-preview"), "gemini-3");
    assert_eq!(row("models/gemini-3.1-flash-lite"), "gemini-3.1");
    assert_eq!(row("publishers/google/models/gemini-2.5-flash@default"), "gemini-2.5-flash");
    assert_eq!(row("gemini-2.5-flash-lite"), "gemini-2.5-flash-lite");
    assert_eq!(row("gemini-2.5-flash-lite-preview-09"), "gemini-2.5-flash-lite");
    assert_eq!(row("claude-opus-4-8"), "claude");
    assert_eq!(row("gemini-30-pro"), "");
    assert_eq!(row("gemini-flash-latest"), "");
    assert_eq!(row(""), "");
}

#[test]
fn names_are_there_once_and_no_row_takes_less_than_the_strictest() {
    for (at, row) in MODELS.iter().enumerate() {
        assert!(!row.id.is_empty());
        assert!(MODELS[..at].iter().all(|other| other.id != row.id), "{} twice", row.id);
        assert_eq!(model(row.id), row);
    }
    assert_eq!(model("nobody"), &UNKNOWN);
    assert_eq!(UNKNOWN.thinking, Thinking::Unknown);
    for takes in [UNKNOWN.calls_unsigned, UNKNOWN.parts_in_responses, UNKNOWN.server_tools] {
        assert_ne!(takes, Takes::Yes);
    }
}

#[test]
fn a_platform_has_its_name_and_nobody_else_is_given_more_than_either() {
    for row in PLATFORMS {
        assert!(std::ptr::eq(platform(row.name), row));
    }
    let unknown = platform("somewhere");
    assert_eq!(*unknown, platforms::UNKNOWN);
    for row in PLATFORMS {
        let less = |one: Takes, other: Takes| one == Takes::Yes && other != Takes::Yes;
        assert!(!less(unknown.call_ids, row.call_ids));
        assert!(!less(unknown.empty_text, row.empty_text));
        assert!(!less(unknown.partial_args, row.partial_args));
        assert!(!less(unknown.part_metadata, row.part_metadata));
    }
}
