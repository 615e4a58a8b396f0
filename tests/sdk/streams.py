"""Lets the official clients for Python read the streams and bodies that `steno stream` writes.

    streams.py FOLDER

Each reply lies there twice, as `NAME.API.sse` and `NAME.API.json`. A server on this machine sends
them, the client of the API reads both, and what the stream came to has to be what the body says:
the same text, thoughts with their signatures, calls with their arguments, and stop reason. Before
that the judge is judged: a stream with a delta left out has to fail. Closes with "N passed, N
failed".
"""

import http.server
import json
import sys
import threading
from pathlib import Path

import anthropic
import openai

APIS = ("anthropic_messages", "openai_chat")


class Server(http.server.BaseHTTPRequestHandler):
    """Answers every request with what lies ready."""

    answer = b""
    kind = ""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("content-type", Server.kind)
        self.send_header("content-length", str(len(Server.answer)))
        self.end_headers()
        self.wfile.write(Server.answer)

    def log_message(self, *_: object) -> None:
        pass


def ready(answer: bytes, kind: str) -> None:
    Server.answer, Server.kind = answer, kind


ASK = [{"role": "user", "content": "hi"}]


def of_anthropic(url: str, stream: bytes, body: bytes) -> tuple[object, object]:
    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
    ready(stream, "text/event-stream")
    with client.messages.stream(model="m", max_tokens=9, messages=ASK) as events:
        streamed = events.get_final_message()
    ready(body, "application/json")
    whole = client.messages.create(model="m", max_tokens=9, messages=ASK)
    return said_by_anthropic(streamed), said_by_anthropic(whole)


def said_by_anthropic(message: anthropic.types.Message) -> object:
    blocks = [block.to_dict() for block in message.content]
    return [blocks, message.stop_reason, message.model, message.usage.output_tokens]


def of_openai(url: str, stream: bytes, body: bytes) -> tuple[object, object]:
    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
    ready(stream, "text/event-stream")
    with client.chat.completions.stream(model="m", messages=ASK) as events:
        streamed = events.get_final_completion()
    ready(body, "application/json")
    whole = client.chat.completions.create(model="m", messages=ASK)
    return said_by_openai(streamed), said_by_openai(whole)


def said_by_openai(completion: openai.types.chat.ChatCompletion) -> object:
    choice = completion.choices[0]
    calls = [
        [call.id, call.type, call.function.name, call.function.arguments]
        for call in choice.message.tool_calls or []
    ]
    usage = completion.usage and completion.usage.completion_tokens
    said = choice.message.content or None
    return [said, choice.message.refusal, calls, choice.finish_reason, completion.model, usage]


READERS = {"anthropic_messages": of_anthropic, "openai_chat": of_openai}


def fault(url: str, api: str, stream: bytes, body: bytes) -> str | None:
    try:
        streamed, whole = READERS[api](url, stream, body)
    except Exception as error:  # Whatever the client cannot read is a fault of ours.
        return f"{type(error).__name__}: {error}"
    if streamed != whole:
        return f"the stream says {json.dumps(streamed)[:600]}\n  the body {json.dumps(whole)[:600]}"
    return None


def without_a_delta(stream: bytes) -> bytes:
    """The stream without its first delta that says something."""
    frames = stream.split(b"\n\n")
    for at, frame in enumerate(frames):
        is_said = b'"content":"' in frame and b'"content":""' not in frame
        if b"content_block_delta" in frame or is_said:
            return b"\n\n".join(frames[:at] + frames[at + 1 :])
    return stream


def main() -> int:
    folder = Path(sys.argv[1])
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    passed, failed, judged = 0, 0, set()
    for path in sorted(folder.glob("*.sse")):
        api = next(api for api in APIS if path.name.endswith(f".{api}.sse"))
        stream, body = path.read_bytes(), path.with_suffix(".json").read_bytes()
        why = fault(url, api, stream, body)
        if why is None:
            passed += 1
            torn = without_a_delta(stream)
            if torn != stream and fault(url, api, torn, body) is not None:
                judged.add(api)
        else:
            failed += 1
            print(f"{path.name}: {why}")
    for api in APIS:
        if api not in judged:
            failed += 1
            print(f"{api}: a stream with a delta left out is not told from a whole one")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
