//! `steno`: reads any agent's session back as a request that its provider accepts.
//!
//! A command's arguments become a checked request, which runs against a [`ui::Ui`]. Here the
//! command line is taken apart and the way it ended becomes an exit code; all else is in
//! [`commands`].

mod bodies;
mod carries;
mod commands;
mod config;
mod destination;
mod exit;
mod failure;
mod inert;
mod losses;
mod page;
mod pager;
mod place;
mod places;
mod progress;
mod reading;
mod recorded;
mod report;
mod requests;
mod responses;
mod sarif;
mod source;
mod state;
mod three_logs;
mod to;
mod ui;
mod view;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use config::setting::Key;
use config::{Config, Files};
use exit::{EXIT_CODES, Exit};
use failure::Failure;
use ui::{ColorChoice, Ui};

/// A record is many small pieces: the system's allocator takes twice the time for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Read any agent's session back as a request that its provider accepts
///
/// A stored conversation and the request that goes on with it are not the same: a killed turn
/// leaves a call without a result, a signature is bound to a model, an empty block is refused.
/// `steno` keeps the record as it is and makes the request from it: valid, truthful, the same bytes
/// every time.
#[derive(Debug, Parser)]
#[command(name = "steno", version, after_long_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When to colour [default: auto]
    #[arg(long, global = true, value_name = "WHEN", value_enum)]
    color: Option<ColorChoice>,

    /// Only data and errors; `check`, `doctor` and `diff` answer with the exit code alone
    #[arg(short, long, global = true)]
    quiet: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Replay(commands::replay::Args),
    Check(commands::check::Args),
    Doctor(commands::doctor::Args),
    Diff(commands::diff::Args),
    Import(commands::import::Args),
    Export(commands::export::Args),
    Assemble(commands::assemble::Args),
    Stream(commands::stream::Args),
    Show(commands::show::Args),
    Targets(commands::targets::Args),
    Config(commands::config::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|info| {
        ui::tell(fault(&info.to_string()).as_bytes());
        std::process::exit(i32::from(Exit::Internal.code()));
    }));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage(&error).into(),
    };
    let files = Files::of_process();
    let config = Config::read(&files);
    let set = config.as_ref().ok();
    let color = cli.color.or_else(|| set?.word(Key::Color)).unwrap_or(ColorChoice::Auto);
    let pager = set.and_then(|set| set.text(Key::Pager));
    let mut ui = Ui::new(color, cli.quiet, pager.map(str::to_owned));
    let ended = match cli.command {
        Command::Config(args) => commands::config::run(&args, &files, config, &mut ui),
        Command::Completions(args) => commands::completions::run(&args, &mut ui),
        Command::Man(args) => commands::man::run(&args, &mut ui),
        other => config.and_then(|config| run(other, &config, &mut ui)),
    };
    finish(ended, &mut ui).into()
}

/// Runs what depends on the configuration.
fn run(command: Command, config: &Config, ui: &mut Ui) -> Result<Exit, Failure> {
    match command {
        Command::Replay(args) => commands::replay::run(&args.checked(config)?, ui),
        Command::Check(args) => commands::check::run(&args.checked(config)?, ui),
        Command::Doctor(args) => commands::doctor::run(&args.checked(config)?, ui),
        Command::Diff(args) => commands::diff::run(&args.checked(config)?, ui),
        Command::Import(args) => commands::import::run(&args.into(), ui),
        Command::Export(args) => commands::export::run(&args.into(), ui),
        Command::Assemble(args) => commands::assemble::run(&args.into(), ui),
        Command::Stream(args) => commands::stream::run(&args.into(), ui),
        Command::Show(args) => commands::show::run(&args.into(), ui),
        Command::Targets(args) => commands::targets::run(&args, config, ui),
        Command::Config(_) | Command::Completions(_) | Command::Man(_) => Ok(Exit::Done),
    }
}

/// How a run ended, told where there is something to tell.
fn finish(ended: Result<Exit, Failure>, ui: &mut Ui) -> Exit {
    match ended {
        Ok(exit) => exit,
        Err(Failure::PipeClosed) => Exit::Done,
        Err(Failure::Told(told)) => {
            ui.told(&told);
            told.exit
        }
    }
}

/// Help and version are data; anything else is an error of the command line.
fn usage(error: &clap::Error) -> Exit {
    // Arguments are repeated in it: each line is made inert.
    let text: String =
        error.to_string().lines().map(|line| format!("{}\n", inert::inert(line))).collect();
    if error.use_stderr() {
        ui::tell(text.as_bytes());
        return Exit::Usage;
    }
    let mut ui = Ui::new(ColorChoice::Auto, false, None);
    let written = ui.data([text.as_bytes()]);
    finish(written.map(|()| Exit::Done), &mut ui)
}

/// What a fault of this program says.
fn fault(what: &str) -> String {
    format!(
        "error: steno has failed by a fault of its own\n\
         cause: {}\n\
         hint: please report it with this text, the version ({}) and, if you can share it, the \
         input\n",
        inert::inert(what),
        env!("CARGO_PKG_VERSION"),
    )
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_fault_asks_for_a_report_on_three_lines() {
        let text = fault("index \u{1b}[31m");
        let starts: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(starts, ["error:", "cause:", "hint:"]);
        assert!(text.contains("report") && !text.contains('\u{1b}'));
    }
}
