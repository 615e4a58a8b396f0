//! Requests made of a history: from scratch, and after one more turn.

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;

use record::{Block, Entry, EntryId, Fact, Message, Rest, Role, Source};
use replay::{Limits, Now, Prepared, Reader, Refusal, Replayer, Target};

/// A path of entries, root first.
pub type Path = Vec<Arc<Entry>>;

/// The path of a session file's main branch.
///
/// # Errors
///
/// Where the file is nothing that can be read.
pub fn path_of(bytes: &[u8], file: &str) -> Result<Path, Box<dyn Error>> {
    Ok(formats::import(bytes, file)?.record.branch_path("main"))
}

/// Arguments under which a history is converted as a whole, however large the provider finds it.
pub fn unlimited() -> Now {
    let limits = Limits { body_bytes_max: Some(u64::MAX), images_max: Some(u32::MAX) };
    Now { limits, ..Now::default() }
}

/// The request of a path, made from scratch, and the replayer that made it.
///
/// # Errors
///
/// [`Refusal`] where no valid request can be made.
pub fn from_scratch(
    path: &[Arc<Entry>],
    target: &Target,
    now: &Now,
) -> Result<(Replayer, Prepared), Refusal> {
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    replayer.feed(path);
    let prepared = replayer.prepare(now)?;
    Ok((replayer, prepared))
}

/// The next request of a path that grew, its `sent` made as well: that is due before it leaves.
///
/// # Errors
///
/// [`Refusal`] where no valid request can be made.
pub fn next(replayer: &mut Replayer, path: &[Arc<Entry>], now: &Now) -> Result<Prepared, Refusal> {
    replayer.feed(path);
    let prepared = replayer.prepare(now)?;
    black_box(prepared.append());
    Ok(prepared)
}

/// The same path as a live agent would have stored it: a `sent` before each reply.
///
/// # Errors
///
/// [`Refusal`] where a request of it cannot be made.
pub fn with_sents(path: &[Arc<Entry>], target: &Target, now: &Now) -> Result<Path, Refusal> {
    let mut replayer = Replayer::new(Reader::plain("main"), target.clone());
    let mut stored: Path = Vec::with_capacity(path.len() * 2);
    for entry in path {
        let mut entry = Entry::clone(entry);
        if let Fact::Message(message) = &mut entry.fact
            && message.role == Role::Assistant
        {
            replayer.feed(&stored);
            append(&mut stored, &replayer.prepare(now)?);
            message.answers = stored.last().map(|sent| sent.id.clone());
        }
        entry.parent = stored.last().map(|tip| tip.id.clone());
        stored.push(Arc::new(entry));
    }
    Ok(stored)
}

/// Appends what a prepared request says to append.
pub fn append(path: &mut Path, prepared: &Prepared) {
    path.extend(prepared.append().iter().cloned().map(Arc::new));
}

/// Appends a message of a person.
pub fn append_user(path: &mut Path, text: &str) {
    push(path, Message::new(Role::User, vec![Block::text(text)]));
}

/// Appends a reply to the request appended last.
pub fn append_reply(path: &mut Path, target: &Target, text: &str) {
    let mut message = Message::new(Role::Assistant, vec![Block::text(text)]);
    message.answers = path.last().map(|sent| sent.id.clone());
    message.source = Some(Source::Model {
        platform: target.to.platform.clone(),
        api: target.to.dialect.clone(),
        model: target.to.model.clone(),
        account: None,
    });
    push(path, message);
}

fn push(path: &mut Path, message: Message) {
    let entry = Entry {
        id: EntryId::new(format!("turn:{}", path.len())),
        parent: path.last().map(|tip| tip.id.clone()),
        seq: path.len() as u64,
        time: None,
        fact: Fact::Message(Box::new(message)),
        origin: None,
        rest: Rest::default(),
    };
    path.push(Arc::new(entry));
}
