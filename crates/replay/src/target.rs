//! Where a request goes, and what that target can carry.

use json::Text;
use wire::anthropic_messages::models::{self, Binding, Model};
use wire::bedrock_converse::models as converse_models;
use wire::openai_chat::models as chat_models;
use wire::openai_chat::vendors::{self, Takes, Vendor};

use crate::project::{Chat, Converse, Dialect};

/// Anthropic Messages, as targets and issuers name it.
pub(crate) const ANTHROPIC_MESSAGES: &str = "anthropic_messages";

/// Chat Completions, as targets and issuers name it.
pub(crate) const OPENAI_CHAT: &str = "openai_chat";

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
    /// Whether calls are said as calls; if not, rounds are told as a record of actions. Not over
    /// Anthropic Messages.
    pub tools: bool,
    /// What the vendor takes, where that is the caller's own row; Chat Completions only.
    pub row: Option<Vendor>,
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

    /// A model of a vendor that takes what a row of the caller's own says.
    pub fn openai_chat_by(name: &str, row: Vendor, model: impl Into<Text>) -> Target {
        let (platform, model) = (name.into(), model.into());
        let images = row.with(chat_models::model(&model, row.serves_openai)).images;
        Target {
            to: record::Target { dialect: OPENAI_CHAT.into(), platform, model, account: None },
            vision: images == Takes::Yes,
            tools: true,
            row: Some(row),
        }
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
        }
    }

    /// How its requests are written.
    pub(crate) fn dialect(&self) -> Dialect {
        if self.is_bedrock() {
            let model = converse_models::model(&self.to.model);
            return Dialect::BedrockConverse(Box::new(Converse {
                model,
                claude: model.claude.then(|| self.model()),
                name: self.to.model.clone(),
                tools: self.tools,
            }));
        }
        if self.to.dialect.as_str() != OPENAI_CHAT {
            return Dialect::AnthropicMessages(self.model());
        }
        let known = self.row.as_ref().or_else(|| vendors::vendor(&self.to.platform));
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
        (self.to.dialect.as_str() == ANTHROPIC_MESSAGES || self.is_bedrock())
            && self.model().binds_thinking == Binding::Yes
    }

    /// Whether a thought of `issuer_model` may go to this target's model.
    pub(crate) fn reads(&self, issuer_model: &str) -> bool {
        if issuer_model == self.to.model.as_str() {
            return true;
        }
        let (own, issuer) = (self.model(), self.row_of(issuer_model));
        !own.id.is_empty()
            && !issuer.id.is_empty()
            && (own.id == issuer.id || own.reads.contains(&issuer.id))
    }
}
