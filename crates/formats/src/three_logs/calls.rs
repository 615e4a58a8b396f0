//! Records of runs by call, and the calls rows made.

use std::collections::HashMap;

use json::{Kind, Text, Value};

use super::log::Line;

/// A place in `tool_calls.jsonl`: the index of a line.
pub(super) type Run = usize;

/// The records of `tool_calls.jsonl`, by call id.
#[derive(Default)]
pub(super) struct Runs {
    /// Completed runs, in order.
    finished: HashMap<Text, Vec<Run>>,
    started: HashMap<Text, Vec<Run>>,
    /// How many rows of each id were seen, and how many calls.
    rows: HashMap<Text, usize>,
    calls: HashMap<Text, Vec<(String, usize)>>,
}

impl Runs {
    pub(super) fn of(lines: &[Line<'_>]) -> Runs {
        let mut runs = Runs::default();
        for (index, line) in lines.iter().enumerate() {
            let Some(root) = line.doc().map(|doc| doc.root()) else { continue };
            let Some(id) = root.get("id").and_then(Value::to_text) else { continue };
            let started = root.get("state").is_some_and(|state| state.is_str("started"));
            let list = if started { &mut runs.started } else { &mut runs.finished };
            list.entry(id).or_default().push(index);
        }
        runs
    }

    /// The record of the next row of this id: the first row has the first record.
    pub(super) fn of_row(&mut self, id: &Text) -> Option<Run> {
        let seen = self.rows.entry(id.clone()).or_default();
        let run = self.finished.get(id).and_then(|runs| runs.get(*seen)).copied();
        *seen += 1;
        run
    }

    /// A row makes a call; the records that may hold its arguments.
    pub(super) fn called(&mut self, id: &Text, row: &str, block: usize) -> Vec<Run> {
        let calls = self.calls.entry(id.clone()).or_default();
        let run = |runs: &HashMap<Text, Vec<Run>>| runs.get(id)?.get(calls.len()).copied();
        let found = run(&self.finished).into_iter().chain(run(&self.started)).collect();
        calls.push((row.to_owned(), block));
        found
    }

    /// The call of the nth record of an id.
    pub(super) fn call(&self, id: &Text, nth: usize) -> Option<&(String, usize)> {
        let calls = self.calls.get(id)?;
        calls.get(nth).or(calls.last())
    }

    /// Every record that no row took, with its id and which of its id it is, in order of lines.
    pub(super) fn left(&self) -> Vec<(Text, usize, Run)> {
        let mut left: Vec<(Text, usize, Run)> = Vec::new();
        for (id, runs) in &self.finished {
            let seen = self.rows.get(id).copied().unwrap_or(0);
            let runs = runs.iter().copied().enumerate().skip(seen);
            left.extend(runs.map(|(nth, run)| (id.clone(), nth, run)));
        }
        for (id, runs) in &self.started {
            left.extend(runs.iter().copied().enumerate().map(|(nth, run)| (id.clone(), nth, run)));
        }
        left.sort_by_key(|(_, _, run)| *run);
        left
    }
}

/// What the model was given: never empty.
pub(super) fn given<'d, 't>(record: Value<'d, 't>) -> Option<Value<'d, 't>> {
    record
        .get("model_content")
        .filter(|given| given.kind() == Kind::String && given.raw() != "\"\"")
}
