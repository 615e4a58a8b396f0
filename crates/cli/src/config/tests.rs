//! The layers, and what a file may say.

use super::file::parse;
use super::*;

fn file(text: &str, scope: Scope) -> File {
    parse(text, Path::new("c.toml"), scope).expect("a file that is right")
}

fn config(variables: &[(&str, &str)], project: &str, user: &str) -> Config {
    let variable = |name: &str| {
        let named = variables.iter().find(|(known, _)| *known == name);
        named.map(|(_, value)| OsString::from(value))
    };
    let (project, user) = (file(project, Scope::Project), file(user, Scope::User));
    Config::of(variable, &project, &user).expect("a configuration")
}

/// Where a file is wrong, why, and what to do.
fn wrong(text: &str) -> String {
    let wrong = parse(text, Path::new("c.toml"), Scope::Project).expect_err(text);
    format!("{}: {}; {}", wrong.offset, wrong.cause, wrong.hint)
}

#[test]
fn a_variable_goes_before_the_project_before_the_user() {
    let user = "model = \"u\"\nmax_tokens = 9\nvision = false\npager = \"more\"\n";
    let project = "\nmodel = \"p\"\nmax_tokens = 7\n";
    let config = config(&[("STENO_MODEL", "v"), ("STENO_COLOR", "")], project, user);
    assert_eq!(config.text(Key::Model), Some("v"));
    assert_eq!(config.count(Key::MaxTokens), Some(7));
    assert_eq!(config.flag(Key::Vision), Some(false));
    assert_eq!(config.text(Key::Color), None);
    let origins: Vec<String> = config.settings.iter().map(|one| one.origin.to_string()).collect();
    let expected =
        ["default", "$STENO_MODEL", "c.toml:3", "c.toml:3", "default", "default", "c.toml:4"];
    assert_eq!(origins, expected);
}

#[test]
fn a_variable_of_another_shape_is_refused_by_name() {
    for (name, value) in
        [("STENO_VISION", "yes"), ("STENO_MAX_TOKENS", "0"), ("STENO_COLOR", "red")]
    {
        let variable = |asked: &str| (asked == name).then(|| OsString::from(value));
        let read = Config::of(variable, &File::default(), &File::default());
        let Err(Failure::Told(told)) = read else { panic!("{name} is taken") };
        assert!(told.what.contains(name) && told.cause.contains(value), "{told:?}");
    }
}

#[test]
fn an_unknown_key_is_refused_with_what_may_be_meant() {
    assert!(wrong("modle = \"x\"").starts_with("0: unknown key `modle`; did you mean `model`?"));
    assert!(wrong("\n[vendors.a]\nimage = \"no\"").contains("did you mean `images`?"));
    assert!(wrong("[vendors.a]\nids = { maxlen = 4 }").contains("did you mean `max_len`?"));
    assert!(wrong("[vendor.a]").contains("did you mean `vendors`?"));
}

#[test]
fn a_value_of_another_shape_is_refused_at_its_place() {
    assert_eq!(wrong("vision = 1"), "9: 1 is no value of this key; it takes true or false");
    assert!(wrong("color = \"red\"").contains("\"auto\", \"always\" or \"never\""));
    assert!(wrong("max_tokens = 0").contains("a whole number from 1 on"));
    assert!(wrong("model = [1]").contains("a value of type array is no value"));
    assert!(wrong("model = \"a\"\nmodel = \"b\"").contains("duplicate key"));
    assert!(wrong("model = ").starts_with("8: "));
    assert!(wrong("pager = \"rm\"").contains("the user's own file alone"));
}

#[test]
fn a_row_is_like_another_with_the_columns_it_names() {
    let text = "[vendors.gate]\nhost = \"GW.example:8080\"\nlike = \"kimi\"\nimages = \"no\"\n\
                ids = { charset = \"any\", max_len = 8 }\ntools_max = { max = 9 }\n\
                prefill_key = \"none\"\nreasoning_key = \"reasoning\"\n\
                serves_openai = true\nwording = \"vllm\"\n[vendors.other]\n";
    let config = config(&[], text, "[vendors.gate]\nimages = \"yes\"");
    use stenograph::wire::openai_chat::vendors::{self, *};
    let kimi = vendors::vendor("moonshot").expect("a row");
    let gate = config.vendor("gate").expect("a row of the user's");
    let expected = Vendor {
        images: Takes::No,
        ids: Grammar { charset: Charset::Any, max_len: Some(8), ..kimi.ids },
        tools_max: Some(Limit { max: 9, more: Takes::No }),
        prefill_key: None,
        reasoning_key: Some(ReasoningKey::Reasoning),
        serves_openai: true,
        wording: Wording::Vllm,
        ..*kimi
    };
    assert_eq!(gate.row, expected);
    assert_eq!(gate.named.first(), Some(&("images", 4)));
    assert_eq!(config.vendor("gw.example:8080").map(|own| own.name.as_str()), Some("gate"));
    assert_eq!(config.vendor("other").map(|own| own.row), Some(vendors::UNKNOWN));
}

#[test]
fn a_row_that_says_what_cannot_be_is_refused() {
    let row = |text: &str| wrong(&format!("[vendors.gate]\n{text}"));
    assert!(row("like = \"nobody\"").contains("a vendor: openai, azure"));
    assert!(row("host = \"https://x/y\"").contains("without scheme and path"));
    assert!(row("images = \"maybe\"").contains("\"yes\", \"doubtful\" or \"no\""));
    assert!(row("images = true").contains("true is no value"));
    assert!(row("like = \"deepseek\"\nstop_max = { more = \"no\" }").contains("{ max = 128"));
    assert!(row("ids = 9").contains("charset"));
    assert!(row("ids = { exact_len = 0 }").contains("or \"none\""));
    for lengths in ["max_len = 7", "exact_len = 7", "exact_len = 65", "max_len = 9, exact_len = 10"]
    {
        let room = row(&format!("like = \"openai\"\nids = {{ {lengths} }}"));
        assert!(room.contains("leave room for ids"), "{lengths}: {room}");
    }
    assert!(row("prefill_key = \"start\"").contains("\"partial\", \"prefix\" or \"none\""));
    assert!(wrong("[vendors.\"a b\"]").contains("no name of a vendor"));
    assert!(wrong("[vendors.deepseek]").contains("a target already"));
    assert!(wrong("[vendors.anthropic]").contains("a target already"));
    assert!(wrong("vendors = 1").contains("tables such as"));
    let twice = "[vendors.a]\nhost = \"h\"\n[vendors.b]\nhost = \"h\"";
    assert!(wrong(twice).contains("`a` has the same host"));
}

#[test]
fn every_cell_is_read_as_it_is_written() {
    use stenograph::wire::openai_chat::columns::COLUMNS;
    use stenograph::wire::openai_chat::vendors::VENDORS;
    for (name, row) in VENDORS {
        let mut text = String::from("[vendors.own]\nlike = \"openai\"\n");
        for column in COLUMNS {
            text.push_str(&format!("{} = {}\n", column.name, cell_text(column.cell, row)));
        }
        assert_eq!(config(&[], &text, "").vendor("own").map(|own| own.row), Some(*row), "{name}");
    }
}

#[test]
fn the_files_are_the_nearest_above_and_the_users() {
    let root = std::env::temp_dir().join(format!("steno-config-{}", std::process::id()));
    let below = root.join("a/b/c");
    std::fs::create_dir_all(&below).expect("folders");
    let at = |home: Option<&str>, xdg: Option<&str>| {
        Files::at(&below, home.map(PathBuf::from), xdg.map(PathBuf::from)).user
    };
    assert_eq!(
        at(Some("/home/ada"), None),
        Some(PathBuf::from("/home/ada/.config/steno/config.toml"))
    );
    assert_eq!(
        at(Some("/home/ada"), Some("/home/ada/x")),
        Some(PathBuf::from("/home/ada/x/steno/config.toml"))
    );
    assert_eq!(
        at(Some("/home/ada"), Some("x")),
        Some(PathBuf::from("/home/ada/.config/steno/config.toml"))
    );
    assert_eq!([at(None, None), at(Some(""), None)], [None, None]);
    assert_eq!(Files::at(&below, None, None).project, below.join(PROJECT_FILE));
    let file = root.join("a").join(PROJECT_FILE);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    std::fs::write(&file, "").expect("a file");
    assert_eq!(Files::at(&below, None, None).project, file);
    let _ = std::fs::remove_dir_all(&root);
}
