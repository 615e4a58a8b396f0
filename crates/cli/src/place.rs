//! Which part of a session is meant: a branch, or everything up to an entry.

use std::sync::Arc;

use clap::Args;
use stenograph::record::{BRANCH_DEFAULT, Entry};
use stenograph::{At, NotFound, Session};

use crate::exit::Exit;
use crate::failure::Failure;

/// Which part of a source.
#[derive(Args, Debug)]
pub struct PlaceArgs {
    /// Stop at this entry: its id, or any prefix no other entry has
    #[arg(long, value_name = "ENTRY", conflicts_with = "branch")]
    pub at: Option<String>,

    /// Branch to read
    #[arg(long, value_name = "BRANCH", default_value = BRANCH_DEFAULT, value_parser = named)]
    pub branch: String,
}

/// A name on the command line: one that is blank names nothing.
pub fn named(name: &str) -> Result<String, &'static str> {
    if name.trim().is_empty() {
        return Err("it is blank; give a name, or leave the option out");
    }
    Ok(name.to_owned())
}

/// A place in a session.
#[derive(Debug)]
pub enum Place {
    /// The tip of a branch.
    Branch(String),
    /// An entry, by the beginning of its id.
    Entry(String),
}

impl From<PlaceArgs> for Place {
    fn from(args: PlaceArgs) -> Place {
        args.at.map_or(Place::Branch(args.branch), Place::Entry)
    }
}

impl Place {
    /// Whether it is what is read where nothing is asked for.
    pub fn is_default(&self) -> bool {
        matches!(self, Place::Branch(branch) if branch == BRANCH_DEFAULT)
    }

    /// The entries from the root to here, and the place in words. `name` is the source's.
    pub fn path(
        &self,
        session: &Session,
        name: &str,
    ) -> Result<(Vec<Arc<Entry>>, String), Failure> {
        let at = match self {
            Place::Branch(branch) => At::Branch(branch),
            Place::Entry(prefix) => At::Entry(prefix),
        };
        let path = session.path(at).map_err(|error| no_such_place(name, &error))?;
        let place = match at {
            At::Branch(branch) => format!("branch {branch}"),
            At::Entry(_) => match path.last() {
                Some(entry) => format!("up to entry {}", crate::words::short(&entry.id)),
                None => "up to an entry".to_owned(),
            },
        };
        Ok((path, place))
    }
}

pub fn no_such_place(name: &str, error: &NotFound) -> Failure {
    let hint = match error {
        NotFound::Branch { .. } => "choose one of them with `--branch`",
        NotFound::Entry { .. } => {
            "ids are the file's own, such as the `uuid` of a message's first line or `messages.4`"
        }
        NotFound::Ambiguous { .. } => "give more of the id",
    };
    let what = format!("no such place in `{name}`");
    Failure::told(Exit::Usage, what, error.to_string(), hint)
}
