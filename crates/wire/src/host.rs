//! Hosts: whose a name is.

/// Whether a name is a host, or one below it; what merely ends like it is somebody else's.
pub(crate) fn is_of(name: &str, host: &str) -> bool {
    name.strip_suffix(host).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
