//! Takes out of a failing script what the failure does not need.

use record::Fact;

use crate::script::{OpKind, Script};

/// How often a script is tried while it is made smaller.
const TRIES_MAX: usize = 4000;

/// The smallest script found by leaving out steps and blocks for which `fails` still holds.
pub fn shrink(script: &Script, fails: impl Fn(&Script) -> bool) -> Script {
    let mut best = script.clone();
    let mut tries = 0;
    let mut smaller = |candidate: Script, best: &mut Script| {
        tries += 1;
        let found = tries <= TRIES_MAX && fails(&candidate);
        if found {
            *best = candidate;
        }
        found
    };
    loop {
        let before = size(&best);
        let mut run = best.ops.len().max(1);
        while run > 0 {
            let mut at = 0;
            while at < best.ops.len() {
                let mut candidate = best.clone();
                let end = (at + run).min(candidate.ops.len());
                candidate.ops.drain(at..end);
                if !smaller(candidate, &mut best) {
                    at += run;
                }
            }
            run /= 2;
        }
        for op in 0..best.ops.len() {
            simpler_choice(&mut best, op, &mut smaller);
            let mut run = blocks(&best, op).max(1);
            while run > 0 {
                let mut at = 0;
                while at < blocks(&best, op) {
                    let mut candidate = best.clone();
                    without_blocks(&mut candidate, op, at, run);
                    if !smaller(candidate, &mut best) {
                        at += run;
                    }
                }
                run /= 2;
            }
        }
        if size(&best) >= before {
            return best;
        }
    }
}

fn simpler_choice(
    best: &mut Script,
    op: usize,
    smaller: &mut impl FnMut(Script, &mut Script) -> bool,
) {
    let mut candidate = best.clone();
    if let OpKind::Send { choice, .. } = &mut candidate.ops[op].kind
        && *choice != Default::default()
    {
        *choice = Default::default();
        smaller(candidate, best);
    }
}

fn size(script: &Script) -> usize {
    script.ops.len() + (0..script.ops.len()).map(|op| blocks(script, op)).sum::<usize>()
}

/// How many blocks a step's row has. A row keeps its blocks where others name them by index.
fn blocks(script: &Script, op: usize) -> usize {
    match &script.ops[op].kind {
        OpKind::Entry(fact) => match &**fact {
            Fact::Message(message) => message.blocks.len(),
            _ => 0,
        },
        OpKind::Send { .. } | OpKind::RetractElsewhere(_) | OpKind::Imported { .. } => 0,
    }
}

fn without_blocks(script: &mut Script, op: usize, at: usize, run: usize) {
    if let OpKind::Entry(fact) = &mut script.ops[op].kind
        && let Fact::Message(message) = &mut **fact
    {
        let end = (at + run).min(message.blocks.len());
        message.blocks.drain(at..end);
    }
}
