"""Where a report goes: standard output, a file, a folder of numbered files, a drawing."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

from agir.backends.stages import find
from agir.runtime.dumping import file_name
from agir.tools import filtering
from agir.tools.diagnosis import UsageError
from agir.tools.report import (
    Report,
    Style,
    numbered,
    passes_text,
    run_text,
    stages_text,
    timing_table,
)

DRAWINGS = {"dot": "optimized_hlo_dot", "cfg": "llvm_cfg"}
"""The stages that are drawn, by the options that ask for it."""


class OutputError(Exception):
    """A file cannot be written, or a tool is missing."""


def deliver(report: Report, options: Namespace, shown: tuple[str, ...]) -> None:
    """Write everything that was asked for to where it was asked for."""
    for option, stage in DRAWINGS.items():
        path = getattr(options, option)
        if path and stage in report.stages:
            draw(str(report.stages[stage]), Path(path))
            report.files.append(path)
    report.stages = {name: each for name, each in report.stages.items() if name in shown}
    report.keep(options.only_passes, options.only_functions, options.only_operations)
    if options.histogram:
        report.count()
    if options.html:
        _write(Path(options.html), report.page.html().encode())
        report.files.append(options.html)
    if options.to:
        report.files += write_files(report, Path(options.to))
    write(rendered(report, options), options.output)


def write(content: bytes, output: str | None) -> None:
    """Write to a file, or to standard output."""
    if output and output != "-":
        _write(Path(output), content)
    elif content:
        _print(content)


def rendered(report: Report, options: Namespace) -> bytes:
    """What goes to standard output, or to the file that stands for it."""
    if options.json:
        return (json.dumps(report.as_json(), indent=2) + "\n").encode()
    to_stdout = options.output in (None, "-")
    style = Style(sys.stdout if to_stdout else None)
    stages = list(report.stages.values())
    more = (
        options.passes
        or options.timing
        or options.run
        or options.explain
        or options.validate
        or options.prove
    )
    alone = len(stages) == 1 and not more
    if alone and isinstance(stages[0], bytes) and not options.to:
        if to_stdout and sys.stdout.isatty():
            raise UsageError("this stage is binary: -o FILE or --to DIR writes it to a file")
        return stages[0]
    parts = [] if options.to else passes_text(report, style) + stages_text(report, style)
    parts += [f"{path}\n" for path in report.files if options.to]
    if report.histogram:
        parts.append(filtering.table(report.histogram))
    if options.timing and report.passes:
        parts.append(timing_table(report.passes, style))
    if report.explanation:
        parts.append(report.explanation["text"])
    parts += [each["text"] for each in (*report.validations, *report.proofs)]
    if report.run:
        parts.append(run_text(report.run))
    return "".join(part if part.endswith("\n") else part + "\n" for part in parts).encode()


def write_files(report: Report, folder: Path) -> list[str]:
    """Write the stages and passes to numbered files, and give their paths."""
    files: dict[str, str | bytes] = {}
    for name, content in report.stages.items():
        files[file_name(find(name))] = content
    for number, each in numbered(report.passes):
        if each["text"] is not None:
            stage = Path(file_name(find(each["stage"])))
            name = re.sub(r"[^\w-]+", "_", each["name"].partition("{")[0])
            files[f"{stage.stem}.{number:02}.{name}{stage.suffix}"] = each["text"]
    for name in sorted(files):
        content = files[name]
        _write(folder / name, content if isinstance(content, bytes) else content.encode())
    return [str(folder / name) for name in sorted(files)]


def draw(graph: str, path: Path) -> None:
    """Write a graph as DOT text, or drawn by Graphviz in the format that the suffix names."""
    if path.suffix in (".dot", ".gv"):
        return _write(path, graph.encode())
    program = shutil.which("dot")
    if program is None:
        raise OutputError(
            f"{path.suffix or path.name} needs Graphviz's program dot, which is not installed "
            "(apt install graphviz, brew install graphviz); --dot FILE.dot writes the graph as text"
        )
    kind = path.suffix.removeprefix(".") or "svg"
    done = subprocess.run([program, f"-T{kind}"], input=graph.encode(), capture_output=True)
    if done.returncode != 0:
        reason = done.stderr.decode(errors="replace").strip().partition("\n")[0]
        raise OutputError(f"Graphviz cannot draw {path}: {reason}")
    return _write(path, done.stdout)


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror}") from None


def _print(content: bytes) -> None:
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # replaced by something that takes text only
        sys.stdout.write(content.decode(errors="replace"))
    else:
        buffer.write(content)
    sys.stdout.flush()


def hang_up() -> None:
    """After the reader has gone: let nothing else be written to standard output."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
