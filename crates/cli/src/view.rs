//! From a source to a request: what `replay` and `doctor` have in common.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use stenograph::Session;
use stenograph::json::Text;
use stenograph::record::{Entry, EntryId};
use stenograph::replay::{Now, Parameters, Prepared, Refusal, Target, ThinkingChoice};
use stenograph::wire::anthropic_messages::models::{self, DEFAULT_MODEL};

use crate::failure::Failure;
use crate::place::{Place, PlaceArgs};
use crate::source::{self, Source, not_a_session};
use crate::ui::Ui;

/// Where requests can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    /// The Anthropic Messages API
    #[value(name = "anthropic_messages", alias = "anthropic")]
    AnthropicMessages,
}

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

    /// API the request is for
    #[arg(long, value_name = "TARGET", value_enum, default_value = "anthropic_messages")]
    pub to: Dialect,

    /// Model the request is for [default: the record's last, if it speaks the API]
    #[arg(long, value_name = "MODEL", value_parser = NonEmptyStringValueParser::new())]
    pub model: Option<String>,

    #[command(flatten)]
    pub place: PlaceArgs,

    /// Leave images out, for a model that does not see
    #[arg(long)]
    pub no_vision: bool,

    /// Refuse a session that ends with the assistant, instead of asking it to go on
    #[arg(long)]
    pub no_continue: bool,

    /// Most tokens the model may write [default: the model's]
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
    model: Option<String>,
    place: Place,
    vision: bool,
    now: Now,
}

impl From<ViewArgs> for ViewRequest {
    fn from(args: ViewArgs) -> ViewRequest {
        let Dialect::AnthropicMessages = args.to;
        let thinking = match args.thinking {
            None => ThinkingChoice::AsRecorded,
            Some(Thinking::On) => ThinkingChoice::On,
            Some(Thinking::Off) => ThinkingChoice::Off,
        };
        let parameters =
            Parameters { max_tokens: args.max_tokens, thinking, ..Parameters::default() };
        ViewRequest {
            source: args.source,
            model: args.model,
            place: args.place.into(),
            vision: !args.no_vision,
            now: Now { parameters, no_continue: args.no_continue, ..Now::default() },
        }
    }
}

/// Where the model's name came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelFrom {
    /// The command line.
    Asked,
    /// The record's last reply or request.
    Record,
    /// Nothing names one.
    Default,
}

impl ModelFrom {
    /// The name in JSON reports.
    pub fn as_str(self) -> &'static str {
        match self {
            ModelFrom::Asked => "asked",
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

    fn of_session(session: Session, name: String, request: &ViewRequest) -> Result<View, Failure> {
        let (path, place) = request.place.path(&session, &name)?;
        let recorded = Session::last_model(&path).map(|model| model.as_str());
        let (model, model_from) = match (request.model.as_deref(), recorded) {
            (Some(asked), _) => (asked, ModelFrom::Asked),
            (None, Some(recorded)) => (recorded, ModelFrom::Record),
            (None, None) => (DEFAULT_MODEL, ModelFrom::Default),
        };
        let model = model.to_owned();
        let mut target = Target::anthropic(model.as_str());
        target.vision = request.vision;
        let prepared = session.prepare(&path, target, &request.now);
        let positions = path.iter().enumerate().map(|(at, entry)| (entry.id.clone(), at)).collect();
        Ok(View { name, session, place, path, positions, model, model_from, prepared })
    }

    /// Whether the model is in the table; the strictest row stands for any other.
    pub fn knows_model(&self) -> bool {
        !models::model(&self.model).id.is_empty()
    }

    /// How many messages of the file are not on the path, and the branches that end elsewhere.
    pub fn elsewhere(&self) -> (usize, Vec<&Text>) {
        let record = &self.session.imported.record;
        let apart = |entry: &&Arc<Entry>| !self.positions.contains_key(&entry.id);
        let messages =
            record.entries.iter().filter(|entry| entry.message().is_some()).filter(apart);
        let ends_apart =
            |name: &&Text| record.tip(name).is_some_and(|tip| !self.positions.contains_key(tip));
        (messages.count(), record.branches().into_iter().filter(ends_apart).collect())
    }

    /// An entry of the path.
    pub fn entry(&self, id: &EntryId) -> Option<&Entry> {
        self.path.get(*self.positions.get(id)?).map(|entry| &**entry)
    }
}
