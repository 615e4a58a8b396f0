//! A path as short lines, and fixtures.

use std::path::{Path, PathBuf};

use formats::Imported;
use record::{Block, CompactionKind, Entry, Fact, Finding, ResultPart, Role};

/// The folder of the fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(name)).expect("a fixture")
}

/// Every file under a folder, in order.
pub fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for item in std::fs::read_dir(folder).expect("a folder") {
        let path = item.expect("an item").path();
        if path.is_dir() {
            files.extend(files_under(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

pub fn imported(name: &str) -> Imported {
    formats::import(&fixture(name), name).expect("it imports")
}

/// One line for each entry of a branch.
pub fn branch(imported: &Imported, branch: &str) -> Vec<String> {
    imported.record.branch_path(branch).iter().map(|entry| line(entry)).collect()
}

pub fn main_of(name: &str) -> Vec<String> {
    branch(&imported(name), "main")
}

/// Kind and line of each finding.
pub fn findings(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(|f| format!("{} {}", f.kind.as_str(), f.line)).collect()
}

fn line(entry: &Entry) -> String {
    let id = &entry.id;
    match &entry.fact {
        Fact::Message(message) => {
            let role = match message.role {
                Role::System => "system",
                Role::User => "user",
                Role::Assistant => "assistant",
                Role::Tool => "tool",
            };
            let blocks: Vec<String> = message.blocks.iter().map(block).collect();
            format!("{id} {role}: {}", blocks.join(" | "))
        }
        Fact::Compaction(compaction) if compaction.kind == CompactionKind::Micro => {
            let rows: Vec<String> =
                compaction.cleared.iter().map(|at| format!("{}.{}", at.row, at.block)).collect();
            format!("{id} cleared: {}", rows.join(" "))
        }
        Fact::Compaction(compaction) => {
            format!("{id} compaction: {}", compaction.handoff.as_deref().unwrap_or("nothing"))
        }
        Fact::Head(_) => format!("{id} head"),
        Fact::Sent(sent) => {
            format!("{id} sent after {}", sent.covers.as_ref().map_or("nothing", |id| id.as_str()))
        }
        Fact::Opaque(opaque) => format!("{id} opaque {}", &*opaque.kind),
        Fact::CallStarted(_) | Fact::Retracted(_) => format!("{id} other"),
    }
}

fn block(block: &Block) -> String {
    let proof = |proof: &Option<Box<record::Proof>>| {
        proof.as_ref().map_or(String::new(), |p| format!(" {}={}", p.kind.as_str(), p.sealed))
    };
    match block {
        Block::Text(text) => text.text.to_string(),
        Block::ToolUse(call) => {
            format!("call {} {} {}", &*call.id, &*call.name, &**call.input.text())
        }
        Block::ToolResult(result) => {
            let parts: Vec<String> = result.content.iter().map(part).collect();
            let error = if result.is_error { " error" } else { "" };
            format!(
                "result {} {}{error}: {}",
                &*result.tool_use_id,
                &*result.tool_name,
                parts.join(" + ")
            )
        }
        Block::Reasoning(thought) => {
            format!("thought {:?}{}", &*thought.reasoning, proof(&thought.proof))
        }
        Block::Image(image) => format!("image {}", &**image.media_type()),
        Block::SystemChange(change) => {
            format!("change +{} -{}", change.define_tools.len(), change.remove_tools.len())
        }
        Block::Opaque(block) => format!("opaque {}", &*block.kind),
    }
}

fn part(part: &ResultPart) -> String {
    match part {
        ResultPart::Text(text) => text.to_string(),
        ResultPart::Image(image) => format!("image {}", &**image.media_type()),
        ResultPart::Opaque(block) => format!("opaque {}", &*block.kind),
    }
}
