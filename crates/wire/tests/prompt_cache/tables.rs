//! Every row of the tables is held by a fixture.

use wire::prompt_cache::{Api, CLAUDE, Cause, DEEPSEEK, GEMINI, OPENAI, PARAMETERS, Price, price};

use crate::fixture::{compared, each};

#[test]
fn every_parameter_moves_the_part_of_the_cache_that_hangs_on_it() {
    let mut rows = 0;
    each(include_str!("parameters.jsonl"), |line| {
        let text = |member: &str| line.get_str(member).expect(member).into_owned();
        let path = text("parameter");
        let value = |value: &str| {
            path.split('.')
                .rev()
                .fold(value.to_owned(), |inner, name| format!(r#"{{"{name}":{inner}}}"#))
        };
        for (before, after) in [("\"a\"", "\"b\""), ("null", "\"b\"")] {
            let (before, after) = (value(before), value(after));
            let compared = compared(&before, &after, &text("dialect"), &text("model"));
            let moved = compared.moves.first().expect(&path);
            assert_eq!((&moved.unit, moved.cause), (&path, Cause::Parameter));
            assert_eq!(moved.level.as_str(), text("level"), "{path}");
            assert_eq!(compared.parameters, [""; 0], "{path}");
        }
        rows += 1;
    });
    assert_eq!(rows, PARAMETERS.len());
}

#[test]
fn a_parameter_that_is_known_of_some_models_moves_nothing_for_others() {
    let (before, after) = (r#"{"verbosity":"low"}"#, r#"{"verbosity":"high"}"#);
    let others = compared(before, after, "openai_chat", "mistral-large");
    assert!(others.extends());
    assert_eq!(others.parameters, ["verbosity"]);
    let (before, after) =
        (r#"{"additionalModelRequestFields":1}"#, r#"{"additionalModelRequestFields":2}"#);
    assert!(compared(before, after, "bedrock_converse", "amazon.nova-pro-v1:0").extends());
}

#[test]
fn prices_are_what_the_fixture_says() {
    let tables: [(&str, &[Price]); 4] = [
        ("anthropic_messages", CLAUDE),
        ("openai_responses", OPENAI),
        ("gemini", GEMINI),
        ("openai_chat", DEEPSEEK),
    ];
    let all: usize = tables.iter().map(|(_, rows)| rows.len()).sum();
    let mut rows = 0;
    each(include_str!("prices.jsonl"), |line| {
        let text = |member: &str| line.get_str(member).expect(member).into_owned();
        let number = |member: &str| line.get(member).and_then(|value| value.as_u64());
        let (dialect, model) = (text("dialect"), text("model"));
        let price = price(&Api { dialect: &dialect, model: &model, tokens: None }).expect(&model);
        assert_eq!(Some(price.input), number("input"), "{model}");
        assert_eq!(Some(price.cache_read), number("cache_read"), "{model}");
        assert_eq!(Some(price.cache_write), number("cache_write"), "{model}");
        assert_eq!(price.cache_write_1h, number("cache_write_1h"), "{model}");
        assert_eq!(Some(price.output), number("output"), "{model}");
        let long = price.long.map(|long| (long.tokens_max, long.times));
        assert_eq!(long, number("long_from").zip(number("long_times")), "{model}");
        rows += 1;
    });
    assert_eq!(rows, all);
}

#[test]
fn no_price_is_told_of_who_has_another() {
    for (dialect, model) in [
        ("bedrock_converse", "anthropic.claude-sonnet-4-5-20250929-v1:0"),
        ("anthropic_messages", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"),
        ("anthropic_messages", "claude-sonnet-99"),
        ("openai_chat", "openai/gpt-4o"),
        ("openai_responses", "gpt-5.5-pro"),
        ("gemini", "gemini-3-flash"),
        ("ollama_chat", "gpt-4o"),
    ] {
        assert_eq!(price(&Api { dialect, model, tokens: None }), None, "{model}");
    }
}
