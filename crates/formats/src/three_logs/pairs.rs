//! Pairs and what is left of them: compactions with their boundaries, runs without a row.

use json::{Array, Kind, Object, Raw, Text, Value};
use record::FindingKind;

use super::log::Log;
use super::read::{END, Joiner, Order, Row, name};
use super::{BOUNDARY, envelope, row};
use crate::report::Place;

impl Joiner<'_> {
    pub(super) fn boundary(
        &mut self,
        index: usize,
        line: Value<'_, '_>,
        id: Option<Text>,
        place: Place,
    ) {
        let log = Log::Messages;
        let pair = id.and_then(|id| Some((self.pairs.remove(&id)?, id)));
        let compactions = self.compactions;
        let found = pair.and_then(|(at, id)| Some((at, id, compactions.get(at)?.doc()?.root())));
        let Some((at, id, record)) = found else {
            let detail = "a boundary row without its record applies nothing";
            self.find(FindingKind::CompactionPairInvalid, log, place, detail);
            return self.aside(log, index, BOUNDARY, place, self.here());
        };
        let role = record.get("handoff_message").and_then(|message| message.get_str("role"));
        let ours = record.get("v").is_some();
        let mut json = row::compacted(record);
        if !ours && role.as_deref() != Some("assistant") {
            let detail = "a compaction without a handoff of the assistant applies nothing";
            let place = compactions.get(at).map(|line| line.place).unwrap_or_default();
            self.find(FindingKind::CompactionPairInvalid, Log::Compactions, place, detail);
            json = row::compacted(row_without_handoff(record).doc().root());
        }
        let own = if record.get("seq").is_some() { record } else { line };
        self.row((log, index), own, &id, json, place);
        if let Some(row) = self.rows.last_mut() {
            row.from.push((Log::Compactions, at));
        }
    }

    /// Records that no row took: results nonetheless, calls that were started, halves of pairs.
    pub(super) fn left(&mut self) {
        let runs = self.runs;
        for (id, nth, run) in self.calls.left() {
            let Some(line) = runs.get(run) else { continue };
            let Some(record) = line.doc().map(|doc| doc.root()) else { continue };
            let call = self.calls.call(&id, nth).cloned();
            let behind = call.as_ref().and_then(|(row, _)| self.orders.get(row)).copied();
            let (log, order) = (Log::ToolCalls, behind.map_or(END, |(a, b, _)| (a, b, run + 1)));
            if record.get("state").is_some_and(|state| state.is_str("started")) {
                self.started(run, record, call, order, line.place);
            } else if let Some(block) = row::result_of(&id, None, record) {
                let name = name(log, line.place);
                let (mut json, mut source) = (Object::new(), Object::new());
                json.string("id", &name).string("role", "tool").raw("blocks", &Array::of([&block]));
                json.optional_raw("timestamp", record.get("ts_end").map(Raw::of).as_ref());
                source.string("kind", "tool").text("call_id", &id);
                json.raw("source", &source.finish());
                if let Some(run) = row::meta_run(record) {
                    let mut meta = Object::new();
                    json.raw("meta", &meta.raw("run", &run).finish());
                }
                let (from, id, place) = (vec![(log, run)], Some(name), line.place);
                self.push(Row { json, has_parent: false, id, order, from, place });
            } else {
                self.legacy(line.place);
                self.aside(log, run, "record", line.place, order);
            }
        }
        self.left_compactions();
    }

    fn left_compactions(&mut self) {
        let compactions = self.compactions;
        let taken: Vec<usize> = self
            .rows
            .iter()
            .flat_map(|row| &row.from)
            .filter(|(log, _)| *log == Log::Compactions)
            .map(|(_, at)| *at)
            .collect();
        for (at, line) in compactions.iter().enumerate() {
            let Some(record) = line.doc().map(|doc| doc.root()).filter(|_| !taken.contains(&at))
            else {
                continue;
            };
            let seq = record.get("seq").and_then(Value::as_u64);
            let order = seq.map_or(END, |seq| (seq, usize::MAX, 0));
            if record.get("kind").is_some_and(|kind| kind.is_str("micro")) {
                let json = row::compacted(record);
                let id = record.get_str("id").map(|id| id.into_owned());
                let has_parent = record.get("parent_id").is_some();
                let (from, place) = (vec![(Log::Compactions, at)], line.place);
                self.push(Row { json, has_parent, id, order, from, place });
            } else {
                let detail = "a compaction without its boundary row applies nothing";
                self.find(FindingKind::CompactionPairInvalid, Log::Compactions, line.place, detail);
                self.aside(Log::Compactions, at, "compaction", line.place, order);
            }
        }
    }

    /// A call was dispatched: our own line says which, another's is that of its id.
    fn started(
        &mut self,
        run: usize,
        record: Value<'_, '_>,
        call: Option<(String, usize)>,
        order: Order,
        place: Place,
    ) {
        let log = Log::ToolCalls;
        let ours = record.get("started").filter(|ours| ours.kind() == Kind::Object);
        let (json, has_parent, order) = match (ours, call) {
            (Some(ours), _) => {
                let seq = ours.get("seq").and_then(Value::as_u64);
                let order = seq.map_or(order, |seq| (seq, usize::MAX, run));
                (envelope::copied(ours, &[]), ours.get("parent_id").is_some(), order)
            }
            (None, Some((row, block))) => {
                let mut json = Object::new();
                json.string("entry", "call_started").string("id", &name(log, place));
                json.optional_raw("timestamp", record.get("ts_start").map(Raw::of).as_ref());
                json.string("row", &row).number("block", block as u64);
                (json, false, order)
            }
            (None, None) => return self.aside(log, run, "started", place, order),
        };
        let from = vec![(log, run)];
        self.push(Row { json, has_parent, id: None, order, from, place });
    }
}

/// A record whose handoff is nobody's to send: it stays, under another name.
fn row_without_handoff(record: Value<'_, '_>) -> Raw {
    let mut object = envelope::copied(record, &["handoff_message"]);
    let handoff = record.get("handoff_message").map(Raw::of);
    object.optional_raw("handoff_as_found", handoff.as_ref()).finish()
}
