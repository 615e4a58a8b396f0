//! Where values of a document stand: lines are counted once.

use json::Value;

use crate::report::Place;

/// The places of a document's values, asked for in order.
pub(crate) struct Places<'t> {
    text: &'t [u8],
    /// The last place that was named: offset and line.
    counted: (usize, u64),
}

impl<'t> Places<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Places<'t> {
        Places { text, counted: (0, 1) }
    }

    pub(crate) fn of(&mut self, value: Value<'_, '_>) -> Place {
        let offset = value.offset();
        let (from, line) = if offset < self.counted.0 { (0, 1) } else { self.counted };
        let between = self.text.get(from..offset).unwrap_or_default();
        let line = line + between.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.counted = (offset, line);
        Place { line, offset: offset as u64, bytes: value.raw().len() as u64 }
    }
}
