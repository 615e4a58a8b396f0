//! The shapes of native blocks, closed: a block goes back verbatim only if every member is known.
//!
//! The request schema refuses unknown members and wrong types at any depth, so a
//! block that was stored damaged, or by a newer build of its provider, is named in a note instead.

use json::{Kind, Text, Value};
use record::blank::is_blank;

/// What a member has to be.
enum Is {
    Any,
    Text,
    /// Text that is not empty.
    Full,
    Flag,
    Object,
    /// A server tool's id.
    ServerId,
    /// Exactly this string.
    Word(&'static str),
    /// Base64 of a PDF.
    Pdf,
    /// One of these shapes.
    Of(&'static [Shape]),
    /// An array of these shapes.
    List(&'static [Shape]),
    /// An array of these that is not empty.
    SomeOf(&'static [Shape]),
    /// An array of these, or one of those.
    ListOr(&'static [Shape], &'static [Shape]),
}

/// An object: its `type`, empty where it has none, and its members.
struct Shape {
    kind: &'static str,
    must: &'static [(&'static str, Is)],
    /// Members that may be missing or null.
    may: &'static [(&'static str, Is)],
}

const fn shape(
    kind: &'static str,
    must: &'static [(&'static str, Is)],
    may: &'static [(&'static str, Is)],
) -> Shape {
    Shape { kind, must, may }
}

const CALLER: (&str, Is) = ("caller", Is::Of(CALLERS));
const CALLERS: &[Shape] = &[
    shape("direct", &[], &[]),
    shape("code_execution_20250825", &[("tool_id", Is::ServerId)], &[]),
    shape("code_execution_20260120", &[("tool_id", Is::ServerId)], &[]),
];
const CITATIONS: (&str, Is) = ("citations", Is::Of(&[shape("", &[], &[("enabled", Is::Flag)])]));
const ERROR: &[(&str, Is)] = &[("error_code", Is::Text)];
const ERROR_WORDS: &[(&str, Is)] = &[("error_message", Is::Text)];
const FILE: &[(&str, Is)] = &[("file_id", Is::Text)];
const DOCUMENT: Shape = shape(
    "document",
    &[("source", Is::Of(SOURCES))],
    &[("title", Is::Text), ("context", Is::Text), CITATIONS],
);
const SOURCES: &[Shape] = &[
    shape("base64", &[("media_type", Is::Word("application/pdf")), ("data", Is::Pdf)], &[]),
    shape("text", &[("media_type", Is::Word("text/plain")), ("data", Is::Full)], &[]),
    shape("url", &[("url", Is::Full)], &[]),
    shape("file", &[("file_id", Is::Full)], &[]),
];
const SPOKEN: &[Shape] = &[shape("text", &[("text", Is::Full)], &[])];

const BLOCKS: &[Shape] = &[
    DOCUMENT,
    shape(
        "search_result",
        &[("source", Is::Text), ("title", Is::Text), ("content", Is::SomeOf(SPOKEN))],
        &[CITATIONS],
    ),
    shape(
        "server_tool_use",
        &[("id", Is::ServerId), ("name", Is::Text), ("input", Is::Object)],
        &[CALLER],
    ),
    shape(
        "web_search_tool_result",
        &[
            ("tool_use_id", Is::ServerId),
            (
                "content",
                Is::ListOr(
                    &[shape(
                        "web_search_result",
                        &[("url", Is::Text), ("title", Is::Text), ("encrypted_content", Is::Text)],
                        &[("page_age", Is::Text)],
                    )],
                    &[shape("web_search_tool_result_error", ERROR, ERROR_WORDS)],
                ),
            ),
        ],
        &[CALLER],
    ),
    shape(
        "web_fetch_tool_result",
        &[
            ("tool_use_id", Is::ServerId),
            (
                "content",
                Is::Of(&[
                    shape(
                        "web_fetch_result",
                        &[("url", Is::Text), ("content", Is::Of(&[DOCUMENT]))],
                        &[("retrieved_at", Is::Text)],
                    ),
                    shape("web_fetch_tool_result_error", ERROR, ERROR_WORDS),
                ]),
            ),
        ],
        &[CALLER],
    ),
    shape(
        "code_execution_tool_result",
        &[
            ("tool_use_id", Is::ServerId),
            (
                "content",
                Is::Of(&[
                    shape(
                        "code_execution_result",
                        &[
                            ("stdout", Is::Text),
                            ("stderr", Is::Text),
                            ("return_code", Is::Any),
                            ("content", Is::List(&[shape("code_execution_output", FILE, &[])])),
                        ],
                        &[("abort_reason", Is::Any)],
                    ),
                    shape(
                        "encrypted_code_execution_result",
                        &[
                            ("encrypted_stdout", Is::Text),
                            ("stderr", Is::Text),
                            ("return_code", Is::Any),
                            ("content", Is::List(&[shape("code_execution_output", FILE, &[])])),
                        ],
                        &[("abort_reason", Is::Any)],
                    ),
                    shape("code_execution_tool_result_error", ERROR, ERROR_WORDS),
                ]),
            ),
        ],
        &[],
    ),
    shape(
        "bash_code_execution_tool_result",
        &[
            ("tool_use_id", Is::ServerId),
            (
                "content",
                Is::Of(&[
                    shape(
                        "bash_code_execution_result",
                        &[
                            ("stdout", Is::Text),
                            ("stderr", Is::Text),
                            ("return_code", Is::Any),
                            (
                                "content",
                                Is::List(&[shape("bash_code_execution_output", FILE, &[])]),
                            ),
                        ],
                        &[],
                    ),
                    shape("bash_code_execution_tool_result_error", ERROR, ERROR_WORDS),
                ]),
            ),
        ],
        &[],
    ),
    shape(
        "text_editor_code_execution_tool_result",
        &[
            ("tool_use_id", Is::ServerId),
            (
                "content",
                Is::Of(&[
                    shape(
                        "text_editor_code_execution_view_result",
                        &[("content", Is::Text), ("file_type", Is::Word("text"))],
                        &[
                            ("num_lines", Is::Any),
                            ("start_line", Is::Any),
                            ("total_lines", Is::Any),
                        ],
                    ),
                    shape(
                        "text_editor_code_execution_create_result",
                        &[("is_file_update", Is::Flag)],
                        &[],
                    ),
                    shape("text_editor_code_execution_tool_result_error", ERROR, ERROR_WORDS),
                ]),
            ),
        ],
        &[],
    ),
];

/// Whether a block is exactly of a shape the request schema has; cache marks apart.
pub(in crate::project) fn is_known(block: Value<'_, '_>) -> bool {
    find(BLOCKS, block).is_some_and(|shape| shape.holds(block, true))
}

/// The server tool's call from whose code this call was made, where it was.
pub(super) fn called_by(caller: Value<'_, '_>) -> Option<Text> {
    caller.get("tool_id").filter(|_| is_one_of(CALLERS, caller))?.to_text()
}

fn find<'s>(shapes: &'s [Shape], value: Value<'_, '_>) -> Option<&'s Shape> {
    let kind = value.get_str("type").unwrap_or_default();
    shapes.iter().find(|shape| value.kind() == Kind::Object && shape.kind == kind)
}

fn is_one_of(shapes: &[Shape], value: Value<'_, '_>) -> bool {
    find(shapes, value).is_some_and(|shape| shape.holds(value, false))
}

impl Shape {
    fn holds(&self, value: Value<'_, '_>, outermost: bool) -> bool {
        let named = |list: &'static [(&'static str, Is)], name: &str| {
            list.iter().find(|(known, _)| *known == name).map(|(_, is)| is)
        };
        let known = value.members().all(|(key, member)| {
            let Some(key) = key.as_str() else { return false };
            match (named(self.must, &key), named(self.may, &key)) {
                (Some(is), _) => is.holds(member),
                (None, Some(is)) => member.is_null() || is.holds(member),
                (None, None) => {
                    (key == "type" && !self.kind.is_empty())
                        || (key == "cache_control" && outermost)
                }
            }
        });
        known && self.must.iter().all(|(name, _)| value.get(name).is_some())
    }
}

impl Is {
    fn holds(&self, value: Value<'_, '_>) -> bool {
        let text = || value.as_str();
        match self {
            Is::Any => true,
            Is::Text => value.kind() == Kind::String,
            Is::Full => text().is_some_and(|text| !is_blank(&text)),
            Is::Flag => value.kind() == Kind::Bool,
            Is::Object => value.kind() == Kind::Object,
            Is::ServerId => text().is_some_and(|id| is_server_id(&id)),
            Is::Word(word) => value.is_str(word),
            Is::Pdf => text().is_some_and(|data| is_pdf(&data)),
            Is::Of(shapes) => is_one_of(shapes, value),
            Is::List(shapes) => is_list(shapes, value),
            Is::SomeOf(shapes) => is_list(shapes, value) && value.items().next().is_some(),
            Is::ListOr(list, one) => is_list(list, value) || is_one_of(one, value),
        }
    }
}

fn is_list(shapes: &[Shape], value: Value<'_, '_>) -> bool {
    value.kind() == Kind::Array && value.items().all(|item| is_one_of(shapes, item))
}

/// the form of a server tool's id.
fn is_server_id(id: &str) -> bool {
    id.strip_prefix("srvtoolu_").is_some_and(|rest| {
        !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// What `%PDF-` begins with in base64, where it stands first.
const PDF: &str = "JVBERi";

/// Standard base64, padded, of something that begins as a PDF does.
pub(in crate::project) fn is_pdf(data: &str) -> bool {
    let body = data.trim_end_matches('=');
    data.len().is_multiple_of(4)
        && data.len() - body.len() <= 2
        && data.starts_with(PDF)
        && body.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}
