//! The columns by name: every field has one, each points at its own field, and each word stands
//! for one value.

use wire::openai_chat::columns::{COLUMNS, Cell, Named, column, prefill_keys};
use wire::openai_chat::rules::rule;
use wire::openai_chat::vendors::{
    AskToThink, Charset, Form, Grammar, Limit, ReasoningKey, Takes, UNKNOWN, VENDORS, Vendor,
    Wording,
};

/// The fields of a row and what stands in them, as they are declared.
fn fields(row: &Vendor) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in format!("{row:#?}").lines() {
        let name = line.strip_prefix("    ").filter(|rest| rest.starts_with(char::is_alphabetic));
        match (name.and_then(|rest| rest.split_once(": ")), fields.last_mut()) {
            (Some((name, value)), _) => fields.push((name.to_owned(), value.to_owned())),
            (None, Some((_, value))) => value.push_str(line),
            (None, None) => {}
        }
    }
    fields
}

/// Puts into a cell what does not stand there.
fn change(row: &mut Vendor, cell: Cell) {
    match cell {
        Cell::Takes(of) => {
            let takes = of(row);
            *takes = if *takes == Takes::No { Takes::Yes } else { Takes::No };
        }
        Cell::Flag(of) => *of(row) = !*of(row),
        Cell::Grammar(of) => {
            *of(row) = Grammar {
                charset: Charset::Any,
                max_len: Some(7),
                exact_len: None,
                others: Takes::Yes,
            };
        }
        Cell::Limit(of) => *of(row) = Some(Limit { max: 7, more: Takes::Yes }),
        Cell::ReasoningKey(of) => *of(row) = Some(ReasoningKey::ThinkingPart),
        Cell::AskToThink(of) => *of(row) = Some(AskToThink::Template),
        Cell::PrefillKey(of) => *of(row) = Some("key"),
        Cell::Wording(of) => *of(row) = Wording::Vllm,
        Cell::Form(of) => *of(row) = Form::Ollama,
    }
}

#[test]
fn every_field_of_a_row_is_a_column_and_every_column_its_own_field() {
    let before = fields(&UNKNOWN);
    let names: Vec<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
    let columns: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
    assert_eq!(columns, names);
    for column in COLUMNS {
        let mut row = UNKNOWN;
        change(&mut row, column.cell);
        let after = fields(&row);
        let changed: Vec<&str> = before
            .iter()
            .zip(&after)
            .filter(|(before, after)| before != after)
            .map(|((name, _), _)| name.as_str())
            .collect();
        assert_eq!(changed, [column.name]);
    }
}

#[test]
fn a_column_says_what_it_is_and_names_rules_that_are_there() {
    for one in COLUMNS {
        assert!(!one.about.is_empty() && !one.about.ends_with('.'), "{}", one.name);
        for id in one.rules {
            assert!(rule(id).is_some(), "{}: no rule {id}", one.name);
        }
        assert_eq!(column(one.name).map(|column| column.about), Some(one.about));
    }
    assert!(column("nothing").is_none());
}

fn assert_words<T: Named + std::fmt::Debug>() {
    for (word, value) in T::NAMES {
        assert_eq!((T::named(word), value.name()), (Some(*value), *word));
    }
    assert_eq!(T::named(""), None);
}

#[test]
fn each_value_has_one_word_and_each_word_one_value() {
    assert_words::<Takes>();
    assert_words::<Charset>();
    assert_words::<Form>();
    assert_words::<ReasoningKey>();
    assert_words::<AskToThink>();
    assert_words::<Wording>();
    for (name, row) in VENDORS {
        assert_ne!(row.wording.name(), "", "{name}");
        assert!(row.reasoning_key.is_none_or(|key| !key.name().is_empty()), "{name}");
    }
    assert_eq!(prefill_keys(), ["partial", "prefix"]);
}
