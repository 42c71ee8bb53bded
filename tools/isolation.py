"""Compiling text that nobody vouches for: in a child process, with limits, watched from here.

MLIR's parser and passes were written for input of MLIR's own making; other input can abort the
process, overflow its stack or keep it busy for ever.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from typing import IO

from agir.config import config
from agir.ir.building import bindings
from agir.tools.diagnosis import Diagnostic, SourceLocation, UsageError, diagnose
from agir.tools.jobs import Emit, Event, Job, perform, transform

GIGABYTE = 1 << 30

# Threads reserve address space, which is limited; nothing is imported from the working folder.
_ENVIRONMENT = {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1", "PYTHONSAFEPATH": "1"}


@dataclasses.dataclass(frozen=True)
class Limits:
    """How long a child may take, in seconds, and how much memory, in bytes."""

    seconds: float = 60.0
    memory: int = 4 * GIGABYTE


def run(job: Job, content: bytes, name: str, stage: str, limits: Limits, emit: Emit) -> None:
    """Perform the job on the text of a stage in a child; its death becomes an event, too."""
    request = {
        "job": dataclasses.asdict(job),
        "content": base64.b64encode(content).decode(),
        "name": name,
        "stage": stage,
        "limits": dataclasses.asdict(limits),
    }
    doing = "starting"
    with tempfile.TemporaryFile() as complaints:
        output, status = _converse(json.dumps(request).encode(), limits, complaints)
        for line in output.splitlines():
            try:
                event: Event = json.loads(line)
            except ValueError:  # cut off by the child's death
                break
            doing = event["doing"] if event["event"] == "at" else doing
            emit(event)
        if status != 0:
            emit(failure(_death(status, doing, limits, complaints), name))


def failure(message: str | Diagnostic, name: str = "") -> Event:
    """The event of an error."""
    told = (
        Diagnostic(message, SourceLocation(name) if name else None)
        if isinstance(message, str)
        else message
    )
    return {"event": "error", **told.as_json()}


def _converse(request: bytes, limits: Limits, complaints: IO[bytes]) -> tuple[bytes, int | None]:
    """The child's answer, as far as it came, and its exit status; None if it took too long."""
    child = subprocess.Popen(
        [sys.executable, "-m", "agir.tools.isolation"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env={**os.environ, **_ENVIRONMENT, "AGIR_PLUGINS": config.plugins},
    )
    try:
        output, _ = child.communicate(request, timeout=limits.seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        output, _ = child.communicate()
        return output, None
    finally:
        child.kill()
    return output, child.returncode


def _death(status: int | None, doing: str, limits: Limits, complaints: IO[bytes]) -> str:
    if status is None or status == -signal.SIGXCPU:
        return f"gave up after {limits.seconds:g} s while {doing} (--timeout SECONDS allows more)"
    complaints.seek(0)
    said = [line for line in complaints.read().decode(errors="replace").splitlines() if line]
    if any("bad_alloc" in line or "out of memory" in line for line in said):
        limit = f"{limits.memory / GIGABYTE:g} GiB (--memory GIB allows more)"
        return f"needs more than {limit} while {doing}"
    fatal = [line for line in said if line.startswith("LLVM ERROR: ") or "Assertion" in line]
    reason = f": {fatal[-1].removeprefix('LLVM ERROR: ')}" if fatal else ""
    name = signal.Signals(-status).name if status < 0 else f"exit status {status}"
    who = "" if doing.startswith("running") else "the compiler "
    return f"{who}crashed ({name}) while {doing}{reason}"


# --- in the child ------------------------------------------------------------------------


def _child() -> None:
    """Read one request from standard input and write events to standard output."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what native code prints is not part of the answer

    def emit(event: Event) -> None:
        channel.write(json.dumps(event) + "\n")
        channel.flush()

    request = json.loads(sys.stdin.buffer.read())
    restrict(Limits(**request["limits"]))
    bindings.context().enable_multithreading(False)
    answer(request, emit)
    os._exit(0)  # what was compiled may have damaged what an orderly exit visits


def answer(request: Event, emit: Emit) -> None:
    """Perform the job of a request; an exception becomes an event."""
    from agir.tools.programs import Parsed

    name = request["name"]
    try:
        emit({"event": "at", "doing": "parsing"})
        job, stage = Job(**request["job"]), request["stage"]
        content = base64.b64decode(request["content"])
        if job.alone:
            return transform(job, content, stage, emit)
        program = Parsed(content, stage)
        with contextlib.redirect_stdout(_Printed(emit)), contextlib.redirect_stderr(_Printed(emit)):
            perform(job, program, emit)
    except UsageError as error:
        emit({"event": "usage", "message": str(error)})
    except MemoryError:
        emit(failure("ran out of memory (--memory GIB allows more)", name))
    except Exception as error:
        told = diagnose(error, name)
        if told.place is None:
            told = dataclasses.replace(told, place=SourceLocation(name))
        emit({**failure(told), "traceback": traceback.format_exc()})


class _Printed(io.TextIOBase):
    """What the program prints: an event for each text."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit

    def write(self, text: str) -> int:
        """Report the text."""
        self._emit({"event": "printed", "text": text})
        return len(text)


def restrict(limits: Limits) -> None:
    """Limit what this process may use from now on."""
    import resource

    seconds = int(limits.seconds) + 1
    wanted = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: _address_space() + limits.memory,
    }
    for what, limit in wanted.items():
        with contextlib.suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(what, (limit, resource.getrlimit(what)[1]))


def _address_space() -> int:
    """Bytes of address space that this process has reserved."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return GIGABYTE


if __name__ == "__main__":
    _child()
