//! Lines in a row of which nothing can be read, held as one: they cost their bytes, however short
//! they are.

use crate::entry::SourceLine;
use crate::finding::Place;
use crate::limits::RUN_BYTES_MAX;

/// Lines in a row of which nothing can be read: damaged ones, and blank ones between them.
#[derive(Clone, Debug, Default)]
pub struct UnreadLines {
    place: Place,
    /// The lines, with the line feeds between them.
    bytes: Vec<u8>,
    ended: bool,
    damage: Option<Damage>,
}

/// The damaged lines among them.
#[derive(Clone, Debug)]
struct Damage {
    why: String,
    first: Place,
    last: Place,
    count: u64,
}

/// Lines that were held together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// All of them as one: the number is the first one's, the bytes hold line feeds.
    pub line: SourceLine,
    /// Where all of them stand.
    pub place: Place,
    /// What is wrong, and from the first damaged line to the last; `None` where all are blank.
    pub damage: Option<(Place, String)>,
}

impl UnreadLines {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.place.line == 0
    }

    /// Whether a line is held with those before it: all of them have at most [`RUN_BYTES_MAX`]
    /// bytes.
    pub fn has_room(&self, line: Place) -> bool {
        self.is_empty() || line.end() - self.place.offset <= RUN_BYTES_MAX as u64
    }

    /// Adds the line that follows; `why` it is damaged, `None` where it is blank.
    pub fn push(&mut self, place: Place, bytes: &[u8], ended: bool, why: Option<String>) {
        if self.is_empty() {
            self.place = place;
        } else {
            self.bytes.push(b'\n');
        }
        self.bytes.extend_from_slice(bytes);
        self.place.bytes = place.end() - self.place.offset;
        self.ended = ended;
        match (&mut self.damage, why) {
            (_, None) => {}
            (Some(damage), Some(_)) => {
                damage.last = place;
                damage.count += 1;
            }
            (none, Some(why)) => *none = Some(Damage { why, first: place, last: place, count: 1 }),
        }
    }

    /// The lines held, if there are any; none are held then.
    pub fn take(&mut self) -> Option<Unread> {
        let UnreadLines { place, bytes, ended, damage } = std::mem::take(self);
        let line = SourceLine { number: place.line, bytes: bytes.into_boxed_slice(), ended };
        (place.line > 0).then(|| Unread { line, place, damage: damage.map(Damage::said) })
    }
}

impl Damage {
    fn said(self) -> (Place, String) {
        let Damage { why, first, last, count } = self;
        if count == 1 {
            return (first, why);
        }
        let detail = format!("{why}; {count} lines that cannot be read, up to line {}", last.line);
        (Place { bytes: last.end() - first.offset, ..first }, detail)
    }
}
