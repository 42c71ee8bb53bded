"""The subscripts of einsum: from ``"...ij,jk"`` to a label for each axis of each operand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from agir.ir.tensors.number_lists import counting
from agir.records import dataclass

_ELLIPSIS = "..."
_IN_ORDER = ascii_uppercase + ascii_lowercase
_FIRST = 0x0410
"""Dimensions under an ellipsis get letters that no user's subscripts can hold."""


@dataclass(frozen=True)
class Subscripts:
    """A label for each axis of each operand, and those of the result."""

    inputs: tuple[str, ...]
    output: str


def as_text(operands: Sequence[Any]) -> tuple[Any, ...]:
    """Operands that are each followed by a list of numbers in the place of letters, with the text."""
    pairs, last = len(operands) // 2, operands[-1:] if len(operands) % 2 else ()
    inputs = ",".join(_labels(operands[2 * at + 1]) for at in range(pairs))
    output = "".join(f"->{_labels(each)}" for each in last)
    return (inputs + output, *operands[: 2 * pairs : 2])


def _labels(numbers: Any) -> str:
    given = counting(numbers)
    if not isinstance(given, (list, tuple)):
        raise TypeError(
            f"einsum() takes a text such as 'ij,jk->ik' first, or lists of numbers, not {given!r}"
        )
    return "".join(_ELLIPSIS if each is Ellipsis else _label(each) for each in given)


def _label(number: Any) -> str:
    if not isinstance(number, (int, np.integer)) or not 0 <= number < len(_IN_ORDER):
        raise ValueError(f"einsum(): a label is a number from 0 to 51, not {number!r}")
    return _IN_ORDER[number]


def parse(subscripts: str, ranks: Sequence[int]) -> Subscripts:
    """The subscripts for operands of these ranks; ``ValueError`` where they do not fit."""
    text = subscripts.replace(" ", "")
    given, arrow, output = text.partition("->")
    inputs = given.split(",")
    if len(inputs) != len(ranks):
        raise ValueError(
            f"einsum(): {subscripts!r} describes {len(inputs)} operands, but {len(ranks)} are given"
        )
    for part in (*inputs, output):
        letters = part.replace(_ELLIPSIS, "", 1)
        if not all(letter.isascii() and letter.isalpha() for letter in letters):
            raise ValueError(f"einsum(): {subscripts!r} may hold letters, ',', '->' and '...' only")
    hidden = [_hidden(part, rank) for part, rank in zip(inputs, ranks, strict=True)]
    most = max(hidden, default=0)
    labels = tuple(
        part.replace(_ELLIPSIS, _letters(most)[most - number :])
        for part, number in zip(inputs, hidden, strict=True)
    )
    if not arrow:
        return Subscripts(labels, _letters(most) + _once(given))
    return Subscripts(labels, _explicit(subscripts, output, labels, most))


def _letters(count: int) -> str:
    return "".join(chr(_FIRST + i) for i in range(count))


def _hidden(part: str, rank: int) -> int:
    """How many dimensions the ellipsis of an operand stands for."""
    named = len(part.replace(_ELLIPSIS, ""))
    if named > rank or (named < rank and _ELLIPSIS not in part):
        raise ValueError(
            f"einsum(): {part!r} has {named} labels for an operand of {rank} dimensions"
        )
    return rank - named


def _once(given: str) -> str:
    counts = Counter(letter for letter in given if letter.isalpha())
    return "".join(sorted(letter for letter, count in counts.items() if count == 1))


def _explicit(subscripts: str, output: str, labels: Sequence[str], most: int) -> str:
    wanted = output.replace(_ELLIPSIS, _letters(most))
    for letter in wanted:
        if wanted.count(letter) > 1:
            raise ValueError(f"einsum(): the output of {subscripts!r} repeats {letter!r}")
        if not any(letter in part for part in labels):
            raise ValueError(f"einsum(): no operand of {subscripts!r} has the label {letter!r}")
    if most and _ELLIPSIS not in output:
        raise ValueError(f"einsum(): the output of {subscripts!r} lacks the dimensions of '...'")
    return wanted
