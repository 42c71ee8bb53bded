"""Answers requests about many damaged files, each in a process of its own, and prints how it went.

``agir.tools.isolation`` starts Python anew for every file; to get through many, this imports the
compiler once and forks.
"""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import sys
import time
from pathlib import Path

from agir.ir.building import bindings
from agir.tools.isolation import Limits, answer, restrict


def serve(request: dict[str, object], channel: int) -> None:
    """In the fork: answer one request."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    restrict(Limits(seconds=10))
    bindings.context().enable_multithreading(False)
    with os.fdopen(channel, "w") as out:
        answer(request, lambda event: print(json.dumps(event), file=out, flush=True))
    os._exit(0)


def listen(channel: int, seconds: float) -> bytes | None:
    """What the fork says until it ends; None if that takes too long."""
    said = b""
    until = time.monotonic() + seconds
    while select.select([channel], [], [], max(until - time.monotonic(), 0))[0]:
        part = os.read(channel, 1 << 20)
        if not part:
            return said
        said += part
    return None


def outcome(path: Path, stage: str) -> dict[str, object]:
    """What became of one file."""
    content = base64.b64encode(path.read_bytes()).decode()
    job = {"stages": ["object"], "passes": "changed"}
    request = {"job": job, "content": content, "name": path.name, "stage": stage}
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            serve(request, writing)
        finally:
            os._exit(99)
    os.close(writing)
    said = listen(reading, 20)
    os.close(reading)
    if said is None:
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    events = [json.loads(line) for line in (said or b"").splitlines()]
    last = events[-1] if events else {}
    return {
        "file": path.name,
        "late": said is None,
        "status": os.waitstatus_to_exitcode(status),
        "error": last.get("message"),
        "traceback": last.get("traceback", ""),
        "last": last.get("event"),
        "doing": [e["doing"] for e in events if e["event"] == "at"][-1:],
    }


if __name__ == "__main__":
    bindings.ir, bindings.passmanager, bindings.execution_engine, bindings.llvm  # noqa: B018
    for name in sorted(Path(sys.argv[1]).iterdir()):
        print(json.dumps(outcome(name, name.suffixes[0][1:])), flush=True)
