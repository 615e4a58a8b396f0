//! Conserved, over Gemini: the same judge reads parts, and whose signature is on which.

use record::{Block, Proof, ProofKind, Reasoning};
use serde_json::Value;
use testkit::target;
use testkit::text::markers;

use crate::body::Unit;
use crate::chat::{Side, is_made};
use crate::conserved::Judge;
use crate::stored::{Place, What};

/// The documented stand-in for a signature.
const STAND_IN: &str = "skip_thought_signature_validator";

impl Judge<'_> {
    /// Looks at one part.
    pub(crate) fn gemini_part(&mut self, unit: &Unit<'_>) -> Result<(), String> {
        let (value, members) = (unit.value, unit.value.as_object().ok_or("a part that is none")?);
        let kind = members.keys().find(|name| *name != "thought" && *name != "thoughtSignature");
        match (unit.role, kind.map(String::as_str).unwrap_or_default()) {
            ("model", "text") if value["thought"] == true => self.thought_part(value),
            ("model", "text") => {
                let text = value["text"].as_str().unwrap_or_default();
                if record::blank::is_blank(text) {
                    self.blank_signed.insert(value["thoughtSignature"].to_string());
                } else {
                    self.speech(text)?;
                }
                self.signed(value, text)
            }
            ("model", "functionCall") => {
                let (call, args) = (&value["functionCall"], &value["functionCall"]["args"]);
                let name = call["name"].as_str().unwrap_or_default();
                self.called(name, is_made(name), args)?;
                let raw = args["_unparsed_arguments"].as_str();
                self.signed(value, &raw.map_or_else(|| args.to_string(), str::to_owned))
            }
            ("user", "text") => self.user_text(value["text"].as_str().unwrap_or_default()),
            ("user", "functionResponse") => self.response(&value["functionResponse"]),
            ("user", "inlineData" | "fileData") => self.medium(value),
            _ => self.verbatim(value),
        }
    }

    fn response(&mut self, response: &Value) -> Result<(), String> {
        let said = response["response"].as_object().ok_or("a response that is no object")?;
        let text = said.get("output").or(said.get("error")).and_then(Value::as_str);
        self.said(text.ok_or("a response without output or error")?, Side::Tool)?;
        for part in response["parts"].as_array().into_iter().flatten() {
            self.medium(part)?;
        }
        Ok(())
    }

    /// An image, or a medium that goes back as it came.
    fn medium(&mut self, part: &Value) -> Result<(), String> {
        let source = &part["inlineData"]["data"];
        let key = source.as_str().or(part["fileData"]["fileUri"].as_str()).unwrap_or_default();
        if self.stored.images.contains_key(key) {
            return self.image_of(key, part);
        }
        self.verbatim(part)
    }

    fn thought_part(&mut self, value: &Value) -> Result<(), String> {
        let text = value["text"].as_str().unwrap_or_default();
        self.count(text);
        let sealed = value["thoughtSignature"].as_str().unwrap_or_default();
        let own = |thought: &&&Reasoning| thought.reasoning.as_str() == text;
        let thought = self.stored.sealed.get(sealed).filter(own);
        let proof = thought.and_then(|thought| thought.proof.as_deref());
        if proof.is_some_and(|proof| self.issued(proof)) {
            Ok(())
        } else {
            Err(format!("thought nobody had: {value}"))
        }
    }

    /// A signature is on the part it came with, and goes to who issued it.
    fn signed(&self, value: &Value, text: &str) -> Result<(), String> {
        let Some(sealed) = value["thoughtSignature"].as_str() else { return Ok(()) };
        let is_call = value.get("functionCall").is_some();
        if sealed == STAND_IN {
            return if is_call { Ok(()) } else { Err(format!("a stand-in here: {value}")) };
        }
        let literal = format!("\"{sealed}\"");
        let came_with = |place: &Place<'_>| {
            let message = self.played.path[place.at].message();
            let block = message.and_then(|message| message.blocks.get(place.block as usize));
            let proof = block.and_then(|block| match block {
                Block::Text(text) => text.proof.as_deref(),
                Block::ToolUse(call) => call.proof.as_deref(),
                _ => None,
            });
            proof.is_some_and(|proof| proof.sealed.as_str() == literal && self.issued(proof))
        };
        // An empty text, and a call without arguments, name no place.
        let Some(marker) = markers(text).first().copied() else { return Ok(()) };
        let places = self.stored.marked.get(&marker).map(Vec::as_slice).unwrap_or_default();
        let own = |place: &&Place<'_>| matches!(place.what, What::Text(..) | What::Call(_));
        if places.iter().filter(own).any(came_with) {
            Ok(())
        } else {
            Err(format!("a signature that came with another part: {value}"))
        }
    }

    /// Whether a proof is a signature that this request's target issued.
    fn issued(&self, proof: &Proof) -> bool {
        let to = target(self.request.target).to;
        proof.kind == ProofKind::Signature
            && proof.issuer.platform == to.platform
            && proof.issuer.api == to.dialect
            && proof.issuer.model == to.model
    }
}
