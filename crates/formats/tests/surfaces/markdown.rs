//! Markdown, read by another program's parser: what was said is code and nothing else.

use formats::{inert, markdown};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::hostile::{HOSTILE, acting, conversation, long_line};

#[test]
fn what_was_said_is_code_between_fences_and_nothing_else() {
    let page = markdown::write(&conversation());
    assert_eq!(acting(&page), None);
    let mut code: Vec<String> = Vec::new();
    let (mut inside, mut headings) = (false, Vec::new());
    for event in Parser::new_ext(&page, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                inside = true;
                code.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => code.last_mut().expect("a block").push_str(&text),
            Event::Text(text) => {
                let own =
                    text.trim().chars().all(|c| c.is_ascii_alphabetic() || ".,: ".contains(c));
                assert!(own, "{text:?} is no word of ours");
            }
            Event::Code(_) | Event::SoftBreak => {}
            Event::Html(html) => {
                let html = html.trim();
                let own = ["", "<details><summary>Thinking</summary>", "</details>"];
                assert!(own.contains(&html), "{html:?}");
            }
            Event::Start(Tag::Heading { level, .. }) => headings.push(level),
            Event::Start(Tag::Paragraph | Tag::HtmlBlock | Tag::List(None) | Tag::Item) => {}
            Event::End(_) => {}
            other => panic!("{other:?} is markup of a session"),
        }
    }
    let long = long_line();
    for said in HOSTILE.iter().copied().chain([long.as_str()]) {
        let said = inert::lines(said);
        let found =
            code.iter().filter(|code| code.trim_end_matches('\n') == said.trim_end_matches('\n'));
        // A prompt, a thought, speech, and two results.
        assert!(found.count() >= 5, "{said:?}");
    }
    // The title, and for each text: three speakers, thinking, a call, a result without its call.
    assert!(headings.len() > 6 * HOSTILE.len(), "{} headings", headings.len());
}
