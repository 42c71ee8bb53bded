"""A compiler for Compiler Explorer, called as that calls gcc: ``agir-explorer -g -S -o out.s x.py``.

The file is run, and what is shown is the code of each decorated function for the types that it was
called with, and for its input signature.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import agir
from agir.backends.stages import Compilation
from agir.tools import loading, outputs
from agir.tools.diagnosis import UsageError, diagnose
from agir.tools.options import stage_name
from agir.tools.report import Style, in_words

_FILE = re.compile(r'^\.file (\d+) "(.*)"$', re.MULTILINE)
_LOCATION = re.compile(r"^( +\.loc) (\d+)", re.MULTILINE)
_LABEL = re.compile(r"\.L(\d+)\b")
_OF_OTHER_COMPILERS = re.compile(r"-(?:[SgcO]|W|f|m|std=|x)")
"""The options that Compiler Explorer passes to every compiler, and that say nothing here."""


def main(argv: Sequence[str] | None = None) -> int:
    """Compile a file, and give the exit status: 0, 1 (the program), 2 (the usage)."""
    given = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="agir-explorer", description=__doc__, allow_abbrev=False)
    parser.add_argument("program", type=Path, metavar="FILE.py")
    parser.add_argument("-o", dest="output", metavar="FILE", help="where the assembly goes")
    parser.add_argument("--emit", default="asm", metavar="STAGE", help="another stage than asm")
    parser.add_argument("--version", action="version", version=f"agir {agir.__version__}")
    try:
        options = parser.parse_args([each for each in given if not _OF_OTHER_COMPILERS.match(each)])
    except SystemExit as done:
        return int(done.code or 0)
    try:
        text = compiled(options.program, stage_name(options.emit))
        outputs.write(text.encode(), options.output)
    except (UsageError, outputs.OutputError) as error:
        print(f"agir-explorer: error: {error}", file=sys.stderr)
        return 2
    except BaseException as error:  # SystemExit, too: the file may call sys.exit
        print(in_words(diagnose(error), Style(sys.stderr)), file=sys.stderr)
        return 1
    return 0


def compiled(path: Path, stage: str) -> str:
    """The stage of everything that a file compiles, with the lines it comes from."""
    if not path.is_file():
        raise UsageError(f"cannot read {path}")
    with contextlib.redirect_stdout(sys.stderr):  # which Compiler Explorer shows, too
        module = loading.load_file(path)
        parts = [
            f"{_comment(stage)} {name}{types}\n{_text(program, stage)}"
            for name, types, program in _programs(module)
        ]
    if not parts:
        raise UsageError(
            f"{path.name} compiles nothing: call a function with @ag.jit above it, or give that an "
            "input_signature"
        )
    return _joined(parts)


def _text(program: Compilation, stage: str) -> str:
    text = program.text(stage, locations=True)
    if isinstance(text, bytes):
        raise UsageError(f"the stage {stage!r} is no text")
    return text


def _comment(stage: str) -> str:
    return "#" if stage == "asm" else "; //"


def _programs(module: ModuleType) -> Iterator[tuple[str, str, Compilation]]:
    """The decorated functions of a module, for the types they are compiled for."""
    for name, value in vars(module).items():
        if not hasattr(value, "known_traces") or value.__module__ != module.__name__:
            continue
        if value.input_signature is not None:
            value.get_concrete_function()
        traces: list[tuple[str, Any]] = value.known_traces()
        for types, concrete in traces:
            yield name, types, concrete.compilation


def _joined(parts: list[str]) -> str:
    """Texts one after the other, with numbers of files and names of labels that do not clash."""
    files: dict[str, int] = {}
    bodies = [_numbered(part, place, files) for place, part in enumerate(parts)]
    heads = [f'.file {number} "{name}"\n' for name, number in files.items()]
    return "".join([*heads, *(f"{body}\n" for body in bodies)])


def _numbered(part: str, place: int, files: dict[str, int]) -> str:
    own = {number: files.setdefault(name, len(files) + 1) for number, name in _FILE.findall(part)}

    def renumbered(at: re.Match[str]) -> str:
        return f"{at[1]} {own[at[2]]}"

    body = _LOCATION.sub(renumbered, _FILE.sub("", part))
    return _LABEL.sub(rf".L{place}_\1", body).strip("\n")


if __name__ == "__main__":
    sys.exit(main())
