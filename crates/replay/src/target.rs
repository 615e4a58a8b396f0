//! Where a request goes, and what that target can carry.

use json::Text;
use wire::anthropic_messages::models::{self, Binding, Model};
use wire::bedrock_converse::models as converse_models;
use wire::gemini::platforms::{GEMINI_API, VERTEX};
use wire::gemini::{models as gemini_models, platforms as gemini_platforms};
use wire::openai_chat::models as chat_models;
use wire::openai_chat::vendors::{self, Form, Vendor};
use wire::openai_responses::models as responses_models;
use wire::openai_responses::platforms;
use wire::takes::Takes;

use crate::project::{Chat, Converse, Dialect, Gemini, Responses};

/// Anthropic Messages, as targets and issuers name it.
pub(crate) const ANTHROPIC_MESSAGES: &str = "anthropic_messages";

/// Chat Completions, as targets and issuers name it.
pub(crate) const OPENAI_CHAT: &str = "openai_chat";

/// Responses, as targets and issuers name it.
pub(crate) const OPENAI_RESPONSES: &str = "openai_responses";

/// Google's `generateContent`, as targets and issuers name it.
pub(crate) const GEMINI: &str = "gemini";

/// Who serves models over the native API of its own.
const OLLAMA: &str = "ollama";

/// Bedrock Converse, as targets and issuers name it.
pub(crate) const BEDROCK_CONVERSE: &str = "bedrock_converse";

/// The platform that speaks it.
const BEDROCK: &str = "bedrock";

/// A target: dialect, platform, model, account; and what this caller lets the model have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What a `sent` says of it.
    pub to: record::Target,
    /// Whether the model is let see images, as far as its vendor takes any.
    pub vision: bool,
    /// Whether calls are said as calls; if not, rounds are told as a record of actions. Over
    /// Chat Completions and Bedrock Converse; the other dialects always say calls.
    pub tools: bool,
    /// What the vendor takes, where that is the caller's own row; Chat Completions only, in either
    /// form.
    pub row: Option<Vendor>,
    /// Whether the server keeps what it is sent, and items are named by their ids; Responses only,
    /// and only where the platform keeps any.
    pub store: bool,
}

impl Target {
    /// A model of the Claude API.
    pub fn anthropic(model: impl Into<Text>) -> Target {
        Target {
            to: record::Target {
                dialect: ANTHROPIC_MESSAGES.into(),
                platform: "anthropic".into(),
                model: model.into(),
                account: None,
            },
            vision: true,
            tools: true,
            row: None,
            store: false,
        }
    }

    /// A model of a vendor that speaks Chat Completions, by any name of the vendor's, or its host.
    ///
    /// One that is in no row is written to as to the strictest. Images are seen where it is known
    /// that they are taken; set [`Target::vision`] where you know better.
    pub fn openai_chat(vendor: &str, model: impl Into<Text>) -> Target {
        let row = vendors::vendor(vendor).unwrap_or(&vendors::UNKNOWN);
        let name = vendors::canonical(vendor).unwrap_or(vendor);
        Target { row: None, ..Target::openai_chat_by(name, *row, model) }
    }

    /// A model that Ollama serves over its native API.
    pub fn ollama_chat(model: impl Into<Text>) -> Target {
        Target::openai_chat(Form::Ollama.api(), model)
    }

    /// A model of a vendor that takes what a row of the caller's own says.
    pub fn openai_chat_by(name: &str, row: Vendor, model: impl Into<Text>) -> Target {
        let dialect = row.form.api();
        let platform = if name == Form::Ollama.api() { OLLAMA } else { name };
        let (platform, model) = (platform.into(), model.into());
        let images = row.with(chat_models::model(&model, row.serves_openai)).images;
        Target {
            to: record::Target { dialect: dialect.into(), platform, model, account: None },
            vision: images == Takes::Yes,
            tools: true,
            row: Some(row),
            store: false,
        }
    }

    /// A model over Responses at a platform, by any name of it, or its host: `openai`, `azure`, or
    /// `chatgpt`, the backend of Codex. Nothing is stored there unless [`Target::store`] says so.
    ///
    /// One that is in no row is written to as to the strictest.
    pub fn openai_responses(platform: &str, model: impl Into<Text>) -> Target {
        let name = platforms::platform(platform).map_or(platform, |row| row.name);
        let (platform, model) = (name.into(), model.into());
        let images = responses_models::model(&model).images;
        let dialect = OPENAI_RESPONSES.into();
        Target {
            to: record::Target { dialect, platform, model, account: None },
            vision: images == Takes::Yes,
            tools: true,
            row: None,
            store: false,
        }
    }

    /// A model of the Gemini API.
    pub fn gemini(model: impl Into<Text>) -> Target {
        Target::gemini_at(GEMINI_API.name, model)
    }

    /// A model of Google's on Vertex.
    pub fn vertex(model: impl Into<Text>) -> Target {
        Target::gemini_at(VERTEX.name, model)
    }

    fn gemini_at(platform: &str, model: impl Into<Text>) -> Target {
        let (dialect, platform, model) = (GEMINI.into(), platform.into(), model.into());
        let to = record::Target { dialect, platform, model, account: None };
        Target { to, vision: true, tools: true, row: None, store: false }
    }

    /// A model of AWS Bedrock, by its id, with a region before it or not, or by its ARN.
    ///
    /// One of a family in no row is written to as to the strictest. Images are seen where it is
    /// known that they are taken; set [`Target::vision`] where you know better.
    pub fn bedrock(model: impl Into<Text>) -> Target {
        let model = model.into();
        let vision = converse_models::model(&model).images == Takes::Yes;
        Target {
            to: record::Target {
                dialect: BEDROCK_CONVERSE.into(),
                platform: BEDROCK.into(),
                model,
                account: None,
            },
            vision,
            tools: true,
            row: None,
            store: false,
        }
    }

    /// How its requests are written.
    pub(crate) fn dialect(&self) -> Dialect {
        match self.to.dialect.as_str() {
            OPENAI_CHAT => self.chat(&self.to.platform),
            OPENAI_RESPONSES => self.responses(),
            GEMINI => Dialect::Gemini(Gemini {
                platform: gemini_platforms::platform(&self.to.platform),
                model: gemini_models::model(&self.to.model),
            }),
            BEDROCK_CONVERSE => self.converse(),
            native if native == Form::Ollama.api() => self.chat(native),
            _ => Dialect::AnthropicMessages(self.model()),
        }
    }

    fn responses(&self) -> Dialect {
        let known = platforms::platform(&self.to.platform);
        let platform = known.unwrap_or(&platforms::UNKNOWN);
        Dialect::OpenAiResponses(Responses {
            platform,
            model: responses_models::model(&self.to.model),
            unknown: known.is_none().then(|| self.to.platform.clone()),
            store: self.store && platform.store == Takes::Yes,
        })
    }

    fn converse(&self) -> Dialect {
        let model = converse_models::model(&self.to.model);
        Dialect::BedrockConverse(Box::new(Converse {
            model,
            claude: model.claude.then(|| self.model()),
            name: self.to.model.clone(),
            tools: self.tools,
        }))
    }

    /// The vendor of this name, where no row of the caller's own says what it takes.
    fn chat(&self, named: &str) -> Dialect {
        let known = self.row.as_ref().or_else(|| vendors::vendor(named));
        let row = known.unwrap_or(&vendors::UNKNOWN);
        let model = chat_models::model(&self.to.model, row.serves_openai);
        Dialect::OpenAiChat(Box::new(Chat {
            vendor: row.with(model),
            model,
            unknown: known.is_none().then(|| self.to.platform.clone()),
            tools: self.tools,
        }))
    }

    fn is_bedrock(&self) -> bool {
        self.to.dialect.as_str() == BEDROCK_CONVERSE
    }

    /// The model's row in the table of Anthropic Messages.
    fn model(&self) -> &'static Model {
        self.row_of(&self.to.model)
    }

    /// The row of a Claude model, as this target's platform names it.
    fn row_of(&self, model: &str) -> &'static Model {
        if self.is_bedrock() { converse_models::claude_model(model) } else { models::model(model) }
    }

    /// Whether thinking goes back only under the prefix it was produced under.
    ///
    /// Unknown counts as not bound when sending: an unbound reading loses nothing that was said.
    pub(crate) fn binds_thinking(&self) -> bool {
        let binds = match self.to.dialect.as_str() {
            ANTHROPIC_MESSAGES | BEDROCK_CONVERSE => self.model().binds_thinking,
            OPENAI_RESPONSES => responses_models::model(&self.to.model).binds_reasoning,
            _ => Binding::No,
        };
        binds == Binding::Yes
    }

    /// Whether a thought of `issuer_model` may go to this target's model; one of a model that
    /// nobody named may: what its model cannot read, the API leaves out by itself.
    pub(crate) fn reads(&self, issuer_model: &str) -> bool {
        if issuer_model.is_empty() || issuer_model == self.to.model.as_str() {
            return true;
        }
        let (own, issuer) = (self.model(), self.row_of(issuer_model));
        !own.id.is_empty()
            && !issuer.id.is_empty()
            && (own.id == issuer.id || own.reads.contains(&issuer.id))
    }
}
