//! Who serves a body of Anthropic Messages: the API itself, or a cloud that names its models and
//! its version otherwise. Each reads only what it signed.

use super::block::PLATFORM;

/// AWS, as issuers and targets name it.
const BEDROCK: &str = "bedrock";

/// Google's cloud, as issuers and targets name it.
const VERTEX: &str = "google-cloud";

/// The platform of a body with this model and this `anthropic_version`, either of which may be
/// empty.
pub(super) fn platform_of(model: &str, version: &str) -> &'static str {
    // With a region before it or not, alone or at the end of an ARN.
    let of_aws = model.starts_with("arn:aws")
        || model
            .split('/')
            .any(|name| name.starts_with("anthropic.") || name.contains(".anthropic."));
    if of_aws || version.starts_with("bedrock-") {
        BEDROCK
    } else if model.starts_with("claude-") && model.contains('@') || version.starts_with("vertex-")
    {
        VERTEX
    } else {
        PLATFORM
    }
}

#[cfg(test)]
mod tests {
    use super::platform_of;

    #[test]
    fn a_cloud_is_known_by_how_it_names_a_model_or_its_version() {
        let of = |model: &str| platform_of(model, "");
        assert_eq!(of("claude-opus-4-8"), "anthropic");
        assert_eq!(of("anthropic/claude-opus-4.8"), "anthropic");
        assert_eq!(of("anthropic.claude-opus-4-8-v1:0"), "bedrock");
        assert_eq!(of("us.anthropic.claude-opus-4-8-v1:0"), "bedrock");
        assert_eq!(of("bedrock/eu.anthropic.claude-opus-4-8-v1:0"), "bedrock");
        let profile = "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-8";
        assert_eq!(of(profile), "bedrock");
        assert_eq!(of("claude-sonnet-4-5@20250929"), "google-cloud");
        assert_eq!(platform_of("", "bedrock-2023-05-31"), "bedrock");
        assert_eq!(platform_of("", "vertex-2023-10-16"), "google-cloud");
        assert_eq!(platform_of("", "2023-06-01"), "anthropic");
    }
}
