//! `steno man`: the manual, made of the help.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::exit::Exit;
use crate::failure::{Failure, words};
use crate::ui::Ui;

/// Write the manual page of `steno`, or of one command
///
/// Writes roff to standard output: `steno man | man -l -` shows it, `steno man doctor >
/// steno-doctor.1` keeps it.
#[derive(clap::Args, Debug)]
#[command(after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Command to write about
    command: Option<String>,
}

/// Writes the page.
pub fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let mut steno = crate::Cli::command();
    steno.build();
    let about = match &args.command {
        None => steno,
        Some(name) => match steno.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(unknown(name, &steno)),
        },
    };
    let mut page = Vec::new();
    match Man::new(about).render(&mut page) {
        Ok(()) => ui.data([&page])?,
        Err(error) => {
            let what = "cannot write the manual";
            return Err(Failure::told(Exit::Internal, what, words(&error), "report it"));
        }
    }
    Ok(Exit::Done)
}

fn unknown(name: &str, steno: &clap::Command) -> Failure {
    let commands: Vec<&str> = steno.get_subcommands().map(clap::Command::get_name).collect();
    let cause = format!("the commands are {}", commands.join(", "));
    Failure::told(Exit::Usage, format!("no command `{name}`"), cause, "name one of them")
}
