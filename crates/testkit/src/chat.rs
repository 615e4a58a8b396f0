//! Thoughts as vendors of Chat Completions give them.

use std::sync::Arc;

use json::{Raw, Text};
use record::{Issuer, Proof, ProofKind, Reasoning, Rest};

use crate::generate::Gen;
use crate::script;
use crate::tag::Tag;
use crate::text::{self, lone_surrogate};

/// Ways to choose a tool.
pub(crate) const TOOL_CHOICES: &[&str] = &[
    r#""auto""#,
    r#""none""#,
    r#""required""#,
    r#"{"type":"function","function":{"name":"grep"}}"#,
];

/// Parameters that most vendors take, and what is no parameter.
pub(crate) const EXTRA_PARAMETERS: &[(&str, &str)] = &[
    ("temperature", "0.5"),
    ("temperature", "1"),
    ("top_p", "0.97"),
    ("stop", r#"["STOP"]"#),
    ("stop", r#"["1","2","3","4","5"]"#),
    ("presence_penalty", "0.1"),
    ("parallel_tool_calls", "false"),
    ("messages", "[]"),
    ("max_tokens", "9"),
];

/// Keys that a thought comes under.
const KEYS: &[&str] = &["reasoning_content", "reasoning", "thinking", "content"];

impl Gen {
    /// A thought under the vendor's key, or under another; typed, sealed, or spoiled.
    pub(crate) fn chat_thought(&mut self, target: usize) -> Reasoning {
        let number = self.mark();
        let mut thought = Reasoning {
            reasoning: text::marker(number).into(),
            proof: None,
            rest: Rest::default(),
        };
        let details = format!(
            r#"[{{"type":"reasoning.text","text":"{}","signature":"sig{number}"}}]"#,
            text::marker(number)
        );
        match self.rng.weighted(&[50, 14, 14, 6, 6, 4]) {
            0 => {
                let key: Text = (*self.rng.pick(KEYS)).into();
                thought.rest.push("key".into(), Raw::string(&key));
            }
            1 => thought.rest.push("reasoning_details".into(), Raw::parse(&details).unwrap()),
            2 => thought.proof = Some(self.chat_proof(target, "reasoning_details", &details)),
            3 => {
                self.tags.add(Tag::ForeignProof);
                let sealed = format!("\"sealed{number}\"");
                thought.proof = Some(self.chat_proof(target, "encrypted", &sealed));
            }
            4 => {
                self.tags.add(Tag::LoneSurrogate);
                thought.reasoning = lone_surrogate(&text::marker(number));
            }
            _ => {
                self.tags.add(Tag::UnsignedThinking);
            }
        }
        thought
    }

    fn chat_proof(&mut self, target: usize, kind: &str, sealed: &str) -> Box<Proof> {
        let to = script::target(target).to;
        let mut issuer =
            Issuer { platform: to.platform, account: None, api: to.dialect, model: to.model };
        if self.rng.one_in(8) {
            self.tags.add(Tag::IssuerMismatch);
            issuer.model = "another".into();
        }
        Box::new(Proof {
            issuer: Arc::new(issuer),
            kind: ProofKind::from_name(&kind.into()),
            version: 1,
            sealed: Raw::parse(sealed).unwrap(),
        })
    }
}
