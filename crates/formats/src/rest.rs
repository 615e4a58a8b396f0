//! Members of a foreign object that a record has no field for, read and written.

use json::{Object, Raw};
use record::Rest;

pub(crate) use record::jsonl::rest_of;

/// An object of a type, to be gone on with.
pub(crate) fn typed(kind: &str) -> Object {
    let mut object = Object::new();
    object.string("type", kind);
    object
}

/// The object with the members that had no field, but for some.
pub(crate) fn with_rest(mut object: Object, rest: &Rest, but: &[&str]) -> Raw {
    for (name, value) in rest.iter().filter(|(name, _)| !but.contains(&name.as_str())) {
        object.raw(name, value);
    }
    object.finish()
}
