//! What a target can carry: one row for each thing a request may hold.
//!
//! Nothing is written down a second time. At a vendor of Chat Completions it is read off the
//! vendor's row, of Bedrock off its families'; for Anthropic Messages and Gemini, whose differences
//! are the models', a small body that holds it is judged by the linter for each model. Platforms of
//! Responses do not differ in it.

use stenograph::wire::anthropic_messages::lint::{LintOptions, lint};
use stenograph::wire::anthropic_messages::models::MODELS;
use stenograph::wire::anthropic_messages::rules::rule;
use stenograph::wire::bedrock_converse::models as converse;
use stenograph::wire::bedrock_converse::rules::rule as converse_rule;
use stenograph::wire::gemini::platforms::Platform;
use stenograph::wire::gemini::{lint as gemini, models as gemini_models};
use stenograph::wire::openai_chat::columns::Named;
use stenograph::wire::openai_chat::vendors::{Charset, Grammar, Takes, Vendor};
use stenograph::wire::openai_responses::rules::rule as responses_rule;
use stenograph::wire::{Finding, Severity};

use crate::to::To;

/// The rules of Anthropic Messages and of Bedrock Converse for the ids of calls.
const IDS: &str = "A-040";
const CONVERSE_IDS: &str = "B-010";

/// The rule of Responses for them.
const RESPONSES_IDS: &str = "R-033";

/// One thing a request may hold.
pub struct Carried {
    /// What it is called.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Members of a body of Anthropic Messages that holds it, beside the model and `max_tokens`.
    body: &'static str,
    /// The same of Gemini, beside nothing; empty where that has no form for it.
    gemini: &'static str,
    /// Where a vendor's row says so.
    column: fn(&Vendor) -> Takes,
    /// Whether Responses do.
    responses: Carries,
    /// Where the row of a family of Bedrock says so.
    family: fn(&converse::Model) -> Takes,
}

/// Whether a target carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// Yes, no, or not established.
    All(Takes),
    /// Some models do, some do not.
    ByModel,
}

impl Carries {
    /// The word in a table and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Carries::All(takes) => takes.name(),
            Carries::ByModel => "by_model",
        }
    }
}

/// Whatever the model.
const YES: Carries = Carries::All(Takes::Yes);

/// Everything that is looked at.
pub const CARRIED: &[Carried] = &[
    Carried {
        name: "tools",
        about: "tools, calls and results",
        body: r#""messages":[{"role":"user","content":"a"}],"tools":[{"name":"ls","input_schema":{"type":"object"}}]"#,
        gemini: r#""contents":[{"role":"user","parts":[{"text":"a"}]}],"tools":[{"functionDeclarations":[{"name":"ls","parametersJsonSchema":{"type":"object"}}]}]"#,
        // Every row is of a wire that has a place for them.
        column: |_| Takes::Yes,
        responses: YES,
        family: |_| Takes::Yes,
    },
    Carried {
        name: "parallel",
        about: "several calls in one reply",
        body: r#""messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}},{"type":"tool_use","id":"t2","name":"ls","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"},{"type":"tool_result","tool_use_id":"t2","content":"x"}]}]"#,
        gemini: r#""contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"ls","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"x"}}},{"functionResponse":{"name":"ls","response":{"output":"x"}}}]}]"#,
        column: |row| row.parallel_calls,
        responses: YES,
        family: |_| Takes::Yes,
    },
    Carried {
        name: "images",
        about: "images a user sends",
        body: r#""messages":[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}]"#,
        gemini: r#""contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/heic","data":"aGk="}}]}]"#,
        column: |row| row.images,
        responses: Carries::ByModel,
        family: |row| row.images,
    },
    Carried {
        name: "in_results",
        about: "images in what a call returned",
        body: r#""messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"ls","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}]}]}]"#,
        gemini: r#""contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"ls","args":{}},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"name":"ls","response":{"output":"x"},"parts":[{"inlineData":{"mimeType":"image/heic","data":"aGk="}}]}}]}]"#,
        column: |row| row.images_in_results,
        responses: Carries::ByModel,
        family: |row| row.images_in_results,
    },
    Carried {
        name: "documents",
        about: "documents a user sends",
        body: r#""messages":[{"role":"user","content":[{"type":"document","source":{"type":"url","url":"https://example.com/a.pdf"}}]}]"#,
        gemini: r#""contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"application/pdf","data":"aGk="}}]}]"#,
        column: |row| row.files,
        responses: YES,
        // No family is known to refuse any.
        family: |_| Takes::Yes,
    },
    Carried {
        name: "thinking",
        about: "what a model thought, sent back",
        body: r#""messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"x"}]},{"role":"user","content":"a"}]"#,
        gemini: r#""contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"hm","thought":true,"thoughtSignature":"c2ln"},{"text":"x"}]},{"role":"user","parts":[{"text":"a"}]}]"#,
        column: |row| if row.reasoning_key.is_some() { Takes::Yes } else { Takes::No },
        responses: Carries::ByModel,
        family: |row| row.reasoning,
    },
    Carried {
        name: "system",
        about: "system messages in the middle of a conversation",
        body: r#""messages":[{"role":"user","content":"a"},{"role":"system","content":"s"},{"role":"assistant","content":"x"},{"role":"user","content":"a"}]"#,
        gemini: "",
        column: |row| least(row.system_after_user, row.system_after_reply),
        responses: YES,
        // Not every endpoint knows the role yet (B-024).
        family: |row| if row.claude { Takes::Doubtful } else { Takes::No },
    },
    Carried {
        name: "cache",
        about: "marks that say how far to cache",
        body: r#""messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]"#,
        gemini: "",
        column: |row| row.cache_marks,
        responses: Carries::All(Takes::Doubtful),
        family: |row| row.cache_points,
    },
    Carried {
        name: "prefill",
        about: "the start of a reply, for the model to go on with",
        body: r#""messages":[{"role":"user","content":"a"},{"role":"assistant","content":"x"}]"#,
        gemini: r#""contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"x"}]}]"#,
        column: |row| {
            let is_prefill = row.prefill_key.is_some() || row.prefill_unmarked;
            if is_prefill { Takes::Yes } else { Takes::No }
        },
        responses: Carries::All(Takes::No),
        family: |row| row.prefill,
    },
];

impl Carried {
    /// Whether a target carries it.
    pub fn by(&self, api: &To) -> Carries {
        match api {
            To::Chat(served) => Carries::All((self.column)(&served.row)),
            To::Responses(_) => self.responses,
            To::Anthropic => of_all(MODELS.iter().map(|model| self.by_model(model.id))),
            To::Gemini(platform) => {
                let models = gemini_models::MODELS.iter();
                of_all(models.map(|model| self.by_gemini(platform, model.id)))
            }
            To::Bedrock => of_all(converse::MODELS.iter().map(self.family)),
        }
    }

    /// Whether a model of Gemini's takes it on a platform.
    fn by_gemini(&self, platform: &Platform, model: &str) -> Takes {
        if self.gemini.is_empty() {
            return Takes::No;
        }
        let body = format!("{{{}}}", self.gemini);
        let options = gemini::LintOptions { platform, model: Some(model) };
        takes(&gemini::lint(body.as_bytes(), &options))
    }

    /// Whether a model of Anthropic Messages takes the body that holds it.
    pub fn by_model(&self, model: &str) -> Takes {
        let body = format!("{{\"model\":\"{model}\",\"max_tokens\":9,{}}}", self.body);
        takes(&lint(body.as_bytes(), &LintOptions::default()))
    }
}

/// What findings on a body say of what it holds.
fn takes(findings: &[Finding]) -> Takes {
    match findings.iter().map(|finding| finding.severity).min() {
        None => Takes::Yes,
        Some(Severity::Warning) => Takes::Doubtful,
        Some(Severity::Error) => Takes::No,
    }
}

/// The one answer of all models, if they give one.
fn of_all(mut answers: impl Iterator<Item = Takes>) -> Carries {
    let first = answers.next().unwrap_or(Takes::Doubtful);
    let is_one = answers.all(|answer| answer == first);
    if is_one { Carries::All(first) } else { Carries::ByModel }
}

/// What the ids of calls may be, in words.
pub fn ids(api: &To) -> String {
    match api {
        To::Anthropic => rule(IDS).map_or("", |rule| rule.title).to_owned(),
        To::Gemini(platform) => match platform.call_ids {
            Takes::Yes => "any characters".to_owned(),
            Takes::Doubtful | Takes::No => "any characters, from Gemini 3 on".to_owned(),
        },
        To::Responses(_) => responses_rule(RESPONSES_IDS).map_or("", |rule| rule.title).to_owned(),
        To::Bedrock => converse_rule(CONVERSE_IDS).map_or("", |rule| rule.title).to_owned(),
        To::Chat(served) => {
            let Grammar { charset, max_len, exact_len, others: _ } = served.row.ids;
            let signs = match charset {
                Charset::Any => "any characters",
                Charset::Word => "letters, digits, _ and -",
                Charset::LetterFirst => "letters, digits, _ and -, a letter first",
                Charset::Alphanumeric => "letters and digits",
            };
            let max = max_len.map_or(String::new(), |len| format!(", at most {len}"));
            let exact = exact_len.map_or(String::new(), |len| format!(", exactly {len}"));
            format!("{signs}{max}{exact}")
        }
    }
}

/// The one of two that takes less.
fn least(one: Takes, other: Takes) -> Takes {
    match (one, other) {
        (Takes::No, _) | (_, Takes::No) => Takes::No,
        (Takes::Doubtful, _) | (_, Takes::Doubtful) => Takes::Doubtful,
        (Takes::Yes, Takes::Yes) => Takes::Yes,
    }
}

#[cfg(test)]
mod tests {
    use stenograph::wire::openai_chat::vendors;

    use super::*;
    use crate::to::{By, Served};

    fn chat(name: &str, what: &str) -> &'static str {
        let row = *vendors::vendor(name).expect("a row");
        let served = Served { name: name.to_owned(), row, by: By::Us };
        carried(what).by(&To::Chat(Box::new(served))).as_str()
    }

    fn carried(name: &str) -> &'static Carried {
        CARRIED.iter().find(|one| one.name == name).expect("a row")
    }

    #[test]
    fn what_no_model_differs_in_every_model_takes() {
        for one in CARRIED.iter().filter(|one| !["system", "prefill"].contains(&one.name)) {
            let carries = one.by(&To::Anthropic);
            assert_eq!(carries, Carries::All(Takes::Yes), "{}", one.name);
        }
    }

    #[test]
    fn ids_are_told_in_words() {
        let named = |name: &str| {
            let row = *vendors::vendor(name).expect("a row");
            ids(&To::Chat(Box::new(Served { name: name.to_owned(), row, by: By::Us })))
        };
        assert_eq!(named("openai"), "any characters, at most 40");
        assert_eq!(named("mistral"), "letters and digits, exactly 9");
        assert_eq!(ids(&To::Anthropic), "tool ids are letters, digits, _ and -");
    }

    #[test]
    fn a_model_carries_what_its_row_says() {
        for model in MODELS {
            let takes = |what: &str| carried(what).by_model(model.id);
            assert_eq!(takes("prefill") == Takes::Yes, model.prefill, "{}", model.id);
            assert_eq!(takes("system") == Takes::Yes, model.system_mid_history, "{}", model.id);
        }
        assert_eq!(carried("prefill").by(&To::Anthropic).as_str(), "by_model");
    }

    #[test]
    fn a_vendor_carries_what_its_row_says() {
        assert_eq!([chat("openai", "in_results"), chat("openrouter", "in_results")], ["no", "yes"]);
        assert_eq!([chat("openai", "thinking"), chat("deepseek", "thinking")], ["no", "yes"]);
        assert_eq!([chat("mistral", "system"), chat("deepseek", "system")], ["no", "doubtful"]);
        assert_eq!([chat("mistral", "prefill"), chat("llama.cpp", "prefill")], ["yes", "yes"]);
    }
}
