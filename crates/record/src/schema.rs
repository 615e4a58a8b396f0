//! The members of every line, as one table: the JSON Schema is generated from it, and the codec is
//! tested against it.

mod table;

use json::{Array, Kind, Object, Raw, Value};

pub use table::{SHAPES, UNIONS};

/// An object of the format.
#[derive(Debug)]
pub struct Shape {
    /// Its name in the schema.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its members.
    pub fields: &'static [Field],
}

/// A member of an object.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What may stand there.
    pub holds: Holds,
    /// Whether it has to be there.
    pub need: Need,
    /// What it says.
    pub about: &'static str,
}

/// Whether a member has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Without it the object is not read.
    Always,
    /// A writer writes it; a reader does without.
    Written,
    /// It may be absent.
    Optional,
}

/// What may stand in a member.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// A string.
    Text,
    /// A string, or `null` for none.
    TextOrNull,
    /// 64 hexadecimal digits.
    Digest,
    /// A non-negative integer.
    Count,
    /// A boolean.
    Flag,
    /// An object of any members.
    AnyObject,
    /// Any JSON value.
    Any,
    /// Exactly this string.
    Exactly(&'static str),
    /// Exactly this integer.
    Version(u32),
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// An object, or a union of them, by its name.
    Named(&'static str),
    /// As [`Holds::Named`], or `null`.
    NamedOrNull(&'static str),
    /// A list of these.
    List(&'static Holds),
    /// One of these.
    Either(&'static [Holds]),
}

/// Objects told apart by a member.
#[derive(Debug)]
pub struct Union {
    /// Its name in the schema.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The names of the shapes.
    pub of: &'static [&'static str],
    /// The member that tells them apart, and the values that are known: an object with another
    /// value there is kept as it is. `None` where nothing unknown can stand.
    pub open: Option<(&'static str, &'static [&'static str])>,
}

/// How much a schema asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// What a reader reads in full: members it does not know are allowed.
    Reader,
    /// What this build writes: every member is named, and those a writer writes are there.
    Writer,
}

/// The JSON Schema (2020-12) of one line, indented.
pub fn json_schema(strictness: Strictness) -> String {
    let mut defs = Object::new();
    for union in UNIONS {
        defs.raw(union.name, &union_schema(union));
    }
    for shape in SHAPES {
        defs.raw(shape.name, &shape_schema(shape, strictness));
    }
    let mut schema = Object::new();
    schema
        .string("$schema", "https://json-schema.org/draft/2020-12/schema")
        .string("title", "A line of a Stenograph record, version 1")
        .string("$ref", "#/$defs/line")
        .raw("$defs", &defs.finish());
    let mut out = String::new();
    indented(&mut out, schema.finish().doc().root(), 0);
    out.push('\n');
    out
}

fn union_schema(union: &Union) -> Raw {
    let mut any_of = Array::new();
    for name in union.of {
        any_of.raw(&reference(name));
    }
    if let Some((tag, known)) = union.open {
        let listed = object(|o| o.raw("enum", &Array::of_strings(known.iter().copied())));
        let unknown = object(|o| o.raw("not", &listed).string("type", "string"));
        let tagged = object(|o| o.raw(tag, &unknown));
        any_of.raw(&object(|o| {
            o.string("description", "A kind this version does not know: kept as it is.")
                .string("type", "object")
                .raw("required", &Array::of_strings([tag]))
                .raw("properties", &tagged)
        }));
    }
    object(|o| o.string("description", union.about).raw("anyOf", &any_of.finish()))
}

fn shape_schema(shape: &Shape, strictness: Strictness) -> Raw {
    let writer = strictness == Strictness::Writer;
    let needed = |field: &&Field| match field.need {
        Need::Always => true,
        Need::Written => writer,
        Need::Optional => false,
    };
    let required = shape.fields.iter().filter(needed).map(|field| field.name);
    let mut properties = Object::new();
    for field in shape.fields {
        let mut property = Object::new();
        property.string("description", field.about);
        add_holds(&mut property, field.holds);
        properties.raw(field.name, &property.finish());
    }
    object(|o| {
        o.string("description", shape.about)
            .string("type", "object")
            .raw("required", &Array::of_strings(required))
            .raw("properties", &properties.finish());
        if writer { o.bool("additionalProperties", false) } else { o }
    })
}

fn add_holds(o: &mut Object, holds: Holds) {
    match holds {
        Holds::Text => o.string("type", "string"),
        Holds::TextOrNull => o.raw("type", &Array::of_strings(["string", "null"])),
        Holds::Digest => o.string("type", "string").string("pattern", "^[0-9a-f]{64}$"),
        Holds::Count => o.string("type", "integer").number("minimum", 0),
        Holds::Flag => o.string("type", "boolean"),
        Holds::AnyObject => o.string("type", "object"),
        Holds::Any => o,
        Holds::Exactly(value) => o.string("const", value),
        Holds::Version(value) => o.number("const", value),
        Holds::OneOf(values) => o.raw("enum", &Array::of_strings(values.iter().copied())),
        Holds::Named(name) => o.string("$ref", &format!("#/$defs/{name}")),
        Holds::NamedOrNull(name) => {
            let null = object(|o| o.string("type", "null"));
            o.raw("anyOf", &Array::of([&reference(name), &null]))
        }
        Holds::List(item) => {
            let mut items = Object::new();
            add_holds(&mut items, *item);
            o.string("type", "array").raw("items", &items.finish())
        }
        Holds::Either(choices) => {
            let mut any_of = Array::new();
            for choice in choices {
                let mut one = Object::new();
                add_holds(&mut one, *choice);
                any_of.raw(&one.finish());
            }
            o.raw("anyOf", &any_of.finish())
        }
    };
}

fn reference(name: &str) -> Raw {
    object(|o| o.string("$ref", &format!("#/$defs/{name}")))
}

fn object(add: impl FnOnce(&mut Object) -> &mut Object) -> Raw {
    let mut object = Object::new();
    add(&mut object);
    object.finish()
}

/// Two spaces a level; an object or array without objects inside it stands on one line.
fn indented(out: &mut String, value: Value<'_, '_>, level: usize) {
    let inner: Vec<(Option<Value<'_, '_>>, Value<'_, '_>)> = match value.kind() {
        Kind::Object => value.members().map(|(key, value)| (Some(key), value)).collect(),
        Kind::Array => value.items().map(|item| (None, item)).collect(),
        Kind::Null | Kind::Bool | Kind::Number | Kind::String => Vec::new(),
    };
    let nested = inner.iter().any(|(_, value)| value.kind() == Kind::Object);
    if !nested && value.raw().len() < 90 {
        return out.push_str(value.raw());
    }
    let (open, close) = if value.kind() == Kind::Object { ('{', '}') } else { ('[', ']') };
    out.push(open);
    for (index, (key, value)) in inner.into_iter().enumerate() {
        out.push_str(if index > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(level + 1));
        if let Some(key) = key {
            out.push_str(key.raw());
            out.push_str(": ");
        }
        if matches!(value.kind(), Kind::Object | Kind::Array) {
            indented(out, value, level + 1);
        } else {
            out.push_str(value.raw());
        }
    }
    out.push('\n');
    out.push_str(&"  ".repeat(level));
    out.push(close);
}
