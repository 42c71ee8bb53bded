"""Parts of the text of stages: some functions, some operations, how many there are of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

Pattern = re.Pattern[str]

_HEADS: Mapping[str, Pattern] = {
    ".mlir": re.compile(r"^  \S.*?@(?P<name>[\w.$-]+)"),
    ".ll": re.compile(r"^(?:define|declare) .*?@(?P<name>[\w.$-]+)\("),
    ".s": re.compile(r"^(?!\.L)(?P<name>[\w.$@]+):"),
    ".c": re.compile(r"^(?:static )?void agir_(?P<name>\w+)\(.*\{$"),
}
"""With what a function begins."""
_BETWEEN: Mapping[str, Pattern] = {
    ".mlir": re.compile(r"^(?:\S|  [}#])"),
    ".ll": re.compile(r"^(?!\s|\}|define|declare|;|$)"),
    ".s": re.compile(r"^\.(?!L)"),
    ".c": re.compile(r"^(?:#|typedef)"),
}
"""Lines that belong to no function, or end one, and stay."""
_OPERATIONS: Mapping[str, Pattern] = {
    ".mlir": re.compile(r'^ +(?:[%\w:, ]+ = )?"?(?P<name>[a-z_]\w*(?:\.[\w.]+)?)\b'),
    ".ll": re.compile(r"^  (?:%\S+ = )?(?:(?:tail|musttail) )?(?P<name>[a-z]\w*)"),
    ".s": re.compile(r"^\s+(?P<name>[a-z]\w*)"),
}
"""Where the name of an operation is in its line."""
_SHORT = {"return": "func.return", "call": "func.call", "module": "builtin.module"}
"""Names that MLIR writes without their dialect."""


def functions(text: str, extension: str, pattern: Pattern) -> str:
    """The functions whose names match, and what stands around them."""
    head, between = _HEADS.get(extension), _BETWEEN.get(extension)
    if head is None or between is None:
        return text
    kept, inside = [], True
    for line in text.splitlines(keepends=True):
        if begun := head.match(line):
            inside = bool(pattern.search(begun["name"]))
        closes = extension == ".mlir" and line.startswith("  }")
        if inside or (between.match(line) and not closes):
            kept.append(line)
    return "".join(kept)


def operations(text: str, extension: str, pattern: Pattern) -> str:
    """The lines of the operations whose names match."""
    lines = text.splitlines(keepends=True)
    named = zip(lines, _names(lines, extension), strict=True)
    return "".join(line for line, name in named if name and pattern.search(name))


def counted(text: str, extension: str) -> Counter[str]:
    """How many operations there are of each name."""
    return Counter(name for name in _names(text.splitlines(), extension) if name)


def _names(lines: Iterable[str], extension: str) -> Iterator[str]:
    """The name of the operation of each line; empty where it has none."""
    form = _OPERATIONS.get(extension)
    for line in lines:
        found = form.match(line) if form else None
        name = found["name"] if found else ""
        yield _SHORT.get(name, name) if extension == ".mlir" else name


def table(counts: Mapping[str, Counter[str]]) -> str:
    """The counts of several stages side by side, the most frequent operations first."""
    totals: Counter[str] = Counter()
    for each in counts.values():
        totals.update(each)
    ordered = sorted(totals, key=lambda name: (-totals[name], name))
    rows = [["operation", *counts]]
    rows += [[name, *(str(each[name] or "") for each in counts.values())] for name in ordered]
    rows.append(["total", *(str(sum(each.values())) for each in counts.values())])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for name, *cells in rows:
        right = [cell.rjust(n) for cell, n in zip(cells, widths[1:], strict=True)]
        lines.append("  ".join([name.ljust(widths[0]), *right]))
    return "".join(f"{line.rstrip()}\n" for line in lines)
