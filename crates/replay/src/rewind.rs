//! A map that can go back to a mark.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

/// Keys are hashes already; hashing them again would only cost time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }
    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The key of a text, equal on every machine.
pub(crate) fn key(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// A map from text keys to values, with one way back.
#[derive(Debug)]
pub(crate) struct RewindMap<V> {
    map: HashMap<u64, V, BuildHasherDefault<Identity>>,
    /// Since the mark, what each insertion replaced.
    undo: Option<Vec<(u64, Option<V>)>>,
}

impl<V> Default for RewindMap<V> {
    fn default() -> RewindMap<V> {
        RewindMap { map: HashMap::default(), undo: None }
    }
}

impl<V: Clone> RewindMap<V> {
    pub(crate) fn get(&self, key: u64) -> Option<&V> {
        self.map.get(&key)
    }

    pub(crate) fn insert(&mut self, key: u64, value: V) {
        let old = self.map.insert(key, value);
        if let Some(undo) = &mut self.undo {
            undo.push((key, old));
        }
    }

    /// From here on insertions can be taken back.
    pub(crate) fn mark(&mut self) {
        self.undo = Some(Vec::new());
    }

    /// What happened since the mark stays.
    pub(crate) fn keep(&mut self) {
        self.undo = None;
    }

    /// Goes back to the mark.
    pub(crate) fn rewind(&mut self) {
        for (key, old) in self.undo.take().into_iter().flatten().rev() {
            match old {
                Some(old) => self.map.insert(key, old),
                None => self.map.remove(&key),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_goes_back_to_its_mark() {
        let mut map = RewindMap::default();
        map.insert(1, "a");
        map.mark();
        map.insert(1, "b");
        map.insert(1, "c");
        map.insert(2, "d");
        map.rewind();
        assert_eq!((map.get(1), map.get(2)), (Some(&"a"), None));
        map.insert(2, "e");
        map.mark();
        map.insert(3, "f");
        map.keep();
        map.rewind();
        assert_eq!((map.get(2), map.get(3)), (Some(&"e"), Some(&"f")));
    }
}
