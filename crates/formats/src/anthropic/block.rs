//! Content blocks as the Anthropic Messages API writes them, read.

use std::collections::HashMap;
use std::sync::Arc;

use assemble::anthropic_messages::block;
use json::{Kind, Text, Value};
use record::{
    Block, FindingKind, Image, ImageSource, Issuer, OpaqueBlock, Rest, ResultPart, ToolResult,
};

use crate::report::{Place, Report};
use crate::rest::rest_of;
use crate::source::one_line;

/// The dialect's name in issuers and sources.
pub(crate) const API: &str = assemble::anthropic_messages::API;
/// Who serves it, where nothing else is said.
pub(crate) const PLATFORM: &str = "anthropic";

/// Names of calls by id, so that a result can say which tool it is from.
pub(crate) type CallNames = HashMap<Text, Text>;

/// Who issued the proofs of a message.
pub(crate) fn issuer(platform: Text, model: Text) -> Arc<Issuer> {
    Arc::new(Issuer { platform, account: None, api: API.into(), model })
}

/// Reads the blocks of one message.
pub(crate) struct BlockReader<'r> {
    pub(crate) issuer: Arc<Issuer>,
    pub(crate) names: &'r mut CallNames,
    pub(crate) report: &'r mut Report,
    pub(crate) place: Place,
}

impl BlockReader<'_> {
    /// The blocks of a message's content; `None` where it is neither a string nor an array.
    pub(crate) fn content(&mut self, content: Value<'_, '_>) -> Option<Vec<Block>> {
        match content.kind() {
            Kind::String => {
                let text = content.to_text().unwrap_or_default();
                Some(if text.is_empty() { Vec::new() } else { vec![Block::text(text)] })
            }
            Kind::Array => Some(content.items().map(|item| self.block(item)).collect()),
            Kind::Null | Kind::Bool | Kind::Number | Kind::Object => None,
        }
    }

    /// One block. What has another shape than its type says is opaque, and reported.
    pub(crate) fn block(&mut self, value: Value<'_, '_>) -> Block {
        let kind = value.get("type").and_then(Value::to_text);
        let read = match kind.as_deref() {
            Some("tool_result") => self.tool_result(value),
            Some("image") => self.image(value).map(Block::Image),
            Some(_) => self.of_model(value),
            None => None,
        };
        read.unwrap_or_else(|| {
            let kind = kind.unwrap_or_default();
            let what = if kind.is_empty() { "a block without a type" } else { &*kind };
            self.unread(format!("{what} of an unknown shape is kept as it is"));
            Block::Opaque(OpaqueBlock { kind, raw: one_line(value), proof: None })
        })
    }

    /// A block that a model makes.
    fn of_model(&mut self, value: Value<'_, '_>) -> Option<Block> {
        let block = block::block(value, &self.issuer)?;
        if let Block::ToolUse(call) = &block {
            if value.get("id").is_none() {
                self.no_id("id");
            } else if !call.id.is_empty() {
                self.names.insert(call.id.clone(), call.name.clone());
            }
        }
        Some(block)
    }

    fn tool_result(&mut self, value: Value<'_, '_>) -> Option<Block> {
        let tool_use_id = self.id(value, "tool_use_id")?;
        let content = match value.get("content") {
            Some(content) => self.result_content(content)?,
            None => Vec::new(),
        };
        let is_error = match value.get("is_error") {
            Some(flag) if !flag.is_null() => flag.as_bool()?,
            Some(_) | None => false,
        };
        let tool_name = self.names.get(&tool_use_id).cloned().unwrap_or_default();
        let rest = rest(value, ["tool_use_id", "content", "is_error"]);
        Some(Block::ToolResult(ToolResult { tool_use_id, tool_name, content, is_error, rest }))
    }

    pub(crate) fn result_content(&mut self, content: Value<'_, '_>) -> Option<Vec<ResultPart>> {
        match content.kind() {
            Kind::Null => Some(Vec::new()),
            Kind::String => {
                let text = content.to_text()?;
                Some(if text.is_empty() { Vec::new() } else { vec![ResultPart::Text(text)] })
            }
            Kind::Array => Some(content.items().map(|part| self.result_part(part)).collect()),
            Kind::Bool | Kind::Number | Kind::Object => None,
        }
    }

    fn result_part(&mut self, part: Value<'_, '_>) -> ResultPart {
        let kind = part.get("type").and_then(Value::to_text).unwrap_or_default();
        let read = match &*kind {
            "text" => part.get("text").and_then(Value::to_text).map(ResultPart::Text),
            "image" => self.image(part).map(ResultPart::Image),
            _ => None,
        };
        read.unwrap_or_else(|| ResultPart::Opaque(block::native(kind, part, &self.issuer)))
    }

    fn image(&mut self, value: Value<'_, '_>) -> Option<Image> {
        let source = value.get("source")?;
        let text = |name: &str| source.get(name).and_then(Value::to_text);
        let mut image = match &*source.get_str("type")? {
            "base64" => Image::new(text("media_type")?, ImageSource::Base64(text("data")?)),
            "url" => Image::new(Text::default(), ImageSource::Url(text("url")?)),
            "file" => Image::new(Text::default(), ImageSource::File(text("file_id")?)),
            _ => return None,
        };
        image.rest = rest(value, ["source", "", ""]);
        crate::rendition::add(&mut image);
        self.report_image(&image);
        Some(image)
    }

    pub(crate) fn report_image(&mut self, image: &Image) {
        let declared = image.media_type();
        let detail = match (image.source(), image.measured()) {
            (ImageSource::Base64(_), Some(m)) if m.media_type.as_str() != declared.as_str() => {
                format!("declared {declared}, its bytes are {}", m.media_type.as_str())
            }
            (ImageSource::Base64(_), None) => {
                format!("declared {declared}, its data is no image")
            }
            _ => return,
        };
        self.report.add(FindingKind::ImageCorrected, self.place, detail);
    }

    /// An id that may be missing: then it is empty, and reported.
    fn id(&mut self, value: Value<'_, '_>, name: &str) -> Option<Text> {
        match value.get(name) {
            Some(id) => id.to_text(),
            None => {
                self.no_id(name);
                Some(Text::default())
            }
        }
    }

    fn no_id(&mut self, name: &str) {
        self.unread(format!("a block has no {name}; it is taken as empty"));
    }

    fn unread(&mut self, detail: String) {
        self.report.add(FindingKind::UnreadField, self.place, detail);
    }
}

/// Members beyond those that are read; a cache mark is no history.
fn rest(value: Value<'_, '_>, known: [&str; 3]) -> Rest {
    let [first, second, third] = known;
    rest_of(value, &[first, second, third, "cache_control"])
}
