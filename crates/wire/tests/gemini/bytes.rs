//! Bodies as bytes: broken, cut, and large.

use wire::gemini::lint::{LintOptions, lint};
use wire::{Finding, Severity};

use crate::fixture::{accepted, refused};

fn judged(body: &[u8]) -> Vec<Finding> {
    lint(body, &LintOptions::default())
}

#[test]
fn a_body_that_is_not_json_says_where() {
    let findings = judged(b"{\"contents\":\n [}");
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].rule, findings[0].offset), ("G-10", 15));
}

#[test]
fn half_a_surrogate_pair_is_no_text_and_a_nul_is() {
    let half = br#"{"contents":[{"role":"user","parts":[{"text":"a\ud800"}]}]}"#;
    assert_eq!(judged(half)[0].rule, "G-10");
    let nul = br#"{"contents":[{"role":"user","parts":[{"text":"a\u0000"}]}]}"#;
    assert!(judged(nul).is_empty());
}

#[test]
fn no_cut_and_no_odd_type_makes_it_panic() {
    for fixture in refused().iter().chain(&accepted()) {
        let body = fixture.body.as_bytes();
        for cut in (0..body.len()).step_by(7) {
            judged(&body[..cut]);
        }
        for odd in ["null", "5", "\"a\"", "[]", "{}", "[[]]", "[null]", "[{}]"] {
            judged(odd.as_bytes());
            judged(format!("{{\"contents\":{odd}}}").as_bytes());
            judged(format!("{{\"contents\":[{{\"parts\":{odd}}}]}}").as_bytes());
            for member in ["text", "functionCall", "functionResponse", "inlineData", "toolCall"] {
                let body = format!("{{\"contents\":[{{\"parts\":[{{\"{member}\":{odd}}}]}}]}}");
                judged(body.as_bytes());
            }
            for member in ["tools", "toolConfig", "generationConfig", "systemInstruction"] {
                judged(format!("{{\"contents\":[],\"{member}\":{odd}}}").as_bytes());
            }
        }
    }
}

/// G-028; the limits are held beside it.
#[test]
fn a_large_body_is_doubtful() {
    let text = "a".repeat(21_000_000);
    let body = format!(r#"{{"contents":[{{"role":"user","parts":[{{"text":"{text}"}}]}}]}}"#);
    let findings = judged(body.as_bytes());
    assert_eq!((findings[0].rule, findings[0].severity), ("G-028", Severity::Warning));
}
