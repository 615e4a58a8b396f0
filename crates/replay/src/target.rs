//! Where a request goes, and what that target can carry.

use json::Text;
use wire::anthropic_messages::models::{self, Binding, Model};

use crate::project::Dialect;

/// The name of the one dialect there is so far.
pub(crate) const ANTHROPIC_MESSAGES: &str = "anthropic_messages";

/// A target: dialect, platform, model, account; and whether this caller lets the model see images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What a `sent` says of it.
    pub to: record::Target,
    /// The one capability that varies between callers of a model.
    pub vision: bool,
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
        }
    }

    /// How its requests are written.
    pub(crate) fn dialect(&self) -> Dialect {
        Dialect::AnthropicMessages(self.model())
    }

    /// The model's row.
    pub(crate) fn model(&self) -> &'static Model {
        models::model(&self.to.model)
    }

    /// Whether thinking goes back only under the prefix it was produced under.
    ///
    /// Unknown counts as not bound when sending: an unbound reading loses nothing that was said.
    pub(crate) fn binds_thinking(&self) -> bool {
        self.model().binds_thinking == Binding::Yes
    }

    /// Whether a thought of `issuer_model` may go to this target's model.
    pub(crate) fn reads(&self, issuer_model: &str) -> bool {
        if issuer_model == self.to.model.as_str() {
            return true;
        }
        let (own, issuer) = (self.model(), models::model(issuer_model));
        !own.id.is_empty()
            && !issuer.id.is_empty()
            && (own.id == issuer.id || own.reads.contains(&issuer.id))
    }
}
