//! The dependencies a `Cargo.toml` names. Reads the three shapes Cargo has, nothing else of TOML.

/// One dependency of a manifest.
#[derive(Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The package's name, or the name it goes by in the workspace.
    pub name: String,
    /// Line in the manifest, from 1.
    pub line: usize,
    /// Used by tests, examples and benchmarks only.
    pub dev: bool,
}

/// Whether the manifest describes a package (a workspace's root need not).
pub fn is_package(manifest: &str) -> bool {
    manifest.lines().any(|line| line.trim() == "[package]")
}

/// Every dependency, in the manifest's order.
pub fn dependencies(manifest: &str) -> Vec<Dependency> {
    let mut found = Vec::new();
    let mut dev = None;
    for (index, line) in manifest.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        let number = index + 1;
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            dev = kind_of(section);
            // `[dependencies.name]`
            if let Some((table, name)) = section.rsplit_once('.')
                && let Some(dev) = kind_of(table)
            {
                found.push(Dependency { name: name.to_owned(), line: number, dev });
            }
        } else if let (Some(dev), Some((key, value))) = (dev, line.split_once('=')) {
            // `name = "1"`, `name = { .. }` and `name.workspace = true`
            let key = key.split('.').next().unwrap_or_default().trim();
            let name = renamed(value).unwrap_or(key).trim_matches('"').to_owned();
            found.push(Dependency { name, line: number, dev });
        }
    }
    found
}

/// Whether a section lists dependencies, and then whether only for tests.
fn kind_of(section: &str) -> Option<bool> {
    if section.starts_with("workspace.") {
        return None;
    }
    match section.rsplit('.').next()? {
        "dependencies" | "build-dependencies" => Some(false),
        "dev-dependencies" => Some(true),
        _ => None,
    }
}

/// The name in `package = "name"`.
fn renamed(value: &str) -> Option<&str> {
    let (_, after) = value.split_once("package")?;
    after.trim_start().strip_prefix('=')?.split('"').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_of_a_dependency_is_read() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\nb.workspace = true\n\
            c = { package = \"d\", version = \"1\" }\n[dependencies.e]\nversion = \"1\"\n\
            [target.'cfg(unix)'.dependencies]\nf = \"1\" # package = \"q\"\n\
            [dev-dependencies]\ng = \"1\"\n[lints]\nworkspace = true\n";
        let found: Vec<(String, usize, bool)> =
            dependencies(manifest).into_iter().map(|d| (d.name, d.line, d.dev)).collect();
        let expected = [("a", 4), ("b", 5), ("d", 6), ("e", 7), ("f", 10), ("g", 12)];
        assert_eq!(found, expected.map(|(name, line)| (name.to_owned(), line, name == "g")));
    }

    #[test]
    fn a_workspace_table_is_no_dependency() {
        assert_eq!(dependencies("[workspace.dependencies]\na = \"1\"\n"), []);
        assert!(!is_package("[workspace]\n"));
    }
}
