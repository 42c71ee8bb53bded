"""The difference that a pass makes, in which values do not count that only got other numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher

_NUMBER = re.compile(r"(?<=[%^])(\w*?)_?\d+\b|(?<=#map)\d+")
_AROUND = 3
_LONGEST = 4000
"""Lines of a diff that are kept."""

Change = tuple[int, int, int, int]
"""From and to which line something else stands, in the one text and in the other."""


def difference(before: str, after: str) -> tuple[str, int]:
    """A unified diff of two modules, and how many lines of it are left out for its length."""
    lines = [*_unified(before.splitlines(), after.splitlines())]
    return "\n".join(lines[:_LONGEST]), max(0, len(lines) - _LONGEST)


def without_numbers(line: str) -> str:
    """A line with the numbers of values, blocks and maps taken out."""
    return _NUMBER.sub(r"\1", line)


def _unified(old: list[str], new: list[str]) -> Iterator[str]:
    changes = _changes([*map(without_numbers, old)], [*map(without_numbers, new)])
    for group in _grouped(changes):
        first, last = group[0], group[-1]
        lead = min(_AROUND, first[0])
        end = min(last[1] + _AROUND, len(old))
        counts = end - first[0] + lead, end - last[1] + last[3] - first[2] + lead
        yield f"@@ -{first[0] - lead + 1},{counts[0]} +{first[2] - lead + 1},{counts[1]} @@"
        at = first[0] - lead
        for a, b, c, d in group:
            yield from (f" {line}" for line in old[at:a])
            yield from (f"-{line}" for line in old[a:b])
            yield from (f"+{line}" for line in new[c:d])
            at = b
        yield from (f" {line}" for line in old[at:end])


def _grouped(changes: list[Change]) -> Iterator[list[Change]]:
    """The changes in groups of those that are near each other."""
    group: list[Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * _AROUND:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _changes(old: list[str], new: list[str]) -> list[Change]:
    """What is not the same, between the lines that are there once in both and in one order.

    Looking for the longest equal parts everywhere would take seconds for thousands of lines.
    """
    found: list[Change] = []
    a = b = 0
    for i, j in [*_anchors(old, new), (len(old), len(new))]:
        while a < i and b < j and old[a] == new[b]:
            a, b = a + 1, b + 1
        k, m = i, j
        while k > a and m > b and old[k - 1] == new[m - 1]:
            k, m = k - 1, m - 1
        matcher = SequenceMatcher(None, old[a:k], new[b:m])
        for kind, *(p, q, r, s) in matcher.get_opcodes():
            if kind != "equal":
                found.append((a + p, a + q, b + r, b + s))
        a, b = i, j
    return found


def _anchors(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """The longest run of pairs of lines that are there once in both texts."""
    counts, others = Counter(old), Counter(new)
    places = {line: n for n, line in enumerate(new) if others[line] == 1}
    pairs = [
        (n, places[line]) for n, line in enumerate(old) if counts[line] == 1 and line in places
    ]
    ends: list[int] = []  # of the increasing runs of each length, the least last place
    runs: list[int] = []
    before: list[int] = []
    for number, (_, place) in enumerate(pairs):
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
        runs[at : at + 1] = [number]
        before.append(runs[at - 1] if at else -1)
    chain: list[tuple[int, int]] = []
    number = runs[-1] if runs else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]
