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
