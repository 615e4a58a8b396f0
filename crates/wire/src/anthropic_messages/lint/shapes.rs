//! The closed schema of a request body, as tables.
//!
//! One shape per block, tool, parameter and what they hold. A key that no table names is refused;
//! which keys need a beta stands beside them.

use super::limits::{COMPACTION_TRIGGER_MIN, THINKING_BUDGET_MIN};
use super::schema::{Beta, Field, Is, NO_BETA, Name, Shape, Tagged, may, must};

const MID_TOOL_CHANGES: Beta = Beta { any_of: &["mid-conversation-tool-changes-"], rule: "A-075" };
const INLINE_TOOLS: Beta = Beta { any_of: &["inline-tools-"], rule: "A-075" };
const MCP: Beta = Beta { any_of: &["mcp-client-"], rule: "A-109" };
const ADVISOR: Beta = Beta { any_of: &["advisor-tool-"], rule: "A-106" };
const COMPACTION: Beta = Beta { any_of: &["compact-"], rule: "A-122" };

const fn shape(tag: &'static str, fields: &'static [&'static [Field]]) -> Shape {
    Shape { tag, fields, beta: NO_BETA }
}

const fn one_of(shapes: &'static [&'static Shape]) -> Tagged {
    Tagged { shapes, untagged: None, rule: "A-003", open: false }
}

// ---- the body ----

/// The whole body.
pub(super) static BODY: Shape = shape("", &[BODY_FIELDS, ELSEWHERE_FIELDS]);

const BODY_FIELDS: &[Field] = &[
    must("messages", Is::List(&MESSAGE)).rule("A-001"),
    must("max_tokens", Is::Whole(0)).rule("A-012"),
    may("model", Is::Text),
    may("system", Is::TextOr(&Is::Tagged(&SYSTEM_TEXT))).rule("A-078"),
    may("tools", Is::List(&TOOL)),
    may("tool_choice", Is::Tagged(&TOOL_CHOICE)).rule("A-045"),
    may("thinking", Is::Tagged(&THINKING_CONFIG)).rule("A-059"),
    may("metadata", Is::Object(&METADATA)),
    may("stop_sequences", Is::List(&Is::Text)),
    may("stream", Is::Flag),
    may("temperature", Is::Number).rule("A-013"),
    may("top_p", Is::Number).rule("A-013"),
    may("top_k", Is::Whole(0)).rule("A-013"),
    may("service_tier", Is::Word(&["auto", "standard_only"])),
    may("container", Is::Any),
    may("context_management", Is::Object(&CONTEXT_MANAGEMENT))
        .rule("A-120")
        .beta(&["context-management-", "compact-"], "A-121"),
    may("compaction", Is::Tagged(&COMPACTION_CONFIG))
        .rule("A-123")
        .beta(&["compact-2026-09"], "A-123"),
    may("mcp_servers", Is::List(&Is::Tagged(&MCP_SERVER))).beta(MCP.any_of, "A-109"),
    may("output_config", Is::Object(&OUTPUT_CONFIG)),
    may("output_format", Is::Map),
    may("cache_control", CACHE_CONTROL),
    may("inference_geo", Is::Text),
    may("speed", Is::Word(&["standard", "fast"])),
    may("fallbacks", Is::Any),
    may("fallback_credit_token", Is::Any),
    may("billing_policy", Is::Map),
    may("diagnostics", Is::Map),
    may("thread", Is::Map),
    may("user_profile_id", Is::Text),
];

/// What other platforms carry in the body instead of in the address and the headers.
const ELSEWHERE_FIELDS: &[Field] =
    &[may("anthropic_version", Is::Text), may("anthropic_beta", Is::List(&Is::Text))];

const SYSTEM_TEXT: Tagged = Tagged { rule: "A-078", ..TEXT_ONLY };
const METADATA: Shape = shape("", &[&[may("user_id", Is::Text)]]);

const EFFORT: Is = Is::Word(&["low", "medium", "high", "xhigh", "max"]);
const OUTPUT_CONFIG: Shape = shape(
    "",
    &[&[may("effort", EFFORT).rule("A-014"), may("format", Is::Map), may("task_budget", Is::Map)]],
);

const TOOL_CHOICE: Tagged = Tagged {
    rule: "A-045",
    ..one_of(&[
        &shape("auto", &[&[ONE_CALL]]),
        &shape("any", &[&[ONE_CALL]]),
        &shape("none", &[]),
        &shape("tool", &[&[must("name", Is::Text).rule("A-045"), ONE_CALL]]),
    ])
};
const ONE_CALL: Field = may("disable_parallel_tool_use", Is::Flag);

const THINKING_CONFIG: Tagged = Tagged {
    rule: "A-059",
    ..one_of(&[
        &shape("adaptive", &[THINKING_FIELDS]),
        &shape(
            "enabled",
            &[
                &[must("budget_tokens", Is::Whole(THINKING_BUDGET_MIN)).rule("A-012")],
                THINKING_FIELDS,
            ],
        ),
        &shape("disabled", &[]),
        &shape("between_tools", &[]),
    ])
};
const THINKING_FIELDS: &[Field] = &[
    may("display", Is::Word(&["summarized", "omitted", "updates"])),
    may("block_binding", Is::Object(&BLOCK_BINDING)).beta(&["thinking-binding-controls-"], "A-003"),
];
const BLOCK_BINDING: Shape =
    shape("", &[&[may("prefix_mismatch_behavior", Is::Word(&["error", "drop_block"]))]]);

const CONTEXT_MANAGEMENT: Shape = shape("", &[&[may("edits", Is::List(&Is::Tagged(&EDIT)))]]);
const EDIT: Tagged = Tagged {
    rule: "A-120",
    ..one_of(&[
        &shape("clear_thinking_20251015", &[&[may("keep", KEEP_THINKING).rule("A-120")]]),
        &shape(
            "clear_tool_uses_20250919",
            &[&[
                may("trigger", Is::Tagged(&TRIGGER)).rule("A-121"),
                may("keep", Is::Tagged(&KEEP_TOOL_USES)).rule("A-121"),
                may("clear_at_least", Is::Tagged(&INPUT_TOKENS)).rule("A-121"),
                may("exclude_tools", Is::List(&Is::Text)).rule("A-121"),
                may("clear_tool_inputs", Is::Any),
            ]],
        ),
        &Shape {
            beta: COMPACTION,
            ..shape(
                "compact_20260112",
                &[&[
                    may("trigger", Is::Tagged(&COMPACTION_TRIGGER)).rule("A-122"),
                    may("pause_after_compaction", Is::Flag),
                    may("instructions", Is::Text),
                ]],
            )
        },
    ])
};
const KEEP_THINKING: Is = Is::WordOr(
    "all",
    &Is::Tagged(&Tagged {
        rule: "A-120",
        ..one_of(&[
            &shape("thinking_turns", &[&[must("value", Is::Whole(1)).rule("A-120")]]),
            &shape("all", &[]),
        ])
    }),
);
const VALUE: Field = must("value", Is::Whole(0)).rule("A-121");
const TRIGGER: Tagged =
    one_of(&[&shape("input_tokens", &[&[VALUE]]), &shape("tool_uses", &[&[VALUE]])]);
const KEEP_TOOL_USES: Tagged = one_of(&[&shape("tool_uses", &[&[VALUE]])]);
const INPUT_TOKENS: Tagged = one_of(&[&shape("input_tokens", &[&[VALUE]])]);
const COMPACTION_TRIGGER: Tagged = one_of(&[&shape(
    "input_tokens",
    &[&[must("value", Is::Whole(COMPACTION_TRIGGER_MIN)).rule("A-122")]],
)]);
const COMPACTION_CONFIG: Tagged =
    Tagged { rule: "A-123", ..one_of(&[&shape("summarize", &[&[may("instructions", Is::Text)]])]) };

const MCP_SERVER: Tagged = one_of(&[&shape(
    "url",
    &[&[
        must("name", Is::Text),
        must("url", Is::Text),
        may("authorization_token", Is::Text),
        may("tool_configuration", Is::Map),
    ]],
)]);

const CACHE_CONTROL: Is =
    Is::Tagged(&one_of(&[&shape("ephemeral", &[&[may("ttl", Is::Word(&["5m", "1h"]))]])]));
const MARK: Field = may("cache_control", CACHE_CONTROL);

// ---- tools ----

const TOOL: Is = Is::Tagged(&TOOLS);

/// Typed tools by tag; a tag that is not here may be newer than the table.
const TOOLS: Tagged = Tagged {
    untagged: Some("custom"),
    open: true,
    rule: "A-003",
    shapes: &[
        &shape(
            "custom",
            &[
                &[
                    must("name", Is::Name(Name::Tool)).rule("A-042"),
                    must("input_schema", Is::Map).rule("A-047"),
                    may("description", Is::Text),
                    may("eager_input_streaming", Is::Flag),
                ],
                CLIENT_TOOL,
            ],
        ),
        &shape("bash_20241022", &[NAMED, CLIENT_TOOL]),
        &shape("bash_20250124", &[NAMED, CLIENT_TOOL]),
        &shape("text_editor_20241022", &[NAMED, CLIENT_TOOL]),
        &shape("text_editor_20250124", &[NAMED, CLIENT_TOOL]),
        &shape("text_editor_20250429", &[NAMED, CLIENT_TOOL]),
        &shape(
            "text_editor_20250728",
            &[NAMED, CLIENT_TOOL, &[may("max_characters", Is::Whole(1))]],
        ),
        &shape("memory_20250818", &[NAMED, CLIENT_TOOL]),
        &shape("computer_20241022", &[NAMED, CLIENT_TOOL, DISPLAY]),
        &shape("computer_20250124", &[NAMED, CLIENT_TOOL, DISPLAY]),
        &shape(
            "computer_20251124",
            &[NAMED, CLIENT_TOOL, DISPLAY, &[may("enable_zoom", Is::Flag)]],
        ),
        &shape("computer_toolset_20260801", &[&[MARK, may("configs", Is::Map)]]),
        &shape("browser_toolset_20260801", &[&[MARK, may("configs", Is::Map)]]),
        &shape("code_execution_20250522", &[NAMED, ANY_TOOL]),
        &shape("code_execution_20250825", &[NAMED, ANY_TOOL]),
        &shape("code_execution_20260120", &[NAMED, ANY_TOOL]),
        &shape("code_execution_20260521", &[NAMED, ANY_TOOL]),
        &shape("tool_search_tool_regex_20251119", &[NAMED, ANY_TOOL]),
        &shape("tool_search_tool_regex", &[NAMED, ANY_TOOL]),
        &shape("tool_search_tool_bm25_20251119", &[NAMED, ANY_TOOL]),
        &shape("tool_search_tool_bm25", &[NAMED, ANY_TOOL]),
        &shape("web_search_20250305", &[NAMED, ANY_TOOL, WEB, SEARCH]),
        &shape("web_search_20260209", &[NAMED, ANY_TOOL, WEB, SEARCH]),
        &shape("web_search_20260318", &[NAMED, ANY_TOOL, WEB, SEARCH]),
        &shape("web_fetch_20250910", &[NAMED, ANY_TOOL, WEB, FETCH]),
        &shape("web_fetch_20260209", &[NAMED, ANY_TOOL, WEB, FETCH]),
        &shape("web_fetch_20260309", &[NAMED, ANY_TOOL, WEB, FETCH]),
        &shape("web_fetch_20260318", &[NAMED, ANY_TOOL, WEB, FETCH]),
        &Shape {
            beta: ADVISOR,
            ..shape(
                "advisor_20260301",
                &[
                    NAMED,
                    ANY_TOOL,
                    &[
                        must("model", Is::Text),
                        may("caching", CACHE_CONTROL),
                        may("max_tokens", Is::Whole(1)),
                        may("max_uses", Is::Whole(0)),
                    ],
                ],
            )
        },
        &Shape {
            beta: MCP,
            ..shape(
                "mcp_toolset",
                &[&[
                    must("mcp_server_name", Is::Text),
                    MARK,
                    may("configs", Is::Map),
                    may("default_config", Is::Map),
                    may("tools", Is::Any),
                ]],
            )
        },
    ],
};
const NAMED: &[Field] = &[must("name", Is::Text).rule("A-042")];
const ANY_TOOL: &[Field] = &[
    MARK,
    may("allowed_callers", Is::List(&Is::Text)),
    may("defer_loading", Is::Flag),
    may("strict", Is::Flag),
];
const CLIENT_TOOL: &[Field] = &[
    MARK,
    may("allowed_callers", Is::List(&Is::Text)),
    may("defer_loading", Is::Flag),
    may("strict", Is::Flag),
    may("input_examples", Is::List(&Is::Map)),
];
const DISPLAY: &[Field] = &[
    must("display_height_px", Is::Whole(1)),
    must("display_width_px", Is::Whole(1)),
    may("display_number", Is::Whole(0)),
];
const WEB: &[Field] = &[
    may("allowed_domains", Is::List(&Is::Text)),
    may("blocked_domains", Is::List(&Is::Text)),
    may("max_uses", Is::Whole(0)),
    may("response_inclusion", Is::Word(&["full", "excluded"])),
];
const SEARCH: &[Field] = &[may("user_location", Is::Map)];
const FETCH: &[Field] = &[
    may("citations", Is::Object(&CITATIONS_CONFIG)),
    may("max_content_tokens", Is::Whole(1)),
    may("url_sources", Is::Map),
    may("use_cache", Is::Flag),
];

// ---- messages ----

const MESSAGE: Is = Is::Message { system: &SYSTEM_MESSAGE, other: &USER_OR_ASSISTANT };
const ROLE: Field = must("role", Is::Word(&["user", "assistant", "system"])).rule("A-005");
const USER_OR_ASSISTANT: Shape =
    shape("", &[&[ROLE, must("content", Is::TextOr(&Is::Tagged(&BLOCKS))).rule("A-001")]]);
const SYSTEM_MESSAGE: Shape = shape(
    "",
    &[&[
        ROLE,
        may("content", Is::TextOr(&Is::Tagged(&BLOCKS))).rule("A-074"),
        may("clear_at", Is::Word(&["next_user_message", "never"]))
            .rule("A-076")
            .beta(&["mid-conversation-system-clear-at-"], "A-076"),
        may("output_config", Is::Object(&SYSTEM_OUTPUT_CONFIG))
            .beta(&["mid-conversation-output-config-"], "A-077"),
    ]],
);
const SYSTEM_OUTPUT_CONFIG: Shape = shape("", &[&[may("effort", EFFORT).rule("A-014")]]);

/// Every block a message may hold; which role may hold it is judged elsewhere.
const BLOCKS: Tagged = one_of(&[
    &TEXT,
    &IMAGE,
    &DOCUMENT,
    &SEARCH_RESULT,
    &shape("container_upload", &[&[must("file_id", Is::Text), MARK]]),
    &shape(
        "thinking",
        &[&[must("thinking", Is::Text).rule("A-050"), must("signature", Is::Text).rule("A-050")]],
    ),
    &shape("redacted_thinking", &[&[must("data", Is::Text).rule("A-050")]]),
    &shape(
        "tool_use",
        &[&[
            must("id", Is::Name(Name::Id)).rule("A-040"),
            must("name", Is::Name(Name::Called)).rule("A-041"),
            must("input", Is::Map).rule("A-036"),
            MARK,
            CALLER,
            may("toolset_name", Is::Text),
        ]],
    ),
    &shape(
        "tool_result",
        &[&[
            must("tool_use_id", Is::Name(Name::Id)).rule("A-040"),
            may("content", Is::TextOr(&Is::Tagged(&RESULT_CONTENT))).rule("A-037"),
            may("is_error", Is::Flag),
            MARK,
            may("toolset_name", Is::Text),
        ]],
    ),
    &shape(
        "server_tool_use",
        &[&[
            must("id", Is::Name(Name::ServerId)).rule("A-040"),
            must("name", Is::Text),
            must("input", Is::Map).rule("A-036"),
            MARK,
            CALLER,
        ]],
    ),
    &shape(
        "web_search_tool_result",
        &[&[SERVER_ID, must("content", WEB_SEARCH_CONTENT), MARK, CALLER]],
    ),
    &shape(
        "web_fetch_tool_result",
        &[&[SERVER_ID, must("content", Is::Tagged(&WEB_FETCH_CONTENT)), MARK, CALLER]],
    ),
    &shape(
        "code_execution_tool_result",
        &[&[SERVER_ID, must("content", Is::Tagged(&CODE_CONTENT)), MARK]],
    ),
    &shape(
        "bash_code_execution_tool_result",
        &[&[SERVER_ID, must("content", Is::Tagged(&BASH_CONTENT)), MARK]],
    ),
    &shape(
        "text_editor_code_execution_tool_result",
        &[&[SERVER_ID, must("content", Is::Tagged(&EDITOR_CONTENT)), MARK]],
    ),
    &shape(
        "tool_search_tool_result",
        &[&[SERVER_ID, must("content", Is::Tagged(&TOOL_SEARCH_CONTENT)), MARK]],
    ),
    &shape("advisor_tool_result", &[&[SERVER_ID, must("content", Is::Tagged(&ADVICE)), MARK]]),
    &Shape {
        beta: MCP,
        ..shape(
            "mcp_tool_use",
            &[&[
                must("id", Is::Name(Name::Id)).rule("A-040"),
                must("name", Is::Text),
                must("server_name", Is::Text),
                must("input", Is::Map).rule("A-036"),
                MARK,
            ]],
        )
    },
    &Shape {
        beta: MCP,
        ..shape(
            "mcp_tool_result",
            &[&[
                must("tool_use_id", Is::Name(Name::Id)).rule("A-040"),
                may("is_error", Is::Flag),
                may("content", Is::TextOr(&Is::Tagged(&TEXT_ONLY))),
                MARK,
            ]],
        )
    },
    &Shape {
        beta: MCP,
        ..shape(
            "mcp_tool_listing",
            &[&[must("mcp_server_name", Is::Text), must("tools", Is::List(&Is::Map))]],
        )
    },
    &Shape {
        beta: COMPACTION,
        ..shape(
            "compaction",
            &[&[
                may("content", Is::Text).rule("A-122"),
                may("encrypted_content", Is::Text),
                may("signature", Is::Text),
                may("tool_changes", Is::Any),
                MARK,
            ]],
        )
    },
    &shape(
        "fallback",
        &[&[
            must("from", Is::Object(&FALLBACK_MODEL)),
            must("to", Is::Object(&FALLBACK_MODEL)),
            may("trigger", Is::Any),
            MARK,
        ]],
    ),
    &Shape {
        beta: MID_TOOL_CHANGES,
        ..shape("tool_addition", &[&[must("tool", Is::Tagged(&ADDED_TOOL)).rule("A-075"), MARK]])
    },
    &Shape {
        beta: MID_TOOL_CHANGES,
        ..shape("tool_removal", &[&[must("tool", Is::Tagged(&REMOVED_TOOL)).rule("A-075"), MARK]])
    },
]);

const FALLBACK_MODEL: Shape = shape("", &[&[must("model", Is::Text)]]);
const SERVER_ID: Field = must("tool_use_id", Is::Name(Name::ServerId)).rule("A-040");
const CALLER: Field = may("caller", Is::Tagged(&CALLERS)).rule("A-107");
const CALLERS: Tagged = one_of(&[
    &shape("direct", &[]),
    &shape("code_execution_20250825", &[&[must("tool_id", Is::Text).rule("A-107")]]),
    &shape("code_execution_20260120", &[&[must("tool_id", Is::Text).rule("A-107")]]),
]);

const TEXT: Shape = shape(
    "text",
    &[&[
        must("text", Is::Text),
        MARK,
        may("citations", Is::List(&Is::Tagged(&CITATION))).rule("A-026"),
    ]],
);
const TEXT_ONLY: Tagged = one_of(&[&TEXT]);
const IMAGE: Shape = shape(
    "image",
    &[&[
        must("source", Is::Tagged(&IMAGE_SOURCE)),
        MARK,
        may("transformations", Is::Object(&TRANSFORMATIONS)),
    ]],
);
const TRANSFORMATIONS: Shape =
    shape("", &[&[may("oversized_image", Is::Word(&["downsize", "error"]))]]);
const IMAGE_SOURCE: Tagged = one_of(&[
    &shape(
        "base64",
        &[&[
            must("media_type", Is::Word(IMAGE_TYPES)).rule("A-090"),
            must("data", Is::Text).rule("A-090"),
        ]],
    ),
    &URL_SOURCE,
    &FILE_SOURCE,
]);
const IMAGE_TYPES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];
const URL_SOURCE: Shape = shape("url", &[&[must("url", Is::Text)]]);
const FILE_SOURCE: Shape = shape("file", &[&[must("file_id", Is::Text)]]);
const DOCUMENT: Shape = shape(
    "document",
    &[&[
        must("source", Is::Tagged(&DOCUMENT_SOURCE)),
        may("title", Is::Text),
        may("context", Is::Text),
        may("citations", Is::Object(&CITATIONS_CONFIG)),
        MARK,
    ]],
);
const CITATIONS_CONFIG: Shape = shape("", &[&[may("enabled", Is::Flag)]]);
const DOCUMENT_SOURCE: Tagged = one_of(&[
    &shape(
        "base64",
        &[&[
            must("media_type", Is::Word(&["application/pdf"])).rule("A-097"),
            must("data", Is::Text).rule("A-097"),
        ]],
    ),
    &shape(
        "text",
        &[&[must("media_type", Is::Word(&["text/plain"])).rule("A-097"), must("data", Is::Text)]],
    ),
    &shape("content", &[&[must("content", Is::TextOr(&Is::Tagged(&TEXT_OR_IMAGE)))]]),
    &URL_SOURCE,
    &FILE_SOURCE,
]);
const TEXT_OR_IMAGE: Tagged = one_of(&[&TEXT, &IMAGE]);
const SEARCH_RESULT: Shape = shape(
    "search_result",
    &[&[
        must("source", Is::Text),
        must("title", Is::Text),
        must("content", Is::List(&Is::Tagged(&TEXT_ONLY))),
        may("citations", Is::Object(&CITATIONS_CONFIG)),
        MARK,
    ]],
);
const TOOL_REFERENCE: Shape = shape("tool_reference", &[&[must("tool_name", Is::Text), MARK]]);
const RESULT_CONTENT: Tagged = Tagged {
    rule: "A-037",
    ..one_of(&[
        &TEXT,
        &IMAGE,
        &SEARCH_RESULT,
        &DOCUMENT,
        &TOOL_REFERENCE,
        &shape(
            "browser_state",
            &[&[must("tabs", Is::List(&Is::Map)), may("state_changes", Is::List(&Is::Map)), MARK]],
        ),
    ])
};

// ---- citations ----

const CITATION: Tagged = Tagged {
    rule: "A-026",
    ..one_of(&[
        &shape("char_location", &[CITED_DOCUMENT, CITED_CHARACTERS]),
        &shape("page_location", &[CITED_DOCUMENT, CITED_PAGES]),
        &shape("content_block_location", &[CITED_DOCUMENT, CITED_BLOCKS]),
        &shape(
            "web_search_result_location",
            &[&[
                must("cited_text", Is::Text).rule("A-026"),
                must("encrypted_index", Is::Text).rule("A-026"),
                may("title", Is::Text).rule("A-026"),
                must("url", Is::Text).rule("A-026"),
            ]],
        ),
        &shape(
            "search_result_location",
            &[
                &[
                    must("cited_text", Is::Text).rule("A-026"),
                    must("search_result_index", Is::Whole(0)).rule("A-026"),
                    must("source", Is::Text).rule("A-026"),
                    may("title", Is::Text).rule("A-026"),
                ],
                CITED_BLOCKS,
            ],
        ),
    ])
};
const CITED_DOCUMENT: &[Field] = &[
    must("cited_text", Is::Text).rule("A-026"),
    must("document_index", Is::Whole(0)).rule("A-026"),
    may("document_title", Is::Text).rule("A-026"),
    may("file_id", Is::Text),
];
const CITED_CHARACTERS: &[Field] = &[
    must("start_char_index", Is::Whole(0)).rule("A-026"),
    must("end_char_index", Is::Whole(0)).rule("A-026"),
];
const CITED_PAGES: &[Field] = &[
    must("start_page_number", Is::Whole(1)).rule("A-026"),
    must("end_page_number", Is::Whole(1)).rule("A-026"),
];
const CITED_BLOCKS: &[Field] = &[
    must("start_block_index", Is::Whole(0)).rule("A-026"),
    must("end_block_index", Is::Whole(0)).rule("A-026"),
];

// ---- what server tools answer ----

const ERROR: &[Field] = &[must("error_code", Is::Text), may("error_message", Is::Text)];
const WEB_SEARCH_CONTENT: Is = Is::ListOr(
    &Is::Tagged(&one_of(&[&shape(
        "web_search_result",
        &[&[
            must("url", Is::Text),
            must("title", Is::Text),
            must("encrypted_content", Is::Text),
            may("page_age", Is::Text),
        ]],
    )])),
    &Is::Tagged(&one_of(&[&shape("web_search_tool_result_error", &[ERROR])])),
);
const WEB_FETCH_CONTENT: Tagged = one_of(&[
    &shape(
        "web_fetch_result",
        &[&[
            must("url", Is::Text),
            must("content", Is::Tagged(&one_of(&[&DOCUMENT]))),
            may("retrieved_at", Is::Text),
        ]],
    ),
    &shape("web_fetch_tool_result_error", &[ERROR]),
]);
const RAN: &[Field] =
    &[must("stderr", Is::Text), must("return_code", Is::Any), may("abort_reason", Is::Any)];
const STDOUT: &[Field] = &[must("stdout", Is::Text)];
const CODE_CONTENT: Tagged = one_of(&[
    &shape("code_execution_result", &[STDOUT, RAN, CODE_OUTPUT]),
    &shape(
        "encrypted_code_execution_result",
        &[&[must("encrypted_stdout", Is::Text)], RAN, CODE_OUTPUT],
    ),
    &shape("code_execution_tool_result_error", &[ERROR]),
]);
const CODE_OUTPUT: &[Field] = &[must(
    "content",
    Is::List(&Is::Tagged(&one_of(&[&shape(
        "code_execution_output",
        &[&[must("file_id", Is::Text)]],
    )]))),
)];
const BASH_CONTENT: Tagged = one_of(&[
    &shape("bash_code_execution_result", &[STDOUT, RAN, BASH_OUTPUT]),
    &shape("bash_code_execution_tool_result_error", &[ERROR]),
]);
const BASH_OUTPUT: &[Field] = &[must(
    "content",
    Is::List(&Is::Tagged(&one_of(&[&shape(
        "bash_code_execution_output",
        &[&[must("file_id", Is::Text)]],
    )]))),
)];
const EDITOR_CONTENT: Tagged = one_of(&[
    &shape(
        "text_editor_code_execution_view_result",
        &[&[
            must("content", Is::Text),
            must("file_type", Is::Word(&["text", "image", "pdf"])),
            may("num_lines", Is::Any),
            may("start_line", Is::Any),
            may("total_lines", Is::Any),
        ]],
    ),
    &shape("text_editor_code_execution_create_result", &[&[must("is_file_update", Is::Flag)]]),
    &shape(
        "text_editor_code_execution_str_replace_result",
        &[&[
            may("lines", Is::List(&Is::Text)),
            may("new_lines", Is::Any),
            may("new_start", Is::Any),
            may("old_lines", Is::Any),
            may("old_start", Is::Any),
        ]],
    ),
    &shape("text_editor_code_execution_tool_result_error", &[ERROR]),
]);
const TOOL_SEARCH_CONTENT: Tagged = one_of(&[
    &shape(
        "tool_search_tool_search_result",
        &[&[must("tool_references", Is::List(&Is::Tagged(&one_of(&[&TOOL_REFERENCE]))))]],
    ),
    &shape("tool_search_tool_result_error", &[ERROR]),
]);
const ADVICE: Tagged = one_of(&[
    &shape("advisor_result", &[&[must("text", Is::Text), may("stop_reason", Is::Text)]]),
    &shape(
        "advisor_redacted_result",
        &[&[must("encrypted_content", Is::Text), may("stop_reason", Is::Text)]],
    ),
    &shape("advisor_tool_result_error", &[ERROR]),
]);

// ---- tool changes ----

const REMOVED_TOOL: Tagged =
    Tagged { rule: "A-075", ..one_of(&[&BY_NAME, &BY_SERVER, &BY_TOOLSET]) };
const ADDED_TOOL: Tagged = Tagged {
    rule: "A-075",
    ..one_of(&[
        &BY_NAME,
        &BY_SERVER,
        &BY_TOOLSET,
        &Shape {
            beta: INLINE_TOOLS,
            ..shape("tool_definition", &[&[must("definition", Is::Tagged(&TOOLS))]])
        },
    ])
};
const BY_NAME: Shape = shape("tool_reference", &[&[must("name", Is::Text)]]);
const BY_SERVER: Shape =
    shape("mcp_tool_reference", &[&[must("server_name", Is::Text), must("name", Is::Text)]]);
const BY_TOOLSET: Shape = shape("mcp_toolset_reference", &[&[must("server_name", Is::Text)]]);
