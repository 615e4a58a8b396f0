//! Members of a foreign object that a record has no field for.

pub(crate) use record::jsonl::rest_of;
