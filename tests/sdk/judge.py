"""Judges request bodies by the parameter types of the official Anthropic SDK for Python.

    judge.py FOLDER

Every `*.json` there is validated against `MessageCreateParamsNonStreaming`, of the beta API where
the name ends with `.beta.json`. The SDK's types allow keys they do not name, check lists lazily
and take Python objects besides JSON; here a key they do not name is an error at every level, lists
are lists, and only JSON is taken. Before that the judge is judged: bodies with a known fault have
to fail, and it ends with an error if one passes.
"""

import datetime
import os
import sys
import types
import typing
from pathlib import Path

import anthropic
import pydantic
import typing_extensions
from anthropic.types import message_create_params as plain
from anthropic.types.beta import message_create_params as beta

# Keys the API documents and these SDK types lack: (name of the type, key).
NEWER_THAN_SDK: set[tuple[str, str]] = set()

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
        inside = strict(hint, known)
        members[key] = inside if required else typing_extensions.NotRequired[inside]
    for name, key in NEWER_THAN_SDK:
        if name == kind.__name__:
            members[key] = typing_extensions.NotRequired[typing.Any]
    made = typing_extensions.TypedDict(kind.__name__, members)
    made.__pydantic_config__ = pydantic.ConfigDict(extra="forbid", strict=True)
    return made


def judge_of(params: type) -> pydantic.TypeAdapter:
    return pydantic.TypeAdapter(strict(params, {}))


JUDGES = {
    False: judge_of(plain.MessageCreateParamsNonStreaming),
    True: judge_of(beta.MessageCreateParamsNonStreaming),
}


def faults(body: bytes, is_beta: bool) -> list[str]:
    """What is wrong with a body; of the members of a union, only those that it says it is."""
    try:
        JUDGES[is_beta].validate_json(body)
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


def judge_the_judge() -> None:
    for is_beta in (False, True):
        for right in RIGHT:
            if found := faults(right, is_beta):
                sys.exit(f"the judge refuses a right body: {found[0]}")
        for what, wrong in WRONG.items():
            if not faults(wrong, is_beta):
                sys.exit(f"the judge passes {what}")


def main(folder: Path) -> int:
    judge_the_judge()
    files = sorted(folder.glob("*.json"))
    failed = 0
    for file in files:
        found = faults(file.read_bytes(), file.name.endswith(".beta.json"))
        failed += bool(found)
        if found and failed <= FILES_SHOWN:
            print(f"{file.name}:", *found[:ERRORS_SHOWN], sep="\n  ")
    print(f"anthropic {anthropic.__version__}: {len(files)} bodies, {len(WRONG)} known faults found")
    if not files:
        sys.exit("there are no bodies")
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
