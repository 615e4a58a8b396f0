//! `steno config`: every value in force, and where it was set.

use std::path::Path;

use stenograph::json::{Array, Object, Raw};
use stenograph::wire::openai_chat::columns::column;

use crate::config::origin::{Origin, Place};
use crate::config::setting::{Setting, Value};
use crate::config::{Config, Effective, Files, OwnVendor, cell_text};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, Style};
use crate::ui::Ui;

/// Columns of names and of values.
const NAME_CHARS: usize = 11;
const VALUE_CHARS: usize = 24;

/// List every setting, its value and where it was set
///
/// A flag goes before a STENO_* variable, a variable before the project's file (.steno/config.toml
/// in this folder or the nearest above), that before the user's file
/// ($XDG_CONFIG_HOME/steno/config.toml, or ~/.config/steno/config.toml). A file with anything wrong
/// in it is refused whole, with exit code 2. What can stand in a file: docs/configuration.md.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES, args_conflicts_with_subcommands = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// Answer as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Path(PathArgs),
}

/// Write the path of the user's file, there or not
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
struct PathArgs {
    /// The project's file instead
    #[arg(long)]
    project: bool,

    /// Answer as JSON, with both
    #[arg(long)]
    json: bool,
}

/// Lists what is configured, or says where.
pub fn run(
    args: &Args,
    files: &Files,
    config: Result<Config, Failure>,
    ui: &mut Ui,
) -> Result<Exit, Failure> {
    match &args.command {
        // Where a file is has to be known to mend it.
        Some(Command::Path(args)) => path(args, files, ui)?,
        None => {
            let config = config?;
            if args.json {
                ui.json(&document(files, &config))?;
            } else {
                ui.data([page(&config).render(ui.colours_data()).as_bytes()])?;
            }
        }
    }
    Ok(Exit::Done)
}

fn path(args: &PathArgs, files: &Files, ui: &mut Ui) -> Result<(), Failure> {
    if args.json {
        let mut out = Object::new();
        out.string("schema", "steno.config.path/1").raw("files", &files_of(files));
        return ui.json(&out.finish());
    }
    let path = if args.project { Some(&files.project) } else { files.user.as_ref() };
    let Some(path) = path else {
        let hint = "set HOME or XDG_CONFIG_HOME";
        let what = "the user's configuration has no place";
        return Err(Failure::told(Exit::Usage, what, "no home directory", hint));
    };
    ui.data([path.as_os_str().as_encoded_bytes(), b"\n"])
}

/// One setting a line, then the vendors with the columns their files name.
fn page(config: &Config) -> Page {
    let mut page = Page::new();
    for Effective { setting, value, origin } in &config.settings {
        let (value, origin) = match value {
            Some(value) => (quoted(value), origin.to_string()),
            None => ("-".to_owned(), format!("default: {}", setting.otherwise)),
        };
        page.say(Style::Bold, format!("{:<NAME_CHARS$}", setting.name));
        page.plain(format!("  {value:<VALUE_CHARS$}  ")).say(Style::Dim, origin).end();
    }
    for vendor in &config.vendors {
        page.end().say(Style::Bold, format!("[vendors.{}]", vendor.name));
        page.say(Style::Dim, format!("  {}", vendor.place)).end();
        for (name, value) in head(vendor) {
            page.line(format!("{name} = \"{value}\""));
        }
        for (name, value, place) in named(vendor) {
            page.plain(format!("{name} = {value}")).say(Style::Dim, format!("  {place}")).end();
        }
    }
    page
}

/// A value as a file writes it.
fn quoted(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("\"{text}\""),
        Value::Count(_) | Value::Flag(_) => value.text(),
    }
}

/// What a vendor's row says that is no column.
fn head(vendor: &OwnVendor) -> impl Iterator<Item = (&'static str, &str)> {
    let members = [("host", &vendor.host), ("like", &vendor.like)];
    members.into_iter().filter_map(|(name, value)| Some((name, value.as_deref()?)))
}

/// The columns a vendor's file names, as it writes them, and where.
fn named(vendor: &OwnVendor) -> impl Iterator<Item = (&'static str, String, Place)> {
    vendor.named.iter().filter_map(|(name, line)| {
        let place = Place { file: vendor.place.file.clone(), line: *line };
        Some((*name, cell_text(column(name)?.cell, &vendor.row), place))
    })
}

/// The list as a document, `steno.config/1`.
fn document(files: &Files, config: &Config) -> Raw {
    let mut settings = Array::new();
    for Effective { setting, value, origin } in &config.settings {
        settings.raw(&setting_of(setting, value.as_ref(), origin));
    }
    let mut vendors = Array::new();
    for vendor in &config.vendors {
        let mut columns = Array::new();
        for (name, value, place) in named(vendor) {
            let mut column = Object::new();
            column.string("name", name).string("value", &value).number("line", place.line as u64);
            columns.raw(&column.finish());
        }
        let mut one = Object::new();
        one.string("name", &vendor.name)
            .optional_string("host", vendor.host.as_deref())
            .optional_string("like", vendor.like.as_deref())
            .string("file", &vendor.place.file.to_string_lossy())
            .number("line", vendor.place.line as u64)
            .raw("columns", &columns.finish());
        vendors.raw(&one.finish());
    }
    let mut out = Object::new();
    out.string("schema", "steno.config/1")
        .raw("files", &files_of(files))
        .raw("settings", &settings.finish())
        .raw("vendors", &vendors.finish());
    out.finish()
}

fn setting_of(setting: &Setting, value: Option<&Value>, origin: &Origin) -> Raw {
    let mut out = Object::new();
    out.string("key", setting.name)
        .string("about", setting.about)
        .string("variable", setting.variable)
        .string("otherwise", setting.otherwise)
        .optional_string("value", value.map(Value::text).as_deref());
    match origin {
        Origin::Default => out.string("origin", "default"),
        Origin::Variable(_) => out.string("origin", "variable"),
        Origin::File(place) => out
            .string("origin", "file")
            .string("file", &place.file.to_string_lossy())
            .number("line", place.line as u64),
    };
    out.finish()
}

/// Where the files are looked for, the first to be asked first.
fn files_of(files: &Files) -> Raw {
    let mut out = Array::new();
    let mut add = |scope: &str, path: &Path| {
        let mut one = Object::new();
        let path_text = path.to_string_lossy();
        one.string("scope", scope).string("path", &path_text).bool("there", path.exists());
        out.raw(&one.finish());
    };
    add("project", &files.project);
    if let Some(user) = &files.user {
        add("user", user);
    }
    out.finish()
}
