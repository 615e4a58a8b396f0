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
import google.genai
import openai

APIS = ("anthropic_messages", "openai_chat", "openai_responses", "gemini")


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


def of_responses(url: str, stream: bytes, body: bytes) -> tuple[object, object]:
    client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
    ready(stream, "text/event-stream")
    # The last event holds the whole reply: what came in pieces is put together here.
    pieces: dict[str, str] = {}
    with client.responses.stream(model="m", input="hi") as events:
        for event in events:
            if event.type.endswith(".delta"):
                part = getattr(event, "content_index", getattr(event, "summary_index", 0))
                at = f"{event.output_index} {part} {DELTAS[event.type]}"
                pieces[at] = pieces.get(at, "") + event.delta
        streamed = events.get_final_response()
    ready(body, "application/json")
    whole = client.responses.create(model="m", input="hi")
    return [said_by_responses(streamed), pieces], [said_by_responses(whole), pieces_of(whole)]


DELTAS = {
    "response.output_text.delta": "text",
    "response.refusal.delta": "refusal",
    "response.reasoning_text.delta": "thought",
    "response.reasoning_summary_text.delta": "thought",
    "response.function_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
}


def said_by_responses(response: openai.types.responses.Response) -> object:
    items = [without_nothing(item.to_dict()) for item in response.output]
    usage = response.usage and response.usage.output_tokens
    return [items, response.status, response.model, usage]


def without_nothing(value: object) -> object:
    """A value without the members that a client adds to say that there are none."""
    if isinstance(value, dict):
        own = {"parsed", "parsed_arguments"}
        kept = {k: v for k, v in value.items() if v is not None and k not in own}
        return {k: without_nothing(v) for k, v in kept.items()}
    return [without_nothing(item) for item in value] if isinstance(value, list) else value


def pieces_of(response: openai.types.responses.Response) -> dict[str, str]:
    """What the items of a reply say, as deltas would."""
    pieces = {}
    for index, item in enumerate(response.output):
        parts = getattr(item, "content", None) or getattr(item, "summary", None) or []
        for nth, part in enumerate(parts):
            kind = {"output_text": "text", "refusal": "refusal"}.get(part.type, "thought")
            text = getattr(part, "text", None) or getattr(part, "refusal", "")
            pieces[f"{index} {nth} {kind}"] = text
        for name in ("arguments", "input"):
            if isinstance(getattr(item, name, None), str):
                pieces[f"{index} 0 {name}"] = getattr(item, name)
    return {at: text for at, text in pieces.items() if text}


def of_gemini(url: str, stream: bytes, body: bytes) -> tuple[object, object]:
    options = google.genai.types.HttpOptions(base_url=url)
    client = google.genai.Client(api_key="none", http_options=options)
    ready(stream, "text/event-stream")
    chunks = list(client.models.generate_content_stream(model="m", contents="hi"))
    ready(body, "application/json")
    whole = client.models.generate_content(model="m", contents="hi")
    return said_by_gemini(chunks), said_by_gemini([whole])


def said_by_gemini(chunks: list[google.genai.types.GenerateContentResponse]) -> object:
    parts: list[dict] = []
    for chunk in chunks:
        for candidate in chunk.candidates or []:
            for part in (candidate.content and candidate.content.parts) or []:
                part = part.model_dump(exclude_none=True)
                goes_on = parts and {*part, *parts[-1]} <= {"text", "thought"}
                if goes_on and part.get("thought") == parts[-1].get("thought"):
                    parts[-1]["text"] += part["text"]
                else:
                    parts.append(part)
    last = chunks[-1]
    ended = last.candidates and last.candidates[0].finish_reason
    usage = last.usage_metadata and last.usage_metadata.candidates_token_count
    return [[str(part) for part in parts], str(ended), last.model_version, usage]


READERS = {
    "anthropic_messages": of_anthropic,
    "openai_chat": of_openai,
    "openai_responses": of_responses,
    "gemini": of_gemini,
}


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
        is_part = b'"parts":[{"text":"' in frame
        if b"content_block_delta" in frame or b".delta\n" in frame or is_said or is_part:
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
