"""What a job gave, for reading and for programs."""

from __future__ import annotations

import base64
import os
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import IO, Any

import agir
from agir.backends.reporting import model
from agir.backends.stages import STAGES, find
from agir.tools import filtering
from agir.tools.diagnosis import Diagnostic
from agir.tools.filtering import Pattern
from agir.tools.jobs import Event

_COMMENTS = {".mlir": "//", ".dot": "//", ".ll": ";", ".py": "#", ".s": "#"}


@dataclass
class Report:
    """Everything that a job gave, collected from its events."""

    program: str
    stages: dict[str, str | bytes] = field(default_factory=dict)
    passes: list[Event] = field(default_factory=list)
    function: str | None = None
    arguments: list[str] = field(default_factory=list)
    run: Event | None = None
    explanation: Event | None = None
    validations: list[Event] = field(default_factory=list)
    proofs: list[Event] = field(default_factory=list)
    error: Event | None = None
    usage: str = ""
    files: list[str] = field(default_factory=list)
    histogram: dict[str, Counter[str]] = field(default_factory=dict)
    """How many operations of each name the stages have."""
    page: model.Report = field(init=False)
    """What ``--html`` shows."""

    def __post_init__(self) -> None:
        self.page = model.Report(os.path.basename(self.program))

    def collect(self, event: Event) -> None:
        """Take in one event."""
        kind = event.pop("event")
        if kind == "stage":
            text, code = event.get("text"), event.get("base64", "")
            self.stages[event["name"]] = base64.b64decode(code) if text is None else text
        elif kind == "pass":
            self.passes.append(event)
        elif kind == "traced":
            self.function, self.arguments = event["name"], event["types"]
            self.page.arguments, self.page.tracing = event["types"], event["seconds"]
        elif kind == "run":
            self.run = event
        elif kind == "explain":
            self.explanation = event
        elif kind == "report":
            self.page.take(model.unpacked(event))
        elif kind == "validated":
            self.validations.append(event)
        elif kind == "proved":
            self.proofs.append(event)
        elif kind == "printed":  # by the user's program, which is not part of the answer
            sys.stderr.write(event["text"])
        elif kind == "error":
            self.error = event
        elif kind == "usage":
            self.usage = event["message"]

    def keep(
        self, passes: Pattern | None, functions: Pattern | None, operations: Pattern | None
    ) -> None:
        """Leave out the passes, functions and operations whose names do not match."""
        if passes:
            self.passes = [each for each in self.passes if passes.search(each["name"])]
        for pattern, part in ((functions, filtering.functions), (operations, filtering.operations)):
            if pattern is None:
                continue
            for name, content in self.stages.items():
                if isinstance(content, str):
                    self.stages[name] = part(content, STAGES[name].extension, pattern)
            for each in self.passes:
                if each["text"] is not None:
                    each["text"] = part(each["text"], STAGES[each["stage"]].extension, pattern)

    def count(self) -> None:
        """Have numbers of operations in the place of the stages."""
        for name, content in self.stages.items():
            extension = STAGES[name].extension
            if isinstance(content, str) and (found := filtering.counted(content, extension)):
                self.histogram[name] = found
        self.stages = {}

    @property
    def has_findings(self) -> bool:
        """Whether a pass has changed what a call gives."""
        shown = (each["counterexample"] for each in self.proofs)
        return any(each["finding"] for each in self.validations) or any(shown)

    def as_json(self) -> dict[str, Any]:
        """The report as ``--json`` prints it."""
        error = self.error and {k: v for k, v in self.error.items() if k != "traceback"}
        return {
            "agir": agir.__version__,
            "program": self.program,
            "function": self.function,
            "arguments": self.arguments,
            "stages": [_stage_as_json(*item) for item in self.stages.items()],
            "operations": {name: dict(counts) for name, counts in self.histogram.items()},
            "passes": self.passes,
            "explanation": self.explanation and self.explanation["data"],
            "validations": self.validations,
            "proofs": self.proofs,
            "run": self.run,
            "files": self.files,
            "error": error,
        }


def _stage_as_json(name: str, content: str | bytes) -> dict[str, str]:
    record = {"name": name, "extension": STAGES[name].extension}
    if isinstance(content, bytes):
        return {**record, "base64": base64.b64encode(content).decode()}
    return {**record, "text": content}


class Style:
    """Colour, where the reader is a person at a terminal."""

    def __init__(self, stream: IO[str] | None) -> None:
        terminal = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
        wanted = terminal or (stream is not None and os.environ.get("FORCE_COLOR"))
        self._on = bool(wanted) and not os.environ.get("NO_COLOR")

    def bold(self, text: str) -> str:
        """A heading."""
        return self._with("1", text)

    def red(self, text: str) -> str:
        """An error."""
        return self._with("1;31", text)

    def green(self, text: str) -> str:
        """A pointer to something."""
        return self._with("1;32", text)

    def _with(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._on else text


def in_words(error: Diagnostic, style: Style) -> str:
    """An error as compilers print it: its place, what is wrong, and the line."""
    place = style.bold(f"{error.place or 'agir-dump'}:")
    lines = [f"{place} {style.red('error:')} {error.message}"]
    source = error.source()
    lines += [*source[:1], *map(style.green, source[1:]), *error.notes]
    return "\n".join(lines)


def heading(stage: str, text: str, style: Style) -> str:
    """A line that separates texts, as a comment in the language of the stage."""
    comment = _COMMENTS.get(find(stage).extension, "//")
    return style.bold(f"{comment} ----- {text} -----")


def passes_text(report: Report, style: Style) -> list[str]:
    """The text after each pass under a heading."""
    parts = []
    for number, each in numbered(report.passes):
        if each["text"] is not None:
            sizes = f"{each['operations_before']} -> {each['operations_after']} operations"
            what = f"{each['stage']} {number}: {each['name']} ({sizes})"
            parts.append(heading(each["stage"], what, style) + "\n" + each["text"])
    return parts


def numbered(passes: list[Event]) -> list[tuple[int, Event]]:
    """The passes, each with its number within its stage."""
    counts: dict[str, int] = {}
    found = []
    for each in passes:
        if each["name"]:
            counts[each["stage"]] = counts.get(each["stage"], 0) + 1
            found.append((counts[each["stage"]], each))
    return found


def stages_text(report: Report, style: Style) -> list[str]:
    """The stages; under headings, where there are several."""
    several = len(report.stages) > 1
    parts = []
    for name, content in report.stages.items():
        if isinstance(content, bytes):
            content = f"// {len(content)} bytes, which --to DIR writes to a file\n"
        head = heading(name, f"{name}: {find(name).summary}", style) + "\n" if several else ""
        parts.append(head + content)
    return parts


def timing_table(passes: list[Event], style: Style) -> str:
    """What each stage and each of its passes took, and the operations before and after it."""
    rows = [("stage", "pass", "seconds", "before", "after")]
    seen: set[str] = set()
    for each in passes:
        if each["name"] and each["stage"] not in seen:
            seen.add(each["stage"])
            own = [other["seconds"] for other in passes if other["stage"] == each["stage"]]
            rows.append((each["stage"], f"{len(own)} passes", f"{sum(own):.6f}", "", ""))
        sizes = [each["operations_before"], each["operations_after"]]
        counts = ["" if n is None else str(n) for n in sizes]
        rows.append((each["stage"], _shortened(each["name"]), f"{each['seconds']:.6f}", *counts))
    total = sum(each["seconds"] for each in passes)
    rows.append(("total", "", f"{total:.6f}", "", ""))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        left = [text.ljust(n) for text, n in zip(row[:2], widths[:2], strict=True)]
        right = [text.rjust(n) for text, n in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join(left + right).rstrip())
    return "\n".join([style.bold(lines[0]), *lines[1:]]) + "\n"


def _shortened(name: str) -> str:
    """A pass without its options."""
    return name.partition("{")[0]


def run_text(run: Event) -> str:
    """What a call gave, and what it changed."""
    changed = [f"{name} is now {value}" for name, value in run["changed"].items()]
    return "".join(line + "\n" for line in [*run["results"], *changed])
