//! `steno import --discover`: the sessions of the harnesses this user has.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use stenograph::formats::discover::{self, Discovery, Found};
use stenograph::json::{Array, Object, Raw};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::page::{Page, Style, count};
use crate::progress::Progress;
use crate::ui::Ui;

/// Sessions that are listed where nothing else is asked for.
pub const LISTED_DEFAULT: u64 = 20;

/// Most sessions that are listed: each is opened for its title.
pub const LISTED_MAX: u64 = 10_000;

/// A session and what it is called.
struct Listed<'d> {
    found: &'d Found,
    title: Option<String>,
}

/// Lists them; the answer is no where there are none.
pub fn run(limit: usize, json: bool, ui: &mut Ui) -> Result<Exit, Failure> {
    let Some(home) = std::env::home_dir().filter(|home| !home.as_os_str().is_empty()) else {
        let hint = "set HOME to the directory in which harnesses keep their files";
        return Err(Failure::told(
            Exit::Usage,
            "cannot look for sessions",
            "no home directory",
            hint,
        ));
    };
    let mut progress = Progress::of_count("looking for sessions", ui.is_talkative());
    let variable = |name: &str| std::env::var_os(name);
    let discovery = discover::discover(&home, variable, |count| progress.at(count as u64));
    drop(progress);
    let mut progress = Progress::of_count("reading titles", ui.is_talkative());
    let listed = discovery.sessions.iter().take(limit).zip(1..);
    let listed: Vec<Listed<'_>> = listed
        .map(|(found, count)| {
            progress.at(count);
            Listed { found, title: discover::title(found) }
        })
        .collect();
    drop(progress);
    if json {
        ui.json(&document(&discovery, &listed))?;
    } else {
        ui.report(&about(&home, &discovery, listed.len()));
        ui.data([page(&listed).render(ui.colours_data()).as_bytes()])?;
    }
    Ok(if discovery.sessions.is_empty() { Exit::No } else { Exit::Done })
}

/// One session on two lines: what it is, and where.
fn page(listed: &[Listed<'_>]) -> Page {
    let mut page = Page::new();
    for Listed { found, title } in listed {
        page.say(Style::Dim, time(found.modified));
        page.plain(format!("  {:<11}  {:>9}  ", found.format.name(), size(found.bytes)));
        page.say(Style::Bold, title.as_deref().unwrap_or("(no title)")).end();
        page.plain("    ").line(found.path.display().to_string());
    }
    page
}

/// What is to be said beside the list.
fn about(home: &Path, discovery: &Discovery, listed: usize) -> Page {
    let mut page = Page::new();
    if discovery.sessions.is_empty() {
        page.line(format!("no sessions found below {}", home.display()));
        for (format, folder) in &discovery.folders {
            page.line(format!("  {}: nothing in {}", format.name(), folder.display()));
        }
    }
    for (folder, why) in &discovery.unread {
        page.say(Style::Yellow, "not read: ").line(format!("{}: {why}", folder.display()));
    }
    let more = discovery.sessions.len() - listed;
    if more > 0 {
        page.line(format!(
            "{} found, the newest {listed} listed (`--limit N` lists more)",
            count(discovery.sessions.len(), "session",)
        ));
    }
    if discovery.cut {
        let limit = discover::LOOKED_AT_MAX;
        page.line(format!("stopped after {limit} files: there may be more sessions"));
    }
    for database in &discovery.databases {
        page.line(format!(
            "OpenCode keeps sessions in {}: `opencode session list` names them, `opencode export \
             ID > session.json` writes one that can be read",
            database.display()
        ));
    }
    page
}

/// The list as a document, `steno.import.discover/1`.
fn document(discovery: &Discovery, listed: &[Listed<'_>]) -> Raw {
    let paths = |paths: &[PathBuf]| {
        let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
        Array::of_strings(paths.iter().map(|path| &**path))
    };
    let mut sessions = Array::new();
    for Listed { found, title } in listed {
        let mut one = Object::new();
        one.string("path", &found.path.to_string_lossy())
            .string("format", found.format.name())
            .optional_string("title", title.as_deref())
            .number("bytes", found.bytes)
            .string("modified", &time(found.modified));
        sessions.raw(&one.finish());
    }
    let unread: Vec<PathBuf> = discovery.unread.iter().map(|(path, _)| path.clone()).collect();
    let mut out = Object::new();
    out.string("schema", "steno.import.discover/1")
        .number("found", discovery.sessions.len() as u64)
        .bool("cut", discovery.cut)
        .raw("sessions", &sessions.finish())
        .raw("unread", &paths(&unread))
        .raw("databases", &paths(&discovery.databases));
    out.finish()
}

/// A time as RFC 3339, in UTC, to the second.
fn time(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (days, second) = (since / 86_400, since % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The date of a day since 1970, by counting 400-year cycles that begin in March.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (cycle * 400 + year + next, month, date)
}

/// A size as people say it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{}.{} kB", bytes / 1_000, bytes % 1_000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        let written = |secs| time(SystemTime::UNIX_EPOCH + Duration::from_secs(secs));
        assert_eq!(written(0), "1970-01-01T00:00:00Z");
        assert_eq!(written(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(written(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(written(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(written(1_767_225_599), "2025-12-31T23:59:59Z");
    }

    #[test]
    fn sizes_are_rounded_down() {
        let sizes = [999, 1_000, 12_345, 999_999, 1_250_000].map(size);
        assert_eq!(sizes, ["999 B", "1.0 kB", "12.3 kB", "999.9 kB", "1.2 MB"]);
    }
}
