//! Whether all we depend on may be used: licences, sources, versions, by the lists of `deny.toml`.
//!
//! In: what `cargo metadata` says of the packages in `Cargo.lock`, for this platform, without
//! asking a registry. Out: findings on standard output, and exit code 1 if there are any.
//! Advisories come from a registry: `cargo deny check` asks it, for who adds a dependency.

use std::path::Path;
use std::process::{Command, ExitCode};

use json::{Doc, Value};

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks the packages of the workspace under `root`.
pub fn run(root: &Path) -> ExitCode {
    match findings_of(root) {
        Ok((packages, findings)) => {
            findings.iter().for_each(|finding| println!("{finding}"));
            eprintln!("licences: {packages} packages, {} findings", findings.len());
            if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(why) => {
            eprintln!("licences: {why}");
            ExitCode::from(2)
        }
    }
}

fn findings_of(root: &Path) -> Result<(usize, Vec<String>), String> {
    let rules = std::fs::read_to_string(root.join("deny.toml"))
        .map_err(|error| format!("cannot read deny.toml: {error}"))?;
    let asked = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", &host()?])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    if !asked.status.success() {
        let why = String::from_utf8_lossy(&asked.stderr).into_owned();
        return Err(format!("cargo metadata failed; build the workspace first: {why}"));
    }
    let doc = Doc::parse(&asked.stdout).map_err(|error| format!("not JSON: {error}"))?;
    let packages: Vec<Value<'_, '_>> =
        doc.root().get("packages").into_iter().flat_map(Value::items).collect();
    let allowed = allowed(&rules);
    Ok((packages.len(), packages.into_iter().flat_map(|one| judge(one, &allowed)).collect()))
}

/// The platform this runs on, as rustc names it.
fn host() -> Result<String, String> {
    let version = Command::new("rustc").arg("-vV").output();
    let version = version.map_err(|error| format!("cannot run rustc: {error}"))?;
    let text = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc names no host".to_owned())
}

/// The licences that `deny.toml` allows: the strings of the list under `[licenses]`.
fn allowed(rules: &str) -> Vec<&str> {
    let section = rules.split("[licenses]").nth(1).unwrap_or_default();
    let list = section.split(']').next().unwrap_or_default();
    list.split('"').skip(1).step_by(2).collect()
}

/// What is wrong with one package.
fn judge(package: Value<'_, '_>, allowed: &[&str]) -> Vec<String> {
    let text = |name: &str| package.get_str(name).unwrap_or_default().into_owned();
    let name = format!("{} {}", text("name"), text("version"));
    let mut findings = Vec::new();
    let licence = text("license");
    if !permits(&licence, allowed) {
        findings.push(format!("{name}: licence {licence:?} is not allowed in deny.toml"));
    }
    let source = package.get("source").filter(|source| !source.is_null());
    let ours = source.is_none();
    if let Some(source) = source.filter(|source| !source.is_str(REGISTRY)) {
        findings.push(format!("{name}: comes from {}, not from crates.io", source.raw()));
    }
    for needed in package.get("dependencies").into_iter().flat_map(Value::items) {
        let any = needed.get("req").is_some_and(|version| version.is_str("*"));
        if ours && any && needed.get("path").is_none_or(Value::is_null) {
            let of = needed.get_str("name").unwrap_or_default().into_owned();
            findings.push(format!("{name}: takes any version of {of}; name one"));
        }
    }
    findings
}

/// Whether a licence expression can be met by what is allowed: `OR` takes a side, `AND` both.
fn permits(expression: &str, allowed: &[&str]) -> bool {
    // Some write a choice with a slash.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let met = either(&words, &mut at, allowed);
    met && at == words.len()
}

fn either(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut met = both(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= both(words, at, allowed);
    }
    met
}

fn both(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let mut met = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allowed);
    }
    met
}

fn one(words: &[&str], at: &mut usize, allowed: &[&str]) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let met = either(words, at, allowed);
        *at += 1;
        return met && words.get(*at - 1) == Some(&")");
    }
    let mut licence = (*word).to_owned();
    if words.get(*at) == Some(&"WITH") {
        licence.push_str(" WITH ");
        licence.push_str(words.get(*at + 1).unwrap_or(&""));
        *at += 2;
    }
    allowed.contains(&licence.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "[licenses]\nallow = [\n    \"MIT\",\n    \"Zlib\",\n    \
        \"Apache-2.0 WITH LLVM-exception\",\n]\n\n[bans]\nwildcards = \"deny\"\n";

    #[test]
    fn a_licence_is_allowed_where_its_expression_can_be_met() {
        let allowed = allowed(RULES);
        assert_eq!(allowed, ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"]);
        for (expression, met) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("", false),
            ("GPL-3.0 OR MIT", true),
            ("MIT/Apache-2.0", true),
            ("MIT AND GPL-3.0", false),
            ("(GPL-3.0 OR Zlib) AND MIT", true),
            ("GPL-3.0 OR MIT AND Zlib", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
            ("MIT )", false),
            ("(MIT", false),
        ] {
            assert_eq!(permits(expression, &allowed), met, "{expression}");
        }
    }

    #[test]
    fn a_package_from_elsewhere_or_of_any_version_is_found() {
        let package = |source: &str, needed: &str| {
            let text = format!(
                r#"{{"name":"a","version":"1","license":"MIT","source":{source},"dependencies":[{needed}]}}"#
            );
            let doc = Doc::parse(text.as_bytes()).unwrap();
            judge(doc.root(), &["MIT"]).len()
        };
        assert_eq!(package(&format!("{REGISTRY:?}"), ""), 0);
        assert_eq!(package(r#""git+https://example.org/a""#, ""), 1);
        assert_eq!(package("null", r#"{"name":"b","req":"*"}"#), 1);
        assert_eq!(package("null", r#"{"name":"b","req":"*","path":"b"}"#), 0);
    }
}
