//! Who serves a model that goes by this name, where a body does not say.

/// How names of models begin, and who serves them.
const PLATFORMS: [(&str, &str); 22] = [
    ("chatgpt-", "openai"),
    ("claude-", "anthropic"),
    ("codestral", "mistral"),
    ("command-", "cohere"),
    ("deepseek-", "deepseek"),
    ("devstral", "mistral"),
    ("gemini-", "google"),
    ("glm-", "zai"),
    ("gpt-", "openai"),
    ("grok-", "xai"),
    ("kimi-", "moonshot"),
    ("magistral", "mistral"),
    ("mimo-", "xiaomi"),
    ("minimax-", "minimax"),
    ("ministral", "mistral"),
    ("mistral-", "mistral"),
    ("moonshot-", "moonshot"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("qwen", "qwen"),
    ("qwq-", "qwen"),
];

/// Open weights that everybody serves: the name says nothing.
const OPEN: [&str; 2] = ["gpt-oss", "gpt-j"];

/// The platform of a model's name; a name with a path is some gateway's, and says nothing.
pub fn platform_of(model: &str) -> Option<&'static str> {
    let name = model.to_ascii_lowercase();
    if OPEN.iter().any(|open| name.starts_with(open)) {
        return None;
    }
    PLATFORMS.iter().find(|(start, _)| name.starts_with(start)).map(|(_, platform)| *platform)
}

#[cfg(test)]
mod tests {
    use super::platform_of;

    #[test]
    fn a_name_says_who_serves_it_and_a_path_or_open_weights_do_not() {
        assert_eq!(platform_of("gpt-5.2"), Some("openai"));
        assert_eq!(platform_of("DeepSeek-Reasoner"), Some("deepseek"));
        assert_eq!(platform_of("deepseek/deepseek-r1"), None);
        assert_eq!(platform_of("gpt-oss-120b"), None);
        assert_eq!(platform_of("llama-3.3-70b"), None);
    }
}
