"""The difference that a pass makes, in which values do not count that only got other numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

_NUMBER = re.compile(r"(?<=[%^])(\w*?)_?\d+\b|(?<=#map)\d+")
_AROUND = 3
_LONGEST = 4000
"""Lines of a diff that are kept."""


def difference(before: str, after: str) -> tuple[str, int]:
    """A unified diff of two modules, and how many lines of it are left out for its length."""
    lines = [*_hunks(before.splitlines(), after.splitlines())]
    return "\n".join(lines[:_LONGEST]), max(0, len(lines) - _LONGEST)


def without_numbers(line: str) -> str:
    """A line with the numbers of values, blocks and maps taken out."""
    return _NUMBER.sub(r"\1", line)


def _hunks(old: list[str], new: list[str]) -> Iterator[str]:
    olds, news = [*map(without_numbers, old)], [*map(without_numbers, new)]
    start = 0
    while start < min(len(olds), len(news)) and olds[start] == news[start]:
        start += 1
    end = 0
    while end < min(len(olds), len(news)) - start and olds[-1 - end] == news[-1 - end]:
        end += 1
    start, end = max(0, start - _AROUND), max(0, end - _AROUND)
    matcher = SequenceMatcher(None, olds[start : len(olds) - end], news[start : len(news) - end])
    for group in matcher.get_grouped_opcodes(_AROUND):
        first, last = group[0], group[-1]
        a, b = (first[1] + start, last[2] + start), (first[3] + start, last[4] + start)
        yield f"@@ -{a[0] + 1},{a[1] - a[0]} +{b[0] + 1},{b[1] - b[0]} @@"
        for kind, from_old, to_old, from_new, to_new in group:
            kept = " " if kind == "equal" else "-"
            yield from (f"{kept}{line}" for line in old[from_old + start : to_old + start])
            if kind != "equal":
                yield from (f"+{line}" for line in new[from_new + start : to_new + start])
