//! Who a request can be for: an API, and who serves it.

use stenograph::wire::openai_chat::vendors::{self, VENDORS, Vendor};

use crate::config::{Config, OwnVendor, nearest};
use crate::exit::Exit;
use crate::failure::Failure;

/// The names of the two APIs.
pub const ANTHROPIC_MESSAGES: &str = "anthropic_messages";
pub const OPENAI_CHAT: &str = "openai_chat";

/// Another name of the first.
const ANTHROPIC: &str = "anthropic";

/// An API and who serves it.
#[derive(Clone, Debug)]
pub enum Api {
    /// The Anthropic Messages API.
    AnthropicMessages,
    /// Chat Completions, at a vendor.
    OpenAiChat(Box<Served>),
}

/// A vendor of Chat Completions.
#[derive(Clone, Debug)]
pub struct Served {
    /// What it is called: a name, the host of one nobody knows, or [`OPENAI_CHAT`] where not even
    /// that is said.
    pub name: String,
    /// What it takes.
    pub row: Vendor,
    /// The user's own description of it, if there is one.
    pub own: Option<OwnVendor>,
}

impl Api {
    /// The API and vendor of a name: an API, a vendor of ours, one of the user's own or its host,
    /// or `openai_chat/HOST`.
    pub fn named(name: &str, config: &Config) -> Result<Api, Failure> {
        if [ANTHROPIC_MESSAGES, ANTHROPIC].contains(&name) {
            return Ok(Api::AnthropicMessages);
        }
        let host = name.strip_prefix(OPENAI_CHAT).and_then(|rest| rest.strip_prefix('/'));
        let served = match host {
            Some(host) => known(host, config).unwrap_or_else(|| nobody_knows(host)),
            None if name == OPENAI_CHAT => nobody_knows(OPENAI_CHAT),
            None => known(name, config).ok_or_else(|| unknown(name, config))?,
        };
        Ok(Api::OpenAiChat(Box::new(served)))
    }

    /// Every one, the user's own last.
    pub fn all(config: &Config) -> Vec<Api> {
        let ours = VENDORS.iter().map(|(name, row)| of_ours(name, row));
        let served = ours.chain(config.vendors.iter().map(of_users));
        let chat = served.map(|served| Api::OpenAiChat(Box::new(served)));
        std::iter::once(Api::AnthropicMessages).chain(chat).collect()
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Api::AnthropicMessages => ANTHROPIC_MESSAGES,
            Api::OpenAiChat(served) => &served.name,
        }
    }
}

/// A vendor by name or, of the user's own, by host.
fn known(name: &str, config: &Config) -> Option<Served> {
    if let Some(own) = config.vendor(name) {
        return Some(of_users(own));
    }
    let row = vendors::vendor(name)?;
    VENDORS.iter().find(|(_, known)| std::ptr::eq(known, row)).map(|(name, row)| of_ours(name, row))
}

fn of_ours(name: &str, row: &Vendor) -> Served {
    Served { name: name.to_owned(), row: *row, own: None }
}

fn of_users(own: &OwnVendor) -> Served {
    Served { name: own.name.clone(), row: own.row, own: Some(own.clone()) }
}

fn nobody_knows(host: &str) -> Served {
    Served { name: host.to_owned(), row: vendors::UNKNOWN, own: None }
}

/// Whether one of ours is called so: no vendor of the user's own can be.
pub fn is_taken(name: &str) -> bool {
    [ANTHROPIC_MESSAGES, ANTHROPIC, OPENAI_CHAT].contains(&name) || vendors::vendor(name).is_some()
}

/// The failure of a name that no target has.
fn unknown(name: &str, config: &Config) -> Failure {
    let ours = VENDORS.iter().map(|(name, _)| *name);
    let known = [ANTHROPIC_MESSAGES, OPENAI_CHAT].into_iter().chain(ours);
    let known = known.chain(config.vendors.iter().map(|own| own.name.as_str()));
    let otherwise =
        "`anthropic_messages` and the vendors of Chat Completions are; `steno targets` lists them";
    let hint = nearest::hint(name, known, otherwise);
    let cause = "no API, no vendor and no row of the configuration is called so";
    Failure::told(Exit::Usage, format!("no target `{name}`"), cause, hint)
}
