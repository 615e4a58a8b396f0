//! Members of an object.

use json::Value;

/// A member that is there and not null.
pub fn filled<'d, 't>(object: Value<'d, 't>, name: &str) -> Option<Value<'d, 't>> {
    object.get(name).filter(|value| !value.is_null())
}
