//! `steno completions`: what a shell needs to complete a command line.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::ui::Ui;

/// Write completions for a shell
///
/// Writes a script for the shell to standard output. Where it belongs:
///
///   bash  ~/.local/share/bash-completion/completions/steno
///   zsh   a directory of $fpath, as _steno
///   fish  ~/.config/fish/completions/steno.fish
#[derive(clap::Args, Debug)]
#[command(verbatim_doc_comment, after_long_help = crate::exit::EXIT_CODES)]
pub struct Args {
    /// Shell to write for
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script.
pub fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "steno", &mut script);
    ui.data([&script])?;
    Ok(Exit::Done)
}
