//! Members by name, in the order in which they were first seen.

use std::collections::BTreeMap;

use json::{Raw, Text};
use record::Rest;

/// Values by name; finding one does not take longer the more there are.
#[derive(Debug)]
pub(crate) struct Named<T> {
    list: Vec<(Text, T)>,
    places: BTreeMap<Text, usize>,
}

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named { list: Vec::new(), places: BTreeMap::new() }
    }
}

impl<T> Named<T> {
    /// The value of this name.
    pub(crate) fn get_mut(&mut self, name: &Text) -> Option<&mut T> {
        let at = *self.places.get(name)?;
        self.list.get_mut(at).map(|(_, value)| value)
    }

    /// Sets the value of a name; one that was there keeps its place.
    pub(crate) fn set(&mut self, name: &Text, value: T) {
        if let Some(known) = self.get_mut(name) {
            *known = value;
            return;
        }
        self.places.insert(name.clone(), self.list.len());
        self.list.push((name.clone(), value));
    }

    /// All of them.
    pub(crate) fn into_list(self) -> Vec<(Text, T)> {
        self.list
    }
}

impl Named<Raw> {
    /// As members of a record that have no field.
    pub(crate) fn into_rest(self) -> Rest {
        let mut rest = Rest::default();
        for (name, value) in self.list {
            rest.push(name, value);
        }
        rest
    }
}
