//! Results of tau-bench: one list of trajectories, each a conversation of its own with the messages
//! of Chat Completions.

use json::{Array, Kind, Object, Value};

use super::message::line_of;
use super::session::Session;
use super::shapes::chat_messages;
use super::{Harness, New, no_lines};
use crate::Format;
use crate::places::Places;

pub(super) const HARNESS: Harness = Harness {
    format: Format::TauBench,
    is_line: super::never,
    is_document,
    line: no_lines,
    document,
    list: &[&["traj"]],
    write: |rows| Ok(rows.iter().map(chat_messages).collect::<Result<Vec<_>, _>>()?.concat()),
    new: New::Document(|_| {
        let mut trajectory = Object::new();
        trajectory.number("task_id", 0).number("reward", 0);
        trajectory.raw("info", &Object::new().finish());
        trajectory.raw("traj", &Array::new().finish()).number("trial", 0);
        Array::of([&trajectory.finish()])
    }),
};

fn is_trajectory(value: Value<'_, '_>) -> bool {
    value.get("traj").is_some_and(|list| list.kind() == Kind::Array)
        && (value.get("task_id").is_some() || value.get("reward").is_some())
}

fn is_document(root: Value<'_, '_>) -> bool {
    root.kind() == Kind::Array && root.items().any(is_trajectory)
}

fn document(session: &mut Session, root: Value<'_, '_>, places: &mut Places<'_>) {
    for (at, trajectory) in root.items().enumerate() {
        let name = |member: &str| trajectory.get(member).map_or("?", Value::raw);
        let of = format!("task {} (trial {})", name("task_id"), name("trial"));
        let place = places.of(trajectory);
        session.begin_conversation(&of, place);
        if !is_trajectory(trajectory) {
            session.unread("trajectory", line_of(None, None, place));
        }
        let list = trajectory.get("traj").into_iter().flat_map(Value::items);
        for (message, value) in list.enumerate() {
            let id = format!("{at}.traj.{message}").into();
            session.chat(value, line_of(Some(id), None, places.of(value)));
        }
    }
}
