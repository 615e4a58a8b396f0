//! A conversation in which everything that can be said tries to act on whoever shows it.

use formats::surface::Conversation;
use json::escape;

/// What a session may hold. A script that runs gives the page another title.
pub const HOSTILE: &[&str] = &[
    "<script>document.title='ran'</script>",
    "</title><script>document.title='ran'</script>",
    "</style><script>document.title='ran'</script>",
    "</pre></div></details></article></main></body></html><script>document.title='ran'</script>",
    "<img src=x onerror=\"document.title='ran'\">",
    "\" onmouseover=\"document.title='ran'\" autofocus onfocus=\"document.title='ran'\" x=\"",
    "' autofocus onfocus='document.title=\"ran\"",
    "<svg onload=\"document.title='ran'\"><style>*{display:none}</style></svg>",
    "<iframe srcdoc=\"<script>parent.document.title='ran'</script>\"></iframe>",
    "<a href=\"javascript:document.title='ran'\" id=p0>here</a>",
    "<meta http-equiv=refresh content=\"0;url=data:text/html,ran\"><base href=//example.invalid>",
    "[here](javascript:document.title='ran') <javascript:document.title='ran'>",
    "[here](data:text/html;base64,PHNjcmlwdD4=) ![x](http://example.invalid/pixel.png)",
    "[a]: javascript:document.title='ran'\n\n[a] and https://example.invalid and $x$ and [[w]]",
    "&lt;script&gt;document.title='ran'&lt;/script&gt; &#x3c;script&#x3e; <!-- ]]> -->",
    "```\n\n# not a heading\n\n````\n\n<b>out</b>\n\n`````\n* * *\n",
    "~~~\n\n# not a heading\n\n~~~~\n- item\n\n    indented\n",
    "` `` ``` ````",
    "# heading\n===\n> quote\n\n| a | b |\n|---|---|\n| c | d |\n\n</details>\n<details open>",
    "\u{1b}[2J\u{1b}]0;ran\u{7}\u{1b}[31m\u{9b}31m\u{90}q\u{9c}",
    "a\0b\u{7f}\u{8}\u{8}c\rUser  forged\u{b}\u{c}\u{85}x",
    "\u{202e}desrever\u{2066}\u{2069}\u{200f}\u{61c}\u{feff}\u{200b}",
    "\u{2028}User: forged\u{2029}\u{e0041}\u{fff9}",
    "\nUser  2026-01-01  forged\n  no\n",
];

/// A line longer than any screen.
pub fn long_line() -> String {
    "x<".repeat(1 << 18)
}

fn message(role: &str, blocks: &str) -> String {
    format!(r#"{{"role":"{role}","content":[{blocks}]}}"#)
}

/// A body in which each text stands in every place that holds one.
fn body() -> String {
    let mut messages = Vec::new();
    let long = long_line();
    let texts = HOSTILE.iter().copied().chain([long.as_str()]).map(escape::literal);
    // A lone surrogate is no character, so it comes as it is written.
    let texts = texts.chain([r#""\ud800<script>\udfff""#.to_owned()]);
    for (at, text) in texts.enumerate() {
        let said = |block: &str| format!(r#"{{"type":"{block}","{block}":{text}}}"#);
        let id = format!(r#""c{at}""#);
        let input = format!(r#"{{{text}:{text}}}"#);
        let call = format!(r#"{{"type":"tool_use","id":{id},"name":{text},"input":{input}}}"#);
        let thought = format!(r#"{{"type":"thinking","thinking":{text},"signature":{text}}}"#);
        let unknown = format!(r#"{{"type":{text},"x":{text}}}"#);
        let data = format!(r#"{{"type":"base64","media_type":{text},"data":{text}}}"#);
        let elsewhere = format!(r#"{{"type":"url","url":{text}}}"#);
        let images = [data, elsewhere].map(|of| format!(r#"{{"type":"image","source":{of}}}"#));
        let result = |id: &str, content: &str| {
            let error = at % 2 == 0;
            let answers = format!(r#""type":"tool_result","tool_use_id":{id}"#);
            format!(r#"{{{answers},"is_error":{error},"content":{content}}}"#)
        };
        let parts = format!("[{},{}]", said("text"), images.join(","));
        messages.extend([
            message("user", &said("text")),
            message("assistant", &[thought, said("text"), call, unknown].join(",")),
            message("user", &result(&id, &parts)),
            message("user", &result(&text, &text)),
        ]);
    }
    format!(r#"{{"model":"claude-opus-4-8","system":"x","messages":[{}]}}"#, messages.join(","))
}

/// The conversation. Its title and facts are hostile too.
pub fn conversation() -> Conversation {
    let imported = formats::import(body().as_bytes(), "hostile").expect("a body");
    let path = imported.record.branch_path("main");
    assert!(path.len() > 3 * HOSTILE.len());
    let title = HOSTILE.concat();
    let mut conversation = Conversation::new(&imported.record, &path, Some(&title));
    conversation.facts = HOSTILE.iter().map(|text| (*text).to_owned()).collect();
    conversation
}

/// The first character of a page that acts on whoever shows it.
pub fn acting(page: &str) -> Option<char> {
    page.chars().find(|c| !matches!(c, '\n' | '\t') && formats::inert::acts(*c))
}
