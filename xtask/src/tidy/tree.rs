//! The project's text files, read once, in the order of their paths.

use std::fs;
use std::io;
use std::path::Path;

use super::source::Source;

/// What holds nothing of ours: version control, build output, installed packages.
const SKIPPED: &[&str] = &[".git", ".venv", "node_modules", "__pycache__"];
/// Build output has many names (`target`, `target-2`); they begin alike.
const SKIPPED_PREFIX: &str = "target";

/// Every text file of the project.
pub struct Tree {
    /// In the order of their paths.
    pub files: Vec<Source>,
}

impl Tree {
    /// Reads what lies under `root`; files that are not UTF-8 are left out.
    pub fn read(root: &Path) -> io::Result<Tree> {
        let mut files = Vec::new();
        read_folder(root, "", &mut files)?;
        files.sort_by(|a: &Source, b: &Source| a.path.cmp(&b.path));
        Ok(Tree { files })
    }

    /// The Rust files.
    pub fn rust(&self) -> impl Iterator<Item = &Source> {
        self.files.iter().filter(|file| file.is_rust())
    }

    /// The file at `path`.
    pub fn file(&self, path: &str) -> Option<&Source> {
        self.files.iter().find(|file| file.path == path)
    }

    /// A tree made of samples.
    #[cfg(test)]
    pub fn of(samples: &[(&str, &str)]) -> Tree {
        Tree { files: samples.iter().map(|(path, text)| Source::new(*path, *text)).collect() }
    }
}

fn read_folder(folder: &Path, prefix: &str, files: &mut Vec<Source>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}/{name}") };
        let kind = entry.file_type()?;
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if kind.is_dir() {
            if !name.starts_with(SKIPPED_PREFIX) {
                read_folder(&entry.path(), &path, files)?;
            }
        } else if kind.is_file()
            && let Ok(text) = String::from_utf8(fs::read(entry.path())?)
        {
            files.push(Source::new(path, text));
        }
    }
    Ok(())
}
