//! Any bytes as a session of any format: it is written back as it was, into every other format, and
//! sent over every API as a request that its linter takes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use stenograph::replay::{Now, Target};
use stenograph::wire::{Finding, Severity};
use stenograph::wire::{anthropic_messages, bedrock_converse, gemini, openai_chat, openai_responses};
use stenograph::{At, Session, formats};

const BEDROCK_MODEL: &str = "anthropic.claude-opus-4-8";

fuzz_target!(|bytes: &[u8]| {
    let Ok(session) = Session::open(bytes, "fuzz") else { return };
    let record = &session.imported.record;
    for format in formats::Format::ALL {
        let Ok(written) = formats::export(record, format) else { continue };
        if format == formats::Format::Record {
            let again = formats::import(&written, "again").expect("our own file");
            assert_eq!(formats::export(&again.record, format).expect("our own"), written);
        } else if format == session.imported.format {
            assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(bytes));
        }
    }
    for branch in record.branches() {
        let path = session.path(At::Branch(branch)).expect("a branch that is there");
        for target in targets() {
            let Ok(prepared) = session.prepare(&path, target.clone(), &Now::default()) else {
                continue;
            };
            let body = prepared.request.body().to_vec();
            let findings = judged(target.to.dialect.as_str(), &body, prepared.request.betas());
            let refused = findings.iter().find(|finding| finding.severity == Severity::Error);
            assert_eq!(refused, None, "{}", String::from_utf8_lossy(&body));
        }
    }
});

fn targets() -> [Target; 6] {
    [
        Target::anthropic("claude-opus-4-8"),
        Target::openai_chat("a-host", "a-model"),
        Target::openai_chat("openai", "gpt-5"),
        Target::openai_responses("openai", "gpt-5"),
        Target::gemini("gemini-3-pro"),
        Target::bedrock(BEDROCK_MODEL),
    ]
}

fn judged(api: &str, body: &[u8], betas: &[&str]) -> Vec<Finding> {
    match api {
        "anthropic_messages" => {
            let options = anthropic_messages::lint::LintOptions { betas, ..Default::default() };
            anthropic_messages::lint::lint(body, &options)
        }
        "openai_chat" => openai_chat::lint::lint(body, &Default::default()),
        "openai_responses" => openai_responses::lint::lint(body, &Default::default()),
        "gemini" => {
            let model = Some("gemini-3-pro");
            let options = gemini::lint::LintOptions { model, ..Default::default() };
            gemini::lint::lint(body, &options)
        }
        _ => {
            let model = Some(BEDROCK_MODEL);
            let options = bedrock_converse::lint::LintOptions { model };
            bedrock_converse::lint::lint(body, &options)
        }
    }
}
