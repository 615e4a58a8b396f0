//! Files that were torn, spliced or overwritten: the rest loads, and nothing is lost in silence.

use std::sync::Arc;

use json::limits::{DEPTH_MAX, LINE_BYTES_MAX};
use record::jsonl::{self, Loaded};
use record::limits::{BLOCKS_MAX, RUN_BYTES_MAX};
use record::{Entry, EntryId, Fact, FindingKind, Record};

use crate::generate;
use crate::random::Random;

fn ids(loaded: &Loaded) -> Vec<&EntryId> {
    loaded.record.entries.iter().map(|entry| &entry.id).collect()
}

fn row(id: &str) -> String {
    let envelope = format!(r#""v":1,"entry":"message","id":"{id}","parent_id":null,"seq":0"#);
    format!(r#"{{{envelope},"role":"user","blocks":[]}}"#)
}

fn corrupt(loaded: &Loaded, index: usize) -> &[u8] {
    corrupt_bytes(&loaded.record, index)
}

fn corrupt_bytes(record: &Record, index: usize) -> &[u8] {
    let entry = &record.entries[index];
    let Fact::Opaque(opaque) = &entry.fact else { panic!("opaque") };
    assert_eq!((&*opaque.kind, &opaque.raw), (jsonl::CORRUPT_LINE, &None));
    &entry.origin.as_ref().expect("the bytes").lines[0].bytes
}

// Record test 15.
#[test]
fn a_file_cut_in_its_last_line_loads_all_earlier_rows_and_says_where() {
    let text = format!("{}\n{}\n{}", jsonl::HEADER, row("a"), &row("b")[..40]);
    let loaded = jsonl::load(text.as_bytes(), "s/entries.jsonl");
    assert_eq!(ids(&loaded)[0].as_str(), "a");
    let [finding] = &loaded.findings[..] else { panic!("one finding") };
    assert_eq!(finding.kind, FindingKind::CorruptLine);
    assert_eq!((finding.file.as_str(), finding.line), ("s/entries.jsonl", 3));
    assert_eq!((finding.offset, finding.bytes), (text.len() as u64 - 40, 40));
    assert_eq!(corrupt(&loaded, 1), &row("b").as_bytes()[..40]);
}

// Record test 16, the reader's part.
#[test]
fn a_row_appended_after_a_torn_line_is_read_and_the_torn_bytes_stay() {
    let torn = &row("b")[..40];
    let mut file = format!("{}\n{torn}", row("a")).into_bytes();
    file.extend_from_slice(jsonl::joint(file.last().copied()).as_bytes());
    file.extend_from_slice(format!("{}\n", row("c")).as_bytes());
    let loaded = jsonl::load(&file, "f");
    assert_eq!((ids(&loaded)[0].as_str(), ids(&loaded)[2].as_str()), ("a", "c"));
    assert_eq!(corrupt(&loaded, 1), torn.as_bytes());
    assert_eq!((jsonl::joint(None), jsonl::joint(Some(b'\n'))), ("", ""));
}

#[test]
fn a_last_line_without_line_feed_counts_if_it_is_whole() {
    let loaded = jsonl::load(format!("{}\n{}", row("a"), row("b")).as_bytes(), "f");
    assert_eq!((ids(&loaded).len(), loaded.findings.len()), (2, 0));
}

#[test]
fn blank_lines_are_no_lines() {
    let text = format!("\n  \r\n\u{feff}\n{}\n\u{200b}\t\n", row("a"));
    let loaded = jsonl::load(text.as_bytes(), "f");
    assert_eq!((ids(&loaded).len(), loaded.findings.len()), (1, 0));
}

#[test]
fn lines_that_are_no_object_are_kept_as_bytes() {
    let bad: [&[u8]; 6] =
        [b"\0\0\0\0", b"{\"a\":\"\xff\"}", b"[1]", b"\"x\"", b"{} {}", b"{\"a\":01}"];
    for bytes in bad {
        let file = [row("a").as_bytes(), b"\n", bytes, b"\n", row("b").as_bytes()].concat();
        let loaded = jsonl::load(&file, "f");
        assert_eq!(corrupt(&loaded, 1), bytes);
        assert_eq!(loaded.findings.len(), 1);
        let again = jsonl::load(&jsonl::save(&loaded.record), "g");
        assert_eq!((again.record, again.findings), (loaded.record, vec![]));
    }
}

#[test]
fn lines_in_which_nothing_can_be_read_are_one_entry_and_stay() {
    let junk = "x\n{}\n\n\0\n[]\n".repeat(20_000);
    let text = format!("{}\n{junk}{}\n", row("a"), row("b"));
    let loaded = jsonl::load(text.as_bytes(), "f");
    assert_eq!(ids(&loaded).len(), 3);
    let junk = junk.trim_end_matches('\n').as_bytes();
    assert!(corrupt(&loaded, 1) == junk);
    let [finding] = &loaded.findings[..] else { panic!("one finding") };
    assert_eq!((finding.line, finding.offset), (2, row("a").len() as u64 + 1));
    assert_eq!(finding.bytes, junk.len() as u64);
    let why = "80000 lines that cannot be read, up to line 100001";
    assert!(finding.detail.ends_with(why), "{finding}");
    let again = jsonl::load(&jsonl::save(&loaded.record), "g");
    assert!((again.record, again.findings) == (loaded.record, vec![]));
}

#[test]
fn lines_are_held_together_up_to_the_limit() {
    for (bytes, entries) in [(RUN_BYTES_MAX, 1), (RUN_BYTES_MAX + 1, 2)] {
        let text = format!("{}\n{}\n", "x".repeat(bytes - 2), "y");
        let loaded = jsonl::load(text.as_bytes(), "f");
        assert_eq!(ids(&loaded).len(), entries, "{bytes}");
        let again = jsonl::load(&jsonl::save(&loaded.record), "g");
        assert!(again.record == loaded.record);
    }
}

#[test]
fn a_row_whose_parent_was_torn_follows_the_torn_line() {
    let torn = &row("b")[..50];
    let text = format!("{}\n{torn}\n{}\n", row("a"), row("c").replace("null", "\"b\""));
    let loaded = jsonl::load(text.as_bytes(), "f");
    let kinds: Vec<_> = loaded.findings.iter().map(|finding| finding.kind).collect();
    assert_eq!(kinds, [FindingKind::CorruptLine, FindingKind::DanglingParent]);
    assert_eq!(loaded.record.path(&"c".into()).len(), 3);
}

#[test]
fn lines_over_a_limit_are_kept_raw_and_the_next_one_is_read() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(DEPTH_MAX), "]".repeat(DEPTH_MAX));
    let wide = format!("{{\"role\":\"user\",\"blocks\":[{}0]}}", "0,".repeat(BLOCKS_MAX));
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(LINE_BYTES_MAX));
    for line in [deep, wide, long] {
        let loaded = jsonl::load(format!("{line}\n{}\n", row("b")).as_bytes(), "f");
        assert!(corrupt(&loaded, 0) == line.as_bytes());
        assert_eq!(ids(&loaded)[1].as_str(), "b");
        assert_eq!(loaded.findings.len(), 1);
        assert_eq!(loaded.findings[0].bytes, line.len() as u64);
        let saved = jsonl::save(&loaded.record);
        let again = jsonl::load(&saved, "f").record;
        assert!(corrupt_bytes(&again, 0) == line.as_bytes());
        assert_eq!(jsonl::save(&again).len(), saved.len(), "it does not grow");
    }
}

#[test]
fn lines_at_the_limits_are_read() {
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(DEPTH_MAX - 1), "]".repeat(DEPTH_MAX - 1));
    let wide = format!("{{\"role\":\"user\",\"blocks\":[{}0]}}", "0,".repeat(BLOCKS_MAX - 1));
    for line in [deep, wide] {
        let loaded = jsonl::load(line.as_bytes(), "f");
        let corrupt = loaded.findings.iter().any(|f| f.kind == FindingKind::CorruptLine);
        assert!(!corrupt, "{:?}", loaded.findings.first());
    }
}

#[test]
fn every_prefix_of_a_file_loads_with_all_its_complete_lines() {
    for seed in 0..5 {
        let saved = jsonl::save(&generate::record(seed));
        let whole = jsonl::load(&saved, "f");
        for cut in 0..saved.len() {
            let loaded = jsonl::load(&saved[..cut], "f");
            let lines = saved[..cut].iter().filter(|byte| **byte == b'\n').count();
            let complete = lines.saturating_sub(1).min(whole.record.entries.len());
            assert!(loaded.record.entries.len() >= complete, "seed {seed}, cut at {cut}");
            assert_eq!(
                loaded.record.entries[..complete],
                whole.record.entries[..complete],
                "seed {seed}, cut at {cut}"
            );
            let refs = lines.saturating_sub(1 + whole.record.entries.len());
            assert_eq!(loaded.record.refs[..refs], whole.record.refs[..refs]);
        }
    }
}

#[test]
fn any_damage_is_read_and_saved_without_end_or_loss() {
    let base: Vec<Vec<u8>> = (0..64).map(|seed| jsonl::save(&generate::record(seed))).collect();
    for seed in 0..6000 {
        let random = &mut Random::new(seed);
        let mut file = random.pick(&base);
        for _ in 0..1 + random.below(4) {
            damage(random, &mut file, &base);
        }
        let loaded = jsonl::load(&file, "f");
        let lines = file.split(|byte| *byte == b'\n');
        let held = lines.filter(|line| holds_something(line)).count();
        let kept = loaded.record.entries.iter().map(lines_in).sum::<usize>();
        let kept = kept + loaded.record.refs.len();
        assert_eq!(kept, held, "seed {seed}: a line is an entry, part of one, or a move of a ref");
        for entry in &loaded.record.entries {
            assert!(loaded.record.path(&entry.id).len() <= kept);
        }
        let saved = jsonl::save(&loaded.record);
        assert_eq!(jsonl::load(&saved, "f").record, loaded.record, "seed {seed}");
    }
}

/// How many lines of the file an entry holds: several in a row that cannot be read are one.
fn lines_in(entry: &Arc<Entry>) -> usize {
    let origin = entry.origin.as_ref().filter(|_| entry.id.as_str().starts_with("legacy:"));
    let unread = origin.filter(|origin| &*origin.format == jsonl::FORMAT_NAME);
    let lines = unread.and_then(|origin| origin.lines.first()).map(|line| {
        line.bytes.split(|byte| *byte == b'\n').filter(|line| holds_something(line)).count()
    });
    lines.unwrap_or(1)
}

/// Not blank, and not a header.
fn holds_something(line: &[u8]) -> bool {
    let header = serde_json::from_slice::<serde_json::Value>(line)
        .is_ok_and(|line| line == serde_json::json!({"stenograph": "record", "v": 1}));
    let blank = std::str::from_utf8(line).is_ok_and(record::blank::is_blank);
    !header && !blank
}

/// Flips a bit, cuts, splices a line of another file, doubles a line, or overwrites with zeros.
fn damage(random: &mut Random, file: &mut Vec<u8>, base: &[Vec<u8>]) {
    if file.is_empty() {
        return;
    }
    let at = random.below(file.len());
    match random.below(6) {
        0 | 1 => file[at] ^= 1 << random.below(8),
        2 => file.truncate(at),
        3 => {
            let other = random.pick(base);
            let lines: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
            let line = random.pick(&lines);
            file.splice(at..at, line.iter().copied());
        }
        4 => {
            let line = file.split_inclusive(|byte| *byte == b'\n').nth(random.below(4));
            let line = line.unwrap_or_default().to_vec();
            file.extend_from_slice(&line);
        }
        _ => {
            let end = (at + 8).min(file.len());
            file[at..end].fill(0);
        }
    }
}
