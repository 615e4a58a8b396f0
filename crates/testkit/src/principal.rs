//! Who a request runs as.

use replay::{Intent, RuntimePrincipal};

/// An agent with a user of its own, 700, whose process runs as `effective_uid`.
pub fn principal(effective_uid: u32) -> RuntimePrincipal {
    RuntimePrincipal {
        agent_id: "a1".into(),
        display_name: "Ada".into(),
        intent: Intent::Dedicated,
        expected_account: Some("ada".into()),
        expected_uid: Some(700),
        effective_account: "ada".into(),
        effective_uid,
        node_id: "n1".into(),
        mapped_to_another: false,
        identity_differs: false,
        worker_bound: true,
        mapping_owned_by_root: true,
    }
}
