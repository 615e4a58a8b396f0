//! From a source to a request: what `replay` and `doctor` have in common.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use stenograph::Session;
use stenograph::json::Text;
use stenograph::record::{Entry, EntryId};
use stenograph::replay::{Now, Parameters, Prepared, Refusal, ThinkingChoice};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::place::{Place, PlaceArgs};
use crate::source::{self, Source, not_a_session};
use crate::to::To;
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

    /// Who the request is for: anthropic_messages; a vendor that speaks Chat Completions (openai,
    /// deepseek, mistral, ollama, ...) by its name or host; or openai_chat/HOST
    #[arg(long, value_name = "TARGET", default_value = "anthropic_messages")]
    pub to: To,

    /// Model the request is for [default: the record's last, if it is of the target]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,

    #[command(flatten)]
    pub place: PlaceArgs,

    /// Send images, to a model that sees though its vendor's row does not say so
    #[arg(long, conflicts_with = "no_vision")]
    pub vision: bool,

    /// Leave images out, for a model that does not see
    #[arg(long)]
    pub no_vision: bool,

    /// Tell calls and results as a record of actions, for a Chat Completions model without tools
    #[arg(long)]
    pub no_tools: bool,

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
    to: To,
    model: Option<String>,
    place: Place,
    /// Whether the model sees, where that was said.
    vision: Option<bool>,
    tools: bool,
    now: Now,
}

impl From<ViewArgs> for ViewRequest {
    fn from(args: ViewArgs) -> ViewRequest {
        let thinking = match args.thinking {
            None => ThinkingChoice::AsRecorded,
            Some(Thinking::On) => ThinkingChoice::On,
            Some(Thinking::Off) => ThinkingChoice::Off,
        };
        let parameters =
            Parameters { max_tokens: args.max_tokens, thinking, ..Parameters::default() };
        ViewRequest {
            source: args.source,
            to: args.to,
            model: args.model,
            place: args.place.into(),
            vision: (args.vision || args.no_vision).then_some(args.vision),
            tools: !args.no_tools,
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
    /// Who it is for.
    pub to: To,
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
        let to = request.to.clone();
        let recorded = Session::last_model(&path, &to.target("").to).map(|model| model.as_str());
        let (model, model_from) = match (request.model.as_deref(), recorded, to.default_model()) {
            (Some(asked), _, _) => (asked, ModelFrom::Asked),
            (None, Some(recorded), _) => (recorded, ModelFrom::Record),
            (None, None, Some(default)) => (default, ModelFrom::Default),
            (None, None, None) => return Err(no_model(&name, &to)),
        };
        let model = model.to_owned();
        let mut target = to.target(&model);
        target.vision = request.vision.unwrap_or(target.vision);
        target.tools = request.tools;
        let prepared = session.prepare(&path, target, &request.now);
        let positions = path.iter().enumerate().map(|(at, entry)| (entry.id.clone(), at)).collect();
        Ok(View { name, session, place, path, positions, to, model, model_from, prepared })
    }

    /// The dialect of the target, as reports name it.
    pub fn dialect(&self) -> &'static str {
        self.to.dialect()
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
        let ends_apart =
            |name: &&Text| record.tip(name).is_some_and(|tip| !self.positions.contains_key(tip));
        (messages.count(), record.branches().into_iter().filter(ends_apart).collect())
    }

    /// An entry of the path.
    pub fn entry(&self, id: &EntryId) -> Option<&Entry> {
        self.path.get(*self.positions.get(id)?).map(|entry| &**entry)
    }
}

/// The failure of a target whose model nothing names.
fn no_model(name: &str, to: &To) -> Failure {
    let what = format!("no model for `{name}`");
    let cause = format!("the record names none of {to}, and that has no default");
    Failure::told(Exit::Usage, what, cause, "name one with `--model MODEL`")
}
