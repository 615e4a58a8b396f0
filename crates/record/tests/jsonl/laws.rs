//! Law 6 over generated records: nothing is lost on the way to a file and back.

use std::collections::BTreeSet;

use record::{Fact, Fill, Record, jsonl};
use serde_json::Value;

use crate::generate;
use crate::random::Random;

/// Whether everything the first value says is in the second, at the same place.
///
/// A member that a line did not have may be added; nothing may be changed or taken away. A block
/// or line that was wrapped without need may lose the wrapping.
pub fn carries(saved: &Value, written: &Value) -> bool {
    for tag in ["type", "entry"] {
        if written[tag] == "opaque" && saved[tag] != "opaque" {
            return carries(saved, &written["raw"]);
        }
    }
    match (written, saved) {
        (Value::Object(written), Value::Object(saved)) => written
            .iter()
            .all(|(name, value)| saved.get(name).is_some_and(|saved| carries(saved, value))),
        (Value::Array(written), Value::Array(saved)) => {
            written.len() == saved.len()
                && written.iter().zip(saved).all(|(written, saved)| carries(saved, written))
        }
        _ => written == saved,
    }
}

#[test]
fn a_saved_record_loads_as_the_same_record() {
    for seed in 0..6000 {
        let record = generate::record(seed);
        let saved = jsonl::save(&record);
        let loaded = jsonl::load(&saved, "r.jsonl");
        assert_eq!(loaded.record, record, "seed {seed}\n{}", String::from_utf8_lossy(&saved));
        assert_eq!(jsonl::save(&loaded.record), saved, "seed {seed}");
    }
}

#[test]
fn lines_one_by_one_are_the_lines_of_a_file() {
    for seed in 0..500 {
        let record = generate::record(seed);
        let mut file = format!("{}\n", jsonl::HEADER);
        for entry in &record.entries {
            let line = jsonl::write_entry(entry).expect("within the limits");
            assert_eq!(jsonl::read_entry(line.as_str()).as_ref(), Some(&**entry), "seed {seed}");
            file.push_str(line.as_str());
            file.push('\n');
        }
        for moved in &record.refs {
            let line = jsonl::write_ref(moved).expect("within the limits");
            assert_eq!(jsonl::read_ref(line.as_str()).as_ref(), Some(moved), "seed {seed}");
            file.push_str(line.as_str());
            file.push('\n');
        }
        assert_eq!(file.as_bytes(), jsonl::save(&record), "seed {seed}");
        let read = jsonl::load_from(file.as_bytes(), "r.jsonl").expect("a slice does not fail");
        assert_eq!(read.record, record, "seed {seed}");
    }
}

#[test]
fn the_generator_makes_every_fact_and_fill() {
    let mut facts = BTreeSet::new();
    let mut fills = BTreeSet::new();
    for seed in 0..300 {
        for entry in generate::record(seed).entries {
            facts.insert(format!("{:?}", std::mem::discriminant(&entry.fact)));
            if let Fact::Sent(sent) = &entry.fact {
                let kinds = sent.fills.iter().map(std::mem::discriminant::<Fill>);
                fills.extend(kinds.map(|kind| format!("{kind:?}")));
            }
        }
    }
    assert_eq!((facts.len(), fills.len()), (7, 9));
}

/// Every line of a file, changed at random places, is still all there after loading and saving.
#[test]
fn what_a_changed_line_says_is_said_by_the_saved_one() {
    for seed in 0..8000 {
        let random = &mut Random::new(seed);
        let lines: Vec<Value> = lines_of(&generate::record(seed))
            .into_iter()
            .map(|mut line| {
                for _ in 0..random.below(4) {
                    change(random, &mut line);
                }
                line
            })
            // An object without members cannot be read; several in a row are one entry.
            .filter(|line| line.as_object().is_some_and(|members| !members.is_empty()))
            .collect();
        let file: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let loaded = jsonl::load(file.as_bytes(), "r.jsonl");
        let saved = lines_of(&loaded.record);
        for line in &lines {
            let kept = saved.iter().any(|saved| {
                carries(saved, line) || saved.get("raw").is_some_and(|raw| raw == line)
            });
            assert!(kept || no_id(line), "seed {seed}\nlost {line}\nof {saved:#?}");
        }
        assert_eq!(saved.len(), lines.len(), "seed {seed}");
        let again = jsonl::load(&jsonl::save(&loaded.record), "r.jsonl").record;
        assert_eq!(again, loaded.record, "seed {seed}");
    }
}

/// The one thing that is replaced: an id that is `null`, which is none.
fn no_id(line: &Value) -> bool {
    line.get("id").is_some_and(Value::is_null)
}

/// The lines after the header, as another parser reads them; those it cannot read are left out.
fn lines_of(record: &Record) -> Vec<Value> {
    let saved = String::from_utf8(jsonl::save(record)).expect("lines are text");
    let lines = saved.lines().skip(1);
    lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Replaces, removes or adds one value somewhere.
fn change(random: &mut Random, value: &mut Value) {
    let hostile = [
        "null",
        "5",
        "-1.5",
        "\"\"",
        "\"a\"",
        "[]",
        "{}",
        "true",
        "[null]",
        "{\"a\":1}",
        "\"\\n\"",
        "{\"row\":\"0\",\"block\":-1}",
        "[\"x\"]",
        "false",
        "9",
    ];
    let inside = !random.one_in(3);
    match value {
        Value::Object(members) if !members.is_empty() && inside => {
            let index = random.below(members.len());
            let name = members.keys().nth(index).cloned().expect("it is there");
            if random.one_in(8) {
                members.remove(&name);
            } else if random.one_in(8) {
                members.insert(format!("new{}", random.below(9)), Value::from(1.5));
            } else {
                change(random, members.get_mut(&name).expect("it is there"));
            }
        }
        Value::Array(items) if !items.is_empty() && inside => {
            let index = random.below(items.len());
            change(random, &mut items[index]);
        }
        _ => *value = serde_json::from_str(random.pick(&hostile)).expect("JSON"),
    }
}
