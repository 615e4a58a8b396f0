//! Whose turn it is: what the last messages of a path are waiting for.
#![deny(clippy::wildcard_enum_match_arm)]

use std::fmt;
use std::sync::Arc;

use stenograph::record::{Block, Entry, Message, Role};

/// Calls named of those that wait.
const CALLS_SHOWN: usize = 5;

/// What a conversation waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has said anything.
    Empty,
    /// Calls of the last reply have no result, as `name (id)`.
    CallsUnanswered(Vec<String>),
    /// The last word is a person's or a tool's.
    ModelOwesAnswer,
    /// The last reply was cut off before it ended.
    CutOff,
    /// The model has answered.
    Finished,
}

impl State {
    /// The name in JSON reports.
    pub fn as_str(&self) -> &'static str {
        match self {
            State::Empty => "empty",
            State::CallsUnanswered(_) => "calls_unanswered",
            State::ModelOwesAnswer => "model_owes_answer",
            State::CutOff => "cut_off",
            State::Finished => "finished",
        }
    }

    /// The state at the end of a path.
    pub fn of(path: &[Arc<Entry>]) -> State {
        let mut state = State::Empty;
        let mut open: Vec<(&str, String)> = Vec::new();
        for message in path.iter().filter_map(|entry| entry.message()) {
            if message.role == Role::Assistant && !message.blocks.is_empty() {
                open.clear();
            }
            for block in &message.blocks {
                match block {
                    Block::ToolUse(call) => {
                        open.push((&call.id, format!("{} ({})", call.name, call.id)));
                    }
                    Block::ToolResult(result) => open.retain(|(id, _)| *id != &*result.tool_use_id),
                    Block::Text(_)
                    | Block::Reasoning(_)
                    | Block::Image(_)
                    | Block::SystemChange(_)
                    | Block::Opaque(_) => {}
                }
            }
            state = after(message).unwrap_or(state);
        }
        if open.is_empty() {
            return state;
        }
        State::CallsUnanswered(open.into_iter().map(|(_, call)| call).collect())
    }
}

/// Whose turn it is after a message; `None` where that is as it was.
fn after(message: &Message) -> Option<State> {
    match message.role {
        Role::Assistant if message.interrupted => Some(State::CutOff),
        Role::Assistant => Some(State::Finished),
        Role::User | Role::Tool => Some(State::ModelOwesAnswer),
        Role::System => None,
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Empty => f.write_str("empty: nobody has said anything"),
            State::CallsUnanswered(calls) => {
                let was = if calls.len() == 1 { "a call was" } else { "calls were" };
                let shown: Vec<&str> = calls.iter().take(CALLS_SHOWN).map(String::as_str).collect();
                write!(f, "{was} never answered: {}", shown.join(", "))?;
                match calls.len().saturating_sub(CALLS_SHOWN) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            State::ModelOwesAnswer => f.write_str("the model owes an answer"),
            State::CutOff => f.write_str("the last reply was cut off"),
            State::Finished => f.write_str("finished: the model has answered"),
        }
    }
}

#[cfg(test)]
mod tests {
    use stenograph::At;
    use stenograph::Session;

    use super::*;

    fn state(messages: &str) -> State {
        let body = format!(r#"{{"model":"claude-opus-4-8","messages":[{messages}]}}"#);
        let session = Session::open(body.as_bytes(), "body").expect("a body");
        State::of(&session.path(At::Branch("main")).expect("a path"))
    }

    const ASKS: &str = r#"{"role":"user","content":"hi"}"#;
    const ANSWERS: &str = r#"{"role":"assistant","content":"hello"}"#;
    const CALLS: &str = r#"{"role":"assistant","content":[
        {"type":"tool_use","id":"a","name":"ls","input":{}},
        {"type":"tool_use","id":"b","name":"cat","input":{}}]}"#;

    fn result(id: &str) -> String {
        format!(r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}"}}]}}"#)
    }

    #[test]
    fn the_last_word_says_whose_turn_it_is() {
        assert_eq!(state(""), State::Empty);
        assert_eq!(state(ASKS), State::ModelOwesAnswer);
        assert_eq!(state(&[ASKS, ANSWERS].join(",")), State::Finished);
        assert_eq!(
            state(&[ASKS, CALLS, &result("a"), &result("b")].join(",")),
            State::ModelOwesAnswer
        );
    }

    #[test]
    fn a_call_without_a_result_is_open_until_the_next_reply() {
        let open =
            |calls: &[&str]| State::CallsUnanswered(calls.iter().map(|c| (*c).into()).collect());
        assert_eq!(state(&[ASKS, CALLS].join(",")), open(&["ls (a)", "cat (b)"]));
        assert_eq!(state(&[ASKS, CALLS, &result("a"), ASKS].join(",")), open(&["cat (b)"]));
        assert_eq!(state(&[ASKS, CALLS, ASKS, ANSWERS].join(",")), State::Finished);
    }
}
