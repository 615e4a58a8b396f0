//! Damage of every kind: nothing panics, nothing is lost, both ways of reading agree.

use formats::{Format, ImportError};

use crate::view::{files_under, fixtures};

/// A xorshift generator: the same damage every time.
struct Chance(u64);

impl Chance {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], chance: &mut Chance) {
    let at = chance.next(bytes.len());
    match chance.next(7) {
        0 => bytes.truncate(at),
        1 => bytes[at] ^= 1 << chance.next(8),
        2 => bytes.splice(at..at, [0u8; 16]).for_each(drop),
        3 => {
            let from = chance.next(other.len());
            let piece = &other[from..(from + chance.next(400)).min(other.len())];
            bytes.splice(at..at, piece.iter().copied()).for_each(drop);
        }
        4 => {
            let end = (at + chance.next(60)).min(bytes.len());
            bytes.drain(at..end);
        }
        5 => {
            let mut lines: Vec<Vec<u8>> =
                bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            let line = lines[chance.next(lines.len())].clone();
            lines.insert(chance.next(lines.len()), line);
            *bytes = lines.join(&b'\n');
        }
        _ => {
            let mut lines: Vec<Vec<u8>> =
                bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            let (left, right) = (chance.next(lines.len()), chance.next(lines.len()));
            lines.swap(left, right);
            *bytes = lines.join(&b'\n');
        }
    }
}

fn holds(bytes: &[u8]) {
    let read = formats::import(bytes, "x");
    let streamed = formats::import_reader(bytes, "x");
    let (Ok(read), Ok(streamed)) = (&read, &streamed) else {
        assert!(read.is_err() && streamed.is_err());
        assert!(!matches!(read, Err(ImportError::Io(_))));
        return;
    };
    assert_eq!(read.record, streamed.record);
    let main = read.record.branch_path("main");
    assert!(main.len() <= read.record.entries.len());
    let mut ids: Vec<&str> = read.record.entries.iter().map(|entry| entry.id.as_str()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "ids repeat");
    if read.format == Format::Record {
        return;
    }
    match formats::export(&read.record, read.format) {
        Ok(written) => assert!(
            written == bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) || written == bytes
        ),
        Err(error) => panic!("{error}"),
    }
    let ours = formats::export(&read.record, Format::Record).expect("our own format");
    let again = formats::import(&ours, "x").expect("our own format");
    assert_eq!(again.record, read.record);
}

#[test]
fn damaged_files_are_read_or_refused_and_given_back() {
    let files: Vec<Vec<u8>> =
        files_under(&fixtures()).iter().map(|path| std::fs::read(path).expect("a file")).collect();
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    for file in &files {
        for _ in 0..250 {
            let mut bytes = file.clone();
            for _ in 0..=chance.next(4) {
                if bytes.is_empty() {
                    break;
                }
                let other = &files[chance.next(files.len())];
                damage(&mut bytes, other, &mut chance);
            }
            holds(&bytes);
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_read_or_refused_and_given_back() {
    for path in files_under(&fixtures()) {
        let bytes = std::fs::read(&path).expect("a file");
        for end in (0..bytes.len()).step_by(13) {
            holds(&bytes[..end]);
        }
    }
}

/// Files that begin well and go on with lines in which there is nothing to read.
fn followed_by_junk(lines: usize) -> Vec<(Format, Vec<u8>)> {
    const BEGINNINGS: [&str; 4] = [
        "claude-code/branches.jsonl",
        "codex/session.jsonl",
        "pi/tree.jsonl",
        "neutral-history/small.jsonl",
    ];
    let junk = ["", "x", "{}", "[]", "null", "\0", "{\"a", "{} {}"];
    let mut files = Vec::new();
    for name in BEGINNINGS {
        let mut bytes = std::fs::read(fixtures().join(name)).expect("a fixture");
        let format = formats::import(&bytes, "x").expect("it imports").format;
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        for line in junk.iter().cycle().take(lines) {
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
        }
        files.push((format, bytes));
    }
    files
}

#[test]
fn lines_in_which_nothing_can_be_read_are_held_together_and_given_back() {
    for (format, bytes) in followed_by_junk(100_000) {
        let whole = formats::import(&bytes, "x").expect("it imports");
        let short = followed_by_junk(8).into_iter().find(|(of, _)| *of == format);
        let (_, short) = short.expect("the same format");
        let short = formats::import(&short, "x").expect("it imports");
        // However many they are: as many entries and findings as a few of them make.
        assert_eq!(whole.record.entries.len(), short.record.entries.len(), "{format:?}");
        assert_eq!(whole.findings.len(), short.findings.len(), "{format:?}");
        let last = whole.findings.last().expect("a finding");
        assert!(last.detail.contains("lines that cannot be read, up to line"), "{last}");
        assert!(formats::export(&whole.record, format).expect("it exports") == bytes, "{format:?}");
        holds(&bytes);
    }
}

#[test]
fn the_lines_of_a_document_are_kept_in_one_piece() {
    let lines = "\n".repeat(100_000);
    let body = format!(
        r#"{{"model":"claude-opus-4-8","max_tokens":9,{lines}"messages":[{{"role":"user","content":"hi"}}]}}"#
    );
    let read = formats::import(body.as_bytes(), "x").expect("it imports");
    assert_eq!(read.record.entries[0].origin.as_ref().expect("an origin").lines.len(), 1);
    let written = formats::export(&read.record, read.format).expect("it exports");
    assert!(written == body.as_bytes());
}
