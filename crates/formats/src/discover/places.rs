//! Where harnesses keep their sessions, as they say themselves.

use crate::Format;

/// Where a harness keeps its sessions.
pub(super) struct Place {
    pub(super) format: Format,
    /// The variable that moves `base`.
    pub(super) variable: &'static str,
    /// Below the home directory.
    pub(super) base: &'static str,
    /// Below the base.
    pub(super) below: &'static str,
    /// Whether a path (below the folder, `/` between names) is a session.
    pub(super) is_session: fn(&str) -> bool,
}

/// Every place. A harness that keeps its sessions in several has a row for each.
pub(super) const PLACES: &[Place] = &[
    Place {
        format: Format::ClaudeCode,
        variable: "CLAUDE_CONFIG_DIR",
        base: ".claude",
        below: "projects",
        // Helpers' own sessions lie beside those that started them.
        is_session: |path| ends(path, ".jsonl") && !name(path).starts_with("agent-"),
    },
    Place {
        format: Format::Codex,
        variable: "CODEX_HOME",
        base: ".codex",
        below: "sessions",
        is_session: |path| ends(path, ".jsonl") && name(path).starts_with("rollout-"),
    },
    Place {
        format: Format::Codex,
        variable: "CODEX_HOME",
        base: ".codex",
        below: "archived_sessions",
        is_session: |path| ends(path, ".jsonl") && name(path).starts_with("rollout-"),
    },
    Place {
        format: Format::Pi,
        variable: "PI_CODING_AGENT_DIR",
        base: ".pi/agent",
        below: "sessions",
        is_session: |path| ends(path, ".jsonl"),
    },
    Place {
        format: Format::GeminiCli,
        variable: "",
        base: ".gemini",
        below: "tmp",
        is_session: |path| path.contains("chats/") && (ends(path, ".json") || ends(path, ".jsonl")),
    },
    Place {
        format: Format::CopilotCli,
        variable: "COPILOT_HOME",
        base: ".copilot",
        below: "session-state",
        // Earlier versions kept one file beside the directories.
        is_session: |path| {
            name(path) == "events.jsonl" || (ends(path, ".jsonl") && !path.contains('/'))
        },
    },
    Place {
        format: Format::OpenCode,
        variable: "XDG_DATA_HOME",
        base: ".local/share",
        below: "opencode/storage/session",
        is_session: |path| ends(path, ".json") && name(path).starts_with("ses"),
    },
    Place {
        format: Format::Pi,
        variable: "OPENCLAW_STATE_DIR",
        base: ".openclaw",
        below: "agents",
        is_session: |path| path.contains("sessions/") && ends(path, ".jsonl"),
    },
    Place {
        format: Format::Antigravity,
        variable: "",
        base: ".gemini/antigravity",
        below: "brain",
        is_session: is_antigravity,
    },
    Place {
        format: Format::Antigravity,
        variable: "",
        base: ".gemini/antigravity-cli",
        below: "brain",
        is_session: is_antigravity,
    },
    Place {
        format: Format::Cline,
        variable: "CLINE_DATA_DIR",
        base: ".cline/data",
        below: "sessions",
        is_session: |path| ends(path, ".messages.json"),
    },
    Place {
        format: Format::Cline,
        variable: "XDG_CONFIG_HOME",
        base: ".config",
        below: "Code/User/globalStorage/saoudrizwan.claude-dev/tasks",
        is_session: |path| name(path) == "api_conversation_history.json",
    },
    Place {
        format: Format::Cline,
        variable: "XDG_CONFIG_HOME",
        base: ".config",
        below: "Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks",
        is_session: |path| name(path) == "api_conversation_history.json",
    },
    Place {
        format: Format::Cursor,
        variable: "",
        base: ".cursor",
        below: "projects",
        is_session: |path| {
            path.contains("agent-transcripts/")
                && !path.contains("subagents/")
                && ends(path, ".jsonl")
        },
    },
    Place {
        format: Format::DeepSeekHarness,
        variable: "DSH_HOME",
        base: ".dsh",
        below: "sessions",
        // Those that are compressed are not listed: they have to be unpacked first.
        is_session: |path| name(path).starts_with("session.") && ends(path, ".jsonl"),
    },
    Place {
        format: Format::Droid,
        variable: "",
        base: ".factory",
        below: "sessions",
        is_session: |path| ends(path, ".jsonl"),
    },
    Place {
        format: Format::Goose,
        variable: "XDG_DATA_HOME",
        base: ".local/share",
        below: "goose/sessions",
        is_session: |path| ends(path, ".jsonl"),
    },
    Place {
        format: Format::Grok,
        variable: "GROK_HOME",
        base: ".grok",
        below: "sessions",
        is_session: |path| name(path) == "chat_history.jsonl" && !path.contains("subagent"),
    },
    Place {
        format: Format::Hermes,
        variable: "HERMES_HOME",
        base: ".hermes",
        below: "sessions",
        is_session: |path| {
            ends(path, ".jsonl") || ends(path, ".json") && name(path) != "sessions.json"
        },
    },
    Place {
        format: Format::Kimi,
        variable: "KIMI_CODE_HOME",
        base: ".kimi-code",
        below: "sessions",
        is_session: |path| ends(path, "agents/main/wire.jsonl"),
    },
    Place {
        format: Format::Kimi,
        variable: "",
        base: ".kimi",
        below: "sessions",
        is_session: |path| name(path) == "context.jsonl",
    },
    Place {
        format: Format::Kiro,
        variable: "KIRO_HOME",
        base: ".kiro",
        below: "sessions/cli",
        is_session: |path| ends(path, ".jsonl"),
    },
    Place {
        format: Format::Qwen,
        variable: "",
        base: ".qwen",
        below: "projects",
        is_session: |path| path.contains("chats/") && ends(path, ".jsonl"),
    },
];

fn is_antigravity(path: &str) -> bool {
    path.contains(".system_generated/logs/") && ends(path, ".jsonl")
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn ends(path: &str, with: &str) -> bool {
    path.ends_with(with)
}
