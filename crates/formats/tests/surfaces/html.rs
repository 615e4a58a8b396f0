//! The page: its elements are this program's own, its text is what was said.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use formats::surface::Conversation;
use formats::{html, inert};
use sha2::{Digest, Sha256};

use crate::hostile::{HOSTILE, acting, conversation, long_line};

/// The tags of a page, from `<` to `>`, closing ones apart.
pub fn tags(page: &str) -> Vec<&str> {
    let pieces = page.split('<').skip(1).filter(|piece| !piece.starts_with(['/', '!']));
    pieces.map(|piece| piece.split_once('>').expect("a tag ends").0).collect()
}

/// The page of a session of one reply.
fn page_of(blocks: &str) -> String {
    let hello = r#"{"role":"user","content":"hi"}"#;
    let reply = format!(r#"{{"role":"assistant","content":[{blocks}]}}"#);
    let body = format!(r#"{{"model":"m","messages":[{hello},{reply}]}}"#);
    let imported = formats::import(body.as_bytes(), "x").expect("a body");
    let path = imported.record.branch_path("main");
    html::write(&Conversation::new(&imported.record, &path, None))
}

#[test]
fn no_element_or_attribute_is_of_a_session() {
    let page = html::write(&conversation());
    let style = page.find("</style>").expect("a style");
    for tag in tags(&page[style..]) {
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let known = [
            "body", "header", "h1", "h2", "ul", "ol", "li", "nav", "details", "summary", "span",
            "a", "main", "article", "div", "p", "code", "pre", "img",
        ];
        assert!(known.contains(&name), "{tag}");
        // Quotes in text are escaped: every second piece is a value.
        let mut pieces = rest.split('"');
        while let (Some(attribute), value) = (pieces.next(), pieces.next()) {
            let value = value.unwrap_or_default();
            match attribute.trim() {
                "" | "open" | "class=" | "aria-label=" | "dir=" | "id=" => {}
                "href=" => assert!(value.starts_with("#p"), "{tag}"),
                other => panic!("{other} in {tag}"),
            }
        }
    }
    assert_eq!(acting(&page), None);
}

#[test]
fn everything_that_was_said_is_on_the_page_as_text() {
    let page = html::write(&conversation());
    let text = page.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    let text = text.replace("&#39;", "'").replace("&amp;", "&");
    for said in HOSTILE.iter().filter(|said| !said.contains("```") && !said.contains("~~~")) {
        let said = inert::lines(said);
        // In a call's arguments, its result, a thought, and as speech.
        assert!(text.matches(said.trim_matches('\n')).count() >= 4, "{said:?}");
    }
    assert!(text.contains(&long_line()));
    assert!(text.contains("\u{fffd}<script>\u{fffd}"), "a lone surrogate is U+FFFD");
}

#[test]
fn the_policy_names_the_style_that_is_there_and_allows_nothing_else() {
    let page = html::write(&conversation());
    let (_, rest) = page.split_once("<style>").expect("a style");
    let (style, rest) = rest.split_once("</style>").expect("its end");
    assert!(!rest.contains("<style"));
    let hash = STANDARD.encode(Sha256::digest(style));
    let policy = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
         style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'\">"
    );
    assert!(page.contains(&policy), "write sha256-{hash} into the policy");
    assert!(!style.contains("url(") && !style.contains("@import"));
}

#[test]
fn a_call_stands_with_its_result_and_thinking_is_folded() {
    let page = page_of(concat!(
        r#"{"type":"thinking","thinking":"because","signature":"s"},"#,
        r#"{"type":"tool_use","id":"a","name":"ls","input":{"path":"src","deep":true}},"#,
        r#"{"type":"tool_use","id":"b","name":"rm","input":{}}]},"#,
        r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true,"#,
        r#""content":"no such place"}"#,
    ));
    assert_eq!(page.matches("<article").count(), 2, "a result has no card of its own");
    assert!(page.contains("<details class=\"thinking\"><summary>Thinking"), "folded");
    let (_, card) = page.split_once("<details class=\"tool failed\" open>").expect("a card");
    let (card, _) = card.split_once("</details>").expect("its end");
    for part in [">ls</code>", ">path</p>", "\nsrc</pre>", "\ntrue</pre>", "\nno such place</pre>"]
    {
        assert!(card.contains(part), "{part} in {card}");
    }
    assert!(page.contains("<details class=\"tool unresolved\" open>"));
    assert!(page.contains("The turn ended before a result was saved."));
}

#[test]
fn only_pictures_of_the_four_kinds_are_pictures() {
    let pixel = concat!(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA",
        "AABJRU5ErkJggg=="
    );
    let image = |media_type: &str, data: &str| {
        let source = format!(r#""type":"base64","media_type":"{media_type}","data":"{data}""#);
        format!(r#"{{"type":"image","source":{{{source}}}}}"#)
    };
    // What it is is read from its bytes, whatever it says it is.
    let page_with = |image: &str| {
        let call = r#"{"type":"tool_use","id":"a","name":"look","input":{}}"#;
        let result = r#""type":"tool_result","tool_use_id":"a""#;
        page_of(&format!(
            r#"{call}]}},{{"role":"user","content":[{{{result},"content":[{image}]}}"#
        ))
    };
    let page = page_with(&image("text/html", pixel));
    assert!(page.contains(&format!("src=\"data:image/png;base64,{pixel}\"")));
    let svg = STANDARD.encode("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>");
    for other in [
        image("image/svg+xml", &svg),
        image("image/png", "PHNjcmlwdD4="),
        image("image/png", "\\\"><b>"),
    ] {
        let page = page_with(&other);
        assert!(!page.contains("<img") && page.contains("[Image: "), "{other}");
    }
}

#[test]
fn code_between_fences_is_set_apart_and_nothing_is_lost() {
    let page = page_of(r#"{"type":"text","text":"see\n```rust\nfn a() {}\n```\nthen\n~~~\nopen"}"#);
    assert!(page.contains("dir=\"auto\">see</div>\n<pre dir=\"auto\">\nfn a() {}</pre>"));
    assert!(page.contains(">then</div>\n<pre dir=\"auto\">\nopen</pre>"));
}
