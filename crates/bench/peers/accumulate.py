#!/usr/bin/env python3
"""Measures `assemble` beside the official clients' own accumulators, and prints a table.

usage: accumulate.py BUILT FOLDER [RUNS]

BUILT is the folder of `contestant` and `steno`. FOLDER holds streams as `NAME.API.sse`, as `steno stream --as API` writes them. Each client reads
them from memory, with no network between, and so does `contestant`; `steno` is a process that is
started for each, and reads a file. Clients of Python come from `tests/requirements.txt`; those of Node, where `NODE_PATH` names
a folder that has `@anthropic-ai/sdk` and `openai`, from `accumulate.mjs`.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import anthropic
import google.genai
import httpx2 as httpx
import openai


def answering(stream: bytes) -> httpx.Client:
    headers = {"content-type": "text/event-stream"}
    answer = lambda _: httpx.Response(200, headers=headers, content=stream)  # noqa: E731
    return httpx.Client(transport=httpx.MockTransport(answer))


ASK = [{"role": "user", "content": "hi"}]


def of_anthropic(stream: bytes) -> object:
    client = anthropic.Anthropic(api_key="none", http_client=answering(stream))
    with client.messages.stream(model="m", max_tokens=9, messages=ASK) as events:
        return events.get_final_message()


def of_chat(stream: bytes) -> object:
    client = openai.OpenAI(api_key="none", http_client=answering(stream))
    with client.chat.completions.stream(model="m", messages=ASK) as events:
        return events.get_final_completion()


def of_responses(stream: bytes) -> object:
    client = openai.OpenAI(api_key="none", http_client=answering(stream))
    with client.responses.stream(model="m", input="hi") as events:
        return events.get_final_response()


def of_gemini(stream: bytes) -> object:
    # It has no accumulator: every chunk is read.
    options = google.genai.types.HttpOptions(httpx_client=answering(stream))
    client = google.genai.Client(api_key="none", http_options=options)
    return list(client.models.generate_content_stream(model="m", contents="hi"))


PYTHON = {
    "anthropic_messages": of_anthropic,
    "openai_chat": of_chat,
    "openai_responses": of_responses,
    "gemini": of_gemini,
}
NODE = ("anthropic_messages", "openai_chat", "openai_responses")


def least(runs: int, what) -> float:
    """Milliseconds of the shortest run."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        what()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def node(path: Path, api: str, runs: int) -> float | None:
    if api not in NODE or "NODE_PATH" not in os.environ:
        return None
    script = Path(__file__).with_suffix(".mjs")
    done = subprocess.run(["node", script, api, path, str(runs)], capture_output=True, check=True)
    return json.loads(done.stdout)["ms"]


def main() -> int:
    built, folder = Path(sys.argv[1]), Path(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    print("| stream | bytes | here | Python | Node | `steno`, its start included |\n|---|---|---|---|---|---|")
    for path in sorted(folder.glob("*.sse")):
        api = next((api for api in PYTHON if path.name.endswith(f".{api}.sse")), None)
        if api is None:
            continue
        stream = path.read_bytes()
        command = [built / "contestant", "accumulate", path, api, str(runs * 5)]
        done = subprocess.run(command, capture_output=True, check=True)
        ours = json.loads(done.stdout)["min_ms"]
        command = [built / "steno", "--quiet", "assemble", path, "--dialect", api, "-o", os.devnull]
        process = least(runs, lambda: subprocess.run(command, check=True, stderr=subprocess.DEVNULL))
        theirs = least(runs, lambda: PYTHON[api](stream))
        nodes = node(path, api, runs)
        beside = lambda ms: "" if ms is None else f"{ms:.1f} ms ({ms / ours:.0f} times)"  # noqa: E731
        cells = [path.name, len(stream), f"{ours:.2f} ms", beside(theirs), beside(nodes)]
        print("| " + " | ".join(map(str, [*cells, f"{process:.1f} ms"])) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
