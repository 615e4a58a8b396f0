//! Turns that wait for their provider and for results of ours at once.

use json::Raw;
use record::{Block, Message, Role};

use crate::generate::Gen;
use crate::opaque;
use crate::tag::Tag;

impl Gen {
    /// A server call beside a client call, some of them made from its code; results; the reply that
    /// goes on with it, or does not.
    pub(crate) fn mixed_turn(&mut self) {
        self.tags.add(Tag::MixedTurn);
        if self.rng.one_in(2) {
            self.server_tool_head();
        }
        let target = if self.rng.one_in(6) { self.secondary } else { self.primary };
        let number = self.mark();
        let server = opaque::server_call(&mut self.rng, number, None);
        let mut blocks = vec![Block::Opaque(server)];
        for _ in 0..1 + self.rng.below(3) {
            let sent = (!self.rng.one_in(3)).then(|| self.send(0, target));
            let row = self.upcoming();
            let first = self.calls.len();
            for _ in 0..1 + self.rng.below(2) {
                let mut call = self.call();
                if self.rng.percent(80) {
                    let caller = opaque::called_by(&mut self.rng, number);
                    let (_, caller) = caller.split_once(':').unwrap();
                    call.rest.push("caller".into(), Raw::parse(caller).unwrap());
                }
                self.declared(row, blocks.len(), &call);
                blocks.push(Block::ToolUse(call));
            }
            self.going_on(target, sent, std::mem::take(&mut blocks));
            self.results((first..self.calls.len()).collect());
            match self.rng.below(16) {
                0 => self.person(),
                1 => self.system(),
                _ => {}
            }
        }
        let sent = (!self.rng.one_in(3)).then(|| self.send(0, target));
        if !self.rng.one_in(6) {
            let own = self.mark();
            let result = opaque::server_result(&mut self.rng, number, own);
            blocks.push(Block::Opaque(result));
        }
        blocks.push(Block::text(self.text()));
        self.going_on(target, sent, blocks);
    }

    fn going_on(&mut self, target: usize, sent: Option<u32>, blocks: Vec<Block>) {
        let mut message = Message::new(Role::Assistant, blocks);
        message.source = Some(crate::reply::source(target));
        message.answers = sent.map(|sent| self.id_of(sent));
        self.row(message);
    }
}
