//! The rules a request body can break, as one table.
//!
//! A template in [`Rule::says`] has places in braces (`{path}`, `{id}`) that a finding fills in.

use crate::finding::Severity;
pub use crate::rule::{Checked, Confidence, Phase, Rule};
use Checked::{Here, Never, Under};
use Confidence::{Documented, Inferred, Observed, Proven};
use Phase::{FinalThinking, Media, Model, Pairing, Parse, Roles, Schema, Signature};
use Severity::{Error, Warning};

/// The rule of this id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    crate::rule::find(RULES, id)
}

/// What holds, and what is answered where it does not.
struct Holds(&'static str, &'static str);

/// Why it is broken, and what to send instead.
struct Mends(&'static str, &'static str);

const fn row(
    id: &'static str,
    (severity, confidence, phase): (Severity, Confidence, Phase),
    Holds(title, says): Holds,
    Mends(why, fix): Mends,
) -> Rule {
    Rule { id, title, says, status: 400, severity, why, fix, confidence, phase, checked: Here }
}

/// A rule that a body alone does not show, or shows as another one's case.
const fn unseen(
    id: &'static str,
    checked: Checked,
    phase: Phase,
    Holds(title, says): Holds,
    Mends(why, fix): Mends,
) -> Rule {
    let row = row(id, (Error, Documented, phase), Holds(title, says), Mends(why, fix));
    Rule { checked, ..row }
}

/// Every rule, by id.
pub static RULES: &[Rule] = &[
    row(
        "C-010",
        (Error, Documented, Schema),
        Holds(
            "a tool's name is of letters, digits, `_` and `-`, 64 of them at most",
            "Invalid '{path}': string does not match pattern. Expected a string that matches the \
             pattern '^[a-zA-Z0-9_-]+$'.",
        ),
        Mends("a name of another provider's", "rename it in the definition and in history alike"),
    ),
    row(
        "C-017",
        (Error, Observed, Media),
        Holds(
            "an image is an address, or data of a type that is taken",
            "Invalid '{path}'. Expected a valid URL, but got a value with an invalid format.",
        ),
        Mends(
            "a placeholder stands for the image, or its type is another",
            "a text says which \
            image was left out",
        ),
    ),
    row(
        "C-018",
        (Error, Inferred, Model),
        Holds(
            "images go to a model that sees",
            "Invalid content type. image_url is only supported by certain models.",
        ),
        Mends("the history went to another model", "a text says that an image was left out"),
    ),
    row(
        "C-026",
        (Warning, Inferred, Schema),
        Holds(
            "`tool_choice` and `parallel_tool_calls` stand beside tools",
            "Invalid value for '{path}': '{path}' is only allowed when 'tools' are specified.",
        ),
        Mends("the tools were taken out and the choice was not", "leave it out"),
    ),
    row(
        "C-027",
        (Error, Observed, Schema),
        Holds(
            "there are 128 tools at most",
            "Invalid 'tools': array too long. Expected an array with maximum length 128, but got \
             an array with length {len} instead.",
        ),
        Mends("many servers offer tools", "send those that are needed"),
    ),
    row(
        "C-034",
        (Warning, Documented, Model),
        Holds(
            "a model that reasons is not told how to sample",
            "Unsupported parameter: '{path}' is not supported with this model.",
        ),
        Mends("the parameters of another model", "leave it out"),
    ),
    row(
        "G-10",
        (Error, Proven, Parse),
        Holds(
            "the body is JSON in which every text is Unicode without NUL",
            "We could not parse the JSON body of your request. ({what} at byte {at})",
        ),
        Mends("text cut inside of a character, or binary output", "write U+FFFD instead"),
    ),
    row(
        "G-12",
        (Warning, Inferred, Roles),
        Holds("a reply says something", "Invalid '{path}': empty string."),
        Mends("a reply of which nothing is left", "leave it out"),
    ),
    row(
        "K-035",
        (Error, Documented, Schema),
        Holds("a function has parameters", "Missing required parameter: '{path}'."),
        Mends("a tool without arguments", "an object without properties"),
    ),
    row(
        "R-001",
        (Error, Proven, Pairing),
        Holds("every call has an output", "No tool output found for {kind} {id}."),
        Mends(
            "an interrupted run, or a cut between call and output",
            "say what is known of the call in an output directly after it",
        ),
    ),
    row(
        "R-002",
        (Error, Proven, Pairing),
        Holds(
            "every output has its call before it",
            "No tool call found for {kind} with call_id {id}.",
        ),
        Mends(
            "a cut between call and output",
            "tell the output as a labelled text on the user's side",
        ),
    ),
    row(
        "R-003",
        (Error, Observed, Pairing),
        Holds(
            "an output is of its call's kind",
            "No tool call found for {kind} with call_id {id}.",
        ),
        Mends("a tool changed its kind", "write both halves in one kind"),
    ),
    unseen(
        "R-004",
        Under("R-002"),
        Pairing,
        Holds("an output comes after its call", ""),
        Mends("results were written before their calls", "outputs in call order, behind the calls"),
    ),
    row(
        "R-005",
        (Warning, Inferred, Pairing),
        Holds("a call has one output", "Duplicate output for call_id {id}."),
        Mends("a retried run was stored twice", "tell the second as a text on the user's side"),
    ),
    unseen(
        "R-006",
        Never,
        Pairing,
        Holds("a call with `async` may be answered in a later request", ""),
        Mends("it is a permission", "leave it unanswered while it runs"),
    ),
    unseen(
        "R-007",
        Under("R-002"),
        Pairing,
        Holds("a reference to a call is not the call", ""),
        Mends("calls were replaced by references", "write the call"),
    ),
    row(
        "R-008",
        (Warning, Observed, Pairing),
        Holds(
            "a call of a tool that was found in a namespace names it",
            "Missing namespace for function_call '{name}'. Round-trip the model's function_call \
             item with its namespace field included.",
        ),
        Mends("the member was not stored", "send the call with its `namespace`"),
    ),
    row(
        "R-009",
        (Warning, Inferred, Pairing),
        Holds(
            "a request for approval has its response",
            "No response found for mcp_approval_request {id}.",
        ),
        Mends("nobody answered it", "answer it, or leave it out"),
    ),
    row(
        "R-010",
        (Error, Documented, Pairing),
        Holds("a program goes back whole", "Missing required parameter: '{path}'."),
        Mends("its fingerprint was not stored", "send it as it came, or nothing of it"),
    ),
    row(
        "R-020",
        (Error, Proven, FinalThinking),
        Holds(
            "a thought is followed by the item it produced",
            "Item '{id}' of type 'reasoning' was provided without its required following item.",
        ),
        Mends(
            "a reply was cut, or its items lost their ids",
            "leave the thought out, or name all items of the reply",
        ),
    ),
    row(
        "R-021",
        (Warning, Proven, FinalThinking),
        Holds(
            "an item that was thought of goes with its thought",
            "Item '{id}' of type '{kind}' was provided without its required 'reasoning' item.",
        ),
        Mends("thoughts were left out and ids were not", "send the item without its id"),
    ),
    unseen(
        "R-022",
        Under("R-020"),
        FinalThinking,
        Holds("items of a reply keep their order", ""),
        Mends("items were regrouped by kind", "the order in which they came"),
    ),
    row(
        "R-023",
        (Error, Proven, Schema),
        Holds("a thought has a summary", "Missing required parameter: '{path}'."),
        Mends("an empty array was left out", "`summary: []`"),
    ),
    row(
        "R-024",
        (Error, Proven, Schema),
        Holds(
            "a thought has no plain text",
            "Invalid '{path}': array too long. Expected an array with maximum length 0, but got \
             an array with length {len} instead.",
        ),
        Mends("it came from a server of open weights", "leave `content` out"),
    ),
    row(
        "R-025",
        (Error, Proven, Signature),
        Holds(
            "where nothing is stored nothing is named by its id alone",
            "Item with id '{id}' not found. Items are not persisted when `store` is set to false. \
             Try again with `store` set to true, or remove this item from your input.",
        ),
        Mends("a history of stored items is sent without `store`", "send items, thoughts sealed"),
    ),
    unseen(
        "R-026",
        Never,
        Schema,
        Holds("items may go without their ids", ""),
        Mends("it is a permission", "leave ids out"),
    ),
    row(
        "R-027",
        (Error, Proven, Signature),
        Holds(
            "what is sealed is as its issuer sealed it",
            "The encrypted content {start} could not be verified. Reason: Encrypted content could \
             not be decrypted or parsed.",
        ),
        Mends(
            "another account's, or taken before it was whole; a body shows only that it is empty",
            "leave the thought out",
        ),
    ),
    unseen(
        "R-028",
        Never,
        Signature,
        Holds("sealed content is taken from the finished item", ""),
        Mends("it was taken from the first event", "take it from `response.output_item.done`"),
    ),
    row(
        "R-029",
        (Error, Inferred, Model),
        Holds(
            "thoughts go to a model that reasons",
            "Reasoning input items can only be provided to a reasoning or computer use model. \
             Remove reasoning items from your input and try again.",
        ),
        Mends("the model was switched", "leave thoughts out"),
    ),
    unseen(
        "R-030",
        Under("R-021"),
        FinalThinking,
        Holds("another model of the family wants thoughts beside named items as well", ""),
        Mends("the model was switched", "leave thoughts and ids out"),
    ),
    row(
        "R-031",
        (Error, Proven, Schema),
        Holds(
            "an item's id begins as its type's do",
            "Invalid '{path}': '{id}'. Expected an ID that begins with '{prefix}'.",
        ),
        Mends("an id of ours, or another item's", "leave the id out"),
    ),
    row(
        "R-032",
        (Error, Proven, Schema),
        Holds(
            "an item's id is of 1 to 64 letters, digits, `_` and `-`",
            "Invalid '{path}': '{id}'. Expected an ID that contains letters, numbers, \
             underscores, or dashes, but this value contained additional characters.",
        ),
        Mends("an id of ours, or a gateway's", "leave the id out"),
    ),
    row(
        "R-033",
        (Error, Proven, Schema),
        Holds(
            "a call's id has 1 to 64 characters",
            "Invalid '{path}': string too long. Expected a string with maximum length 64, but got \
             a string with length {len} instead.",
        ),
        Mends(
            "an id of another provider's, or one the server itself made",
            "a hash of it, in both \
            halves",
        ),
    ),
    row(
        "R-034",
        (Error, Proven, Schema),
        Holds(
            "no two items have one id",
            "Duplicate item found with id {id}. Remove duplicate items from your input and try \
             again.",
        ),
        Mends("a reply was stored twice", "leave the id out"),
    ),
    row(
        "R-035",
        (Error, Documented, Schema),
        Holds(
            "parts are `output_text` and `refusal` in a reply, and `input_*` elsewhere",
            "Invalid value: '{kind}'. Supported values are: {known}.",
        ),
        Mends("one writer for all roles", "the parts of the role"),
    ),
    row(
        "R-036",
        (Error, Documented, Schema),
        Holds("a part of text has its text", "Missing required parameter: '{path}'."),
        Mends("an empty part", "leave the part out"),
    ),
    row(
        "R-037",
        (Error, Documented, Schema),
        Holds(
            "what a call was given is a string",
            "Invalid type for '{path}': expected a string, but got {actual} instead.",
        ),
        Mends("arguments were parsed", "the text the model wrote"),
    ),
    row(
        "R-038",
        (Error, Documented, Schema),
        Holds(
            "an output is a string, or parts of `input_text`, `input_image` and `input_file`",
            "Invalid type for '{path}': expected one of a string or an array of objects, but got \
             {actual} instead.",
        ),
        Mends("an output was stored as a value", "the text the model was given"),
    ),
    row(
        "R-039",
        (Error, Documented, Schema),
        Holds(
            "an item is of a type and a role that exist",
            "Invalid value: '{kind}'. Supported values are: {known}.",
        ),
        Mends("a harness's own entry", "leave it out, or tell it as a text"),
    ),
    row(
        "R-040",
        (Error, Observed, Schema),
        Holds("an item has no members but its type's", "Unknown parameter: '{path}'."),
        Mends("members of output, or of a harness's", "leave them out"),
    ),
    unseen(
        "R-041",
        Never,
        Schema,
        Holds("a reply's words keep their `phase`", ""),
        Mends("nothing is refused: the next reply is worse", "send it to OpenAI"),
    ),
    row(
        "R-042",
        (Error, Inferred, Schema),
        Holds(
            "at least 16 output tokens are asked for",
            "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, \
             but got {value} instead.",
        ),
        Mends("a probe for the cache", "16"),
    ),
    row(
        "R-043",
        (Error, Inferred, Schema),
        Holds(
            "there is some input",
            "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must \
             be provided.",
        ),
        Mends("an empty history", "do not send it"),
    ),
    unseen(
        "R-044",
        Never,
        Model,
        Holds("the input fits into the model's context", ""),
        Mends("a body does not show its tokens", "compact the conversation"),
    ),
    row(
        "R-045",
        (Warning, Inferred, Schema),
        Holds("a message says that it is one", "Missing required parameter: '{path}'."),
        Mends(
            "the short form of a message; Azure AI Foundry wants the long one",
            "`type: message`",
        ),
    ),
    row(
        "R-046",
        (Error, Documented, Schema),
        Holds(
            "one of `previous_response_id` and `conversation`",
            "Mutually exclusive parameters: 'previous_response_id' and 'conversation'.",
        ),
        Mends("two ways to go on", "send one, or the whole input"),
    ),
    unseen(
        "R-047",
        Never,
        Pairing,
        Holds(
            "instructions are sent again, and open calls of the response before are answered",
            "",
        ),
        Mends("what the response before left open is not in the body", "send the whole input"),
    ),
    row(
        "R-048",
        (Error, Documented, Schema),
        Holds("a compaction is sealed", "Missing required parameter: '{path}'."),
        Mends("its content was not stored", "the turns it stands for"),
    ),
    row(
        "R-049",
        (Error, Documented, Roles),
        Holds(
            "a trigger of compaction is last, and context is managed where that is offered",
            "Invalid '{path}'.",
        ),
        Mends("something was added behind it; Azure manages no context", "last, or not at all"),
    ),
    unseen(
        "R-050",
        Never,
        Signature,
        Holds("a thought goes back under its own prefix", ""),
        Mends("nothing is refused: the newest models leave it out in silence", "only append"),
    ),
    unseen(
        "R-051",
        Never,
        Signature,
        Holds("earlier turns' thoughts may not be rendered", ""),
        Mends("nothing is refused", "send them all the same"),
    ),
    row(
        "R-052",
        (Warning, Observed, Model),
        Holds(
            "tools and parameters change in the conversation only where the model takes that",
            "Invalid value: '{kind}'.",
        ),
        Mends("the history went to a newer model", "tools and parameters of the request"),
    ),
    unseen(
        "R-053",
        Never,
        Model,
        Holds("no item takes a tool away", ""),
        Mends("there is no such item", "a developer message"),
    ),
    unseen(
        "R-054",
        Never,
        Roles,
        Holds("a running response is steered by user messages", ""),
        Mends("that is another connection", "a boundary"),
    ),
    row(
        "R-055",
        (Error, Observed, Schema),
        Holds(
            "the backend of Codex stores nothing, streams, and is instructed",
            "Unsupported parameter: {path}",
        ),
        Mends("a body for the API", "`store: false`, `stream: true`, `instructions`"),
    ),
    row(
        "R-056",
        (Error, Observed, Schema),
        Holds(
            "a cache key has 64 characters at most",
            "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length \
             64, but got a string with length {len} instead.",
        ),
        Mends("a path or two ids in one", "a hash of it"),
    ),
];
