"""What tells a pass from what it was before a change."""

from __future__ import annotations

import types
from typing import Any

import numpy as np
import pytest

from agir.backends.mlir.fingerprints import fingerprint

SOURCE = """
import math
import numpy as np

factor = {factor}
table = {{"a": [1, 2.0, {table}], "b": np.array([1.0, {element}])}}

class Kept:
    pass

held = {held}

def helper(x):
    return x * {constant} + math.pi

def run(module, by={default}):
    inner = lambda: helper(factor) + np.add(1, table["a"][0])
    return inner() + by

def looks_at_an_object(module):
    return held
"""
SAME = {
    "factor": 2, "table": 3, "element": 4.0, "held": "open(__file__)", "constant": 5, "default": "None",
}  # fmt: skip


def function(name: str = "run", **changes: Any) -> Any:
    module = types.ModuleType("a_plugin")
    module.__file__ = __file__
    exec(SOURCE.format(**{**SAME, "held": "Kept()", **changes}), module.__dict__)
    return getattr(module, name)


def test_the_same_code_has_the_same_hash() -> None:
    assert fingerprint(function()) == fingerprint(function()) is not None
    assert fingerprint(function(held="3")) == fingerprint(function()), "it is not used"


@pytest.mark.parametrize(
    "change",
    [{"factor": 3}, {"table": "'x'"}, {"element": 5}, {"constant": 5.0}, {"default": "0"}],
    ids=str,
)
def test_what_a_function_refers_to_counts(change: dict[str, Any]) -> None:
    assert fingerprint(function(**change)) != fingerprint(function())


def test_what_cannot_be_told() -> None:
    assert fingerprint(function("looks_at_an_object")) is None
    assert fingerprint(function("looks_at_an_object", held="3")) is not None
    later: list[Any] = []
    later.append(later)
    assert fingerprint(later) is not None, "it ends"


def test_values() -> None:
    values: list[Any] = [
        None, True, 1, 1.0, 1j, "1", b"1", (1,), [1], {1}, frozenset((1,)), {1: 1}, np.float64(1),
        np.ones(1), np.ones(1, int), np.ones((1, 1)), np.add, len, np, np.ndarray, [1, [1]],
        "".join, ",".join,
    ]  # fmt: skip
    found = [fingerprint(value) for value in values]
    assert len({*found}) == len(values)
    assert None not in found
