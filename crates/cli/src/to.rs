//! Where a request goes: an API, and who speaks it: with Chat Completions a vendor, with Gemini a
//! platform.

use std::fmt;

use stenograph::formats::{self, Format};
use stenograph::json::Doc;
use stenograph::replay::Target;
use stenograph::wire::anthropic_messages::lint as anthropic;
use stenograph::wire::anthropic_messages::models::{self, DEFAULT_MODEL};
use stenograph::wire::bedrock_converse::{lint as converse, models as converse_models};
use stenograph::wire::gemini::lint as gemini;
use stenograph::wire::gemini::models as gemini_models;
use stenograph::wire::gemini::platforms::{self as gemini_platforms, GEMINI_API, VERTEX};
use stenograph::wire::openai_chat::lint as chat;
use stenograph::wire::openai_chat::models as chat_models;
use stenograph::wire::openai_chat::vendors::{self, VENDORS, Vendor};
use stenograph::wire::openai_responses::lint as responses;
use stenograph::wire::openai_responses::models as responses_models;
use stenograph::wire::openai_responses::platforms::{self, PLATFORMS, Platform};
use stenograph::wire::rule::Rule;
use stenograph::wire::rulebook;
use stenograph::wire::{Finding, Severity};

use crate::config::{Config, OwnVendor, nearest};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::recorded::Form;

/// The names of the APIs.
pub const ANTHROPIC_MESSAGES: &str = "anthropic_messages";
pub const OPENAI_CHAT: &str = "openai_chat";
pub const GEMINI: &str = "gemini";

/// Gemini on Vertex.
const ON_VERTEX: &str = "vertex";
pub const BEDROCK_CONVERSE: &str = "bedrock_converse";

/// The vendor whose form is Ollama's native API.
pub const OLLAMA_CHAT: &str = "ollama_chat";
pub const OPENAI_RESPONSES: &str = "openai_responses";

/// Other names of two of them.
const ANTHROPIC: &str = "anthropic";
const BEDROCK: &str = "bedrock";

/// An API, and who speaks it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum To {
    /// The Anthropic Messages API.
    Anthropic,
    /// Chat Completions of a vendor's.
    Chat(Box<Served>),
    /// Converse of AWS Bedrock.
    Bedrock,
    /// Gemini, on one of its platforms.
    Gemini(&'static gemini_platforms::Platform),
    /// Responses of a platform.
    Responses(Hosted),
}

/// Who speaks Responses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosted {
    /// What it is called: the name of its row, or the host of one nobody knows.
    pub name: String,
    /// What it takes.
    pub row: Platform,
}

/// A vendor of Chat Completions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// What it is called: the name of its row, or the host of one nobody knows.
    pub name: String,
    /// What it takes.
    pub row: Vendor,
    /// Whose row that is.
    pub by: By,
}

/// Whose row a vendor's is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// One of ours.
    Us,
    /// One of the user's own.
    User(Box<OwnVendor>),
    /// Nobody's: the strictest.
    Nobody,
}

impl Served {
    /// The user's own description, where it is the user's.
    pub fn own(&self) -> Option<&OwnVendor> {
        match &self.by {
            By::User(own) => Some(own),
            By::Us | By::Nobody => None,
        }
    }
}

impl To {
    /// The target of a name: an API, a vendor of ours, one of the user's own or its host,
    /// `openai_chat/HOST`, `openai_responses/PLATFORM` or `openai_responses/HOST`.
    pub fn named(name: &str, config: &Config) -> Result<To, Failure> {
        if [ANTHROPIC_MESSAGES, ANTHROPIC].contains(&name) {
            return Ok(To::Anthropic);
        }
        if let Some(gemini) = gemini_named(name) {
            return Ok(gemini);
        }
        if name == OPENAI_RESPONSES {
            return Ok(To::responses());
        }
        let host = name.strip_prefix(OPENAI_RESPONSES).and_then(|rest| rest.strip_prefix('/'));
        if let Some(host) = host.filter(|host| !host.is_empty()) {
            return Ok(To::Responses(hosted(host)));
        }
        if [BEDROCK_CONVERSE, BEDROCK].contains(&name) {
            return Ok(To::Bedrock);
        }
        let host = name.strip_prefix(OPENAI_CHAT).and_then(|rest| rest.strip_prefix('/'));
        let served = match host {
            Some(host) if !host.is_empty() => known(host, config).unwrap_or_else(|| nobodys(host)),
            None if name == OPENAI_CHAT => nobodys(OPENAI_CHAT),
            Some(_) | None => known(name, config).ok_or_else(|| unknown(name, config))?,
        };
        Ok(To::Chat(Box::new(served)))
    }

    /// Chat Completions of a vendor of ours, or of one nobody knows.
    pub fn of_vendor(vendor: &str) -> To {
        To::Chat(Box::new(ours(vendor).unwrap_or_else(|| nobodys(vendor))))
    }

    /// Gemini on the Gemini API.
    pub fn gemini() -> To {
        To::Gemini(&GEMINI_API)
    }

    /// Responses of OpenAI's.
    pub fn responses() -> To {
        To::Responses(hosted(platforms::OPENAI.name))
    }

    /// Who a body is for by its shape: of Chat Completions the vendor its model's name tells, of
    /// Gemini the Gemini API, of Responses OpenAI.
    pub fn of_body(body: &[u8], model: Option<&str>) -> Option<To> {
        match formats::detect_whole(body).ok()? {
            Format::OpenAiChat => {}
            Format::OllamaChat => return Some(To::of_vendor(OLLAMA_CHAT)),
            Format::OpenAiResponses => return Some(To::responses()),
            Format::Gemini => return Some(To::gemini()),
            Format::BedrockConverse => return Some(To::Bedrock),
            _ => return None,
        }
        let doc = Doc::parse(body).ok();
        let named = doc.as_ref().and_then(|doc| doc.root().get_str("model"));
        let vendor = formats::vendor_of_model(model.or(named.as_deref()).unwrap_or_default());
        Some(To::of_vendor(vendor.unwrap_or(OPENAI_CHAT)))
    }

    /// The target of a model there.
    pub fn target(&self, model: &str) -> Target {
        match self {
            To::Anthropic => Target::anthropic(model),
            To::Chat(served) if served.own().is_some() => {
                Target::openai_chat_by(&served.name, served.row, model)
            }
            To::Chat(served) => Target::openai_chat(&served.name, model),
            To::Gemini(platform) if platform.name == VERTEX.name => Target::vertex(model),
            To::Gemini(_) => Target::gemini(model),
            To::Responses(hosted) => Target::openai_responses(&hosted.name, model),
            To::Bedrock => Target::bedrock(model),
        }
    }

    /// Whether calls can be told there as a record of actions, for a model without tools.
    pub fn tells_calls(&self) -> bool {
        match self {
            To::Chat(_) | To::Bedrock => true,
            To::Anthropic | To::Gemini(_) | To::Responses(_) => false,
        }
    }

    /// Whether a row says what is so of the model there; the strictest stands for any other. Most
    /// models of Chat Completions change nothing about their vendor, and have none; only where
    /// OpenAI's are served is one in no row judged by the strictest.
    pub fn knows_model(&self, model: &str) -> bool {
        match self {
            To::Anthropic => !models::model(model).id.is_empty(),
            To::Bedrock => !converse_models::model(model).is_unknown(),
            To::Chat(served) => {
                let row = chat_models::model(model, served.row.serves_openai);
                served.by != By::Nobody && *row != chat_models::UNKNOWN
            }
            To::Gemini(_) => !gemini_models::model(model).id.is_empty(),
            To::Responses(_) => !responses_models::model(model).id.is_empty(),
        }
    }

    /// The form of a body for it.
    pub fn form(&self) -> Form {
        match self {
            To::Anthropic => Form::AnthropicMessages,
            To::Chat(served) => match served.row.form {
                vendors::Form::Completions => Form::OpenAiChat,
                vendors::Form::Ollama => Form::OllamaChat,
            },
            To::Gemini(_) => Form::Gemini,
            To::Responses(_) => Form::OpenAiResponses,
            To::Bedrock => Form::BedrockConverse,
        }
    }

    /// Every one, the user's own last.
    pub fn all(config: &Config) -> Vec<To> {
        let ours = VENDORS.iter().map(|(name, row)| of_ours(name, row));
        let served = ours.chain(config.vendors.iter().map(of_users));
        let chat = served.map(|served| To::Chat(Box::new(served)));
        let responses = PLATFORMS.iter().map(|row| To::Responses(hosted(row.name)));
        let clouds = [To::Bedrock, To::Gemini(&GEMINI_API), To::Gemini(&VERTEX)];
        std::iter::once(To::Anthropic).chain(responses).chain(clouds).chain(chat).collect()
    }

    /// The name of the API.
    pub fn dialect(&self) -> &'static str {
        match self {
            To::Anthropic => ANTHROPIC_MESSAGES,
            To::Chat(served) => served.row.form.api(),
            To::Gemini(_) => GEMINI,
            To::Responses(_) => OPENAI_RESPONSES,
            To::Bedrock => BEDROCK_CONVERSE,
        }
    }

    /// The model where nobody names one.
    pub fn default_model(&self) -> Option<&'static str> {
        match self {
            To::Anthropic => Some(DEFAULT_MODEL),
            To::Chat(_) | To::Responses(_) => None,
            To::Gemini(_) => Some(gemini_models::DEFAULT_MODEL),
            To::Bedrock => Some(converse_models::DEFAULT_MODEL),
        }
    }

    /// What is said there about a body.
    pub fn lint(&self, body: &[u8], model: Option<&str>, betas: &[&str]) -> Vec<Finding> {
        match self {
            To::Anthropic => {
                let options = anthropic::LintOptions { betas, model, ..Default::default() };
                anthropic::lint(body, &options)
            }
            To::Chat(served) => chat::lint(body, &chat::LintOptions { vendor: &served.row, model }),
            To::Gemini(platform) => gemini::lint(body, &gemini::LintOptions { platform, model }),
            To::Responses(hosted) => {
                responses::lint(body, &responses::LintOptions { platform: &hosted.row, model })
            }
            To::Bedrock => converse::lint(body, &converse::LintOptions { model }),
        }
    }

    /// What is said there about a request that replay made, for the model it was made for. Over the
    /// APIs of OpenAI and over Bedrock what is doubtful is no fault: several calls of one reply
    /// stay so, and a caller may know more of images than a row does.
    pub fn lint_made(&self, body: &[u8], model: Option<&str>, betas: &[&str]) -> Vec<Finding> {
        let mut findings = self.lint(body, model, betas);
        let may_doubt = matches!(self, To::Chat(_) | To::Responses(_) | To::Bedrock);
        findings.retain(|finding| !may_doubt || finding.severity == Severity::Error);
        findings
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            To::Anthropic => f.write_str(ANTHROPIC_MESSAGES),
            To::Chat(served) if served.by == By::Nobody && served.name != OPENAI_CHAT => {
                write!(f, "{OPENAI_CHAT}/{}", served.name)
            }
            To::Chat(served) => f.write_str(&served.name),
            To::Gemini(platform) if platform.name == VERTEX.name => f.write_str(ON_VERTEX),
            To::Gemini(_) => f.write_str(GEMINI),
            To::Responses(hosted) if hosted.name == platforms::OPENAI.name => {
                f.write_str(OPENAI_RESPONSES)
            }
            To::Responses(hosted) => write!(f, "{OPENAI_RESPONSES}/{}", hosted.name),
            To::Bedrock => f.write_str(BEDROCK_CONVERSE),
        }
    }
}

/// A vendor by name or host.
fn known(name: &str, config: &Config) -> Option<Served> {
    if let Some(own) = config.vendor(name) {
        return Some(of_users(own));
    }
    ours(name)
}

fn ours(name: &str) -> Option<Served> {
    let row = vendors::vendor(name)?;
    VENDORS.iter().find(|(_, known)| std::ptr::eq(known, row)).map(|(name, row)| of_ours(name, row))
}

fn of_ours(name: &str, row: &Vendor) -> Served {
    Served { name: name.to_owned(), row: *row, by: By::Us }
}

fn of_users(own: &OwnVendor) -> Served {
    Served { name: own.name.clone(), row: own.row, by: By::User(Box::new(own.clone())) }
}

fn nobodys(host: &str) -> Served {
    Served { name: host.to_owned(), row: vendors::UNKNOWN, by: By::Nobody }
}

/// A platform of Gemini, by its own name or by the one that issuers have.
fn gemini_named(name: &str) -> Option<To> {
    if name == GEMINI || name == GEMINI_API.name {
        Some(To::Gemini(&GEMINI_API))
    } else if name == ON_VERTEX || name == VERTEX.name {
        Some(To::Gemini(&VERTEX))
    } else {
        None
    }
}

/// A platform of Responses, by name or host.
fn hosted(host: &str) -> Hosted {
    match platforms::platform(host) {
        Some(row) => Hosted { name: row.name.to_owned(), row: *row },
        None => Hosted { name: host.to_owned(), row: platforms::UNKNOWN },
    }
}

/// Whether one of ours is called so: no vendor of the user's own can be.
pub fn is_taken(name: &str) -> bool {
    const APIS: [&str; 6] =
        [ANTHROPIC_MESSAGES, ANTHROPIC, OPENAI_CHAT, OPENAI_RESPONSES, BEDROCK_CONVERSE, BEDROCK];
    APIS.contains(&name) || gemini_named(name).is_some() || vendors::vendor(name).is_some()
}

/// The rule of an id, in whichever book it is.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rulebook::find(id).map(|(_, rule)| rule)
}

/// The failure of a name that no target has.
fn unknown(name: &str, config: &Config) -> Failure {
    let ours = VENDORS.iter().map(|(name, _)| *name);
    let known =
        [ANTHROPIC_MESSAGES, OPENAI_RESPONSES, OPENAI_CHAT, GEMINI, ON_VERTEX, BEDROCK_CONVERSE];
    let known = known.into_iter().chain(ours);
    let known = known.chain(config.vendors.iter().map(|own| own.name.as_str()));
    let otherwise = "`anthropic_messages`, `openai_responses`, `gemini`, `vertex`, \
         `bedrock_converse` and the vendors of Chat Completions are; `steno targets` lists them";
    let hint = nearest::hint(name, known, otherwise);
    let cause = "no API, no vendor and no row of the configuration is called so";
    Failure::told(Exit::Usage, format!("no target `{name}`"), cause, hint)
}
