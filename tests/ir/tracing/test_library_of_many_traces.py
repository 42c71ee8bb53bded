"""What one trace has recorded of the library in Python, later ones take over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import agir as ag
from agir.ir.functions import library


def counted(numbers: list[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for number in numbers:
        found[number] = found.get(number, 0) + 1
    return found


def smaller(numbers: list[int], limit: int) -> list[int]:
    found = {number % 5 for number in numbers}
    found.discard(limit)
    return sorted(found)


def lengths(words: list[str]) -> dict[str, int]:
    return {word.upper(): len(word) for word in words}


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (counted, ([3, 1, 3, 2, 3],)),
        (smaller, ([3, 11, 8, 4], 3)),
        (lengths, (["one", "three", "eleven"],)),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_a_second_trace_records_nothing_of_the_library(
    monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    first = ag.jit(function).get_concrete_function(*arguments)
    recorded: list[str] = []

    def watched(trace: Any, function: Any, abstract: list[Any]) -> library.Made:
        made = record(trace, function, abstract)
        recorded.append(function.__name__)
        return made

    record = library._record
    monkeypatch.setattr(library, "_record", watched)
    again = ag.jit(function)
    second = again.get_concrete_function(*arguments)
    assert not recorded
    assert str(second.graph) == str(first.graph)
    assert again(*arguments) == function(*arguments)


def test_what_lies_in_pools_is_recorded_by_each_trace() -> None:
    def grouped(numbers: list[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number in numbers:
            found.setdefault(number % 3, []).append(number)
        return found

    numbers = [5, 1, 7, 3, 2]
    for _ in range(2):
        assert ag.jit(grouped)(list(numbers)) == grouped(numbers)
    assert ag.jit(counted)(numbers) == counted(numbers)
