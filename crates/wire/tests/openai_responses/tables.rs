//! The tables: a model by any of its names, a platform by its name or its host.

use wire::openai_responses::models::{Binding, MODELS, model, undated};
use wire::openai_responses::platforms::{PLATFORMS, platform};
use wire::takes::Takes;

#[test]
fn a_model_is_of_the_longest_family_its_name_begins_with() {
    for (name, family) in [
        ("gpt-5.3-codex-spark", "gpt-5.3"),
        ("openai/gpt-5.6-sol", "gpt-5.6"),
        ("gpt-5-2025-08-07", "gpt-5"),
        ("o3-mini-high", "o3-mini"),
        ("gpt-50", ""),
        ("somebody-9", ""),
    ] {
        assert_eq!(model(name).id, family, "{name}");
    }
    let mut ids: Vec<&str> = MODELS.iter().map(|model| model.id).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "each family once");
}

#[test]
fn only_the_newest_models_are_known_to_bind_their_thoughts() {
    for row in MODELS {
        let binds = row.binds_reasoning == Binding::Yes;
        assert_eq!(binds, row.id == "gpt-6", "{}", row.id);
        assert_eq!(row.binds_reasoning == Binding::No, row.reasons == Takes::No, "{}", row.id);
    }
}

#[test]
fn a_snapshot_is_its_model() {
    assert_eq!(undated("gpt-5-2025-08-07"), "gpt-5");
    for name in ["gpt-5", "gpt-5-codex", "2025-08-07", "gpt-5-2025-08-7x", "\u{e9}2025-08-07"] {
        assert_eq!(undated(name), name);
    }
    assert_eq!(undated("-2025-08-07"), "");
}

#[test]
fn a_platform_is_known_by_its_name_and_by_its_host() {
    for (name, row) in [
        ("OpenAI", "openai"),
        ("api.openai.com", "openai"),
        ("my-resource.openai.azure.com", "azure"),
        ("codex", "chatgpt"),
        ("chatgpt.com", "chatgpt"),
    ] {
        assert_eq!(platform(name).map(|row| row.name), Some(row), "{name}");
    }
    // What ends like a host is somebody else's.
    for name in ["llm.example.org", "", "evilchatgpt.com", "myopenai.azure.com"] {
        assert!(platform(name).is_none(), "{name}");
    }
    assert!(PLATFORMS.iter().all(|row| platform(row.name) == Some(*row)));
}
