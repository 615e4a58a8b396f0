//! A hostile history from a seed.

use json::{Raw, Text};
use record::{
    Block, BlockRef, CallStarted, EntryId, Fact, Head, HeadDeclaration, Message, MessageKind,
    OpaqueFact, Rest, Retracted, Role, Rung, Source, SystemChange, ToolDefinition, ToolResult,
};
use replay::ThinkingChoice;

use crate::rng::Rng;
use crate::script::{
    AGENTS, Api, CLAUDE_TARGETS, Choice, Op, OpKind, Script, TARGETS, agent, op_id,
};
use crate::tag::{Tag, Tags};
use crate::text::{self, blank};
use crate::{chat, converse, gemini, image, opaque, responses};

/// Bytes of text a history has, about.
const BUDGET: usize = 12_000;

/// A schema that takes anything.
const OBJECT: &str = r#"{"type":"object","properties":{}}"#;

/// A member no wire takes, and a cache mark.
const EXTRA: &str = r#""extra":1,"cache_control":{"type":"ephemeral"}"#;

/// Ways to choose a tool; not every history has one.
const TOOL_CHOICES: &[&str] = &[
    r#"{"type":"auto"}"#,
    r#"{"type":"any","disable_parallel_tool_use":true}"#,
    r#"{"type":"none"}"#,
    r#"{"type":"tool","name":"grep"}"#,
    r#"{"type":"tool","name":"nobody_has_it"}"#,
    r#""auto""#,
];

/// Parameters some models take, and none.
const EXTRA_PARAMETERS: &[(&str, &str)] = &[
    ("temperature", "0.5"),
    ("temperature", "1"),
    ("top_p", "0.97"),
    ("top_p", "0.5"),
    ("top_k", "7"),
    ("metadata", r#"{"user_id":"u"}"#),
    ("stop_sequences", r#"["STOP"]"#),
    ("stream", "true"),
    ("service_tier", r#""auto""#),
    ("output_config", r#"{"effort":"low"}"#),
    ("output_config", r#"{"effort":"max"}"#),
    ("speed", r#""fast""#),
    ("cache_control", r#"{"type":"ephemeral"}"#),
    ("thinking", r#"{"type":"disabled"}"#),
    ("context_management", r#"{"edits":[]}"#),
    ("nobody_knows", "1"),
];

/// The first line of an authority block.
const LEAK: &str = "[Runtime principal: observed for this request, not conversation memory]";

/// A call that was declared.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) row: u32,
    pub(crate) block: u32,
    pub(crate) id: Text,
    pub(crate) name: Text,
    /// The result it got, if any.
    pub(crate) answer: Option<ToolResult>,
}

/// The state of generating.
pub(crate) struct Gen {
    pub(crate) rng: Rng,
    pub(crate) tags: Tags,
    marks: u64,
    next: u32,
    ops: Vec<Op>,
    pub(crate) budget: usize,
    pub(crate) calls: Vec<Declared>,
    /// Rows: number and how many blocks.
    pub(crate) rows: Vec<(u32, usize)>,
    pub(crate) compactions: Vec<u32>,
    /// Requests: number, agent, target.
    pub(crate) sends: Vec<(u32, usize, usize)>,
    pub(crate) primary: usize,
    pub(crate) secondary: usize,
    pub(crate) images: usize,
    principal: u8,
    thinking: ThinkingChoice,
    /// Row at which the last turn of a person began.
    pub(crate) user_rows: Vec<u32>,
}

/// Makes the script of a seed.
pub fn generate(seed: u64) -> Script {
    let mut rng = Rng::new(seed);
    let primary = match rng.below(2) {
        0 => rng.weighted(&[40, 16, 16, 6, 6, 8, 4, 4]),
        _ => CLAUDE_TARGETS + rng.below(TARGETS.len() - CLAUDE_TARGETS),
    };
    let mut secondary = rng.below(TARGETS.len());
    if rng.one_in(8) {
        let other = |at: &usize| *at != primary && TARGETS[*at].is_same(&TARGETS[primary]);
        secondary = (0..TARGETS.len()).find(other).unwrap_or(secondary);
    }
    let mut tall = Gen {
        principal: u8::from(rng.one_in(3)),
        thinking: *rng.pick(&[
            ThinkingChoice::AsRecorded,
            ThinkingChoice::AsRecorded,
            ThinkingChoice::On,
            ThinkingChoice::Off,
        ]),
        rng,
        tags: Tags::default(),
        marks: 0,
        next: 0,
        ops: Vec::new(),
        budget: BUDGET,
        calls: Vec::new(),
        rows: Vec::new(),
        compactions: Vec::new(),
        sends: Vec::new(),
        primary,
        secondary,
        images: 0,
        user_rows: Vec::new(),
    };
    tall.beginning();
    let steps = 1 + tall.rng.below(3) + if tall.rng.one_in(6) { tall.rng.below(12) } else { 0 };
    for _ in 0..steps {
        tall.step();
    }
    if !tall.rng.one_in(4) {
        tall.send(0, tall.primary);
    }
    Script { seed, primary, secondary, ops: tall.ops, tags: tall.tags }
}

impl Gen {
    fn beginning(&mut self) {
        if self.rng.one_in(4) {
            self.head();
        }
        if self.rng.one_in(4) {
            self.tags.add(Tag::LeadingSystem);
            self.system();
        }
        if !self.rng.one_in(6) {
            self.person();
        }
    }

    fn step(&mut self) {
        match self.rng.weighted(&[48, 14, 6, 5, 5, 3, 3, 3, 3, 5, 6, 2, 4, 4]) {
            0 => self.turn(),
            1 => self.person(),
            2 => self.reply_unasked(),
            3 => self.stray_result(),
            4 => self.system(),
            5 => self.change_row(),
            6 => self.head(),
            7 => self.microcompaction(),
            8 => self.retraction(),
            9 => self.compaction(),
            10 => self.send_any(),
            11 => self.imported(),
            12 => self.mixed_turn(),
            _ => self.oddity(),
        }
    }

    /// The next marker's number.
    pub(crate) fn mark(&mut self) -> u64 {
        self.marks += 1;
        self.marks
    }

    pub(crate) fn text(&mut self) -> Text {
        let number = self.mark();
        text::text(&mut self.rng, &mut self.tags, number, &mut self.budget)
    }

    fn op(&mut self, kind: OpKind) -> u32 {
        let number = self.next;
        self.next += 1;
        self.ops.push(Op { number, kind });
        number
    }

    pub(crate) fn fact(&mut self, fact: Fact) -> u32 {
        self.op(OpKind::Entry(Box::new(fact)))
    }

    pub(crate) fn retract_elsewhere(&mut self, what: Retracted) {
        self.op(OpKind::RetractElsewhere(what));
    }

    /// Appends a row.
    pub(crate) fn row(&mut self, mut message: Message) -> u32 {
        if self.rng.one_in(40) {
            self.tags.add(Tag::Audience);
            let who = *self.rng.pick(&AGENTS);
            message.audience = Some(vec![who.into()]);
        }
        let blocks = message.blocks.len();
        let number = self.fact(Fact::Message(Box::new(message)));
        self.rows.push((number, blocks));
        number
    }

    /// The number the next step gets.
    pub(crate) fn upcoming(&self) -> u32 {
        self.next
    }

    fn choice(&mut self, target: usize) -> Choice {
        let (tool_choices, extra) = match TARGETS[target].api {
            Api::Chat => (chat::TOOL_CHOICES, chat::EXTRA_PARAMETERS),
            Api::Responses => (chat::TOOL_CHOICES, responses::EXTRA_PARAMETERS),
            Api::Gemini => (gemini::TOOL_CHOICES, gemini::EXTRA_PARAMETERS),
            Api::Claude => (TOOL_CHOICES, EXTRA_PARAMETERS),
            Api::Converse => (converse::TOOL_CHOICES, converse::EXTRA_PARAMETERS),
        };
        if self.rng.one_in(40) {
            self.tags.add(Tag::PrincipalChange);
            self.principal = (self.principal + 1) % 3;
        }
        let mut choice =
            Choice { principal: self.principal, thinking: self.thinking, ..Choice::default() };
        if self.rng.one_in(25) {
            self.tags.add(Tag::Running);
            choice.running = true;
        }
        if self.rng.one_in(60) {
            self.tags.add(Tag::NoContinue);
            choice.no_continue = true;
        }
        if self.rng.one_in(60) {
            self.tags.add(Tag::ImageLimit);
            choice.images_max = Some(1 + self.rng.below(4) as u32);
        }
        if self.rng.one_in(12) {
            self.tags.add(Tag::ToolChoice);
            choice.tool_choice = Some(*self.rng.pick(tool_choices));
        }
        if self.rng.one_in(12) {
            self.tags.add(Tag::ExtraParameters);
            let max_tokens = [1, 2000, 1_000_000];
            choice.max_tokens = self.rng.one_in(2).then(|| *self.rng.pick(&max_tokens));
            for _ in 0..self.rng.below(4) {
                choice.extra.push(*self.rng.pick(extra));
            }
        }
        if self.rng.one_in(150) {
            self.tags.add(Tag::SmallBody);
            choice.body_bytes_max = Some(600 + self.rng.below(20_000) as u64);
        }
        if self.rng.one_in(150) {
            self.tags.add(Tag::Rung);
            choice.recovery = Some(*self.rng.pick(&[Rung::Strip, Rung::DropBlock]));
        }
        choice
    }

    /// A request; gives its number.
    pub(crate) fn send(&mut self, who: usize, target: usize) -> u32 {
        let choice = self.choice(target);
        let number = self.op(OpKind::Send { agent: who, target, choice });
        self.sends.push((number, who, target));
        number
    }

    fn send_any(&mut self) {
        match self.rng.below(4) {
            0 => {
                self.tags.add(Tag::OtherAgentSent);
                let target = *self.rng.pick(&[self.primary, self.secondary]);
                self.send(1, target);
            }
            1 => {
                self.tags.add(Tag::OtherTargetSent);
                self.send(0, self.secondary);
            }
            _ => {
                self.send(0, self.primary);
            }
        }
    }

    fn imported(&mut self) {
        self.tags.add(Tag::ImportedSent);
        let target = self.primary;
        let number = self.op(OpKind::Imported { target });
        self.sends.push((number, 0, target));
    }

    pub(crate) fn person(&mut self) {
        let mut blocks = Vec::new();
        let many = self.rng.weighted(&[80, 15, 4, 1]) + 1;
        for _ in 0..many {
            let block = self.person_block();
            blocks.push(block);
        }
        if self.rng.one_in(60) {
            self.tags.add(Tag::EmptyRow);
            blocks.clear();
        }
        self.crowd_of_images(&mut blocks);
        let mut message = Message::new(Role::User, blocks);
        message.source = Some(Source::User);
        self.meta_kind(&mut message);
        let number = self.row(message);
        self.user_rows.push(number);
    }

    fn crowd_of_images(&mut self, blocks: &mut Vec<Block>) {
        let many = match self.rng.below(400) {
            0 => 101 + self.rng.below(30),
            1..=4 => 18 + self.rng.below(8),
            _ => return,
        };
        for _ in 0..many {
            let number = self.mark();
            blocks.push(Block::Image(match self.rng.below(8) {
                0 => image::image(&mut self.rng, &mut self.tags, number),
                _ => image::sound(number),
            }));
        }
        self.images += many;
        if self.images > 20 {
            self.tags.add(Tag::Over20Images);
        }
        if self.images > 100 {
            self.tags.add(Tag::Over100Images);
        }
    }

    fn meta_kind(&mut self, message: &mut Message) {
        if self.rng.one_in(30) {
            self.tags.add(Tag::MetaKind);
            message.kind = Some(match self.rng.below(4) {
                0 => MessageKind::SkillSnapshot,
                1 => MessageKind::TaskNotification,
                2 => MessageKind::CompactBoundary,
                _ => MessageKind::Other("odd".into()),
            });
        }
    }

    fn person_block(&mut self) -> Block {
        match self.rng.weighted(&[70, 5, 12, 5, 3, 3, 2]) {
            0 => Block::text(self.text()),
            1 => {
                self.tags.add(Tag::BlankText);
                Block::text(blank(&mut self.rng))
            }
            2 => {
                self.images += 1;
                let number = self.mark();
                Block::Image(image::image(&mut self.rng, &mut self.tags, number))
            }
            3 if TARGETS[self.primary].is_converse() => {
                Block::Opaque(self.converse_block(self.primary))
            }
            3 => {
                let number = self.mark();
                let document = if TARGETS[self.primary].is_gemini() {
                    gemini::document(&mut self.rng, &mut self.tags, self.primary, number)
                } else {
                    opaque::document(&mut self.rng, &mut self.tags, number)
                };
                Block::Opaque(document)
            }
            4 => {
                let number = self.mark();
                Block::Opaque(opaque::unknown(&mut self.rng, &mut self.tags, number))
            }
            5 => {
                self.tags.add(Tag::ResultBesideText);
                let result = self.any_result();
                Block::ToolResult(result)
            }
            _ => {
                self.tags.add(Tag::WrongSide);
                self.wrong_side()
            }
        }
    }

    /// A block that its row's role does not write.
    fn wrong_side(&mut self) -> Block {
        match self.rng.below(3) {
            0 => Block::Reasoning(self.thought(self.primary)),
            1 => Block::ToolUse(self.call()),
            _ => Block::SystemChange(self.change()),
        }
    }

    pub(crate) fn system(&mut self) {
        self.tags.add(Tag::MidSystem);
        let mut blocks = Vec::new();
        for _ in 0..1 + self.rng.below(2) {
            blocks.push(match self.rng.weighted(&[80, 6, 6, 8]) {
                0 => Block::text(self.text()),
                1 => {
                    self.tags.add(Tag::BlankText);
                    Block::text(blank(&mut self.rng))
                }
                2 => {
                    self.tags.add(Tag::LeakedPrincipal);
                    Block::text(format!("{LEAK}\n{}", text::marker(self.mark())))
                }
                _ => {
                    self.tags.add(Tag::WrongSide);
                    let block = self.person_block();
                    if self.rng.one_in(2) { block } else { self.wrong_side() }
                }
            });
        }
        self.row(Message::new(Role::System, blocks));
    }

    fn change(&mut self) -> SystemChange {
        let mut change = SystemChange::default();
        if self.rng.one_in(2) {
            change.define_tools = self.tools();
        }
        if self.rng.one_in(3) {
            change.remove_tools = vec![(*self.rng.pick(NAMES)).into()];
        }
        if self.rng.one_in(2) {
            change.add_system = vec![self.text()];
        }
        if self.rng.one_in(20) {
            change.add_system.push(blank(&mut self.rng));
        }
        change
    }

    fn change_row(&mut self) {
        self.tags.add(Tag::SystemChange);
        let blocks = vec![Block::SystemChange(self.change())];
        let mut message = Message::new(Role::System, blocks);
        message.kind = Some(MessageKind::SystemChange);
        message.author = Some(agent(usize::from(self.rng.one_in(5))));
        self.row(message);
    }

    fn tools(&mut self) -> Vec<ToolDefinition> {
        let mut tools = Vec::new();
        for _ in 0..self.rng.below(3) {
            let mark = text::marker(self.mark());
            let name = *self.rng.pick(NAMES);
            let wire = match self.rng.below(60) {
                0 => {
                    self.tags.add(Tag::BadTool);
                    r#"{"name":"bad name","input_schema":{"type":"object"}}"#.to_owned()
                }
                1 => {
                    self.tags.add(Tag::BadTool);
                    r#"{"name":"bad_schema","input_schema":{"type":"string"}}"#.to_owned()
                }
                2 => r#"{"type":"bash_20250124","name":"bash"}"#.to_owned(),
                3..=8 => format!(
                    r#"{{"name":"{name}","description":"{mark}","input_schema":{OBJECT},{EXTRA}}}"#
                ),
                _ => {
                    format!(r#"{{"name":"{name}","description":"{mark}","input_schema":{OBJECT}}}"#)
                }
            };
            let tool = ToolDefinition::new(Raw::parse(&wire).unwrap()).unwrap();
            if tools.iter().all(|t: &ToolDefinition| t.name() != tool.name()) {
                tools.push(tool);
            }
        }
        tools
    }

    /// A head with the tool that server calls run on.
    pub(crate) fn server_tool_head(&mut self) {
        self.tags.add(Tag::HeadEntry);
        let wire = r#"{"type":"web_search_20250305","name":"web_search"}"#;
        let tool = ToolDefinition::new(Raw::parse(wire).unwrap()).unwrap();
        let head = HeadDeclaration { tools: vec![tool], system: Vec::new() };
        let head = Head {
            agent: agent(0),
            head: Some(head.into()),
            folds_through: None,
            owners: None,
            reason: "test".into(),
            rest: Rest::default(),
        };
        self.fact(Fact::Head(Box::new(head)));
    }

    fn head(&mut self) {
        self.tags.add(Tag::HeadEntry);
        let mut head = HeadDeclaration { tools: self.tools(), system: Vec::new() };
        for _ in 0..self.rng.below(3) {
            let text = self.text();
            head.system.push(text);
        }
        let whose = usize::from(self.rng.one_in(6));
        let head = Head {
            agent: agent(whose),
            head: (!self.rng.one_in(15)).then(|| head.into()),
            folds_through: None,
            owners: None,
            reason: "test".into(),
            rest: Rest::default(),
        };
        self.fact(Fact::Head(Box::new(head)));
    }

    fn oddity(&mut self) {
        match self.rng.below(4) {
            0 => {
                self.tags.add(Tag::CorruptLine);
                let kind = record::jsonl::CORRUPT_LINE.into();
                self.fact(Fact::Opaque(OpaqueFact { kind, raw: None }));
            }
            1 => {
                self.tags.add(Tag::ToolText);
                let text = Block::text(self.text());
                self.row(Message::new(Role::Tool, vec![text]));
            }
            2 => {
                self.tags.add(Tag::LeakedPrincipal);
                let text = format!("{LEAK}\n{}", text::marker(self.mark()));
                let mut message = Message::new(Role::User, vec![Block::text(text)]);
                message.source = Some(match self.rng.below(2) {
                    0 => Source::User,
                    _ => Source::Runtime { what: "hook".into() },
                });
                self.row(message);
            }
            _ => {
                let kind: Text = "something".into();
                self.fact(Fact::Opaque(OpaqueFact { kind, raw: None }));
            }
        }
    }

    /// Rows stored while a request is under way.
    pub(crate) fn interjection(&mut self) {
        self.tags.add(Tag::InFlight);
        match self.rng.below(5) {
            0 => self.system(),
            1 => self.stray_result(),
            2 => {
                self.tags.add(Tag::OtherReplyBetween);
                self.turn_of(1, self.primary);
            }
            _ => self.person(),
        }
    }

    /// Notes that a call ran.
    pub(crate) fn started(&mut self, row: u32, block: u32) {
        self.tags.add(Tag::CallStarted);
        let call = BlockRef { row: op_id(row), block };
        self.fact(Fact::CallStarted(CallStarted { call }));
    }

    /// The id of a step.
    pub(crate) fn id_of(&self, number: u32) -> EntryId {
        op_id(number)
    }
}

/// Tools, as histories name them.
pub(crate) const NAMES: &[&str] = &["bash", "read", "grep", "edit", "mcp__x__y"];
