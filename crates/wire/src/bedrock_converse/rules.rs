//! The rule book: what a Converse body has to keep, and what the API answers where it does not.
//!
//! The API checks shapes itself and hands the request on to the family's own server, whose answer
//! comes back behind `The model returned the following errors: `. Texts are the API's own, in
//! templates; of several wordings the table has the first.

pub use crate::rule::{Checked, Confidence, Phase, Rule};

use crate::finding::Severity::{Error, Warning};
use Checked::{Here, Never};
use Confidence::{Documented, Observed, Proven};

/// What goes before the answer of the family's server.
pub(crate) const WRAPPED: &str = "The model returned the following errors: ";

/// Every rule, sorted by id.
pub static RULES: &[Rule] = &[
    Rule {
        id: "B-001",
        title: "a conversation begins with a user message",
        says: "A conversation must start with a user message. Try again with a conversation that \
               starts with a user message.",
        status: 400,
        severity: Error,
        why: "the window was cut inside a turn, or a greeting of the assistant leads",
        fix: "begin with a user message",
        confidence: Proven,
        phase: Phase::Roles,
        checked: Here,
    },
    Rule {
        id: "B-002",
        title: "user and assistant messages alternate",
        says: "A conversation must alternate between user and assistant roles. Make sure the \
               conversation alternates between user and assistant roles and try again.",
        status: 400,
        severity: Error,
        why: "two prompts or two replies were stored in a row; some families merge them, most \
              refuse",
        fix: "put the blocks of neighbours into one message",
        confidence: Proven,
        phase: Phase::Roles,
        checked: Here,
    },
    Rule {
        id: "B-003",
        title: "a conversation ends with a user message, and no assistant message with a thought",
        says: "This model does not support assistant message prefill. The conversation must end \
               with a user message.",
        status: 400,
        severity: Error,
        why: "a finished session is sent again, or a reply of nothing but reasoning was stored; \
              the answer is the same for both, wherever the reply stands",
        fix: "end with a user message, and leave out a reply that is only reasoning",
        confidence: Proven,
        phase: Phase::FinalThinking,
        checked: Here,
    },
    Rule {
        id: "B-004",
        title: "messages and results hold at least one block",
        says: "The content field in the Message object at {path} is empty. Add a ContentBlock \
               object to the content field and try again.",
        status: 400,
        severity: Error,
        why: "everything in a message was filtered out, or a call returned nothing; of a result \
              without parts only some families are known to refuse it",
        fix: "leave the message out; in a result say that there was no output",
        confidence: Proven,
        phase: Phase::Roles,
        checked: Here,
    },
    Rule {
        id: "B-005",
        title: "a text is not blank",
        says: "The text field in the ContentBlock object at {path} is blank. Add text to the text \
               field, and try again.",
        status: 400,
        severity: Error,
        why: "a model or tool gave white space; beside other content, or in a result, only some \
              families are known to refuse it",
        fix: "leave the block out",
        confidence: Proven,
        phase: Phase::Roles,
        checked: Here,
    },
    Rule {
        id: "B-006",
        title: "the last text of a reply that is to be gone on with does not end with white space",
        says: "The model returned the following errors: messages: final assistant content cannot \
               end with trailing whitespace",
        status: 400,
        severity: Error,
        why: "the start of a reply was cut at a space",
        fix: "end with a user message",
        confidence: Proven,
        phase: Phase::Roles,
        checked: Here,
    },
    Rule {
        id: "B-007",
        title: "the next user message answers every call, and nothing else, once",
        says: "Expected toolResult blocks at messages.{next}.content for the following Ids: {ids}",
        status: 400,
        severity: Error,
        why: "a turn was killed before its results were stored, or a call was compacted away and \
              its result kept",
        fix: "answer each call with a toolResult; tell a result without its call as text",
        confidence: Proven,
        phase: Phase::Pairing,
        checked: Here,
    },
    Rule {
        id: "B-008",
        title: "results stand first in their message",
        says: "The model returned the following errors: {path}: Did not find {count} `tool_result` \
               block(s) at the beginning of this message. Messages following `tool_use` blocks \
               must begin with a matching number of `tool_result` blocks.",
        status: 400,
        severity: Error,
        why: "a prompt was put before the results",
        fix: "put the results first, other content behind them",
        confidence: Proven,
        phase: Phase::Pairing,
        checked: Here,
    },
    Rule {
        id: "B-009",
        title: "calls and results come with a toolConfig that has a tool",
        says: "The toolConfig field must be defined when using toolUse and toolResult content \
               blocks.",
        status: 400,
        severity: Error,
        why: "the last request of an agent, or a summary, was asked for without tools",
        fix: "declare the tools again",
        confidence: Proven,
        phase: Phase::Pairing,
        checked: Here,
    },
    Rule {
        id: "B-010",
        title: "ids of calls are 1 to 64 of a-z A-Z 0-9 _ . : -, names of tools of \
                a-z A-Z 0-9 _ -; Mistral's ids are exactly 9 letters and digits",
        says: "Value '{value}' at '{member}' failed to satisfy constraint: Member must satisfy \
               regular expression pattern: {pattern}",
        status: 400,
        severity: Error,
        why: "the id or name is another provider's",
        fix: "rewrite it, the same in call and result",
        confidence: Proven,
        phase: Phase::Schema,
        checked: Here,
    },
    Rule {
        id: "B-011",
        title: "the input of a call is a JSON object",
        says: "The format of the value at {path} is invalid. Provide a json object for the field \
               and try again.",
        status: 400,
        severity: Error,
        why: "the arguments were kept as text, or were cut",
        fix: "send an object; put what is none under a key of its own",
        confidence: Proven,
        phase: Phase::Schema,
        checked: Here,
    },
    Rule {
        id: "B-012",
        title: "the result of a failed call says something",
        says: "The content field at {path} cannot be empty when status value is error.",
        status: 400,
        severity: Error,
        why: "a tool failed without a word",
        fix: "say that there was no output",
        confidence: Proven,
        phase: Phase::Roles,
        checked: Here,
    },
    Rule {
        id: "B-013",
        title: "status stands where the family takes it",
        says: "This model doesn't support the toolResult.status field. Remove toolResult.status \
               and try again.",
        status: 400,
        severity: Error,
        why: "Claude and Nova take it, Writer's models refuse it, of others it is not known",
        fix: "leave it out; begin the text of a failure with Error",
        confidence: Observed,
        phase: Phase::Model,
        checked: Here,
    },
    Rule {
        id: "B-014",
        title: "conversation and tool blocks stand together only where the family takes it",
        says: "{path}: Conversation blocks and tool {kind} blocks cannot be provided in the same \
               turn.",
        status: 400,
        severity: Error,
        why: "Llama, Mistral and Writer's models have turns of one kind; Claude refuses documents \
              and videos beside results",
        fix: "send results alone; tell what else there is in another turn",
        confidence: Proven,
        phase: Phase::Model,
        checked: Here,
    },
    Rule {
        id: "B-015",
        title: "the json of a result is an object",
        says: "The format of the value at {path} is invalid. Provide a json object for the field \
               and try again.",
        status: 400,
        severity: Error,
        why: "a tool returned a list or a number, which Claude and Nova refuse",
        fix: "send it as text",
        confidence: Observed,
        phase: Phase::Schema,
        checked: Here,
    },
    Rule {
        id: "B-016",
        title: "media stand where the family takes them",
        says: "This model doesn't support the {kind} field. Remove {kind} and try again.",
        status: 400,
        severity: Error,
        why: "a model without eyes, or a family that takes no media in results",
        fix: "put them behind the results with a label, or say what was left out",
        confidence: Observed,
        phase: Phase::Model,
        checked: Here,
    },
    Rule {
        id: "B-017",
        title: "a document has a plain name of its own, a text beside it, at most 4.5 MB, and four others",
        says: "The document file name can only contain alphanumeric characters, whitespace \
               characters, hyphens, parentheses, and square brackets. The name can't contain more \
               than one consecutive whitespace character.",
        status: 400,
        severity: Error,
        why: "the name is a file's, or another document's",
        fix: "name it plainly, as no other of the request, and put a text beside it",
        confidence: Documented,
        phase: Phase::Media,
        checked: Here,
    },
    Rule {
        id: "B-018",
        title: "an image is base64 of a png, jpeg, gif or webp, as its format says, at most 3.75 \
                MB and 8000 pixels a side, and one of 20",
        says: "{path}: The image format {declared} does not match the image data, which is {actual}",
        status: 400,
        severity: Error,
        why: "screenshots add up, or a format was guessed from a name",
        fix: "send the format of the bytes; make it smaller; leave old images out",
        confidence: Proven,
        phase: Phase::Media,
        checked: Here,
    },
    Rule {
        id: "B-019",
        title: "reasoning stands in assistant messages, of models that read it",
        says: "User messages cannot contain reasoning content. Please remove the reasoning content \
               and try again.",
        status: 400,
        severity: Error,
        why: "reasoning of one model is sent to another; Nova and DeepSeek R1 refuse their own as \
              well",
        fix: "leave it out",
        confidence: Proven,
        phase: Phase::Model,
        checked: Here,
    },
    Rule {
        id: "B-020",
        title: "a thought of Claude's has its signature",
        says: "The model returned the following errors: {path}: Invalid `signature` in `thinking` \
               block",
        status: 400,
        severity: Error,
        why: "the stream was cut before the signature, or the thought is another model's",
        fix: "leave the thought out",
        confidence: Proven,
        phase: Phase::Signature,
        checked: Here,
    },
    Rule {
        id: "B-021",
        title: "where Claude thinks, no call is forced and no sampling is set",
        says: "The model returned the following errors: Thinking may not be enabled when \
               tool_choice forces tool use.",
        status: 400,
        severity: Error,
        why: "parameters of a request without thinking were kept",
        fix: "let the model choose; leave temperature and topP out",
        confidence: Proven,
        phase: Phase::Model,
        checked: Here,
    },
    Rule {
        id: "B-022",
        title: "at most 4 cache points, none after reasoning, a document or a video, none for 1h \
                after one for 5m, and only where the model takes them",
        says: "Cache point cannot be inserted after reasoning block",
        status: 400,
        severity: Error,
        why: "a mark was put behind whatever came last",
        fix: "mark the last text or result",
        confidence: Proven,
        phase: Phase::Roles,
        checked: Here,
    },
    Rule {
        id: "B-023",
        title: "system texts are not empty, and the family takes them",
        says: "This model doesn't support system prompts. Try again without a system prompt or \
               use a model that supports system prompts.",
        status: 400,
        severity: Error,
        why: "Titan and the first Mistral models know no system text",
        fix: "say it in the first user message",
        confidence: Proven,
        phase: Phase::Model,
        checked: Here,
    },
    Rule {
        id: "B-024",
        title: "messages are the user's and the assistant's",
        says: "Value '{value}' at 'messages.{nth}.member.role' failed to satisfy constraint: \
               Member must satisfy enum value set: [user, assistant]",
        status: 400,
        severity: Error,
        why: "system messages inside a conversation came late to this API; older endpoints refuse \
              the role whatever the model takes",
        fix: "tell it in a user message",
        confidence: Documented,
        phase: Phase::Schema,
        checked: Here,
    },
    Rule {
        id: "B-025",
        title: "the body is JSON of the API's shapes, each block an object with one member",
        says: "The value at {path} must have exactly one member",
        status: 400,
        severity: Error,
        why: "the body was written for another API, or a member of another block was kept",
        fix: "write each block as its kind has it",
        confidence: Documented,
        phase: Phase::Schema,
        checked: Here,
    },
    Rule {
        id: "B-026",
        title: "what a guardrail put in place of a reply is a reply",
        says: "",
        status: 400,
        severity: Warning,
        why: "a body does not show where a text comes from, and sending it again is fine",
        fix: "nothing",
        confidence: Documented,
        phase: Phase::Model,
        checked: Never,
    },
    Rule {
        id: "B-027",
        title: "calls of the service's own tools go back with their results, to a family that has \
                them",
        says: "This model doesn't support the toolUse.type field. Remove toolUse.type and try \
               again.",
        status: 400,
        severity: Error,
        why: "the calls are another provider's or another family's",
        fix: "say what was called in a note",
        confidence: Documented,
        phase: Phase::Model,
        checked: Here,
    },
    Rule {
        id: "B-028",
        title: "a thought goes back to the account that it was thought for",
        says: "",
        status: 400,
        severity: Warning,
        why: "it is dropped without a word, and a body does not show the account",
        fix: "keep the issuer of a thought",
        confidence: Documented,
        phase: Phase::Signature,
        checked: Never,
    },
    Rule {
        id: "B-029",
        title: "calls are the last blocks of a Claude reply",
        says: "The model returned the following errors: This model does not support assistant \
               message prefill. The conversation must end with a user message.",
        status: 400,
        severity: Error,
        why: "the model wrote a text behind its call, or two replies were put into one; the \
              answer speaks of another thing",
        fix: "put the texts before the first call",
        confidence: Proven,
        phase: Phase::FinalThinking,
        checked: Here,
    },
];

/// The rule of this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    crate::rule::find(RULES, id)
}
