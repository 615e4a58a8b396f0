//! A session file that was read: which entries a request is made of, and for which model.

use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

use formats::{ImportError, Imported};
use json::Text;
use record::{Entry, EntryId, Fact, Source};
use replay::{Now, Prepared, Reader, Refusal, Replayer, Target};

/// The agent whose view an imported session is read with.
const AGENT: &str = "main";

/// The dialect whose models are one family, whoever serves them.
const ANTHROPIC_MESSAGES: &str = "anthropic_messages";

/// How many ids an ambiguous prefix is answered with.
const MATCHES_MAX: usize = 8;

/// A session file that was read.
#[derive(Clone, Debug)]
pub struct Session {
    /// What was read: format, record, findings, title.
    pub imported: Imported,
}

/// A place in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At<'a> {
    /// The tip of a branch.
    Branch(&'a str),
    /// An entry, by its id or any prefix of it that no other entry has.
    Entry(&'a str),
}

/// Why a place is not in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFound {
    /// There is no branch of this name.
    Branch {
        /// The name.
        name: String,
        /// The branches there are.
        known: Vec<Text>,
    },
    /// No entry's id begins so.
    Entry {
        /// What was asked for.
        prefix: String,
    },
    /// The ids of several entries begin so.
    Ambiguous {
        /// What was asked for.
        prefix: String,
        /// The first of them.
        matches: Vec<EntryId>,
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::Branch { name, known } => {
                let known: Vec<&str> = known.iter().map(Text::as_str).collect();
                write!(f, "no branch `{name}`; there is {}", known.join(", "))
            }
            NotFound::Entry { prefix } => write!(f, "no entry's id begins with `{prefix}`"),
            NotFound::Ambiguous { prefix, matches, count } => {
                let shown: Vec<&str> = matches.iter().map(EntryId::as_str).collect();
                write!(f, "{count} entries' ids begin with `{prefix}`: {}", shown.join(", "))?;
                if *count > shown.len() { f.write_str(", ...") } else { Ok(()) }
            }
        }
    }
}

impl std::error::Error for NotFound {}

impl Session {
    /// Reads a whole file that is in memory; `file` is its name in findings.
    ///
    /// # Errors
    ///
    /// [`ImportError`] where the file as a whole is nothing that can be read.
    pub fn open(bytes: &[u8], file: &str) -> Result<Session, ImportError> {
        Ok(Session { imported: formats::import(bytes, file)? })
    }

    /// Reads a file as it comes in; line formats are never in memory as a whole.
    ///
    /// # Errors
    ///
    /// As [`Session::open`], and [`ImportError::Io`] where the reader fails.
    pub fn read(input: impl BufRead, file: &str) -> Result<Session, ImportError> {
        Ok(Session { imported: formats::import_reader(input, file)? })
    }

    /// As [`Session::read`], for a caller who will not export: of the file's lines only the numbers
    /// are kept, so a session takes about half.
    ///
    /// # Errors
    ///
    /// As [`Session::read`].
    pub fn read_to_view(input: impl BufRead, file: &str) -> Result<Session, ImportError> {
        Ok(Session { imported: formats::import_view(input, file)? })
    }

    /// The entries from the root to a place, in that order.
    ///
    /// # Errors
    ///
    /// [`NotFound`] where the place is not in the record, or its name is not of one place.
    pub fn path(&self, at: At<'_>) -> Result<Vec<Arc<Entry>>, NotFound> {
        let record = &self.imported.record;
        match at {
            At::Branch(name) => match record.tip(name) {
                Some(tip) => Ok(record.path(tip)),
                None if name == AGENT => Ok(Vec::new()),
                None => Err(NotFound::Branch {
                    name: name.to_owned(),
                    known: record.branches().into_iter().cloned().collect(),
                }),
            },
            At::Entry(prefix) => Ok(record.path(self.entry(prefix)?)),
        }
    }

    /// The request of a path for a target, from scratch.
    ///
    /// # Errors
    ///
    /// [`Refusal`] where no valid request can be made, with its cause.
    pub fn prepare(
        &self,
        path: &[Arc<Entry>],
        target: Target,
        now: &Now,
    ) -> Result<Prepared, Refusal> {
        let mut replayer = Replayer::new(Reader::plain(AGENT), target);
        replayer.retract(&self.imported.record.retractions());
        replayer.feed(path);
        replayer.prepare(now)
    }

    /// The one entry whose id is this, or begins with it.
    fn entry(&self, prefix: &str) -> Result<&EntryId, NotFound> {
        let entries = &self.imported.record.entries;
        let ids = || entries.iter().map(|entry| &entry.id);
        if let Some(id) = ids().find(|id| id.as_str() == prefix) {
            return Ok(id);
        }
        let mut matches: Vec<&EntryId> =
            ids().filter(|id| id.as_str().starts_with(prefix)).collect();
        match (matches.pop(), matches.len() + 1) {
            (None, _) => Err(NotFound::Entry { prefix: prefix.to_owned() }),
            (Some(id), 1) => Ok(id),
            (Some(last), count) => {
                matches.push(last);
                let matches = matches.into_iter().take(MATCHES_MAX).cloned().collect();
                Err(NotFound::Ambiguous { prefix: prefix.to_owned(), matches, count })
            }
        }
    }

    /// The model of the path's last reply or request, if it speaks the dialect of this target; of
    /// Chat Completions, if it is this vendor's.
    pub fn last_model<'p>(path: &'p [Arc<Entry>], of: &record::Target) -> Option<&'p Text> {
        let (dialect, platform, model) = path.iter().rev().find_map(|entry| model_of(entry))?;
        let vendors_own = of.dialect.as_str() == ANTHROPIC_MESSAGES || *platform == of.platform;
        (*dialect == of.dialect && vendors_own).then_some(model)
    }
}

/// Dialect, platform and model of an entry that names one.
fn model_of(entry: &Entry) -> Option<(&Text, &Text, &Text)> {
    let (dialect, platform, model) = match &entry.fact {
        Fact::Message(message) => match &message.source {
            Some(Source::Model { api, platform, model, .. }) => (api, platform, model),
            Some(
                Source::User | Source::Tool { .. } | Source::Runtime { .. } | Source::Other(_),
            )
            | None => return None,
        },
        Fact::Sent(sent) => (&sent.target.dialect, &sent.target.platform, &sent.target.model),
        Fact::CallStarted(_)
        | Fact::Compaction(_)
        | Fact::Head(_)
        | Fact::Retracted(_)
        | Fact::Opaque(_) => return None,
    };
    // A name in angle brackets stands for a message no model wrote.
    (!model.is_empty() && !model.starts_with('<')).then_some((dialect, platform, model))
}
