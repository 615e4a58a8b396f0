//! `steno targets`: who a request can be for, and what each can carry.

mod models;

use stenograph::json::{Array, Object, Raw};
use stenograph::wire::openai_chat::columns::COLUMNS;
use stenograph::wire::openai_chat::models as chat_models;

use crate::carries::{self, CARRIED, Carries};
use crate::config::{Config, cell_text};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, Style};
use crate::to::{Served, To};
use crate::ui::Ui;
use models::ModelRow;

/// Columns of names.
const NAME_CHARS: usize = 18;
const CELL_CHARS: usize = 29;
const ROW_CHARS: usize = 23;

/// List who a request can be for, and what each can carry
///
/// Without a name: every API and vendor, the user's own last, with what it is known to carry. With
/// the name of one, everything its row says; with the name of a model, everything the model's row
/// says. `doubtful` is not established, or up to the model; requests avoid it.
///
/// A vendor of one's own is a table [vendors.NAME] in a configuration file: docs/configuration.md.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// API, vendor, host of a vendor of one's own, or model
    name: Option<String>,

    /// The vendor's row with what this model changes about it
    #[arg(long, value_name = "MODEL", requires = "name")]
    model: Option<String>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

/// Lists them, or tells about one.
pub fn run(args: &Args, config: &Config, ui: &mut Ui) -> Result<Exit, Failure> {
    let (targets, models) = match &args.name {
        None => (To::all(config), models::all()),
        Some(name) => match (To::named(name, config), models::named(name)) {
            (Ok(to), _) => {
                let models = models_of(&to);
                (vec![with(to, args.model.as_deref())], models)
            }
            (Err(_), Some(model)) => (Vec::new(), vec![model]),
            (Err(unknown), None) => return Err(unknown),
        },
    };
    if args.json {
        ui.json(&document(&targets, &models))?;
        return Ok(Exit::Done);
    }
    let page = match (targets.as_slice(), models.as_slice()) {
        ([to], models) => about(to, models),
        ([], models) => cells(models),
        (targets, _) => table(targets),
    };
    ui.data([page.render(ui.colours_data()).as_bytes()])?;
    Ok(Exit::Done)
}

/// A vendor's row with what a model changes about it.
fn with(to: To, model: Option<&str>) -> To {
    match (to, model) {
        (To::Chat(served), Some(model)) => {
            let Served { name, row, by } = *served;
            let row = row.with(chat_models::model(model, row.serves_openai));
            To::Chat(Box::new(Served { name, row, by }))
        }
        (to, _) => to,
    }
}

/// The models of an API; none of a vendor's, which serves whichever it likes.
fn models_of(to: &To) -> Vec<ModelRow> {
    let mut models = models::all();
    let name = match to {
        To::Anthropic | To::Gemini(_) | To::Bedrock => to.dialect().to_owned(),
        To::Chat(_) | To::Responses(_) => to.to_string(),
    };
    models.retain(|model| model.api == name);
    models
}

/// The word of a cell: what is not established is a sign.
fn sign(carries: Carries) -> &'static str {
    match carries.as_str() {
        "doubtful" => "?",
        "by_model" => "model",
        word => word,
    }
}

/// Everything in one table.
fn table(targets: &[To]) -> Page {
    let mut page = Page::new();
    page.say(Style::Bold, format!("{:<NAME_CHARS$}", "target"));
    for one in CARRIED {
        page.say(Style::Bold, format!("  {}", one.name));
    }
    page.end();
    for to in targets {
        page.plain(format!("{:<NAME_CHARS$}", to.to_string()));
        let mut gap = 0;
        for one in CARRIED {
            let carries = one.by(to);
            let style = match sign(carries) {
                "yes" => Style::Green,
                "no" => Style::Red,
                _ => Style::Yellow,
            };
            page.plain(" ".repeat(gap + 2)).say(style, sign(carries));
            gap = one.name.len().saturating_sub(sign(carries).len());
        }
        match to {
            To::Chat(served) => {
                let own = served.own();
                own.map(|own| page.say(Style::Dim, format!("{:<gap$}  {}", "", own.place)))
            }
            To::Anthropic | To::Gemini(_) | To::Responses(_) | To::Bedrock => None,
        };
        page.end();
    }
    page.end();
    for one in CARRIED {
        page.say(Style::Bold, format!("{:<NAME_CHARS$}", one.name))
            .line(format!("  {}", one.about));
    }
    page.say(Style::Bold, format!("{:<NAME_CHARS$}", "?"));
    page.line("  not established, or up to the model: requests avoid it");
    page.say(Style::Bold, format!("{:<NAME_CHARS$}", "model"));
    page.line("  some models do: `steno targets MODEL`");
    page.line(
        "`anthropic_messages`, `openai_responses`, `gemini` and `bedrock_converse` are APIs of",
    );
    page.line("their own; `gemini` is the Gemini API, `vertex` the same models on Vertex");
    page.line("every other speaks Chat Completions; `openai_chat/HOST` is one nobody knows, as is");
    page.line("`openai_responses/HOST` of those who speak Responses");
    page.line("`ollama_chat` is Ollama's native API, `ollama` its Chat Completions");
    page
}

/// One target: what it carries, and its row.
fn about(to: &To, models: &[ModelRow]) -> Page {
    let mut page = Page::new();
    page.say(Style::Bold, to.to_string()).end();
    let mut say = |name: &str, value: &str, about: &str| {
        page.say(Style::Cyan, format!("  {name:<CELL_CHARS$}"));
        page.plain(format!("  {value:<10}")).say(Style::Dim, format!("  {about}")).end();
    };
    for one in CARRIED {
        say(one.name, sign(one.by(to)), one.about);
    }
    say("ids", &carries::ids(to), "ids of calls");
    match to {
        To::Chat(served) => {
            page.end().append(row(served));
        }
        To::Anthropic | To::Responses(_) | To::Gemini(_) | To::Bedrock => {}
    }
    if let Some(first) = models.first() {
        let names: Vec<&str> = models.iter().map(|model| model.id).collect();
        page.end().say(Style::Bold, "models");
        page.line(format!(" (`steno targets {}` tells about one)", first.id));
        for name in names {
            page.line(format!("  {name}"));
        }
    }
    page
}

/// A vendor's row, in the form a configuration file takes.
fn row(served: &Served) -> Page {
    let mut page = Page::new();
    match served.own() {
        None => page.say(Style::Bold, "row").line(" (as a configuration file writes it)"),
        Some(own) => {
            let like = own.like.as_deref().unwrap_or("the strictest");
            page.say(Style::Bold, "row").line(format!(" (like {like}; {})", own.place))
        }
    };
    for column in COLUMNS {
        page.say(Style::Cyan, format!("  {:<ROW_CHARS$}", column.name));
        page.plain(format!(" = {}", cell_text(column.cell, &served.row)));
        page.say(Style::Dim, format!("  # {}", column.about)).end();
    }
    page
}

/// Models, cell by cell.
fn cells(models: &[ModelRow]) -> Page {
    let mut page = Page::new();
    for model in models {
        page.say(Style::Bold, model.id).line(format!(": {}", model.api));
        for (name, value) in &model.cells {
            if !value.is_empty() {
                page.say(Style::Cyan, format!("  {name:<CELL_CHARS$}")).line(format!("  {value}"));
            }
        }
    }
    page
}

/// The list as a document, `steno.targets/1`.
fn document(targets: &[To], models: &[ModelRow]) -> Raw {
    let mut told = Array::new();
    for to in targets {
        told.raw(&target_of(to));
    }
    let mut list = Array::new();
    for model in models {
        let mut one = Object::new();
        let cells = model.cells.iter().map(|(name, value)| (*name, value.clone()));
        one.string("model", model.id).string("api", model.api).raw("row", &cells_of(cells));
        list.raw(&one.finish());
    }
    let mut out = Object::new();
    out.string("schema", "steno.targets/1")
        .raw("targets", &told.finish())
        .raw("models", &list.finish());
    out.finish()
}

fn target_of(to: &To) -> Raw {
    let mut out = Object::new();
    out.string("name", &to.to_string()).string("api", to.dialect());
    let carries = CARRIED.iter().map(|one| (one.name, one.by(to).as_str().to_owned()));
    let carries = carries.chain([("ids", carries::ids(to))]);
    let row = match to {
        To::Anthropic | To::Gemini(_) | To::Responses(_) | To::Bedrock => None,
        To::Chat(served) => {
            if let Some(own) = served.own() {
                out.optional_string("host", own.host.as_deref())
                    .optional_string("like", own.like.as_deref())
                    .string("file", &own.place.file.to_string_lossy())
                    .number("line", own.place.line as u64);
            }
            let cells = COLUMNS.iter();
            Some(cells.map(|column| (column.name, cell_text(column.cell, &served.row))))
        }
    };
    out.raw("carries", &cells_of(carries));
    if let Some(row) = row {
        out.raw("row", &cells_of(row));
    }
    out.finish()
}

fn cells_of(cells: impl Iterator<Item = (&'static str, String)>) -> Raw {
    let mut out = Array::new();
    for (name, value) in cells {
        let mut one = Object::new();
        one.string("name", name).string("value", &value);
        out.raw(&one.finish());
    }
    out.finish()
}
