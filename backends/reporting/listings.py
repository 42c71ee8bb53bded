"""The text of stages, and for each of its lines the places of the user's program it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from agir.backends.cpu.code import assembly, elf
from agir.backends.cpu.code.line_table import LineTable
from agir.backends.mlir.modules import print_module, walk
from agir.backends.mlir.places import SourceLocation, places
from agir.backends.reporting.model import Place, Stage
from agir.backends.stages import Stage as Row

_ALIAS = re.compile(r"(#loc\d*) = loc\((.*)\)$")
_PART = re.compile(r'#loc\d*\b|"(?:[^"\\]|\\.)*":\d+:\d+')
_AT_THE_END = re.compile(r".* loc\((.*)\)$")
LARGE = 32
"""Elements of a constant from which on its values are left out."""
_OPENS, _CLOSES = ("{", "[", "("), ("}", "]", ")")

_DEBUG = re.compile(r",? ?!dbg !(\d+)")
_METADATA = re.compile(r"!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$")
_FIELD = re.compile(r'(\w+): (?:"([^"]*)"|!?([^,]+))')
_NOWHERE = "<unknown>"
"""The file that MLIR names where there is none."""
_INSTRUCTION = "  "
"""What lines of LLVM IR with an instruction begin with."""


def of_module(row: Row, module: Any, seconds: float | None) -> Stage:
    """An MLIR module; an operation with regions has the lines on which these end, too."""
    text = print_module(module, elide=LARGE)
    lines = print_module(module, locations=True, elide=LARGE).splitlines()
    aliases = {alias[1]: alias[2] for line in lines if (alias := _ALIAS.match(line))}
    located = [line for line in lines if not _ALIAS.match(line)]
    found: list[Sequence[SourceLocation]] = [()] * len(located)
    open_operations: list[list[int]] = []
    for number, line in enumerate(located):
        own = [number]
        if line.lstrip().startswith(_CLOSES) and open_operations:
            own = [*open_operations.pop(), number]
        if at := _AT_THE_END.match(line):
            for each in own:
                found[each] = _resolved(at[1], aliases)
        elif line.endswith(_OPENS):
            open_operations.append(own)
    return _stage(row, text, found, len(walk(module)), seconds)


def _resolved(location: str, aliases: dict[str, str]) -> list[SourceLocation]:
    """The places in a location, in which others have names."""
    found: list[SourceLocation] = []
    for part in _PART.findall(location):
        found += _resolved(aliases.get(part, ""), aliases) if part[0] == "#" else places(part)
    return list(dict.fromkeys(found))


def of_llvm_ir(row: Row, text: str, with_lines: str, seconds: float | None) -> Stage:
    """LLVM IR; the lines of the program are in the other text, which is the same but for them."""
    metadata = filter(None, map(_METADATA.match, with_lines.splitlines()))
    debug = {each[1]: (each[2], each[3]) for each in metadata}
    known = {number: _debug_place(number, debug) for number in debug}
    lines = text.splitlines()
    found: list[Sequence[SourceLocation]] = [()] * len(lines)
    for number, (line, other) in enumerate(zip(lines, with_lines.splitlines(), strict=False)):
        at = _DEBUG.search(other)
        place = known.get(at[1]) if at else None
        if place and _DEBUG.sub("", other).split() == line.split():
            found[number] = [place]
    size = sum(line.startswith(_INSTRUCTION) for line in lines)
    return _stage(row, text, found, size, seconds)


def _debug_place(number: str, debug: dict[str, tuple[str, str]]) -> SourceLocation | None:
    """The place that the metadata of this number are about; None where it is no file of the user's."""
    kind, text = debug[number]
    fields = {name: quoted or plain for name, quoted, plain in _FIELD.findall(text)}
    line, column = int(fields.get("line", 0)), int(fields.get("column", 1))
    while kind not in ("DIFile", "DICompileUnit") and (
        (after := fields.get("file") or fields.get("scope")) in debug
    ):
        kind, text = debug[after]
        fields = {name: quoted or plain for name, quoted, plain in _FIELD.findall(text)}
    name = fields.get("filename", "")
    folder = fields.get("directory")
    if kind != "DIFile" or not line or name == _NOWHERE:
        return None
    path = f"{folder}/{name}" if folder else name
    return next(iter(places(f'"{path}":{line}:{max(column, 1)}')), None)


def of_assembly(row: Row, code: bytes, seconds: float | None) -> Stage:
    """The assembly of an object file that has a line table."""
    file = elf.parse(code)
    table = LineTable(file)
    lines = [*assembly.listing(file)]
    found: list[Sequence[SourceLocation]] = []
    for line in lines:
        at = None if line.address is None else table.find(line.section, line.address)
        found.append([] if at is None else places(f'"{at.file}":{at.line}:{max(at.column, 1)}'))
    text = "".join(f"{line.text}\n" for line in lines)
    size = sum(line.address is not None for line in lines)
    return _stage(row, text, found, size, seconds)


def of_source(row: Row, text: str, file: str, lines: dict[int, list[int]]) -> Stage:
    """The converted source of a function: for each line those of the user's file it stands for."""
    found = [
        [SourceLocation(file, line, 1) for line in lines.get(number + 1, [])]
        for number in range(len(text.splitlines()))
    ]
    return _stage(row, text, found, None, None)


def of_text(row: Row, text: str, seconds: float | None) -> Stage:
    """Text of which nothing is known."""
    return Stage(row.name, row.extension, row.summary, text, seconds=seconds)


def _stage(
    row: Row,
    text: str,
    found: Iterable[Sequence[SourceLocation]],
    size: int | None,
    seconds: float | None,
) -> Stage:
    numbers: dict[Place, int] = {}
    links = [
        [numbers.setdefault((at.file, at.line, at.column), len(numbers)) for at in places]
        for places in found
    ]
    return Stage(row.name, row.extension, row.summary, text, list(numbers), links, size, seconds)
