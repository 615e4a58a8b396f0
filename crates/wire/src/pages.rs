//! Where request bytes are written: append-only pages that requests share.
//!
//! A [`Chain`] is a list that only grows at its end; taking a copy costs one reference count, so
//! the previous request can be held while the next one is made. [`Pages`] is a chain of bytes with
//! a page being filled. Nothing that was frozen is ever copied or moved again, and long data that
//! goes out as it is stored is not copied at all: its run is the record's own.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use json::escape::{self, Nul};

/// Bytes of the first page after a freeze; each further page is twice as large.
const PAGE_BYTES_MIN: usize = 4 << 10;

/// Bytes of the largest page.
const PAGE_BYTES_MAX: usize = 256 << 10;

/// Bytes from which on data is shared instead of copied: each run of them ends a page.
const SHARED_BYTES_MIN: usize = 16 << 10;

#[derive(Debug)]
struct Link<R> {
    items: R,
    before: Option<Arc<Link<R>>>,
    /// Items in the links before this one.
    start: u64,
}

impl<R> Drop for Link<R> {
    /// Lets go of the links before it one by one: a long chain must not recurse.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(link) = next {
            next = Arc::try_unwrap(link).ok().and_then(|mut link| link.before.take());
        }
    }
}

/// A list of runs that grows at its end and shares all that was there before.
#[derive(Debug)]
pub struct Chain<R> {
    last: Option<Arc<Link<R>>>,
    len: u64,
}

impl<R> Clone for Chain<R> {
    fn clone(&self) -> Chain<R> {
        Chain { last: self.last.clone(), len: self.len }
    }
}

impl<R> Default for Chain<R> {
    fn default() -> Chain<R> {
        Chain { last: None, len: 0 }
    }
}

impl<T: 'static, R: Deref<Target = [T]>> Chain<R> {
    /// How many items there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a run of items; an empty run adds nothing.
    pub fn append(&mut self, items: R) {
        if items.is_empty() {
            return;
        }
        let start = self.len;
        self.len += items.len() as u64;
        self.last = Some(Arc::new(Link { items, before: self.last.take(), start }));
    }

    /// The runs that hold items from `from` on, in order; the first is cut to begin there.
    pub fn runs_from(&self, from: u64) -> Vec<&[T]> {
        let mut runs = Vec::new();
        let mut next = self.last.as_deref();
        while let Some(link) = next {
            if link.start + link.items.len() as u64 <= from {
                break;
            }
            let skip = from.saturating_sub(link.start) as usize;
            runs.push(link.items.get(skip..).unwrap_or_default());
            next = link.before.as_deref();
        }
        runs.reverse();
        runs
    }

    /// All items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.runs_from(0).into_iter().flatten()
    }
}

/// Data that whoever holds it lets others read.
pub type Shared = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A run of bytes: a page that was written, or somebody's data.
pub enum Run {
    /// Written here.
    Page(Vec<u8>),
    /// Held by the record as well.
    Shared(Shared),
}

impl Deref for Run {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Run::Page(page) => page,
            Run::Shared(data) => (**data).as_ref(),
        }
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self {
            Run::Page(_) => "page",
            Run::Shared(_) => "shared",
        };
        write!(f, "{kind} of {} bytes", self.len())
    }
}

/// Bytes in runs.
pub type Bytes = Chain<Run>;

/// Bytes being written: a chain of full pages, and the page being filled.
#[derive(Clone, Debug, Default)]
pub struct Pages {
    full: Bytes,
    page: Vec<u8>,
    size: usize,
}

impl Pages {
    /// Bytes written so far.
    pub fn len(&self) -> u64 {
        self.full.len() + self.page.len() as u64
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes bytes as they are.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        if bytes.len() <= self.page.capacity() - self.page.len() {
            self.page.extend_from_slice(bytes);
        } else {
            self.push_over(bytes);
        }
    }

    #[cold]
    fn push_over(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = self.page.capacity() - self.page.len();
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.page.extend_from_slice(now);
            rest = later;
            if !rest.is_empty() {
                self.next_page();
            }
        }
    }

    fn next_page(&mut self) {
        self.size = (self.size * 2).clamp(PAGE_BYTES_MIN, PAGE_BYTES_MAX);
        let page = std::mem::replace(&mut self.page, Vec::with_capacity(self.size));
        self.full.append(Run::Page(page));
    }

    /// Writes data as it is, by sharing it where it is long.
    pub fn share(&mut self, data: Shared) {
        let bytes = (*data).as_ref();
        if bytes.len() < SHARED_BYTES_MIN {
            self.push(bytes);
        } else {
            self.freeze();
            self.full.append(Run::Shared(data));
        }
    }

    /// Writes a string as a JSON literal, quotes included.
    #[inline]
    pub fn string(&mut self, text: &str) {
        self.push(b"\"");
        self.string_part(text);
        self.push(b"\"");
    }

    /// Writes a part of a JSON literal, without quotes.
    #[inline]
    pub fn string_part(&mut self, text: &str) {
        self.string_part_with(text, Nul::Escaped);
    }

    /// The same, with a NUL in this form.
    #[inline]
    pub fn string_part_with(&mut self, text: &str, nul: Nul) {
        let mut rest = escape::fill(&mut self.page, text.as_bytes(), nul);
        while !rest.is_empty() {
            self.next_page();
            rest = escape::fill(&mut self.page, rest, nul);
        }
    }

    /// Ends the page, whatever its fill, and gives all that was written.
    pub fn freeze(&mut self) -> Bytes {
        if !self.page.is_empty() {
            let mut page = std::mem::take(&mut self.page);
            page.shrink_to_fit();
            self.full.append(Run::Page(page));
        }
        self.size = 0;
        self.full.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(chain: &Bytes) -> Vec<u8> {
        chain.iter().copied().collect()
    }

    #[test]
    fn what_was_frozen_stays_while_writing_goes_on() {
        let mut pages = Pages::default();
        pages.push(b"abc");
        let first = pages.freeze();
        pages.push(&[b'x'; 10_000]);
        let second = pages.freeze();
        assert_eq!(bytes(&first), b"abc");
        assert_eq!(second.len(), 10_003);
        assert_eq!(second.runs_from(10_001).concat(), b"xx");
    }

    #[test]
    fn a_string_is_one_literal_over_many_pages() {
        let text = "a\"\n\u{1f}ü".repeat(5_000);
        let mut pages = Pages::default();
        pages.string(&text);
        let written = bytes(&pages.freeze());
        assert_eq!(String::from_utf8(written).expect("UTF-8"), json::escape::literal(&text));
    }

    #[test]
    fn long_data_is_shared_and_short_data_copied() {
        let data = |len| Arc::new("d".repeat(len));
        let (long, short) = (data(SHARED_BYTES_MIN), data(SHARED_BYTES_MIN - 1));
        let mut pages = Pages::default();
        pages.push(b"a");
        pages.share(long.clone());
        pages.push(b"b");
        pages.share(short.clone());
        let chain = pages.freeze();
        assert_eq!(String::from_utf8(bytes(&chain)), Ok(format!("a{long}b{short}")));
        let held = |data: &str| chain.runs_from(0).iter().any(|run| run.as_ptr() == data.as_ptr());
        assert!(held(&long));
        assert!(!held(&short));
    }

    #[test]
    fn a_chain_of_a_million_links_is_let_go_without_recursion() {
        let mut chain: Chain<Vec<u32>> = Chain::default();
        for item in 0..1_000_000u32 {
            chain.append(vec![item]);
        }
        assert_eq!(chain.runs_from(999_998).concat(), [999_998, 999_999]);
    }
}
