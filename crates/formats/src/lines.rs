//! The lines of a file, read into entries one by one.
//!
//! In: lines, and what a format makes of an object. Out: every line in the origin of an entry, so
//! that all of them can be given back. What is whole in a damaged line is read. Lines in a row of
//! which nothing can be read are one entry: they cost their bytes, however short they are.

use std::io::{self, BufRead};
use std::ops::Range;

use json::{Doc, Text, Value};
use record::{FindingKind, SourceLine, Unread, UnreadLines};

use crate::recover;
use crate::report::{Place, Report};
use crate::source::{Content, Keep, Physical, Source, content, text_of};

/// A format whose files are lines.
pub(crate) trait Lines {
    /// What was found so far.
    fn report(&mut self) -> &mut Report;

    /// Whether a whole object found in a damaged line is a line of this format.
    fn is_line(root: Value<'_, '_>) -> bool;

    /// Reads one object and gives the entry it belongs to.
    fn line(&mut self, root: Value<'_, '_>, place: Place) -> usize;

    /// Adds an entry that is no part of the view, of a line that says nothing.
    fn aside(&mut self, kind: Text, place: Place) -> usize;

    /// The lines that an entry was made of.
    fn lines_of(&mut self, entry: usize) -> Option<&mut Vec<SourceLine>>;
}

/// Reads every line of a file.
pub(crate) fn read<L: Lines>(lines: &mut L, input: impl BufRead, keep: Keep) -> io::Result<()> {
    let mut source = Source::new(input);
    let mut run = UnreadLines::default();
    while let Some(Physical { line, place }) = source.next_line()? {
        let unread = match content(&line) {
            Content::Object(doc) if doc.root().members().next().is_some() => {
                end(lines, &mut run, keep);
                let entry = lines.line(doc.root(), place);
                keep_line(lines, entry, keep.of(line));
                continue;
            }
            Content::Object(_) => Some("an object without members".to_owned()),
            Content::Blank => None,
            Content::Corrupt(why) => Some(why),
        };
        let whole = match &unread {
            Some(_) => whole_objects::<L>(text_of(&line)),
            None => Vec::new(),
        };
        if !whole.is_empty() || !run.has_room(place) {
            end(lines, &mut run, keep);
        }
        run.push(place, &line.bytes, line.ended, unread);
        if !whole.is_empty() {
            end(lines, &mut run, keep);
            recovered(lines, text_of(&line), whole, place);
        }
    }
    end(lines, &mut run, keep);
    Ok(())
}

/// Makes an entry of lines that cannot be read, if there are any.
fn end(lines: &mut impl Lines, run: &mut UnreadLines, keep: Keep) {
    let Some(Unread { line, place, damage }) = run.take() else { return };
    let kind = if damage.is_some() { "damaged" } else { "blank" };
    if let Some((place, why)) = damage {
        lines.report().add(FindingKind::CorruptLine, place, why);
    }
    let entry = lines.aside(kind.into(), place);
    keep_line(lines, entry, keep.of(line));
}

fn keep_line(lines: &mut impl Lines, entry: usize, line: SourceLine) {
    if let Some(kept) = lines.lines_of(entry) {
        kept.push(line);
    }
}

/// The lines of a format that stand whole in a damaged one.
fn whole_objects<L: Lines>(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = recover::objects(bytes);
    found.retain(|range| {
        let doc = bytes.get(range.clone()).map(Doc::parse);
        matches!(doc, Some(Ok(doc)) if L::is_line(doc.root()))
    });
    found
}

/// Reads what is whole in a damaged line; the line itself stays for the export.
fn recovered<L: Lines>(lines: &mut L, bytes: &[u8], whole: Vec<Range<usize>>, place: Place) {
    for range in whole {
        let Some(Ok(doc)) = bytes.get(range.clone()).map(Doc::parse) else { continue };
        let offset = place.offset + range.start as u64;
        let part = Place { line: place.line, offset, bytes: range.len() as u64 };
        let detail = "a whole object in a damaged line";
        lines.report().add(FindingKind::RecoveredObject, part, detail);
        let entry = lines.line(doc.root(), part);
        // An entry that came from a file has an origin, though this one has no line of its own.
        let _ = lines.lines_of(entry);
    }
}
