//! The lines of a directory joined to rows, and the rows read as a record.

use std::collections::HashMap;
use std::sync::Arc;

use json::{Kind, Object, Raw, Text, Value};
use record::{FindingKind, Origin, Record, RefMove, SourceLine, jsonl};

use super::calls::Runs;
use super::log::{Files, Line, Log, parsed, split};
use super::{BOUNDARY, FORMAT, SCHEMA_VERSION, envelope};
use crate::anthropic::main_ref;
use crate::error::ImportError;
use crate::report::{Place, Report};
use crate::source::Content;
use crate::{Format, Imported};

/// Reads a directory.
///
/// # Errors
///
/// [`ImportError::UnknownFormat`] where `meta.json` is of another schema or another directory.
pub fn read(files: &Files) -> Result<Imported, ImportError> {
    let sources = Log::ALL.map(|log| split(files.bytes(log)));
    let title = meta(files)?;
    let [_, messages, runs, compactions, ledger] =
        [0, 1, 2, 3, 4].map(|log| sources.get(log).map(|lines| parsed(lines)).unwrap_or_default());
    let mut joiner = Joiner::new(&runs, &compactions);
    joiner.corrupt(Log::ToolCalls, &runs);
    joiner.corrupt(Log::Compactions, &compactions);
    for (index, line) in messages.iter().enumerate() {
        joiner.message(index, line);
    }
    joiner.left();
    for (index, line) in ledger.iter().enumerate() {
        joiner.ledger(index, line);
    }
    if let Some(meta) = sources.first() {
        joiner.attach_all(Log::Meta, meta.len());
    }
    Ok(joiner.finish(files, &sources, title))
}

/// The title; refuses what is not this schema, or not this directory's.
fn meta(files: &Files) -> Result<Option<String>, ImportError> {
    let refuse = |hint: String| Err(ImportError::UnknownFormat { hint });
    let Ok(doc) = json::Doc::parse(&files.meta) else { return Ok(None) };
    let root = doc.root();
    if let Some(version) = root.get("schema_version")
        && !version.is_str(SCHEMA_VERSION)
    {
        let found = version.raw();
        return refuse(format!(
            "a three-log directory of schema {found}; {SCHEMA_VERSION} is read"
        ));
    }
    if let Some(id) = root.get_str("session_id")
        && !files.session_id.is_empty()
        && id != files.session_id
    {
        let name = &files.session_id;
        return refuse(format!("meta.json is of session {id}, the directory is named {name}"));
    }
    Ok(root.get_str("title").map(|title| title.into_owned()))
}

/// What a row stands behind: its own seq or the one before, and its place among those.
pub(super) type Order = (u64, usize, usize);

/// A row in the making: one entry of the record.
pub(super) struct Row {
    pub(super) json: Object,
    pub(super) has_parent: bool,
    /// Its id, where others may follow it.
    pub(super) id: Option<String>,
    pub(super) order: Order,
    /// The lines it was made of: file, and index of the line there.
    pub(super) from: Vec<(Log, usize)>,
    pub(super) place: Place,
}

/// A directory being read.
pub(super) struct Joiner<'l> {
    pub(super) runs: &'l [Line<'l>],
    pub(super) compactions: &'l [Line<'l>],
    pub(super) calls: Runs,
    /// Compaction records by id, until their boundary comes.
    pub(super) pairs: HashMap<Text, usize>,
    pub(super) rows: Vec<Row>,
    /// Where rows of messages are, by id.
    pub(super) orders: HashMap<String, Order>,
    /// The order of the last row of messages.
    last: (u64, usize),
    /// Lines that go with the next row.
    waiting: Vec<(Log, usize)>,
    refs: Vec<RefMove>,
    found: Vec<(FindingKind, Log, Place, String)>,
}

impl<'l> Joiner<'l> {
    fn new(runs: &'l [Line<'l>], compactions: &'l [Line<'l>]) -> Joiner<'l> {
        let mut pairs = HashMap::new();
        for (index, line) in compactions.iter().enumerate() {
            let id = line.doc().and_then(|doc| doc.root().get("id")?.to_text());
            if let Some(id) = id {
                pairs.entry(id).or_insert(index);
            }
        }
        Joiner {
            runs,
            compactions,
            calls: Runs::of(runs),
            pairs,
            rows: Vec::new(),
            orders: HashMap::new(),
            last: (0, 0),
            waiting: Vec::new(),
            refs: Vec::new(),
            found: Vec::new(),
        }
    }

    pub(super) fn find(
        &mut self,
        kind: FindingKind,
        log: Log,
        place: Place,
        detail: impl Into<String>,
    ) {
        self.found.push((kind, log, place, detail.into()));
    }

    /// A line that says nothing goes with the row before it.
    fn attach(&mut self, log: Log, index: usize) {
        match self.rows.last_mut() {
            Some(row) => row.from.push((log, index)),
            None => self.waiting.push((log, index)),
        }
    }

    fn attach_all(&mut self, log: Log, lines: usize) {
        for index in 0..lines {
            match self.rows.first_mut() {
                Some(row) => row.from.push((log, index)),
                None => self.waiting.push((log, index)),
            }
        }
    }

    pub(super) fn push(&mut self, row: Row) {
        let mut row = row;
        row.from.append(&mut self.waiting);
        self.rows.push(row);
    }

    /// A row of messages, where the line stands.
    pub(super) fn row(
        &mut self,
        log: (Log, usize),
        line: Value<'_, '_>,
        id: &str,
        json: Object,
        place: Place,
    ) {
        let own = line.get("seq").and_then(Value::as_u64);
        self.last = (own.unwrap_or(0).max(self.last.0), self.last.1 + 1);
        let order = (self.last.0, self.last.1, 0);
        self.orders.entry(id.to_owned()).or_insert(order);
        let has_parent = line.get("parent_id").is_some();
        let (id, from) = (Some(id.to_owned()), vec![log]);
        self.push(Row { json, has_parent, id, order, from, place });
    }

    /// A row that is kept and takes no part in the view.
    pub(super) fn aside(&mut self, log: Log, index: usize, kind: &str, place: Place, order: Order) {
        let mut json = Object::new();
        json.string("entry", "opaque").string("kind", kind);
        json.string("id", &name(log, place));
        let from = vec![(log, index)];
        self.push(Row { json, has_parent: false, id: None, order, from, place });
    }

    pub(super) fn here(&self) -> Order {
        (self.last.0, self.last.1, usize::MAX)
    }

    /// Damaged lines of a file that is only looked up; blank ones go with a row.
    fn corrupt(&mut self, log: Log, lines: &[Line<'_>]) {
        for (index, line) in lines.iter().enumerate() {
            match &line.content {
                Content::Corrupt(why) => self.damaged(log, index, line.place, why, END),
                Content::Blank => self.waiting.push((log, index)),
                Content::Object(doc)
                    if doc.root().get("id").is_none_or(|id| id.as_str().is_none()) =>
                {
                    self.find(FindingKind::UnreadField, log, line.place, "a record without an id");
                    self.aside(log, index, "record", line.place, END);
                }
                Content::Object(_) => {}
            }
        }
    }

    fn damaged(&mut self, log: Log, index: usize, place: Place, why: &str, order: Order) {
        self.find(FindingKind::CorruptLine, log, place, why);
        self.aside(log, index, "damaged", place, order);
    }

    fn message(&mut self, index: usize, line: &Line<'_>) {
        let log = Log::Messages;
        let root = match &line.content {
            Content::Blank => return self.attach(log, index),
            Content::Corrupt(why) => {
                return self.damaged(log, index, line.place, why, self.here());
            }
            Content::Object(doc) => doc.root(),
        };
        let meta = root.get("meta");
        if meta.and_then(|meta| meta.get("kind")).is_some_and(|kind| kind.is_str(BOUNDARY)) {
            let id = meta.and_then(|meta| meta.get("compact_id")).and_then(Value::to_text);
            return self.boundary(index, root, id, line.place);
        }
        let id = root.get_str("id").filter(|id| !id.is_empty());
        let id = id.map_or_else(|| name(log, line.place), |id| id.into_owned());
        match root.get("blocks").filter(|blocks| blocks.kind() == Kind::Array) {
            Some(blocks) => self.typed(index, root, &id, blocks, line.place),
            None => self.untyped(index, root, &id, line.place),
        }
    }

    fn ledger(&mut self, index: usize, line: &Line<'_>) {
        let log = Log::Ledger;
        let doc = match &line.content {
            Content::Blank => return self.attach(log, index),
            Content::Corrupt(why) => return self.damaged(log, index, line.place, why, END),
            Content::Object(doc) => doc,
        };
        let root = doc.root();
        let is_entry = root.get("entry").is_some() || root.get("role").is_some();
        if let Some(moved) = jsonl::read_ref(root.raw()).filter(|_| !is_entry) {
            self.refs.push(moved);
            return self.attach(log, index);
        }
        if !is_entry {
            let detail = "a line of the ledger that is no entry is kept as it is";
            self.find(FindingKind::UnreadField, log, line.place, detail);
            return self.aside(log, index, "ledger", line.place, END);
        }
        let seq = root.get("seq").and_then(Value::as_u64);
        let order = seq.map_or(END, |seq| (seq, usize::MAX, index));
        let json = envelope::copied(root, &["origin"]);
        let id = root.get_str("id").map(|id| id.into_owned());
        let has_parent = root.get("parent_id").is_some();
        let (from, place) = (vec![(log, index)], line.place);
        self.push(Row { json, has_parent, id, order, from, place });
    }

    fn finish(
        mut self,
        files: &Files,
        sources: &[Vec<SourceLine>; 5],
        title: Option<String>,
    ) -> Imported {
        if !self.waiting.is_empty() {
            let place = Place { line: 1, ..Place::default() };
            let (json, order) = (Object::new(), END);
            let from = std::mem::take(&mut self.waiting);
            let mut row = Row { json, has_parent: false, id: None, order, from, place };
            row.json.string("entry", "opaque").string("kind", "blank").string("id", "blank");
            self.rows.push(row);
        }
        self.rows.sort_by_key(|row| row.order);
        let mut reader = jsonl::Reader::new("");
        let mut last: Option<&str> = None;
        for row in &mut self.rows {
            let Row { json, has_parent, id, .. } = row;
            if !*has_parent {
                match last {
                    Some(last) => json.string("parent_id", last),
                    None => json.raw("parent_id", &null()),
                };
            }
            reader.line(json.finish().as_str().as_bytes(), true);
            last = id.as_deref().or(last);
        }
        let tip = last.map(Into::into);
        let loaded = reader.finish();
        let mut record = loaded.record;
        self.origins(&mut record, sources);
        record.refs = std::mem::take(&mut self.refs);
        if record.tip("main") != tip.as_ref() && !record.refs.iter().any(|r| &*r.branch == "main") {
            record.refs.push(main_ref(tip));
        }
        let rows = loaded.findings.into_iter().filter_map(|finding| {
            let row = self.rows.get(usize::try_from(finding.line).ok()?.checked_sub(1)?)?;
            let (log, _) = *row.from.first()?;
            Some((finding.kind, log, row.place, finding.detail))
        });
        let found: Vec<_> = rows.chain(std::mem::take(&mut self.found)).collect();
        let findings = Log::ALL.into_iter().flat_map(|log| {
            let name = match files.session_id.as_str() {
                "" => log.file_name().to_owned(),
                directory => format!("{directory}/{}", log.file_name()),
            };
            let mut report = Report::new(&name);
            for (kind, _, place, detail) in found.iter().filter(|(_, of, _, _)| *of == log) {
                report.add(*kind, *place, detail.clone());
            }
            report.finish()
        });
        Imported { format: Format::ThreeLogs, record, findings: findings.collect(), title }
    }

    /// Every entry keeps the lines it was made of.
    fn origins(&self, record: &mut Record, sources: &[Vec<SourceLine>; 5]) {
        let format: Arc<str> = FORMAT.into();
        for (entry, row) in record.entries.iter_mut().zip(&self.rows) {
            let lines = row.from.iter().filter_map(|(log, index)| {
                let file = Log::ALL.iter().position(|known| known == log)?;
                let line = sources.get(file)?.get(*index)?;
                Some(SourceLine { number: log.number(line.number), ..line.clone() })
            });
            let mut lines: Vec<SourceLine> = lines.collect();
            lines.sort_by_key(|line| line.number);
            let origin = Origin { format: Arc::clone(&format), lines };
            Arc::make_mut(entry).origin = Some(Box::new(origin));
        }
    }
}

/// Behind everything that has a place.
pub(super) const END: Order = (u64::MAX, usize::MAX, 0);

/// The id of a row that has none.
pub(super) fn name(log: Log, place: Place) -> String {
    format!("legacy:{}:{}", log.file_name(), place.line)
}

fn null() -> Raw {
    Raw::parse("null").unwrap_or_else(|_| Object::new().finish())
}
