"""How often a function is traced until all is known of what its containers hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import agir as ag
from agir.runtime.recording import tracing


def counters_of_two_paths(a: int, b: int, n: int) -> tuple[int, Counter[int]]:
    found = Counter([a, b, a])
    held = {1: a, 2: b}
    if len(found) != n:
        found = Counter(x for x in range(n % 5))
    most = max(found.values(), default=0)
    if 5 <= held.get(held.get(most % 7, -1) % 7, -1):
        found.update([b % 5, most in held])
    return most, found


def test_attributes_of_objects_that_meet_are_learnt_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recordings = []

    def recorded(*arguments: Any) -> Any:
        recordings.append(arguments)
        return record(*arguments)

    record = tracing._record
    monkeypatch.setattr(tracing, "_record", recorded)
    compiled = ag.jit(counters_of_two_paths)
    for arguments in ((3, 5, 2), (7, 5, 3), (4, 9, 3), (1, 1, 1)):
        assert compiled(*arguments) == counters_of_two_paths(*arguments)
    assert len(recordings) <= 7
