//! Tools of types that this API alone has, by the names of the types.

/// Digits of the date that ends a type.
const DATE_DIGITS: usize = 8;

/// Whether a tool of this type is one of the API's own: its types end with the day they are of.
pub fn is_typed_tool(kind: &str) -> bool {
    let dated = kind.rsplit_once('_').is_some_and(|(name, date)| {
        let is_date = date.len() == DATE_DIGITS && date.bytes().all(|byte| byte.is_ascii_digit());
        !name.is_empty() && is_date
    });
    dated || kind == "mcp_toolset"
}

#[cfg(test)]
mod tests {
    use super::is_typed_tool;

    #[test]
    fn a_type_of_this_api_ends_with_its_day() {
        assert!(is_typed_tool("web_search_20250305") && is_typed_tool("mcp_toolset"));
        for other in ["systemTool", "web_search", "web_search_2025_08_26", "_20250305", "function"]
        {
            assert!(!is_typed_tool(other), "{other}");
        }
    }
}
