//! A streamed reply of one call, its arguments a byte at a time.

/// The stream of a call with this many deltas.
pub fn stream(deltas: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut frame = |data: &str| out.extend_from_slice(format!("data: {data}\n\n").as_bytes());
    frame(r#"{"type":"message_start","message":{"id":"m","model":"claude-opus-4-8"}}"#);
    frame(
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}}"#,
    );
    for nth in 0..deltas {
        let piece = if nth == 0 || nth == deltas - 1 { "\\\"" } else { "x" };
        frame(&format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"input_json_delta","partial_json":"{piece}"}}}}"#
        ));
    }
    frame(r#"{"type":"content_block_stop","index":0}"#);
    frame(r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#);
    frame(r#"{"type":"message_stop"}"#);
    out
}
