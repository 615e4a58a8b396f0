//! What flags are where they are not given, and the user's own vendors: from the environment, the
//! project's file and the user's file, each value with where it was set.
//!
//! A flag goes before a variable, a variable before the project's file, that before the user's
//! file. A file with anything wrong in it is refused whole.

mod cell;
mod file;
pub mod nearest;
pub mod origin;
pub mod setting;
mod vendors;
mod wrong;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::exit::Exit;
use crate::failure::Failure;
use file::{File, Scope};
use origin::Origin;
use setting::{Key, SETTINGS, Setting, Value};

pub use cell::text as cell_text;
pub use vendors::OwnVendor;

/// Where a project's file lies in its folder, and the user's in the folder of configurations.
const PROJECT_FILE: &str = ".steno/config.toml";
const USER_FILE: &str = "steno/config.toml";

/// Where the files are looked for.
#[derive(Debug)]
pub struct Files {
    /// The project's: the nearest there is, or where it would be.
    pub project: PathBuf,
    /// The user's; none without a home.
    pub user: Option<PathBuf>,
}

impl Files {
    /// As this process was started.
    pub fn of_process() -> Files {
        let xdg = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
        let folder = std::env::current_dir().unwrap_or_default();
        Files::at(&folder, std::env::home_dir(), xdg)
    }

    fn at(folder: &Path, home: Option<PathBuf>, xdg: Option<PathBuf>) -> Files {
        let mut above = folder.ancestors().map(|folder| folder.join(PROJECT_FILE));
        let project = above.find(|file| file.exists());
        let project = project.unwrap_or_else(|| folder.join(PROJECT_FILE));
        // A folder that is not absolute is none, by the XDG Base Directory Specification.
        let xdg = xdg.filter(|xdg| xdg.is_absolute());
        let home = home.filter(|home| !home.as_os_str().is_empty());
        let user = xdg.or_else(|| home.map(|home| home.join(".config")));
        Files { project, user: user.map(|folder| folder.join(USER_FILE)) }
    }
}

/// A setting as it is in force.
#[derive(Debug)]
pub struct Effective {
    /// Which.
    pub setting: &'static Setting,
    /// What was set; none where nothing is.
    pub value: Option<Value>,
    /// Where.
    pub origin: Origin,
}

/// Everything that is configured.
#[derive(Debug)]
pub struct Config {
    /// Every setting, in the order of the table.
    pub settings: Vec<Effective>,
    /// The user's own vendors, by name.
    pub vendors: Vec<OwnVendor>,
}

impl Config {
    /// Reads what is configured for this process.
    pub fn read(files: &Files) -> Result<Config, Failure> {
        let project = file::read(&files.project, Scope::Project)?;
        let user = files.user.as_deref().map(|user| file::read(user, Scope::User)).transpose()?;
        Config::of(|name| std::env::var_os(name), &project, &user.unwrap_or_default())
    }

    fn of(
        variable: impl Fn(&str) -> Option<OsString>,
        project: &File,
        user: &File,
    ) -> Result<Config, Failure> {
        let mut settings = Vec::new();
        for setting in SETTINGS {
            let named = variable(setting.variable);
            let named = named.map(|text| of_variable(setting, text)).transpose()?.flatten();
            let in_file = |file: &File| {
                let mut set = file.settings.iter();
                let found = set.find(|(other, _, _)| other.key == setting.key);
                found.map(|(_, value, place)| (value.clone(), Origin::File(place.clone())))
            };
            let named = named.map(|value| (value, Origin::Variable(setting.variable)));
            let found = named.or_else(|| in_file(project)).or_else(|| in_file(user));
            let (value, origin) = found.map_or((None, Origin::Default), |(v, o)| (Some(v), o));
            settings.push(Effective { setting, value, origin });
        }
        let mut vendors = project.vendors.clone();
        for vendor in &user.vendors {
            if vendors.iter().all(|other| other.name != vendor.name) {
                vendors.push(vendor.clone());
            }
        }
        vendors.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Config { settings, vendors })
    }

    fn value(&self, key: Key) -> Option<&Value> {
        self.settings.iter().find(|one| one.setting.key == key)?.value.as_ref()
    }

    /// What was set for a key that holds a text, a command or a word.
    pub fn text(&self, key: Key) -> Option<&str> {
        match self.value(key)? {
            Value::Text(text) => Some(text),
            Value::Count(_) | Value::Flag(_) => None,
        }
    }

    /// What was set for a key that holds one of a flag's words.
    pub fn word<T: ValueEnum>(&self, key: Key) -> Option<T> {
        T::from_str(self.text(key)?, false).ok()
    }

    /// What was set for a key that holds a number.
    pub fn count(&self, key: Key) -> Option<u64> {
        match self.value(key)? {
            Value::Count(count) => Some(*count),
            Value::Text(_) | Value::Flag(_) => None,
        }
    }

    /// What was set for a key that is a yes or no.
    pub fn flag(&self, key: Key) -> Option<bool> {
        match self.value(key)? {
            Value::Flag(flag) => Some(*flag),
            Value::Text(_) | Value::Count(_) => None,
        }
    }

    /// The user's own vendor of this name, or at this host.
    pub fn vendor(&self, name: &str) -> Option<&OwnVendor> {
        let at_host = |vendor: &&OwnVendor| vendor.host.as_deref() == Some(name);
        let named = self.vendors.iter().find(|vendor| vendor.name == name);
        named.or_else(|| self.vendors.iter().find(at_host))
    }
}

/// A variable's value. An empty one sets nothing, but for a command.
fn of_variable(setting: &'static Setting, text: OsString) -> Result<Option<Value>, Failure> {
    let is_command = matches!(setting.shape, setting::Shape::Command);
    if text.is_empty() && !is_command {
        return Ok(None);
    }
    let value = text.to_str().and_then(|text| setting.shape.value_of(text));
    value.map(Some).ok_or_else(|| {
        let what = format!("cannot use the variable `{}`", setting.variable);
        let cause = format!("\"{}\" is no value of it", text.to_string_lossy());
        Failure::told(Exit::Usage, what, cause, format!("it takes {}", setting.shape.words()))
    })
}

#[cfg(test)]
mod tests;
