//! From a source to a request: what `replay` and `doctor` have in common.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use stenograph::Session;
use stenograph::json::Text;
use stenograph::record::{Entry, EntryId, Fact, Head};
use stenograph::replay::{Now, Parameters, Prepared, Refusal, Target, ThinkingChoice};

use crate::config::Config;
use crate::config::setting::Key;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::place::{Place, PlaceArgs, named};
use crate::source::{self, Source, not_a_session};
use crate::to::{ANTHROPIC_MESSAGES, To};
use crate::ui::Ui;

/// Whether the model is asked to think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Thinking {
    /// Yes
    On,
    /// No
    Off,
}

/// Which request is made of which part of a source.
#[derive(Args, Debug)]
pub struct ViewArgs {
    /// Session file to read; `-` for standard input
    pub source: PathBuf,

    /// API or vendor the request is for, one of `steno targets` [default: anthropic_messages]
    #[arg(long, value_name = "TARGET")]
    pub to: Option<String>,

    /// Model the request is for [default: the record's last, if it is of that API and vendor]
    #[arg(long, value_name = "MODEL", value_parser = named)]
    pub model: Option<String>,

    #[command(flatten)]
    pub place: PlaceArgs,

    /// Leave images out, for a model that does not see
    #[arg(long)]
    pub no_vision: bool,

    /// Send images, where the configuration or the vendor's row says otherwise
    #[arg(long, conflicts_with = "no_vision")]
    pub vision: bool,

    /// Tell calls and results as a record of actions, to a model without tools
    /// (over Chat Completions and Bedrock Converse)
    #[arg(long)]
    pub no_tools: bool,

    /// Refuse a session that ends with the assistant, instead of asking it to go on
    #[arg(long)]
    pub no_continue: bool,

    /// Most tokens the model may write [default: the model's; in Chat Completions the vendor's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tokens: Option<u64>,

    /// Ask the model to think or not [default: as the record's last turn]
    #[arg(long, value_name = "WHETHER", value_enum)]
    pub thinking: Option<Thinking>,
}

/// Which request is to be made, checked.
#[derive(Debug)]
pub struct ViewRequest {
    /// Where to read.
    pub source: PathBuf,
    /// Who it is for.
    pub to: To,
    models: Models,
    place: Place,
    lets: Lets,
    now: Now,
}

/// What the caller lets a model have.
#[derive(Clone, Copy, Debug)]
struct Lets {
    /// Images, where that was said.
    vision: Option<bool>,
    tools: bool,
}

impl Lets {
    /// What the replay takes a request for.
    fn target(self, to: &To, model: &str) -> Target {
        let target = to.target(model);
        let vision = self.vision.unwrap_or(target.vision);
        Target { vision, tools: self.tools, ..target }
    }
}

impl ViewArgs {
    /// With what is configured where a flag is not given.
    pub fn checked(self, config: &Config) -> Result<ViewRequest, Failure> {
        let to = self.to.as_deref().or_else(|| config.text(Key::To));
        let thinking = match self.thinking {
            None => ThinkingChoice::AsRecorded,
            Some(Thinking::On) => ThinkingChoice::On,
            Some(Thinking::Off) => ThinkingChoice::Off,
        };
        let max_tokens = self.max_tokens.or_else(|| config.count(Key::MaxTokens));
        let parameters = Parameters { max_tokens, thinking, ..Parameters::default() };
        let to = To::named(to.unwrap_or(ANTHROPIC_MESSAGES), config)?;
        if self.no_tools && !to.tells_calls() {
            return Err(always_calls(&to));
        }
        let flag = if self.no_vision { Some(false) } else { self.vision.then_some(true) };
        Ok(ViewRequest {
            source: self.source,
            to,
            models: Models { asked: self.model, set: Models::set(config) },
            place: self.place.into(),
            lets: Lets { vision: flag.or_else(|| config.flag(Key::Vision)), tools: !self.no_tools },
            now: Now { parameters, no_continue: self.no_continue, ..Now::default() },
        })
    }
}

/// The models a caller names.
#[derive(Clone, Debug)]
struct Models {
    /// For whichever target.
    asked: Option<String>,
    /// The configuration's, and the target it is for: a name of one vendor's is none of another's.
    set: Option<(To, String)>,
}

impl Models {
    /// The configured model, for the configured target.
    fn set(config: &Config) -> Option<(To, String)> {
        let to = config.text(Key::To).unwrap_or(ANTHROPIC_MESSAGES);
        let model = config.text(Key::Model)?.to_owned();
        Some((To::named(to, config).ok()?, model))
    }

    /// The model of a target, and who said so.
    fn model<'v>(&'v self, to: &To, path: &'v [Arc<Entry>]) -> Option<(&'v str, ModelFrom)> {
        let asked = self.asked.as_deref().map(|model| (model, ModelFrom::Asked));
        let set = self.set.as_ref().filter(|(own, _)| own == to);
        let set = set.map(|(_, model)| (model.as_str(), ModelFrom::Config));
        let recorded = || {
            let model = Session::last_model(path, &to.target("").to)?;
            Some((model.as_str(), ModelFrom::Record))
        };
        let default = || Some((to.default_model()?, ModelFrom::Default));
        asked.or(set).or_else(recorded).or_else(default)
    }
}

/// Where the model's name came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelFrom {
    /// The command line.
    Asked,
    /// The configuration.
    Config,
    /// The record's last reply or request.
    Record,
    /// Nothing names one.
    Default,
}

impl ModelFrom {
    /// In words; none for a name the caller gave.
    pub fn words(self) -> Option<&'static str> {
        match self {
            ModelFrom::Asked => None,
            ModelFrom::Config => Some("the configuration's"),
            ModelFrom::Record => Some("the record's last"),
            ModelFrom::Default => Some("the record names none of this API"),
        }
    }

    /// The name in JSON reports.
    pub fn as_str(self) -> &'static str {
        match self {
            ModelFrom::Asked => "asked",
            ModelFrom::Config => "config",
            ModelFrom::Record => "record",
            ModelFrom::Default => "default",
        }
    }
}

/// A source, the path that was chosen, and the request of it.
#[derive(Debug)]
pub struct View {
    /// What the source is called.
    pub name: String,
    /// What was read.
    pub session: Session,
    /// Where it was read, in words.
    pub place: String,
    /// Who it is for.
    pub to: To,
    /// Whether nothing but the default was asked for.
    pub is_whole: bool,
    /// The entries the request is made of.
    pub path: Vec<Arc<Entry>>,
    /// Where each entry stands on the path.
    positions: HashMap<EntryId, usize>,
    /// The model it is for.
    pub model: String,
    /// Who said so.
    pub model_from: ModelFrom,
    /// The request.
    pub prepared: Result<Prepared, Refusal>,
    models: Models,
    lets: Lets,
    now: Now,
}

impl View {
    /// Reads a source and makes its request.
    pub fn of(source: &Source, request: &ViewRequest) -> Result<View, Failure> {
        let name = source.name.clone();
        let session =
            Session::open(&source.bytes, &name).map_err(|error| not_a_session(&name, &error))?;
        View::of_session(session, name, request)
    }

    /// Reads a source as it comes in, keeps nothing of its lines, and makes its request.
    pub fn streamed(request: &ViewRequest, ui: &Ui) -> Result<View, Failure> {
        let (session, name) = source::view(&request.source, ui)?;
        View::of_session(session, name, request)
    }

    /// Makes the request of a session that was read.
    pub fn of_session(
        session: Session,
        name: String,
        request: &ViewRequest,
    ) -> Result<View, Failure> {
        let (path, place) = request.place.path(&session, &name)?;
        let to = &request.to;
        let Some((model, model_from)) = request.models.model(to, &path) else {
            return Err(no_model(&name, to));
        };
        let model = model.to_owned();
        let target = request.lets.target(to, &model);
        let prepared = session.prepare(&path, target, &request.now);
        let positions = path.iter().enumerate().map(|(at, entry)| (entry.id.clone(), at)).collect();
        Ok(View {
            name,
            session,
            place,
            to: request.to.clone(),
            is_whole: request.place.is_default(),
            path,
            positions,
            model,
            model_from,
            prepared,
            models: request.models.clone(),
            lets: request.lets,
            now: request.now.clone(),
        })
    }

    /// The model of a target, and who said so; none where nothing names one.
    pub fn model_of(&self, to: &To) -> Option<(&str, ModelFrom)> {
        self.models.model(to, &self.path)
    }

    /// The request for another target.
    pub fn prepared_for(&self, to: &To, model: &str) -> Result<Prepared, Refusal> {
        self.session.prepare(&self.path, self.lets.target(to, model), &self.now)
    }

    /// The request of another path of the same session, for the same target and model.
    pub fn prepared_of(&self, path: &[Arc<Entry>]) -> Result<Prepared, Refusal> {
        self.session.prepare(path, self.lets.target(&self.to, &self.model), &self.now)
    }

    /// The name of the target's API.
    pub fn dialect(&self) -> &'static str {
        self.to.dialect()
    }

    /// Whether the path says which tools there were.
    pub fn has_tools(&self) -> bool {
        self.path.iter().any(|entry| matches!(&entry.fact, Fact::Head(head) if has_tools(head)))
    }

    /// Whether the model is in the table; the strictest row stands for any other.
    pub fn knows_model(&self) -> bool {
        self.to.knows_model(&self.model)
    }

    /// How many messages of the file are not on the path, and the branches that end elsewhere.
    pub fn elsewhere(&self) -> (usize, Vec<&Text>) {
        let record = &self.session.imported.record;
        let apart = |entry: &&Arc<Entry>| !self.positions.contains_key(&entry.id);
        let messages =
            record.entries.iter().filter(|entry| entry.message().is_some()).filter(apart);
        let tips = record.tips().into_iter();
        let ends_apart = tips.filter(|(_, tip)| !self.positions.contains_key(*tip));
        (messages.count(), ends_apart.map(|(name, _)| name).collect())
    }

    /// An entry of the path.
    pub fn entry(&self, id: &EntryId) -> Option<&Entry> {
        self.path.get(*self.positions.get(id)?).map(|entry| &**entry)
    }
}

fn has_tools(head: &Head) -> bool {
    head.head.as_ref().is_some_and(|head| !head.tools.is_empty())
}

/// The failure of a wish for no tools where calls are always said as calls.
fn always_calls(to: &To) -> Failure {
    let what = format!("`--no-tools` does nothing over `{to}`");
    let cause = "calls are told as a record of actions over Chat Completions and Bedrock Converse \
         alone; every model of this API takes calls";
    Failure::told(Exit::Usage, what, cause, "leave it out, or name another target")
}

/// The failure of a target whose model nothing names.
fn no_model(name: &str, to: &To) -> Failure {
    let what = format!("no model for `{name}`");
    let cause = format!("the record names none of `{to}`, and that has no default");
    Failure::told(Exit::Usage, what, cause, "name one with `--model MODEL`")
}
