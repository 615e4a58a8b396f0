//! A map that can go back to a mark.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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

/// What a key starts from: digits of pi.
const SEED: u64 = 0x243f_6a88_85a3_08d3;

/// What a key is multiplied with: the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// The key of a text, equal on every machine; two texts may have the same.
pub(crate) fn key(text: &str) -> u64 {
    let mut state = SEED ^ text.len() as u64;
    for bytes in text.as_bytes().chunks(8) {
        let word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        state = mix(state ^ word, MULTIPLIER);
    }
    mix(state, SEED)
}

/// Both halves of the product.
fn mix(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product >> 64) as u64 ^ product as u64
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
    fn a_key_is_the_same_everywhere() {
        assert_eq!(key(""), 0xf305_0e83_7be3_25db);
        assert_eq!(key("call_0"), 0x2ba0_c757_c1f2_3711);
        assert_eq!(key("toolu_01ABCDEFGHIJKLMNOP"), 0x0f5c_0d22_8228_5d1b);
    }

    /// The binding of calls is tested with these.
    #[test]
    fn two_texts_may_have_one_key() {
        assert_eq!(key("call_000________"), key("uF5_DwYvc6TJxGh1"));
    }

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
