//! What a person gave beside words: files, and what a search of the person's found.
//!
//! Each API says it in a part of its own. A part of one is read here and written in the form of
//! another, or told in words where it is text. A part that says more than is read here is none of
//! these: only its own API takes it, and others get a note.

use json::{Object, Raw, Text, Value};
use record::{OpaqueBlock, ProofKind};
use wire::media::{base64_of, text_of};
use wire::openai_responses::platforms::Platform;
use wire::takes::Takes;

use super::anthropic_messages::native_shape::{self, is_pdf};
use super::bedrock_converse::native::{DOCUMENT_FORMATS, NAME_CHARS_MAX, is_document_whole};
use super::gemini::native as gemini;
use super::{Conversation, Dialect};
use crate::fold::{Grown, View};
use crate::read::Row;
use crate::report::ChangeKind;
use crate::target::{ANTHROPIC_MESSAGES, BEDROCK_CONVERSE, GEMINI, OPENAI_CHAT, OPENAI_RESPONSES};
use crate::wording;

const PDF: &str = "application/pdf";
const PLAIN: &str = "text/plain";

/// The sound that Chat Completions names by these words (K-036).
const SOUNDS: &[(&str, &str)] = &[("wav", "audio/wav"), ("mp3", "audio/mp3")];

/// What was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attachment {
    /// A file by its bytes, in base64; its name may be empty.
    File { media_type: String, name: Text, data: Text },
    /// A PDF by its address.
    Link { name: Text, url: Text },
    /// What a search found: where, and its texts.
    Found { source: Text, title: Text, texts: Vec<Text> },
}

impl Attachment {
    /// What a part of whichever API is.
    pub(super) fn of(part: &OpaqueBlock) -> Option<Attachment> {
        let proof = part.proof.as_deref().filter(|proof| proof.kind == ProofKind::Native)?;
        if part.raw.has_lone_surrogate() {
            return None;
        }
        let doc = part.raw.doc();
        let file = Attachment::read(proof.issuer.api.as_str(), &part.kind, doc.root())?;
        match &file {
            Attachment::File { media_type, data, .. } if media_type == PDF => is_pdf(data),
            Attachment::Link { url, .. } => url.starts_with("https://"),
            Attachment::File { .. } | Attachment::Found { .. } => true,
        }
        .then_some(file)
    }

    fn read(api: &str, kind: &str, root: Value<'_, '_>) -> Option<Attachment> {
        match (api, kind) {
            (ANTHROPIC_MESSAGES, "document") => anthropic_document(root),
            (ANTHROPIC_MESSAGES, "search_result") => {
                holds(root, &["type", "source", "title", "content", "citations", "cache_control"])
                    .then(|| found(root, Some("text")))?
            }
            (OPENAI_CHAT, "file") => {
                let file = root.get("file").filter(|_| holds(root, &["type", "file"]))?;
                holds(file, &["filename", "file_data"]).then(|| data_url(file))?
            }
            (OPENAI_CHAT, "input_audio") => sound(root),
            (OPENAI_RESPONSES, "input_file") => responses_file(root),
            (GEMINI, "inlineData") => {
                let data = root.get("inlineData").filter(|_| holds(root, &["inlineData"]))?;
                let known = holds(data, &["mimeType", "data", "displayName"]);
                let media_type = text(data, "mimeType").filter(|_| known)?.as_str().to_owned();
                let name = text(data, "displayName").unwrap_or_default();
                Some(Attachment::File { media_type, name, data: text(data, "data")? })
            }
            (BEDROCK_CONVERSE, "document") => converse_document(root),
            (BEDROCK_CONVERSE, "searchResult") => {
                let result = root.get("searchResult").filter(|_| holds(root, &["searchResult"]))?;
                let known = holds(result, &["source", "title", "content", "citations"]);
                known.then(|| found(result, None))?
            }
            _ => None,
        }
    }

    /// Whether a part of the target's says what the stored one did, its name and its type included.
    fn is_all_of(&self, stored: &OpaqueBlock, form: &Raw, view: View<'_>) -> bool {
        let doc = form.doc();
        let first = doc.root().members().next().and_then(|(name, _)| name.as_str());
        let kind = doc.root().get_str("type").or(first).unwrap_or_default();
        let said = Attachment::read(&view.target.to.dialect, &kind, doc.root());
        said.as_ref() == Some(self) && !says_how(stored)
    }

    /// The same as text, where it is: what stands before it, and what it says.
    fn told(&self) -> Option<(String, String)> {
        match self {
            Attachment::File { media_type, name, data } if media_type.starts_with("text/") => {
                Some((wording::file(name), text_of(data)?))
            }
            Attachment::Found { source, title, texts } => {
                let texts: Vec<&str> = texts.iter().map(Text::as_str).collect();
                Some((wording::found(source, title), texts.join("\n")))
            }
            Attachment::File { .. } | Attachment::Link { .. } => None,
        }
    }

    /// The part that says it to the target.
    fn part(&self, view: View<'_>) -> Option<Raw> {
        match view.dialect {
            Dialect::AnthropicMessages(_) => {
                let on_claude_api = view.target.to.platform.as_str() == "anthropic";
                self.anthropic_part(on_claude_api)
            }
            Dialect::OpenAiChat(chat) if chat.takes_files() => self.chat_part(),
            Dialect::OpenAiChat(_) => None,
            Dialect::OpenAiResponses(to) => self.responses_part(to.platform),
            Dialect::Gemini(_) => self.gemini_part(),
            Dialect::BedrockConverse(to) if to.model.claude => self.converse_part(),
            Dialect::BedrockConverse(_) => None,
        }
    }

    fn anthropic_part(&self, on_claude_api: bool) -> Option<Raw> {
        let mut part = Object::new();
        let mut source = Object::new();
        match self {
            Attachment::File { media_type, name, data } => {
                if media_type == PDF {
                    source.string("type", "base64").string("media_type", PDF).text("data", data);
                } else if media_type.starts_with("text/") {
                    let text = text_of(data)?;
                    source.string("type", "text").string("media_type", PLAIN).string("data", &text);
                } else {
                    return None;
                }
                document(&mut part, name, &source);
            }
            Attachment::Link { name, url } if on_claude_api => {
                source.string("type", "url").text("url", url);
                document(&mut part, name, &source);
            }
            Attachment::Link { .. } => return None,
            Attachment::Found { source, title, texts } => {
                let texts: Vec<Raw> = texts.iter().map(|text| spoken(text, true)).collect();
                part.string("type", "search_result").text("source", source).text("title", title);
                part.raw("content", &json::Array::of(&texts));
            }
        }
        Some(part.finish()).filter(|part| native_shape::is_known(part.doc().root()))
    }

    /// K-037: what is known of is a PDF, with its bytes.
    fn chat_part(&self) -> Option<Raw> {
        let (name, url) = self.pdf_url()?;
        let mut file = Object::new();
        file.string("filename", &name).string("file_data", &url);
        let mut part = Object::new();
        part.string("type", "file").raw("file", &file.finish());
        Some(part.finish())
    }

    fn responses_part(&self, platform: &Platform) -> Option<Raw> {
        let mut part = Object::new();
        part.string("type", "input_file");
        match self {
            Attachment::Link { url, .. } if platform.file_urls == Takes::Yes => {
                part.text("file_url", url);
            }
            Attachment::File { .. } if platform.files == Takes::Yes => {
                let (name, url) = self.pdf_url()?;
                part.string("filename", &name).string("file_data", &url);
            }
            Attachment::File { .. } | Attachment::Link { .. } | Attachment::Found { .. } => {
                return None;
            }
        }
        Some(part.finish())
    }

    fn gemini_part(&self) -> Option<Raw> {
        let Attachment::File { media_type, data, .. } = self else { return None };
        // What the API calls text is plain to it, whatever it is a text of (G-028).
        let mut inline = Object::new();
        inline.string("mimeType", media_type).text("data", data);
        let mut part = Object::new();
        part.raw("inlineData", &inline.finish());
        let part = part.finish();
        gemini::is_whole_medium(&part).then_some(part)
    }

    fn converse_part(&self) -> Option<Raw> {
        let mut part = Object::new();
        match self {
            Attachment::File { media_type, name, data } => {
                let of_type = |(_, of): &&(&str, &str)| of == media_type;
                let (format, _) = DOCUMENT_FORMATS.iter().find(of_type)?;
                let mut source = Object::new();
                source.text("bytes", data);
                let mut document = Object::new();
                document.string("format", format).string("name", &plain_name(name));
                document.raw("source", &source.finish());
                part.raw("document", &document.finish());
                let part = part.finish();
                is_document_whole(part.doc().root()).then_some(part)
            }
            Attachment::Link { .. } => None,
            Attachment::Found { source, title, texts } => {
                let texts: Vec<Raw> = texts.iter().map(|text| spoken(text, false)).collect();
                let mut result = Object::new();
                result.text("source", source).text("title", title);
                result.raw("content", &json::Array::of(&texts));
                part.raw("searchResult", &result.finish());
                Some(part.finish())
            }
        }
    }

    /// A PDF's name and its bytes as a data URL.
    fn pdf_url(&self) -> Option<(String, String)> {
        let Attachment::File { media_type, name, data } = self else { return None };
        // What a file is, these APIs tell by how its name ends.
        let name = match name.as_str() {
            "" => "file.pdf".to_owned(),
            name if name.to_ascii_lowercase().ends_with(".pdf") => name.to_owned(),
            name => format!("{name}.pdf"),
        };
        (media_type == PDF).then(|| (name, format!("data:{PDF};base64,{data}")))
    }
}

impl Conversation {
    /// Writes what another API's part says in the form of this one, or in words, if it can be.
    pub(super) fn attachment(
        &mut self,
        view: View<'_>,
        grown: &mut Grown,
        row: &Row,
        index: u32,
        part: &OpaqueBlock,
    ) -> bool {
        let Some(attachment) = Attachment::of(part) else { return false };
        if let Some(form) = attachment.part(view)
            && self.part_of_user(view, grown, row, index, &form)
        {
            if !attachment.is_all_of(part, &form, view) {
                self.change(ChangeKind::FileAdapted, Some(&row.entry), Some(index));
            }
            return true;
        }
        let Some((begins, says)) = attachment.told() else { return false };
        self.note_of(view, grown, &[&begins, &says]);
        self.change(ChangeKind::FileTold, Some(&row.entry), Some(index));
        true
    }
}

/// What another API's part in a result says, in words; none where it is no text.
pub(super) fn told_in_result(part: &OpaqueBlock) -> Option<String> {
    let (begins, says) = Attachment::of(part)?.told()?;
    Some(begins + &says)
}

/// What another API's part in a result is to Anthropic Messages.
pub(super) fn anthropic_in_result(view: View<'_>, part: &OpaqueBlock) -> Option<Raw> {
    match view.dialect {
        Dialect::AnthropicMessages(_) => Attachment::of(part)?.part(view),
        Dialect::OpenAiChat(_)
        | Dialect::OpenAiResponses(_)
        | Dialect::Gemini(_)
        | Dialect::BedrockConverse(_) => None,
    }
}

fn document(part: &mut Object, name: &Text, source: &Object) {
    part.string("type", "document").raw("source", &source.finish());
    if !name.is_empty() {
        part.text("title", name);
    }
}

/// A text of what was found.
fn spoken(text: &Text, typed: bool) -> Raw {
    let mut part = Object::new();
    if typed {
        part.string("type", "text");
    }
    part.text("text", text).finish()
}

/// Whether a part says besides how it is to be read: what only its own API is told.
fn says_how(part: &OpaqueBlock) -> bool {
    let doc = part.raw.doc();
    let objects = [Some(doc.root()), doc.root().get(&part.kind)];
    objects.into_iter().flatten().any(|object| {
        let of = |name: &str| object.get(name).is_some_and(|value| !value.is_null());
        of("citations") || of("detail") || (of("file_data") && of("file_url"))
    })
}

/// Whether an object's members that say something are among these.
fn holds(object: Value<'_, '_>, names: &[&str]) -> bool {
    object.members().all(|(name, value)| {
        value.is_null() || name.as_str().is_some_and(|name| names.contains(&&*name))
    })
}

fn text(object: Value<'_, '_>, name: &str) -> Option<Text> {
    object.get(name)?.to_text()
}

fn anthropic_document(root: Value<'_, '_>) -> Option<Attachment> {
    if !holds(root, &["type", "source", "title", "citations", "cache_control"]) {
        return None;
    }
    let source = root.get("source")?;
    let name = text(root, "title").unwrap_or_default();
    let (data, media_type) = (text(source, "data"), text(source, "media_type"));
    match &*source.get_str("type")? {
        "base64" => Some(Attachment::File {
            media_type: media_type?.as_str().to_owned(),
            name,
            data: data?,
        }),
        "text" => {
            let data = base64_of(&data?).into();
            Some(Attachment::File { media_type: PLAIN.to_owned(), name, data })
        }
        "url" => Some(Attachment::Link { name, url: text(source, "url")? }),
        _ => None,
    }
}

fn found(result: Value<'_, '_>, kind: Option<&str>) -> Option<Attachment> {
    let of_kind = |item: Value<'_, '_>| match kind {
        Some(kind) => {
            holds(item, &["type", "text"]) && item.get("type").is_some_and(|it| it.is_str(kind))
        }
        None => holds(item, &["text"]),
    };
    let items = result.get("content")?.items();
    let texts: Option<Vec<Text>> =
        items.map(|item| text(item, "text").filter(|_| of_kind(item))).collect();
    let texts = texts.filter(|texts| !texts.is_empty())?;
    Some(Attachment::Found {
        source: text(result, "source")?,
        title: text(result, "title")?,
        texts,
    })
}

fn sound(root: Value<'_, '_>) -> Option<Attachment> {
    let audio = root.get("input_audio").filter(|_| holds(root, &["type", "input_audio"]))?;
    let format = audio.get_str("format").filter(|_| holds(audio, &["data", "format"]))?;
    let (_, media_type) = SOUNDS.iter().find(|(name, _)| *name == format)?;
    let media_type = (*media_type).to_owned();
    Some(Attachment::File { media_type, name: Text::default(), data: text(audio, "data")? })
}

fn responses_file(root: Value<'_, '_>) -> Option<Attachment> {
    if !holds(root, &["type", "filename", "file_data", "file_url", "detail"]) {
        return None;
    }
    if let Some(file) = data_url(root) {
        return Some(file);
    }
    // Of what type a file is that lies elsewhere is known by its name alone.
    let url = text(root, "file_url").filter(|url| url.ends_with(".pdf"))?;
    Some(Attachment::Link { name: text(root, "filename").unwrap_or_default(), url })
}

/// A file whose bytes are a data URL.
fn data_url(file: Value<'_, '_>) -> Option<Attachment> {
    let url = text(file, "file_data")?;
    let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    let name = text(file, "filename").unwrap_or_default();
    Some(Attachment::File { media_type: media_type.to_owned(), name, data: data.into() })
}

fn converse_document(root: Value<'_, '_>) -> Option<Attachment> {
    let document = root.get("document").filter(|_| holds(root, &["document"]))?;
    if !holds(document, &["format", "name", "source", "citations"]) {
        return None;
    }
    let format = document.get_str("format")?;
    let (_, media_type) = DOCUMENT_FORMATS.iter().find(|(name, _)| *name == format)?;
    let source = document.get("source")?;
    let data = match text(source, "text") {
        Some(words) => base64_of(&words).into(),
        None => text(source, "bytes")?,
    };
    let name = text(document, "name").unwrap_or_default();
    Some(Attachment::File { media_type: (*media_type).to_owned(), name, data })
}

/// A name of the signs that Converse takes, one blank at a time (B-017).
fn plain_name(name: &str) -> String {
    let plain = |sign: char| {
        if sign.is_ascii_alphanumeric() || "-()[]".contains(sign) { sign } else { ' ' }
    };
    let plain: String = name.chars().map(plain).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(NAME_CHARS_MAX).collect();
    if name.is_empty() { "document".to_owned() } else { name }
}
