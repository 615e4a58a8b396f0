//! The report of a request: what was read, what was changed, what moved, what it weighs.

use stenograph::formats::ExportError;
use stenograph::json::{Array, Object, Raw};
use stenograph::record::Finding;
use stenograph::replay::{Change, Moved, Unit};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::inert::bounded;
use crate::page::{Page, Style, count, messages_of, thousands};
use crate::to::To;
use crate::view::View;
use crate::words;

/// Places named of each kind of change or finding.
const PLACES_SHOWN: usize = 3;

/// Characters of a detail that are shown.
const DETAIL_CHARS: usize = 200;

/// The head of a report of one target: what was read, and for which model.
pub fn say_source(page: &mut Page, view: &View) {
    say_read(page, view);
    let from = view.model_from.words();
    let row = (!view.knows_model()).then_some("in no row: strictest row");
    let said: Vec<&str> = from.into_iter().chain(row).collect();
    let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join("; ")) };
    let to = match &view.to {
        To::Anthropic => String::new(),
        To::Gemini(_) => format!("{} ", view.to),
        To::Chat(served) => format!("{} ", served.name),
        To::Responses(hosted) => format!("{} ", hosted.name),
        To::Bedrock => "bedrock ".to_owned(),
    };
    page.line(format!("model: {to}{}{said}", view.model));
    say_elsewhere(page, view);
}

/// The file, its format, and which part of it was read.
pub fn say_read(page: &mut Page, view: &View) {
    let messages = messages_of(&view.path);
    page.say(Style::Bold, &view.name).plain(format!(
        ": {}, {}, {}",
        view.session.imported.format.name(),
        view.place,
        count(messages, "message"),
    ));
    page.end();
}

/// What of the file is not in the request.
pub fn say_elsewhere(page: &mut Page, view: &View) {
    let (messages, branches) = view.elsewhere();
    if messages > 0 {
        let named: Vec<&str> =
            branches.iter().take(PLACES_SHOWN).map(|name| name.as_str()).collect();
        let more = branches.len().saturating_sub(named.len());
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let names = named.join(", ");
        let names = bounded(&names, DETAIL_CHARS);
        let of = if named.is_empty() { String::new() } else { format!(": branch {names}{more}") };
        page.line(format!("not in this request: {}{of}", count(messages, "other message")));
    }
}

/// The findings of the import, grouped by kind.
pub fn say_findings(page: &mut Page, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    page.line(format!("{} while reading:", count(findings.len(), "finding")));
    for (kind, group) in grouped(findings, |finding| finding.kind) {
        let style = if words::is_damage(kind) { Style::Yellow } else { Style::Bold };
        page.plain("  ").say(style, kind.as_str()).line(format!("  {}", group.len()));
        let place = |finding: &&Finding| {
            let detail = bounded(&finding.detail, DETAIL_CHARS);
            format!("{}: {detail}", words::place_of_finding(finding))
        };
        say_first(page, group.iter().map(place));
    }
}

/// The failure of a record that a format cannot hold.
pub fn not_written(name: &str, format: &str, error: &ExportError) -> Failure {
    let (exit, hint) = match error {
        ExportError::CannotCarry { .. } => (Exit::No, "write `record`, `markdown` or `html`"),
        ExportError::OverLimit { .. } => {
            (Exit::No, "`replay`, `show` and `export` read the session where it is")
        }
        ExportError::Retracted => (Exit::No, "write `record`, `markdown` or `html`"),
        ExportError::NothingToWrite => (Exit::No, "`record` can be empty"),
        ExportError::Directory => (Exit::Usage, "write it with `export --as three-logs -o DIR`"),
        ExportError::SessionId { .. } => (Exit::Usage, "choose another name for the directory"),
    };
    let what = format!("cannot write `{name}` as {format}");
    Failure::told(exit, what, error.to_string(), hint)
}

/// The first of some places, each on its line, and how many more there are.
fn say_first(page: &mut Page, places: impl ExactSizeIterator<Item = String>) {
    let more = places.len().saturating_sub(PLACES_SHOWN);
    for place in places.take(PLACES_SHOWN) {
        page.say(Style::Dim, format!("    {place}")).end();
    }
    if more > 0 {
        page.say(Style::Dim, format!("    and {more} more")).end();
    }
}

/// Things of one kind together, in the order in which each kind comes first.
pub fn grouped<T, K: PartialEq>(things: &[T], kind: impl Fn(&T) -> K) -> Vec<(K, Vec<&T>)> {
    let mut groups: Vec<(K, Vec<&T>)> = Vec::new();
    for thing in things {
        let own = kind(thing);
        match groups.iter_mut().find(|(other, _)| *other == own) {
            Some((_, group)) => group.push(thing),
            None => groups.push((own, vec![thing])),
        }
    }
    groups
}

/// The changes, grouped by kind in the order of the wire.
pub fn say_changes(page: &mut Page, view: &View, changes: &[&Change]) {
    if changes.is_empty() {
        page.line("no changes: every block is on the wire as it is stored");
        return;
    }
    page.line(format!("{}:", count(changes.len(), "change")));
    for (kind, group) in grouped(changes, |change| change.kind) {
        let rule = kind.rule(view.dialect()).map_or(String::new(), |rule| format!(" ({rule})"));
        page.plain("  ").say(Style::Bold, kind.as_str()).line(format!(
            "  {} {}: {}{rule}",
            group.len(),
            words::of_effect(kind.effect()),
            words::of_change(kind),
        ));
        let place = |change: &&&Change| match &change.detail {
            None => words::place_of_change(view, change),
            Some(detail) => {
                let detail = bounded(detail, DETAIL_CHARS);
                format!("{}: {detail}", words::place_of_change(view, change))
            }
        };
        say_first(page, group.iter().map(place));
    }
}

/// The whole report of a request that was made.
pub fn page(view: &View) -> Page {
    let mut page = Page::new();
    say_source(&mut page, view);
    say_findings(&mut page, &view.session.imported.findings);
    let Ok(prepared) = &view.prepared else { return page };
    let report = prepared.request.report();
    let changes: Vec<&Change> = report.changes().collect();
    say_changes(&mut page, view, &changes);
    if let Some(moved) = &report.moved {
        say_moved(&mut page, moved);
    }
    for beta in prepared.request.betas() {
        page.line(format!("header: anthropic-beta: {beta}"));
    }
    page.say(Style::Green, "request:").plain(format!(
        " {}, {} bytes, thinking in {}, {}",
        count(report.messages as usize, "message"),
        thousands(prepared.request.body().len()),
        count(report.thoughts as usize, "message"),
        count(report.cache_breakpoints as usize, "cache breakpoint"),
    ));
    page.end();
    page
}

fn say_moved(page: &mut Page, moved: &Moved) {
    page.say(Style::Yellow, "moved:").plain(format!(
        " differs from the last request from {} on ({}): {} bytes are cached anew, thinking of {} \
         is no longer sent",
        moved.unit,
        moved.reason.as_str(),
        thousands(moved.cost.cache_bytes),
        count(moved.cost.thoughts as usize, "message"),
    ));
    page.end();
}

/// The report as a document, `steno.replay/1`.
pub fn document(view: &View) -> Raw {
    let mut out = Object::new();
    out.string("schema", "steno.replay/1").raw("source", &source_of(view));
    out.string("to", &view.to.to_string());
    out.string("model", &view.model).string("model_from", view.model_from.as_str());
    if !view.knows_model() {
        out.string("model_row", "strictest");
    }
    let (messages, branches) = view.elsewhere();
    let mut elsewhere = Object::new();
    elsewhere
        .number("messages", messages as u64)
        .raw("branches", &Array::of_strings(branches.into_iter().map(|name| name.as_str())));
    out.raw("elsewhere", &elsewhere.finish());
    out.raw("findings", &findings_of(&view.session.imported.findings));
    match &view.prepared {
        Ok(prepared) => {
            let report = prepared.request.report();
            let changes: Vec<&Change> = report.changes().collect();
            out.raw("changes", &changes_of(view, &changes));
            if let Some(moved) = &report.moved {
                out.raw("moved", &moved_of(moved));
            }
            let mut request = Object::new();
            request
                .number("bytes", prepared.request.body().len())
                .number("messages", report.messages)
                .number("thoughts", report.thoughts)
                .number("cache_breakpoints", report.cache_breakpoints)
                .raw("betas", &Array::of_strings(prepared.request.betas().iter().copied()));
            out.raw("request", &request.finish());
        }
        Err(refusal) => {
            let mut refused = Object::new();
            refused
                .string("name", refusal.as_str())
                .string("cause", &refusal.to_string())
                .string("hint", refusal.hint());
            out.raw("refusal", &refused.finish());
        }
    }
    out.finish()
}

/// What was read.
pub fn source_of(view: &View) -> Raw {
    let mut source = Object::new();
    source
        .string("file", &view.name)
        .string("format", view.session.imported.format.name())
        .string("place", &view.place)
        .number("entries", view.path.len() as u64)
        .optional_string("tip", view.path.last().map(|entry| entry.id.as_str()))
        .optional_string("title", view.session.imported.title.as_deref());
    source.finish()
}

/// The findings of the import.
pub fn findings_of(findings: &[Finding]) -> Raw {
    let mut out = Array::new();
    for finding in findings {
        let mut one = Object::new();
        one.string("kind", finding.kind.as_str())
            .number("line", finding.line)
            .number("offset", finding.offset)
            .number("bytes", finding.bytes)
            .string("detail", &finding.detail);
        out.raw(&one.finish());
    }
    out.finish()
}

/// Changes, one by one.
pub fn changes_of(view: &View, changes: &[&Change]) -> Raw {
    let mut out = Array::new();
    for change in changes {
        let mut one = Object::new();
        one.string("kind", change.kind.as_str())
            .string("effect", words::of_effect(change.kind.effect()))
            .optional_string("rule", change.kind.rule(view.dialect()))
            .optional_string("entry", change.row.as_ref().map(|row| row.as_str()));
        if let Some(block) = change.block {
            one.number("block", block);
        }
        one.optional_string("detail", change.detail.as_deref());
        out.raw(&one.finish());
    }
    out.finish()
}

fn moved_of(moved: &Moved) -> Raw {
    let mut out = Object::new();
    match moved.unit {
        Unit::Parameters => out.string("unit", "parameters"),
        Unit::Head => out.string("unit", "head"),
        Unit::Content { message, block } => {
            out.string("unit", "content").number("message", message).number("block", block)
        }
    };
    out.string("reason", moved.reason.as_str())
        .number("cache_bytes", moved.cost.cache_bytes)
        .number("thoughts", moved.cost.thoughts);
    out.finish()
}
