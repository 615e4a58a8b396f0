"""Small conversations in which something went wrong, and conversations in steps.

Each is a document of the neutral history format. A text holds markers, `@@N7-2@@`: what becomes of
one shows what becomes of the text around it. Markers of thoughts begin with `@@T`.
"""

import itertools

TOOLS = [
    {
        "name": name,
        "description": f"The tool {name}.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    }
    for name in ("read", "write")
]
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


class Maker:
    """Makes the blocks of one case; each text has a marker of its own."""

    def __init__(self, number):
        self.number, self.next = number, itertools.count(1)

    def mark(self, kind="N"):
        return f"@@{kind}{self.number}-{next(self.next)}@@"

    def text(self, words="some words"):
        return {"type": "text", "text": f"{words} {self.mark()}"}

    def thought(self, **more):
        return {"type": "reasoning", "text": f"I think {self.mark('T')}", **more}

    def call(self, id, name="read", **more):
        use = {"type": "tool_use", "id": id, "name": name, "input": {"path": self.mark()}}
        if more:
            del use["input"]
        return {**use, **more}

    def result(self, id, name="read", content=None, is_error=False):
        content = [self.text("result")] if content is None else content
        block = {"type": "tool_result", "call_id": id, "name": name, "is_error": is_error, "content": content}
        return {"kind": "msg", "role": "tool", "blocks": [block]}

    def user(self, *blocks):
        return {"kind": "msg", "role": "user", "blocks": list(blocks) or [self.text()]}

    def reply(self, *blocks, stop="end_turn", **more):
        source = {"provider": "anthropic", "api": "anthropic-messages", "model": "claude-sonnet-4-5"}
        return {"kind": "msg", "role": "assistant", **source, "stop": stop, "blocks": list(blocks), **more}

    def system(self):
        return {"kind": "msg", "role": "system", "blocks": [self.text("from now on")]}


def document(name, records, tools=TOOLS):
    header = {"kind": "header", "v": 1, "name": name, "system": "You keep a garden.", "tools": tools, "expect": ""}
    return {"header": header, "records": records}


OPENAI = {"provider": "openai", "api": "openai-responses", "model": "gpt-5"}


def _image(media_type, data=PIXEL):
    return {"type": "image", "media_type": media_type, "data": data}


# name: what it is made of
CASES = {
    "a call without a result": lambda m: [
        m.user(), m.reply(m.call("c1"), stop="tool_use"), m.user()],
    "one of two calls answered": lambda m: [
        m.user(), m.reply(m.call("c1"), m.call("c2"), stop="tool_use"), m.result("c1"), m.user()],
    "a result after the next user message": lambda m: [
        m.user(), m.reply(m.call("c1"), stop="tool_use"), m.user(), m.result("c1"), m.user()],
    "a user message between two results": lambda m: [
        m.user(), m.reply(m.call("c1"), m.call("c2"), stop="tool_use"), m.result("c1"), m.user(), m.result("c2"),
        m.user()],
    "a result without its call": lambda m: [m.user(), m.result("gone"), m.user()],
    "two results for one call": lambda m: [
        m.user(), m.reply(m.call("c1"), stop="tool_use"), m.result("c1"), m.result("c1"), m.user()],
    "one id for two calls": lambda m: [
        m.user(), m.reply(m.call("c1"), stop="tool_use"), m.result("c1"), m.reply(m.call("c1"), stop="tool_use"),
        m.result("c1"), m.user()],
    "ids of another provider": lambda m: [
        m.user(), m.reply(m.call("fc.1|rs/" + "a" * 70), stop="tool_use"), m.result("fc.1|rs/" + "a" * 70), m.user()],
    "a tool's name with a dot": lambda m: [
        m.user(), m.reply(m.call("c1", "mcp.read"), stop="tool_use"), m.result("c1", "mcp.read"), m.user()],
    "arguments that were cut": lambda m: [
        m.user(), m.reply(m.call("c1", input_raw='{"path": "' + m.mark()), stop="max_tokens"), m.user()],
    "arguments that are a list": lambda m: [
        m.user(), m.reply(m.call("c1", input=[m.mark()]), stop="tool_use"), m.result("c1"), m.user()],
    "an empty text": lambda m: [
        m.user(), m.reply(m.text()), m.user({"type": "text", "text": ""}, m.text())],
    "an empty reply": lambda m: [m.user(), m.reply(), m.user()],
    "a blank message": lambda m: [m.user(), m.reply(m.text()), m.user({"type": "text", "text": " \n"}), m.user()],
    "a finished session": lambda m: [m.user(), m.reply(m.text())],
    "a thought without a signature": lambda m: [m.user(), m.reply(m.thought(), m.text()), m.user()],
    "a thought of another provider": lambda m: [
        m.user(), m.reply(m.thought(id="rs_1", encrypted="gAAAA"), m.text(), **OPENAI), m.user()],
    "a thought alone, cut": lambda m: [m.user(), m.reply(m.thought(), stop="aborted"), m.user()],
    "a turn that was aborted in a call": lambda m: [
        m.user(), m.reply(m.text(), m.call("c1"), stop="aborted"), m.user()],
    "an image of another type": lambda m: [m.user(m.text(), _image("image/jpeg"))],
    "an image that is none": lambda m: [m.user(m.text(), _image("image/png", "bm90IGFuIGltYWdl"))],
    "an image in a failed result": lambda m: [
        m.user(), m.reply(m.call("c1"), stop="tool_use"),
        m.result("c1", content=[m.text(), _image("image/png")], is_error=True), m.user()],
    "a result without content": lambda m: [
        m.user(), m.reply(m.call("c1"), stop="tool_use"), m.result("c1", content=[]), m.user()],
    "a system message in the middle": lambda m: [m.user(), m.reply(m.text()), m.system(), m.user()],
    "half a surrogate pair": lambda m: [m.user(m.text("cut \ud83d")), m.reply(m.text()), m.user()],
}


def _round(m, id):
    return [m.reply(m.call(id), stop="tool_use"), m.result(id)]


def _tool_rounds(m):
    first = [m.user()]
    rounds = [_round(m, f"c{n}") for n in range(5)]
    return [first + sum(rounds[:n], []) for n in range(6)]


def _turns(m):
    turns = [[m.user(), m.reply(m.text())] for _ in range(4)]
    return [sum(turns[:n], []) + turns[n][:1] for n in range(4)]


def _late(m):
    call = [m.user(), m.reply(m.call("c1"), stop="tool_use"), m.user()]
    return [call, call + [m.reply(m.text()), m.result("c1"), m.user()]]


def _system(m):
    turn = [m.user(), m.reply(m.text()), m.user()]
    return [turn, turn + [m.reply(m.text()), m.system(), m.user()]]


def _compaction(m):
    old = sum(([m.user(), m.reply(m.text())] for _ in range(6)), [])
    last = [m.user(), m.reply(m.text())]
    return [old + last + [m.user()], [m.user(m.text("Summary of earlier work:"))] + last + [m.user()]]


# name: the steps, each with all records so far
STEPS = {
    "turns": _turns,
    "tool rounds": _tool_rounds,
    "a late result": _late,
    "a system message": _system,
    "a changed tool": lambda m: [[turn := m.user()], [turn, m.reply(m.text()), m.user()]],
    "a compaction": _compaction,
}


def cases():
    """Every case: its name and its document."""
    for number, (name, records) in enumerate(CASES.items(), 1):
        yield name, document(name, records(Maker(number)))


def steps():
    """Every step: its conversation, its number and its document."""
    for number, (name, make) in enumerate(STEPS.items(), 1):
        for step, records in enumerate(make(Maker(number)), 1):
            tools = TOOLS
            if name == "a changed tool" and step > 1:
                tools = TOOLS + [{**TOOLS[0], "name": "search"}]
            yield name, step, document(name, records, tools)
