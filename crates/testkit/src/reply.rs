//! Replies: what a model said, thought and called, and all the ways in which that was stored.

use std::sync::Arc;

use json::{Raw, Text};
use record::message::DroppedCall;
use record::{
    Block, Input, Issuer, Message, Proof, ProofKind, Reasoning, Rest, Role, Source, Stop, StopKind,
    TextBlock, ToolUse,
};

use crate::generate::{Declared, Gen, NAMES};
use crate::script::{TARGETS, agent};
use crate::tag::Tag;
use crate::text::{self, blank, lone_surrogate};
use crate::{image, opaque};

/// Who a reply to a target is of.
pub(crate) fn source(target: usize) -> Source {
    let to = crate::script::target(target).to;
    Source::Model { platform: to.platform, api: to.dialect, model: to.model, account: None }
}

impl Gen {
    /// A request, what was stored meanwhile, its reply, and the results.
    pub(crate) fn turn(&mut self) {
        let (who, target) = match self.rng.weighted(&[80, 12, 8]) {
            0 => (0, self.primary),
            1 => {
                self.tags.add(Tag::OtherTargetSent);
                (0, self.secondary)
            }
            _ => {
                self.tags.add(Tag::OtherAgentSent);
                (1, self.primary)
            }
        };
        let rounds = 1 + self.rng.weighted(&[60, 25, 10, 5]);
        for _ in 0..rounds {
            self.turn_of(who, target);
            if self.rng.one_in(6) {
                self.person();
            }
        }
    }

    /// One round of an agent.
    pub(crate) fn turn_of(&mut self, who: usize, target: usize) {
        let sent = self.send(who, target);
        while self.rng.one_in(12) {
            self.interjection();
        }
        let called = self.reply(who, target, Some(sent));
        while self.rng.one_in(20) {
            self.interjection();
        }
        self.results(called);
    }

    /// A reply without a request of ours: an import, or another agent's.
    pub(crate) fn reply_unasked(&mut self) {
        let target = if self.rng.one_in(3) { self.secondary } else { self.primary };
        let answers = if self.rng.one_in(3) {
            self.tags.add(Tag::StaleAnswer);
            (!self.sends.is_empty()).then(|| self.rng.pick(&self.sends).0)
        } else {
            None
        };
        let who = usize::from(self.rng.one_in(5));
        let called = self.reply(who, target, answers);
        self.results(called);
    }

    /// Appends a reply; gives the indices of its calls.
    fn reply(&mut self, who: usize, target: usize, answers: Option<u32>) -> Vec<usize> {
        let row = self.upcoming();
        let whole = self.rng.one_in(25);
        let first = self.calls.len();
        let blocks = if whole { self.whole_turn(target, row) } else { self.blocks(target, row) };
        let mut blocks = self.named_items(target, blocks);
        if TARGETS[target].is_gemini() {
            self.sign(target, &mut blocks);
        }
        let mut message = Message::new(Role::Assistant, blocks);
        message.author = Some(agent(who));
        message.source = Some(source(target));
        if self.rng.one_in(20) {
            self.tags.add(Tag::IssuerMismatch);
            message.source = Some(Source::Model {
                platform: "anthropic".into(),
                api: "anthropic_messages".into(),
                model: "claude-opus-4-1".into(),
                account: None,
            });
        }
        if self.rng.one_in(30) {
            message.source = None;
        }
        message.answers = answers.map(|sent| self.id_of(sent));
        message.runs_logged = self.rng.one_in(3);
        self.stop(&mut message);
        let logged = message.runs_logged;
        self.row(message);
        let called: Vec<usize> = (first..self.calls.len()).collect();
        if logged {
            for at in &called {
                if !self.rng.one_in(4) {
                    self.started(self.calls[*at].row, self.calls[*at].block);
                }
            }
        }
        if whole { Vec::new() } else { called }
    }

    fn stop(&mut self, message: &mut Message) {
        let called = message.blocks.iter().any(|block| matches!(block, Block::ToolUse(_)));
        let kind = if called { StopKind::ToolCalls } else { StopKind::Stop };
        let mut stop = Stop {
            kind,
            native: None,
            failure: None,
            dropped_calls: Vec::new(),
            rest: Rest::default(),
        };
        if self.rng.one_in(12) {
            self.tags.add(Tag::DroppedCall);
            stop.kind = *self.rng.pick(&[StopKind::MaxTokens, StopKind::Aborted, StopKind::Error]);
            for _ in 0..1 + self.rng.below(2) {
                let name: Text = (*self.rng.pick(&["bash", "", "edit"])).into();
                stop.dropped_calls.push(DroppedCall { name, rest: Rest::default() });
            }
        }
        if self.rng.one_in(20) {
            self.tags.add(Tag::Interrupted);
            message.interrupted = true;
        }
        if self.rng.one_in(30) {
            self.tags.add(Tag::PauseTurn);
            stop.native = Some("pause_turn".into());
            let number = self.mark();
            let call = opaque::server_call(&mut self.rng, number, None);
            message.blocks.push(Block::Opaque(call));
        }
        message.stop = Some(stop);
    }

    fn blocks(&mut self, target: usize, row: u32) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.rng.one_in(60) {
            self.tags.add(Tag::EmptyRow);
            return blocks;
        }
        if self.rng.percent(55) {
            blocks.push(Block::Reasoning(self.thought(target)));
        }
        if self.rng.percent(55) {
            blocks.push(self.speech());
        }
        let calls = match self.rng.below(2000) {
            0 => {
                self.tags.add(Tag::ThousandCalls);
                1000 + self.rng.below(100)
            }
            1..=1100 => 1 + self.rng.weighted(&[60, 25, 10, 5]),
            _ => 0,
        };
        for _ in 0..calls {
            if calls < 10 && self.rng.one_in(8) {
                blocks.push(Block::Reasoning(self.thought(target)));
            }
            let call = self.call();
            self.declared(row, blocks.len(), &call);
            blocks.push(Block::ToolUse(call));
        }
        while self.rng.one_in(10) {
            self.odd_block(target, &mut blocks);
        }
        if blocks.iter().all(|block| matches!(block, Block::Reasoning(_))) && !blocks.is_empty() {
            self.tags.add(Tag::ThinkingOnly);
        }
        blocks
    }

    fn odd_block(&mut self, target: usize, blocks: &mut Vec<Block>) {
        let at = self.rng.below(blocks.len() + 1);
        match self.rng.below(8) {
            0 => {
                self.tags.add(Tag::TrailingThinking);
                blocks.push(Block::Reasoning(self.thought(target)));
            }
            1 => {
                self.tags.add(Tag::AssistantImage);
                let number = self.mark();
                let image = image::image(&mut self.rng, &mut self.tags, number);
                blocks.push(Block::Image(image));
            }
            2 => {
                let number = self.mark();
                blocks.push(Block::Opaque(opaque::unknown(&mut self.rng, &mut self.tags, number)));
            }
            3 if TARGETS[target].is_converse() => {
                self.tags.add(Tag::ServerPair);
                let [call, result] = self.converse_pair(target);
                blocks.extend([Block::Opaque(call), Block::Opaque(result)]);
            }
            4 if TARGETS[target].is_converse() => {
                self.tags.add(Tag::ServerHalf);
                let half = self.rng.below(2);
                let [call, result] = self.converse_pair(target);
                blocks.push(Block::Opaque(if half == 0 { call } else { result }));
            }
            3 => {
                self.tags.add(Tag::ServerPair);
                let (number, own) = (self.mark(), self.mark());
                blocks.push(Block::Opaque(opaque::server_call(&mut self.rng, number, None)));
                if self.rng.one_in(3) {
                    blocks.push(Block::Reasoning(self.thought(target)));
                }
                if self.rng.one_in(3) {
                    let (inner, own) = (self.mark(), self.mark());
                    let caller = if self.rng.one_in(6) { own } else { number };
                    let call = opaque::server_call(&mut self.rng, inner, Some(caller));
                    blocks.push(Block::Opaque(call));
                    let result = opaque::server_result(&mut self.rng, inner, own);
                    blocks.push(Block::Opaque(result));
                }
                blocks.push(Block::Opaque(opaque::server_result(&mut self.rng, number, own)));
            }
            4 => {
                self.tags.add(Tag::ServerHalf);
                let (number, own) = (self.mark(), self.mark());
                blocks.push(Block::Opaque(match self.rng.below(2) {
                    0 => opaque::server_call(&mut self.rng, number, None),
                    _ => opaque::server_result(&mut self.rng, number, own),
                }));
            }
            5 => {
                self.tags.add(Tag::BlankText);
                blocks.push(Block::text(blank(&mut self.rng)));
            }
            6 => blocks.push(self.speech()),
            _ if at == blocks.len() => blocks.push(Block::Reasoning(self.thought(target))),
            _ => {
                let number = self.mark();
                let document = opaque::document(&mut self.rng, &mut self.tags, number);
                blocks.push(Block::Opaque(document));
            }
        }
    }

    fn speech(&mut self) -> Block {
        let mut block = TextBlock { text: self.text(), proof: None, rest: Rest::default() };
        if self.rng.one_in(40) {
            block.rest.push("citations".into(), Raw::parse("[]").unwrap());
        }
        Block::Text(block)
    }

    /// An old row that holds rounds with their results, and text between.
    fn whole_turn(&mut self, target: usize, row: u32) -> Vec<Block> {
        self.tags.add(Tag::WholeTurnRow);
        let mut blocks = Vec::new();
        if self.rng.one_in(2) {
            blocks.push(Block::Reasoning(self.thought(target)));
        }
        for _ in 0..1 + self.rng.below(3) {
            let call = self.call();
            self.declared(row, blocks.len(), &call);
            let (id, name) = (call.id.clone(), call.name.clone());
            blocks.push(Block::ToolUse(call));
            if !self.rng.one_in(8) {
                let result = self.result(id, name);
                if let Some(declared) = self.calls.last_mut() {
                    declared.answer = Some(result.clone());
                }
                blocks.push(Block::ToolResult(result));
            }
            if self.rng.one_in(3) {
                blocks.push(self.speech());
            }
            if self.rng.one_in(6) {
                blocks.push(Block::Reasoning(self.thought(target)));
            }
            if self.rng.one_in(8) {
                self.odd_block(target, &mut blocks);
            }
        }
        blocks
    }

    pub(crate) fn declared(&mut self, row: u32, block: usize, call: &ToolUse) {
        self.calls.push(Declared {
            row,
            block: block as u32,
            id: call.id.clone(),
            name: call.name.clone(),
            answer: None,
        });
    }

    /// Results of these calls: most of them, mostly in order.
    pub(crate) fn results(&mut self, mut called: Vec<usize>) {
        if called.len() > 1 && self.rng.one_in(4) {
            called.reverse();
        }
        if called.len() > 20 {
            return self.results_in_bulk(&called);
        }
        for at in called {
            if self.rng.one_in(7) {
                self.tags.add(Tag::OrphanCall);
                continue;
            }
            let Declared { id, name, .. } = self.calls[at].clone();
            let result = self.result(id, name);
            self.calls[at].answer = Some(result.clone());
            self.result_row(result);
        }
    }

    /// Results of a thousand calls: in few rows, that a history stays affordable.
    fn results_in_bulk(&mut self, called: &[usize]) {
        for some in called.chunks(400) {
            let mut blocks = Vec::new();
            for at in some {
                if self.rng.one_in(7) {
                    continue;
                }
                let Declared { id, name, .. } = self.calls[*at].clone();
                let result = self.result(id, name);
                self.calls[*at].answer = Some(result.clone());
                blocks.push(Block::ToolResult(result));
            }
            self.row(Message::new(Role::Tool, blocks));
        }
    }

    pub(crate) fn call(&mut self) -> ToolUse {
        let id = self.call_id();
        let name = match self.rng.below(40) {
            0 => "".into(),
            1 => "n".repeat(250).into(),
            2 => "a tool.with/odd chars".into(),
            3 => lone_surrogate("x"),
            _ => (*self.rng.pick(NAMES)).into(),
        };
        let input = Input::new(self.input());
        ToolUse { id, name, input, proof: None, rest: Rest::default() }
    }

    fn input(&mut self) -> Text {
        let mark = text::marker(self.mark());
        match self.rng.weighted(&[60, 8, 5, 5, 4, 4, 3, 3, 3, 3]) {
            0 => format!(r#"{{"a":"{mark}"}}"#).into(),
            1 => format!("{{ \"a\" : \"{mark}\" ,\n\"b\":[1.0,1e2,12345678901234567890] }}").into(),
            2 => "".into(),
            3 => {
                self.tags.add(Tag::MalformedInput);
                format!(r#"{{"a":"{mark}"#).into()
            }
            4 => {
                self.tags.add(Tag::MalformedInput);
                format!(r#"["{mark}"]"#).into()
            }
            5 => {
                self.tags.add(Tag::DeepInput);
                let depth = 90 + self.rng.below(60);
                let (open, close) = (r#"{"d":"#.repeat(depth), "}".repeat(depth));
                format!(r#"{open}"{mark}"{close}"#).into()
            }
            6 => {
                self.tags.add(Tag::LoneSurrogate);
                format!(r#"{{"a":"\ud800{mark}"}}"#).into()
            }
            7 => {
                self.tags.add(Tag::MalformedInput);
                lone_surrogate(&mark)
            }
            8 => format!(r#"{{"a":1,"a":"{mark}","":{{}}}}"#).into(),
            _ => {
                self.tags.add(Tag::Nul);
                format!(r#"{{"a":"\u0000{mark}\/"}}"#).into()
            }
        }
    }

    /// An id: its own, one that was there, or one that no provider takes.
    pub(crate) fn call_id(&mut self) -> Text {
        let number = self.upcoming();
        match self.rng.weighted(&[60, 10, 6, 5, 5, 4, 4, 3]) {
            0 => format!("toolu_{number}_{}", self.calls.len()).into(),
            1 => {
                self.tags.add(Tag::ReusedId);
                (*self.rng.pick(&["call_0", "c1", "c1_2"])).into()
            }
            2 => {
                self.tags.add(Tag::LongId);
                format!("{}|{number}", "x".repeat(440)).into()
            }
            3 => {
                self.tags.add(Tag::PunctuatedId);
                (*self.rng.pick(&["a|b", "functions.bash:0", "id with space", "ü"])).into()
            }
            4 => {
                self.tags.add(Tag::EmptyId);
                "".into()
            }
            5 => {
                self.tags.add(Tag::SurrogateId);
                lone_surrogate("id")
            }
            6 => {
                self.tags.add(Tag::RewrittenFormId);
                let of = *self.rng.pick(&["", "a|b", "call_0"]);
                rewritten(of, self.rng.below(2) as u32).into()
            }
            _ => {
                self.tags.add(Tag::DuplicateId);
                let last = self.calls.last().map(|call| call.id.clone());
                last.unwrap_or_else(|| "toolu_x".into())
            }
        }
    }

    /// A thought in the form of the target's API, mostly, where that has a form of its own.
    fn own_thought(&mut self, target: usize) -> Option<Reasoning> {
        let row = &TARGETS[target];
        let make = if row.is_chat() {
            Gen::chat_thought
        } else if row.is_responses() {
            Gen::responses_thought
        } else if row.is_gemini() {
            Gen::gemini_thought
        } else {
            return None;
        };
        (!self.rng.one_in(6)).then(|| make(self, target))
    }

    /// A thought, whole or spoiled.
    pub(crate) fn thought(&mut self, target: usize) -> Reasoning {
        if let Some(thought) = self.own_thought(target) {
            return thought;
        }
        let number = self.mark();
        let mut reasoning: Text =
            if self.rng.one_in(10) { "".into() } else { text::marker(number).into() };
        let own = TARGETS[target].is_converse();
        let mut issuer = issuer_of_blocks(target);
        let mut proof = Proof {
            issuer: Arc::default(),
            kind: ProofKind::Signature,
            version: 1,
            sealed: Raw::parse(&format!("\"sig{number}\"")).unwrap(),
        };
        match self.rng.weighted(&[70, 8, 5, 3, 3, 2, 2, 2, 2, 2, 2]) {
            0 => {}
            1 => {
                self.tags.add(Tag::RedactedThinking);
                proof.kind = ProofKind::Redacted;
                reasoning = "".into();
            }
            2 => {
                self.tags.add(Tag::UnsignedThinking);
                return Reasoning { reasoning, proof: None, rest: Rest::default() };
            }
            3 => {
                self.tags.add(Tag::ForeignProof);
                issuer.api = "openai_responses".into();
                issuer.platform = "openai".into();
                issuer.model = "gpt".into();
                proof.kind = ProofKind::Encrypted;
            }
            4 => {
                self.tags.add(Tag::IssuerMismatch);
                issuer.model = "claude-opus-4-1".into();
            }
            5 => {
                self.tags.add(Tag::ForeignProof);
                issuer.platform = if own { "anthropic" } else { "bedrock" }.into();
            }
            6 => {
                self.tags.add(Tag::MalformedProof);
                proof.sealed = Raw::parse("{\"a\":1}").unwrap();
            }
            7 => {
                self.tags.add(Tag::MalformedProof);
                proof.version = 2;
            }
            8 => {
                self.tags.add(Tag::MalformedProof);
                proof.sealed = Raw::parse("\"\"").unwrap();
            }
            9 => {
                self.tags.add(Tag::MalformedProof);
                proof.sealed = Raw::parse("\"\\ud800\"").unwrap();
            }
            _ => reasoning = lone_surrogate(&text::marker(number)),
        }
        proof.issuer = Arc::new(issuer);
        Reasoning { reasoning, proof: Some(Box::new(proof)), rest: Rest::default() }
    }
}

/// Who seals the thoughts of a target over an API of blocks.
fn issuer_of_blocks(target: usize) -> Issuer {
    let own = TARGETS[target].is_converse();
    Issuer {
        platform: if own { "bedrock" } else { "anthropic" }.into(),
        account: None,
        api: if own { "bedrock_converse" } else { "anthropic_messages" }.into(),
        model: TARGETS[target].model.into(),
    }
}

/// The form an id is rewritten to, for the `count`th try.
pub(crate) fn rewritten(id: &str, count: u32) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(id.as_bytes());
    hasher.update(&count.to_le_bytes());
    let hex = hasher.finalize().to_hex();
    format!("call_{}", &hex[..24])
}
