//! Vendors of the user's own: rows over one of ours, written in a file.
//!
//! `[vendors.NAME]` takes the row of `like`, or the strictest where it names none, and changes the
//! columns it names ([`COLUMNS`]).

use std::path::Path;

use stenograph::wire::openai_chat::columns::{COLUMNS, column};
use stenograph::wire::openai_chat::vendors::{self, VENDORS, Vendor};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::cell::{self, in_order};
use super::origin::Place;
use super::wrong::Wrong;
use crate::to;

/// Characters of a name.
const NAME_CHARS: usize = 64;

/// Keys of a row that are no columns.
const HOST: &str = "host";
const LIKE: &str = "like";

/// A vendor that a file describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnVendor {
    /// What it is called.
    pub name: String,
    /// Where it is reached, as `host` or `host:port`.
    pub host: Option<String>,
    /// The name of the row it is like; the strictest where none is named.
    pub like: Option<String>,
    /// What it takes.
    pub row: Vendor,
    /// The columns that the file names, each with its line.
    pub named: Vec<(&'static str, usize)>,
    /// Where it begins.
    pub place: Place,
}

/// The vendors of a file's `[vendors]` table, in its order.
pub fn read(
    table: &Spanned<DeValue<'_>>,
    file: &Path,
    line: &dyn Fn(usize) -> usize,
) -> Result<Vec<OwnVendor>, Wrong> {
    let wanted = "tables such as [vendors.my-gateway]";
    let table = table.get_ref().as_table().ok_or_else(|| Wrong::value(table, wanted))?;
    let mut vendors: Vec<OwnVendor> = Vec::new();
    for (name, value) in in_order(table) {
        let row = value.get_ref().as_table().ok_or_else(|| Wrong::value(value, wanted))?;
        let place = Place { file: file.to_owned(), line: line(name.span().start) };
        let vendor = vendor(called(name)?, row, place, line)?;
        let twice = vendors.iter().find(|other| other.host.is_some() && other.host == vendor.host);
        if let Some(other) = twice {
            let cause = format!("`{}` has the same host", other.name);
            let hint = "give each host one row".to_owned();
            return Err(Wrong { offset: name.span().start, cause, hint });
        }
        vendors.push(vendor);
    }
    Ok(vendors)
}

/// A name that no other target has.
fn called(name: &Spanned<DeString<'_>>) -> Result<String, Wrong> {
    let text = &**name.get_ref();
    let wrong = |cause: String, hint: &str| {
        Err(Wrong { offset: name.span().start, cause, hint: hint.to_owned() })
    };
    let sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_.".contains(c);
    if text.is_empty() || text.len() > NAME_CHARS || !text.chars().all(sign) {
        let cause = format!("`{text}` is no name of a vendor");
        return wrong(cause, "take up to 64 of a-z, 0-9, `-`, `_` and `.`");
    }
    if to::is_taken(text) {
        let cause = format!("`{text}` is a target already");
        return wrong(cause, "choose another name; `like` takes the row of one that is there");
    }
    Ok(text.to_owned())
}

fn vendor(
    name: String,
    table: &DeTable<'_>,
    place: Place,
    line: &dyn Fn(usize) -> usize,
) -> Result<OwnVendor, Wrong> {
    let like = table.get(LIKE).map(like).transpose()?;
    let host = table.get(HOST).map(host).transpose()?;
    let row = like.as_deref().and_then(vendors::vendor).unwrap_or(&vendors::UNKNOWN);
    let mut vendor = OwnVendor { name, host, like, row: *row, named: Vec::new(), place };
    for (key, value) in in_order(table) {
        let name = &**key.get_ref();
        if [HOST, LIKE].contains(&name) {
            continue;
        }
        let Some(column) = column(name) else {
            let columns = COLUMNS.iter().map(|column| column.name);
            return Err(Wrong::key(key, [HOST, LIKE].into_iter().chain(columns)));
        };
        cell::set(column.cell, &mut vendor.row, value)?;
        vendor.named.push((column.name, line(key.span().start)));
    }
    Ok(vendor)
}

fn like(value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    let known = value.get_ref().as_str().filter(|name| vendors::vendor(name).is_some());
    known.map(str::to_owned).ok_or_else(|| {
        let names: Vec<&str> = VENDORS.iter().map(|(name, _)| *name).collect();
        Wrong::value(value, &format!("a vendor: {}", names.join(", ")))
    })
}

fn host(value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    let sign = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    let is_host = |host: &&str| !host.is_empty() && host.chars().all(sign);
    let host = value.get_ref().as_str().filter(is_host);
    let host = host.map(str::to_ascii_lowercase);
    host.ok_or_else(|| Wrong::value(value, "a host without scheme and path, as \"localhost:8080\""))
}
