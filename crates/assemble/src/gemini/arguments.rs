//! A call's arguments that come path by path, written as the JSON they are.
//!
//! A model writes its arguments from front to back, and so do the pieces stand: each is written
//! where the one before it ended, and what it leaves is closed. One that would stand in what was
//! closed cannot be placed: then nothing more is written, and the text stays cut, so that the call
//! is not run.

use std::collections::BTreeSet;

use json::{Raw, Text};
use wire::gemini::events::{ArgValue, PartialArg};
use wire::gemini::path::Step;

use crate::growing::inside;

/// How far the arguments of a call are written.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    /// The objects and arrays that are open, the outermost first.
    open: Vec<Container>,
    in_text: bool,
    is_torn: bool,
}

/// An object or an array, and the step to what was written in it last.
#[derive(Debug)]
struct Container {
    last: Step,
    /// The names that an object has.
    names: BTreeSet<Text>,
}

/// What opens the arguments: with nothing behind it they are cut.
pub(super) const BEGIN: &str = "{";

impl Arguments {
    /// Writes a piece; `false` where it cannot be placed, and nothing after it can.
    pub(super) fn write(&mut self, piece: Option<PartialArg<'_>>, out: &mut String) -> bool {
        let written = match piece {
            Some(piece) if !self.is_torn => self.place(&piece, out),
            Some(_) | None => None,
        };
        self.is_torn = written.is_none();
        !self.is_torn
    }

    /// Ends the arguments.
    pub(super) fn end(&mut self, out: &mut String) {
        if self.is_torn {
            return;
        }
        self.close(1, out);
        out.push('}');
    }

    fn place(&mut self, piece: &PartialArg<'_>, out: &mut String) -> Option<()> {
        let path = &piece.path;
        let known = self.open.iter().zip(path).take_while(|(open, step)| open.last == **step);
        let known = known.count();
        let is_same = known == path.len() && known == self.open.len();
        match &piece.value {
            ArgValue::Nothing => return (is_same && self.in_text).then_some(()),
            ArgValue::Text(text) if is_same && self.in_text => {
                out.push_str(&inside(text));
                return Some(());
            }
            ArgValue::Text(_) | ArgValue::Written(_) => {}
        }
        // The arguments themselves are an object, and no value stands in place of another.
        let is_new = known < path.len() && (known < self.open.len() || self.open.is_empty());
        if !is_new || matches!(path.first(), Some(Step::Item(_))) {
            return None;
        }
        self.close(known + 1, out);
        for (depth, step) in path.iter().enumerate().skip(known) {
            self.step(depth, step, out)?;
        }
        match &piece.value {
            ArgValue::Text(text) => {
                out.push('"');
                out.push_str(&inside(text));
                self.in_text = true;
            }
            ArgValue::Written(value) => out.push_str(value),
            ArgValue::Nothing => {}
        }
        Some(())
    }

    /// Steps into what stands at this depth, which is opened where it is not.
    fn step(&mut self, depth: usize, step: &Step, out: &mut String) -> Option<()> {
        match self.open.get_mut(depth) {
            Some(container) => {
                match (&container.last, step) {
                    (Step::Member(_), Step::Member(_)) => {}
                    (Step::Item(last), Step::Item(next)) if last.checked_add(1) == Some(*next) => {}
                    _ => return None,
                }
                out.push(',');
                container.last = step.clone();
            }
            None => {
                match step {
                    Step::Member(_) if depth == 0 => {}
                    Step::Member(_) => out.push('{'),
                    Step::Item(0) => out.push('['),
                    Step::Item(_) => return None,
                }
                self.open.push(Container { last: step.clone(), names: BTreeSet::new() });
            }
        }
        let Step::Member(name) = step else { return Some(()) };
        out.push_str(Raw::string(name).as_str());
        out.push(':');
        let names = self.open.get_mut(depth).map(|container| &mut container.names);
        names.is_some_and(|names| names.insert(name.clone())).then_some(())
    }

    /// Closes a text, and what is open from this depth on.
    fn close(&mut self, depth: usize, out: &mut String) {
        if std::mem::take(&mut self.in_text) {
            out.push('"');
        }
        for container in self.open.drain(depth.min(self.open.len())..).rev() {
            out.push(if matches!(container.last, Step::Member(_)) { '}' } else { ']' });
        }
    }
}
