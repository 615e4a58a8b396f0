"""Judges request bodies by the parameter types of the providers' official SDKs for Python.

    judge.py FOLDER

Every `*.json` there is validated by what its name ends with: `.openai.chat.json` and
`.azure.chat.json` against OpenAI's `CompletionCreateParamsNonStreaming`, `.responses.json` against
its `ResponseCreateParams`, `.mistral.chat.json` against Mistral's `ChatCompletionRequest`,
`.gemini.json` against the types of Google's Gen AI SDK that its `generateContent` sends,
`.converse.json` against the service model of Bedrock Converse in AWS's SDK, and the patterns that
model has; `.atif.json` is no request but a trajectory, which the models of `atif` judge;
`.beta.json` and all others against Anthropic's `MessageCreateParams`. Other vendors of Chat
Completions have no types of their own, so
their bodies are not judged here. The SDK's types allow keys they do not name, check lists lazily
and take Python objects besides JSON; here a key they do not name is an error at every level, lists
are lists, and only JSON is taken. Before that the judge is judged: bodies with a known fault have
to fail, and it ends with an error if one passes.
"""

import datetime
import importlib.metadata
import json
import os
import re
import sys
import types
import typing
from pathlib import Path

import anthropic
import atif
import google.genai
import botocore
import botocore.model
import botocore.session
import botocore.validate
import mistralai.client
import openai
import pydantic
import typing_extensions
from anthropic.types import message_create_params as plain
from anthropic.types.beta import message_create_params as beta
from google.genai import types as genai
from mistralai.client.models import ChatCompletionRequestTypedDict
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.responses import response_create_params as responses

# Keys the API documents and these SDK types lack: (name of the type, key).
MISSING_IN_SDK: set[tuple[str, str]] = {
    # Sampling, which models before Claude 5 take and the types no longer name.
    (name, key)
    for name in ("MessageCreateParamsNonStreaming", "MessageCreateParamsStreaming")
    for key in ("temperature", "top_p", "top_k")
}

# Members that these SDK types ask for and the API does not: its own harness sends items without.
OPTIONAL: set[tuple[str, str]] = {
    # A thought that is sealed.
    ("ResponseReasoningItemParam", "id"),
    # A search whose id nobody stored.
    ("ResponseFunctionWebSearchParam", "id"),
    # A reply in parts, as the backend of Codex is sent it.
    ("ResponseOutputMessageParam", "id"),
    ("ResponseOutputMessageParam", "status"),
}

ERRORS_SHOWN = 3
FILES_SHOWN = 20


# What a file, a date and the model of a response become: nothing that JSON can hold.
NOT_JSON = object()


def is_json(kind: object) -> bool:
    if isinstance(kind, type) and issubclass(kind, (pydantic.BaseModel, os.PathLike, datetime.date)):
        return False
    return typing.get_origin(kind) not in (os.PathLike, typing.IO)


def strict(kind: object, known: dict[object, object]) -> object:
    """The same type with unknown keys forbidden, lists checked, and nothing but JSON in it."""
    if typing_extensions.is_typeddict(kind):
        if kind not in known:
            known[kind] = strict_object(kind, known)
        return known[kind]
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Annotated, typing.Required, typing_extensions.Required):
        return strict(arguments[0], known)
    if origin in (typing.Union, types.UnionType):
        inside = [strict(one, known) for one in arguments]
        inside = [one for one in inside if one is not NOT_JSON]
        return typing.Union[tuple(inside)] if inside else NOT_JSON
    if origin in (list, *LISTS):
        return list[strict(arguments[0], known)]
    if origin is dict:
        return dict[strict(arguments[0], known), strict(arguments[1], known)]
    if not is_json(kind):
        return NOT_JSON
    return typing.Any if kind is object else kind


LISTS = [typing.get_origin(kind) for kind in (typing.Iterable[int], typing.Sequence[int])]


def strict_object(kind: type, known: dict[object, object]) -> object:
    known[kind] = typing.Any  # A type inside itself is not looked into.
    members = {}
    for key, hint in typing_extensions.get_type_hints(kind, include_extras=True).items():
        # Not `__required_keys__`: it does not see through annotations that are strings.
        required = typing.get_origin(hint) in (typing.Required, typing_extensions.Required)
        required = required and (kind.__name__, key) not in OPTIONAL
        inside = strict(hint, known)
        members[key] = inside if required else typing_extensions.NotRequired[inside]
    for name, key in MISSING_IN_SDK:
        if name == kind.__name__:
            members[key] = typing_extensions.NotRequired[typing.Any]
    made = typing_extensions.TypedDict(kind.__name__, members)
    made.__pydantic_config__ = pydantic.ConfigDict(extra="forbid", strict=True)
    return made


def judge_of(params: type) -> pydantic.TypeAdapter:
    return pydantic.TypeAdapter(strict(params, {}))


class Converse:
    """Judges bodies of Bedrock Converse; their model stands in the address."""

    def __init__(self) -> None:
        service = botocore.session.Session().get_service_model("bedrock-runtime")
        self.shape = service.operation_model("Converse").input_shape

    def faults(self, body: bytes) -> list[str]:
        try:
            params = json.loads(body)
        except ValueError as error:
            return [str(error)]
        params = {"modelId": "m", **params}
        report = botocore.validate.ParamValidator().validate(params, self.shape)
        found = report.generate_report().splitlines() if report.has_errors() else []
        return found + list(self.patterns(params, self.shape, ""))

    def patterns(self, value: object, shape: botocore.model.Shape, at: str) -> typing.Iterator[str]:
        """What the service checks and the SDK leaves to it: patterns and words of a list."""
        if shape.type_name == "structure" and isinstance(value, dict):
            for key, inner in shape.members.items():
                if key in value:
                    yield from self.patterns(value[key], inner, f"{at}.{key}")
        elif shape.type_name == "list" and isinstance(value, list):
            for index, one in enumerate(value):
                yield from self.patterns(one, shape.member, f"{at}.{index}")
        elif shape.type_name == "string" and isinstance(value, str):
            pattern = shape.metadata.get("pattern")
            if pattern and not re.fullmatch(pattern, value):
                yield f"{at}: {value!r} is not of {pattern}"
            words = shape.metadata.get("enum")
            if words and value not in words:
                yield f"{at}: {value!r} is none of {words}"
            if len(value) > shape.metadata.get("max", len(value)):
                yield f"{at}: longer than {shape.metadata['max']}"


class GenerateContentRequest(pydantic.BaseModel):
    """The body that the SDK sends: it has types for its members, and none for the whole."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=False)

    contents: typing.Annotated[list[genai.Content], pydantic.Field(min_length=1)]
    systemInstruction: genai.Content | None = None
    tools: list[genai.Tool] | None = None
    toolConfig: genai.ToolConfig | None = None
    generationConfig: genai.GenerationConfig | None = None
    safetySettings: list[genai.SafetySetting] | None = None


PLAIN, BETA, OPENAI, MISTRAL, ATIF = "anthropic", "anthropic beta", "openai", "mistral", "atif"
GEMINI = "gemini"
RESPONSES = "openai responses"
CONVERSE = "bedrock"
JUDGES = {
    PLAIN: judge_of(plain.MessageCreateParams),
    BETA: judge_of(beta.MessageCreateParams),
    OPENAI: judge_of(CompletionCreateParamsNonStreaming),
    MISTRAL: judge_of(ChatCompletionRequestTypedDict),
    # Its models forbid unknown keys themselves.
    ATIF: pydantic.TypeAdapter(atif.Trajectory),
    GEMINI: pydantic.TypeAdapter(GenerateContentRequest),
    RESPONSES: judge_of(responses.ResponseCreateParams),
    CONVERSE: Converse(),
}
ENDINGS = [
    (".openai.chat.json", OPENAI),
    (".azure.chat.json", OPENAI),
    (".mistral.chat.json", MISTRAL),
    (".chat.json", None),
    (".atif.json", ATIF),
    (".gemini.json", GEMINI),
    (".responses.json", RESPONSES),
    (".converse.json", CONVERSE),
    (".beta.json", BETA),
    (".json", PLAIN),
]


def judge_for(name: str) -> str | None:
    return next(judge for ending, judge in ENDINGS if name.endswith(ending))


def faults(body: bytes, judge: str) -> list[str]:
    """What is wrong with a body; of the members of a union, only those that it says it is."""
    if judge == CONVERSE:
        return JUDGES[judge].faults(body)
    try:
        JUDGES[judge].validate_json(body)
    except pydantic.ValidationError as error:
        found = error.errors()
        others = [one["loc"][:-1] for one in found if one["loc"][-1:] in (("type",), ("role",))]
        own = [one for one in found if not any(one["loc"][: len(o)] == o for o in others)]
        own = sorted(own or found, key=lambda one: -len(one["loc"]))
        return [f"{place(one['loc'])}: {one['msg']}" for one in own]
    return []


def place(steps: tuple[object, ...]) -> str:
    """A place in the body, without the names of the types that were tried there."""
    return ".".join(str(step) for step in steps if not isinstance(step, str) or step.islower())


def body(content: str, more: str = "") -> bytes:
    """A small request whose one reply has this content."""
    head = '{"model":"claude-opus-4-8","max_tokens":64'
    user = '{"role":"user","content":[{"type":"text","text":"hi"}]}'
    reply = '{"role":"assistant","content":[' + content + "]}"
    return f'{head}{more},"messages":[{user},{reply}]}}'.encode()


RIGHT = [
    body('{"type":"text","text":"a"}'),
    body('{"type":"thinking","thinking":"a","signature":"b"}'),
    body('{"type":"tool_use","id":"a","name":"b","input":{"c":[1]}}', ',"thinking":{"type":"adaptive"}'),
]
WRONG = {
    "an unknown key of a block": body('{"type":"text","text":"a","mood":"b"}'),
    "a thought without its signature": body('{"type":"thinking","thinking":"a"}'),
    "a number for a text": body('{"type":"text","text":1}'),
    "an input that is a string": body('{"type":"tool_use","id":"a","name":"b","input":"{}"}'),
    "an unknown block": body('{"type":"reasoning","text":"a"}'),
    "an unknown parameter": body('{"type":"text","text":"a"}', ',"mood":"b"'),
    "an unknown key inside a parameter": body("", ',"thinking":{"type":"adaptive","mood":1}'),
    "an unknown key inside a result": body(
        '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"a","b":1}]}'
    ),
    "an image without a type": body(
        '{"type":"tool_result","tool_use_id":"a","content":[{"type":"image","source":{"type":"base64","data":"aa"}}]}'
    ),
    "no JSON": b"{",
}


def chat(message: str, more: str = "") -> bytes:
    """A small request of Chat Completions with this message."""
    user = '{"role":"user","content":"hi"}'
    return f'{{"model":"m"{more},"messages":[{user},{message}]}}'.encode()


CALL = '{"id":"abcdefghi","type":"function","function":{"name":"a","arguments":"{}"}}'
RIGHT_CHAT = [
    chat('{"role":"assistant","content":"a"}'),
    chat('{"role":"assistant","content":"","tool_calls":[' + CALL + "]}"),
    chat('{"role":"tool","tool_call_id":"abcdefghi","content":"a"}'),
    chat('{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}'),
    chat('{"role":"user","content":"a"}', ',"tool_choice":"none","max_tokens":9'),
]
WRONG_CHAT = {
    "an unknown key of a message": chat('{"role":"user","content":"a","mood":1}'),
    "a key of another vendor's": chat('{"role":"assistant","content":"a","reasoning_details":[]}'),
    "an unknown role": chat('{"role":"runtime","content":"a"}'),
    "an unknown part": chat('{"role":"user","content":[{"type":"image","source":{}}]}'),
    "an unknown parameter": chat('{"role":"user","content":"a"}', ',"mood":1'),
    "a number for a text": chat('{"role":"user","content":1}'),
    "no JSON": b"{",
}


def trajectory(step: str) -> bytes:
    """A small trajectory of a prompt and this step."""
    agent = '"agent":{"name":"a","version":"1"}'
    user = '{"step_id":1,"source":"user","message":"hi"}'
    return f'{{"schema_version":"ATIF-v1.7",{agent},"steps":[{user},{step}]}}'.encode()


DONE = '"tool_calls":[{"tool_call_id":"a","function_name":"b","arguments":{}}],"observation"'
RIGHT_ATIF = [
    trajectory('{"step_id":2,"source":"agent","message":"a","extra":{"b":1}}'),
    trajectory(f'{{"step_id":2,"source":"agent","message":"",{DONE}:{{"results":[{{"source_call_id":"a","content":"c"}}]}}}}'),
]
WRONG_ATIF = {
    "an unknown key of a step": trajectory('{"step_id":2,"source":"agent","message":"a","mood":1}'),
    "a gap between steps": trajectory('{"step_id":3,"source":"agent","message":"a"}'),
    "a thought of a person": trajectory('{"step_id":2,"source":"user","message":"a","reasoning_content":"b"}'),
    "a result of another step": trajectory(
        f'{{"step_id":2,"source":"agent","message":"",{DONE}:{{"results":[{{"source_call_id":"z","content":"c"}}]}}}}'
    ),
    "no JSON": b"{",
}


def contents(part: str, more: str = "", role: str = "model") -> bytes:
    """A small request of Gemini with this part."""
    user = '{"role":"user","parts":[{"text":"hi"}]}'
    return f'{{"contents":[{user},{{"role":"{role}","parts":[{part}]}}]{more}}}'.encode()


FUNCTION = '{"functionCall":{"id":"a","name":"b","args":{"c":[1]}},"thoughtSignature":"'
RIGHT_GEMINI = [
    contents('{"text":"a","thought":true,"thoughtSignature":"c2ln"}'),
    contents(FUNCTION + 'c2ln"}'),
    contents(FUNCTION + 'skip_thought_signature_validator"}'),
    contents('{"functionResponse":{"name":"b","response":{"output":"a"}}}', role="user"),
    contents('{"text":"a"}', ',"generationConfig":{"thinkingConfig":{"includeThoughts":true}}'),
    contents('{"text":"a"}', ',"tools":[{"functionDeclarations":[{"name":"a","parametersJsonSchema":{}}]}]'),
]
WRONG_GEMINI = {
    "an unknown key of a part": contents('{"text":"a","mood":"b"}'),
    "an unknown key of a call": contents('{"functionCall":{"name":"b","mood":1}}'),
    "arguments that are a string": contents('{"functionCall":{"name":"b","args":"{}"}}'),
    "a response that is a string": contents('{"functionResponse":{"name":"b","response":"a"}}'),
    "a signature that is no base64": contents('{"text":"a","thoughtSignature":"a b"}'),
    "an unknown parameter": contents('{"text":"a"}', ',"mood":1'),
    "an unknown key inside a parameter": contents('{"text":"a"}', ',"generationConfig":{"mood":1}'),
    "a part of another API": contents('{"type":"text","text":"a"}'),
    "a number for a text": contents('{"text":{}}'),
    "no contents": b'{"contents":[]}',
    "no JSON": b"{",
}
def item(one: str, more: str = "") -> bytes:
    """A small request of Responses with this item."""
    user = '{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}'
    return f'{{"model":"m","store":false{more},"input":[{user},{one}]}}'.encode()


THOUGHT = '{"type":"reasoning","summary":[{"type":"summary_text","text":"a"}],"encrypted_content":"b"'
RIGHT_ITEMS = [
    item('{"type":"message","role":"assistant","content":"a","phase":"commentary"}'),
    item(THOUGHT + "}"),
    item('{"type":"function_call","call_id":"a","name":"b","arguments":"{}","namespace":"c"}'),
    item('{"type":"custom_tool_call_output","call_id":"a","output":[{"type":"input_text","text":"b"}]}'),
    item('{"type":"message","role":"user","content":"a"}', ',"include":["reasoning.encrypted_content"]'),
]
WRONG_ITEMS = {
    "an unknown key of an item": item(THOUGHT + ',"mood":1}'),
    "a thought without a summary": item('{"type":"reasoning","id":"rs_1","encrypted_content":"b"}'),
    "arguments that are an object": item(
        '{"type":"function_call","call_id":"a","name":"b","arguments":{}}'
    ),
    "a part of a reply in a result": item(
        '{"type":"function_call_output","call_id":"a","output":[{"type":"output_text","text":"b"}]}'
    ),
    "an unknown item": item('{"type":"ghost_snapshot"}'),
    "an unknown parameter": item('{"type":"message","role":"user","content":"a"}', ',"mood":1'),
    "a tool in a function": item(
        '{"type":"message","role":"user","content":"a"}',
        ',"tools":[{"type":"function","function":{"name":"a","parameters":{}}}]',
    ),
    "no JSON": b"{",
}


def converse(block: str, role: str = "assistant", more: str = "") -> bytes:
    """A small request of Bedrock Converse with a message of this block."""
    user = '{"role":"user","content":[{"text":"hi"}]}'
    message = f'{{"role":"{role}","content":[{block}]}}'
    return f'{{"messages":[{user},{message}]{more}}}'.encode()


USE = '{"toolUse":{"toolUseId":"a","name":"b","input":{"c":[1]}}}'
TOOLS = ',"toolConfig":{"tools":[{"toolSpec":{"name":"b","inputSchema":{"json":{"type":"object"}}}}]}'
RIGHT_CONVERSE = [
    converse('{"text":"a"},' + USE, "assistant", TOOLS),
    converse('{"reasoningContent":{"reasoningText":{"text":"a","signature":"b"}}},{"text":"a"}'),
    converse('{"reasoningContent":{"redactedContent":"YQ=="}},{"text":"a"}'),
    converse('{"toolResult":{"toolUseId":"a","content":[{"text":"a"}],"status":"error"}}', "user"),
    converse('{"text":"a"},{"cachePoint":{"type":"default"}}', "user"),
]
WRONG_CONVERSE = {
    "an unknown block": converse('{"type":"text","text":"a"}'),
    "two members of a block": converse('{"text":"a","cachePoint":{"type":"default"}}'),
    "an unknown key inside a block": converse('{"toolUse":{"toolUseId":"a","name":"b","input":{},"mood":1}}'),
    "an id of other signs": converse('{"toolUse":{"toolUseId":"a|b","name":"b","input":{}}}'),
    "an id that is too long": converse('{"toolUse":{"toolUseId":"' + "a" * 65 + '","name":"b","input":{}}}'),
    "a result without content": converse('{"toolResult":{"toolUseId":"a"}}', "user"),
    "an unknown role": converse('{"text":"a"}', "tool"),
    "an unknown status": converse('{"toolResult":{"toolUseId":"a","content":[],"status":"odd"}}', "user"),
    "no tools": converse('{"text":"a"}', "user", ',"toolConfig":{"tools":[]}'),
    "an unknown parameter": converse('{"text":"a"}', "user", ',"max_tokens":9'),
    "a number for a text": converse('{"text":1}'),
    "no JSON": b"{",
}
KNOWN = {
    ATIF: (RIGHT_ATIF, WRONG_ATIF),
    GEMINI: (RIGHT_GEMINI, WRONG_GEMINI),
    PLAIN: (RIGHT, WRONG),
    BETA: (RIGHT, WRONG),
    OPENAI: (RIGHT_CHAT, WRONG_CHAT),
    MISTRAL: (RIGHT_CHAT, WRONG_CHAT),
    RESPONSES: (RIGHT_ITEMS, WRONG_ITEMS),
    CONVERSE: (RIGHT_CONVERSE, WRONG_CONVERSE),
}


def judge_the_judge() -> None:
    for judge, (right, wrong) in KNOWN.items():
        for one in right:
            if found := faults(one, judge):
                sys.exit(f"the judge for {judge} refuses a right body: {found[0]}")
        for what, one in wrong.items():
            if not faults(one, judge):
                sys.exit(f"the judge for {judge} passes {what}")


def main(folder: Path) -> int:
    judge_the_judge()
    judged = [(file, judge_for(file.name)) for file in sorted(folder.glob("*.json"))]
    files = [(file, judge) for file, judge in judged if judge]
    failed = 0
    for file, judge in files:
        found = faults(file.read_bytes(), judge)
        failed += bool(found)
        if found and failed <= FILES_SHOWN:
            print(f"{file.name}:", *found[:ERRORS_SHOWN], sep="\n  ")
    versions = {
        "anthropic": (anthropic.__version__, (PLAIN, BETA)),
        "openai": (openai.__version__, (OPENAI,)),
        "openai, responses": (openai.__version__, (RESPONSES,)),
        "mistralai": (mistralai.client.__version__, (MISTRAL,)),
        "atif": (importlib.metadata.version("atif"), (ATIF,)),
        "google-genai": (google.genai.__version__, (GEMINI,)),
        "botocore": (botocore.__version__, (CONVERSE,)),
    }
    for name, (version, judges) in versions.items():
        count = sum(judge in judges for _, judge in files)
        print(f"{name} {version}: {count} bodies, {len(KNOWN[judges[0]][1])} known faults found")
        if not count:
            sys.exit(f"there are no bodies for {name}")
    print(f"{len(judged) - len(files)} bodies for vendors without types of their own")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
