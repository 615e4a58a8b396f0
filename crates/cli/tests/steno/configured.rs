//! What is configured: where from, in which order, and what is refused.

use std::fs;

use stenograph::json::Doc;
use stenograph::wire::openai_chat::columns::COLUMNS;

use crate::context::{Context, finished, project};

const USER: &str = ".config/steno/config.toml";
const PROJECT: &str = ".steno/config.toml";

/// The model and `max_tokens` of the request that is made.
fn made(context: &Context, variables: &[(&str, &str)], flags: &[&str]) -> (String, u64) {
    let arguments = [&["replay", "session.jsonl", "-q"], flags].concat();
    let run = finished(context.command(&arguments).envs(variables.iter().copied()));
    assert_eq!(run.code, 0, "{}", run.err);
    let doc = Doc::parse_str(run.out()).expect("a body");
    let model = doc.root().get_str("model").expect("a model").into_owned();
    let tokens = doc.root().get("max_tokens").and_then(|tokens| tokens.as_u64());
    (model, tokens.expect("max_tokens"))
}

#[test]
fn a_flag_goes_before_a_variable_before_the_project_before_the_user() {
    let context = Context::with_session();
    context.write_below(USER, "model = \"claude-opus-4-1\"\nmax_tokens = 4001\n");
    let of = |model: &str, tokens| (model.to_owned(), tokens);
    assert_eq!(made(&context, &[], &[]), of("claude-opus-4-1", 4001));
    context.write_below(PROJECT, "model = \"claude-opus-4-5\"\n");
    assert_eq!(made(&context, &[], &[]), of("claude-opus-4-5", 4001));
    let variables = [("STENO_MODEL", "claude-opus-4-6"), ("STENO_MAX_TOKENS", "")];
    assert_eq!(made(&context, &variables, &[]), of("claude-opus-4-6", 4001));
    let flags = ["--model", "claude-opus-4-8", "--max-tokens", "4002"];
    assert_eq!(made(&context, &variables, &flags), of("claude-opus-4-8", 4002));
    let run = context.run(&["replay", "session.jsonl", "-o", "body"]);
    assert!(run.err.contains("claude-opus-4-5 (the configuration's)"), "{}", run.err);
}

#[test]
fn a_model_that_is_set_goes_to_the_target_that_is_set_and_to_no_other() {
    let context = Context::with_session();
    let model = |flags: &[&str]| {
        let run = context.run(&[&["replay", "session.jsonl", "-q"], flags].concat());
        let doc = Doc::parse_str(run.out()).ok()?;
        Some(doc.root().get_str("model").expect("a model").into_owned())
    };
    context.write_below(USER, "model = \"claude-opus-4-8\"\n");
    assert_eq!(model(&[]).as_deref(), Some("claude-opus-4-8"));
    assert_eq!(model(&["--to", "anthropic"]).as_deref(), Some("claude-opus-4-8"));
    assert_eq!(model(&["--to", "deepseek"]), None);
    let run = context.run(&["replay", "session.jsonl", "--to", "deepseek"]);
    run.assert_refused(2);
    assert!(run.err.contains("no model for") && run.err.contains("--model MODEL"), "{}", run.err);
    context.write_below(USER, "to = \"deepseek\"\nmodel = \"deepseek-v4\"\n");
    assert_eq!(model(&[]).as_deref(), Some("deepseek-v4"));
    let recorded = "claude-sonnet-4-5-20250929";
    assert_eq!(model(&["--to", "anthropic_messages"]).as_deref(), Some(recorded));
    assert_eq!(model(&["--to", "openai"]), None);
}

#[test]
fn the_users_file_is_where_xdg_says() {
    let context = Context::with_session();
    context.write_below(USER, "max_tokens = 4001\n");
    context.write_below("xdg/steno/config.toml", "max_tokens = 4003\n");
    let xdg = context.folder.join("xdg");
    let xdg = xdg.to_str().expect("a path");
    assert_eq!(made(&context, &[("XDG_CONFIG_HOME", xdg)], &[]).1, 4003);
    assert_eq!(made(&context, &[("XDG_CONFIG_HOME", "xdg")], &[]).1, 4001);
}

#[test]
fn images_are_sent_as_is_set_unless_a_flag_says_otherwise() {
    let context = Context::new();
    let image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk\
                 +M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let source = format!(r#"{{"type":"base64","media_type":"image/png","data":"{image}"}}"#);
    let block = format!(r#"{{"type":"image","source":{source}}}"#);
    let messages = format!(r#"[{{"role":"user","content":[{block}]}}]"#);
    context.write("seen.json", format!(r#"{{"model":"claude-opus-4-8","messages":{messages}}}"#));
    context.write_below(PROJECT, "vision = false\n");
    let sees = |flags: &[&str]| {
        let run = context.run(&[&["replay", "seen.json", "-q"], flags].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        run.out().contains("base64")
    };
    assert!(!sees(&[]) && sees(&["--vision"]) && !sees(&["--no-vision"]));
    context.run(&["replay", "seen.json", "--vision", "--no-vision"]).assert_usage();
}

#[test]
fn a_bad_file_is_refused_whole_with_its_line_and_what_may_be_meant() {
    let context = Context::with_session();
    for (text, cause, hint) in [
        ("max_tokens = 9\nmodle = \"x\"\n", "line 2, column 1: unknown key `modle`", "`model`"),
        ("vision = \"no\"\n", "line 1, column 10: \"no\" is no value", "true or false"),
        ("model = \n", "line 1, column 9: ", "TOML"),
        ("pager = \"sh -c x\"\n", "the user's own file alone", "`steno config path`"),
        ("[vendors.x]\nimages = \"maybe\"\n", "line 2, column 10: ", "\"doubtful\""),
        ("[vendors.x]\nlike = \"depseek\"\n", "line 2, column 8: ", "deepseek"),
        ("[vendors.mistral]\n", "line 1, column 10: ", "another name"),
    ] {
        context.write_below(PROJECT, text);
        for arguments in [&["replay", "session.jsonl"][..], &["config"], &["targets"]] {
            let run = context.run(arguments);
            run.assert_refused(2);
            assert!(run.err.contains(PROJECT) && run.err.contains(cause), "{}", run.err);
            assert!(run.err.contains(hint), "{}", run.err);
        }
        // What is needed to mend it goes on working.
        for arguments in [&["config", "path", "--project"][..], &["man"], &["--help"]] {
            assert_eq!(context.run(arguments).code, 0, "{arguments:?}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_read_is_told_from_one_that_is_not_there() {
    let context = Context::with_session();
    for (bytes, cause) in [
        (&b"model = \"\xff\""[..], "not UTF-8 at byte 9"),
        (&[b'#'; (1 << 20) + 1][..], "more than 1048576 bytes"),
    ] {
        context.write_below(USER, bytes);
        let run = context.run(&["replay", "session.jsonl"]);
        run.assert_refused(3);
        assert!(run.err.contains(cause), "{}", run.err);
    }
    fs::remove_file(context.folder.join(USER)).expect("removed");
    fs::create_dir(context.folder.join(USER)).expect("a folder");
    context.run(&["replay", "session.jsonl"]).assert_refused(3);
    fs::remove_dir_all(context.folder.join(".config")).expect("removed");
    context.write(".config", "a file where a folder should be");
    assert_eq!(context.run(&["replay", "session.jsonl"]).code, 0);
}

#[test]
fn a_variable_that_cannot_be_is_refused_by_name() {
    let context = Context::with_session();
    let mut command = context.command(&["replay", "session.jsonl"]);
    let run = finished(command.env("STENO_VISION", "maybe"));
    run.assert_refused(2);
    assert!(run.err.contains("`STENO_VISION`") && run.err.contains("true or false"), "{}", run.err);
}

#[test]
fn a_color_that_is_set_goes_before_no_color_and_a_flag_before_it() {
    let context = Context::with_session();
    context.write_below(USER, "color = \"always\"\n");
    let is_coloured = |flags: &[&str]| {
        let arguments = [&["doctor", "session.jsonl"], flags].concat();
        finished(context.command(&arguments).env("NO_COLOR", "1")).out().contains('\u{1b}')
    };
    assert!(is_coloured(&[]) && !is_coloured(&["--color", "never"]));
    assert!(!is_coloured(&["--color", "auto"]));
}

#[test]
fn check_judges_for_the_platform_that_is_set() {
    let context = Context::new();
    let path = "crates/cli/tests/steno/cases/check-platform";
    let body = fs::read(project().join(path).join("body.json")).expect("a body");
    context.write("body.json", body);
    let with_flag = context.run(&["check", "body.json", "--platform", "bedrock", "--json"]);
    let without = context.run(&["check", "body.json", "--json"]);
    context.write_below(PROJECT, "platform = \"bedrock\"\n");
    let set = context.run(&["check", "body.json", "--json"]);
    assert_eq!(set.out(), with_flag.out());
    assert_ne!(set.out(), without.out());
}

#[test]
fn every_value_is_listed_with_where_it_was_set() {
    let context = Context::new();
    context.write_below(USER, "# mine\npager = \"less -R\"\nmax_tokens = 9\n");
    let row = "max_tokens = 7\n[vendors.gate]\nhost = \"gw.example\"\nlike = \"deepseek\"\n\
               images = \"no\"\nids = { max_len = 8 }\n";
    context.write_below(PROJECT, row);
    let run = finished(context.command(&["config"]).env("STENO_MODEL", "m\u{1b}[2J"));
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let folder = context.folder.canonicalize().expect("a folder");
    let lines: Vec<String> = run
        .out()
        .lines()
        .map(|line| line.replace(folder.to_str().expect("UTF-8"), "~"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "to - default: anthropic_messages",
        "model \"m\\u{1b}[2J\" $STENO_MODEL",
        "max_tokens 7 ~/.steno/config.toml:1",
        "vision - default: true",
        "platform - default: claude-api",
        "color - default: auto",
        "pager \"less -R\" ~/.config/steno/config.toml:2",
        "",
        "[vendors.gate] ~/.steno/config.toml:2",
        "host = \"gw.example\"",
        "like = \"deepseek\"",
        "images = \"no\" ~/.steno/config.toml:5",
        "ids = { charset = \"any\", max_len = 8, exact_len = \"none\", others = \"doubtful\" } \
         ~/.steno/config.toml:6",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn the_path_is_one_line_to_be_put_into_a_command() {
    let context = Context::new();
    let run = context.run(&["config", "path"]);
    assert_eq!(run.out(), format!("{}\n", context.folder.join(USER).display()));
    context.write_below(PROJECT, "");
    let below = context.folder.join("a/b");
    fs::create_dir_all(&below).expect("folders");
    let mut command = context.command(&["config", "path", "--project"]);
    let run = finished(command.current_dir(&below));
    let folder = context.folder.canonicalize().expect("a folder");
    assert_eq!(run.out(), format!("{}\n", folder.join(PROJECT).display()));
}

#[test]
fn the_document_about_it_names_every_setting_and_every_column() {
    let text = fs::read_to_string(project().join("docs/configuration.md")).expect("the page");
    let run = Context::new().run(&["config", "--json"]);
    let doc = Doc::parse_str(run.out()).expect("JSON");
    let settings = doc.root().get("settings").expect("settings");
    for setting in settings.items() {
        let member = |name: &str| setting.get_str(name).expect("a text").into_owned();
        let (key, variable) = (member("key"), member("variable"));
        let (about, otherwise) = (member("about"), member("otherwise"));
        let row = format!("| `{key}` | `{variable}` | {about} | {otherwise} |");
        assert!(text.contains(&row), "{row}");
    }
    for column in COLUMNS {
        let row = format!("| `{}` | {} | {} |", column.name, column.about, column.rules.join(", "));
        assert!(text.contains(&row), "{row}");
    }
    // The examples of the page are configurations that are taken.
    let context = Context::new();
    let readme = fs::read_to_string(project().join("README.md")).expect("README.md");
    let text = text + &readme;
    let examples = text.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("```"));
    for (example, _) in examples {
        context.write_below(USER, example);
        assert_eq!(context.run(&["config"]).code, 0, "{example}");
    }
}
