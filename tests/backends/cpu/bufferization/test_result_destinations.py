"""Results that are written into an argument's memory."""

from __future__ import annotations

import numpy as np
import pytest

KIND = "tensor<?xf64>"
WRITTEN = "{agir.writable}"
INTO = "{{agir.destination = {} : i64}}"

SCALE_FIRST = f"""
func.func @f(%x: {KIND} {WRITTEN}, %n: index, %s: f64) -> ({KIND} {INTO.format(0)}, f64) {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %r, %q = scf.for %i = %zero to %n step %one iter_args(%v = %x, %t = %z) -> ({KIND}, f64) {{
    %a = tensor.extract %v[%i] : {KIND}
    %b = arith.mulf %a, %s : f64
    %w = tensor.insert %b into %v[%i] : {KIND}
    %u = arith.addf %t, %b : f64
    scf.yield %w, %u : {KIND}, f64
  }}
  return %r, %q : {KIND}, f64
}}"""

ADD_TO = f"""
func.func @f(%x: {KIND} {WRITTEN}, %y: {KIND}) -> ({KIND} {INTO.format(0)}) {{
  %r = arith.addf %x, %y : {KIND}
  return %r : {KIND}
}}"""

SWAP = f"""
func.func @f(%x: {KIND} {WRITTEN}, %y: {KIND} {WRITTEN})
    -> ({KIND} {INTO.format(1)}, {KIND} {INTO.format(0)}) {{
  return %x, %y : {KIND}, {KIND}
}}"""


def both(first: str, second: str) -> str:
    """The first is written to the argument, the second one is returned."""
    return f"""
func.func @f(%x: {KIND} {WRITTEN}, %y: {KIND}) -> ({KIND} {INTO.format(0)}, {KIND}) {{
  %r = arith.addf %x, %y : {KIND}
  %q = math.sqrt %r : {KIND}
  return {first}, {second} : {KIND}, {KIND}
}}"""


@pytest.mark.parametrize("text", [SCALE_FIRST, ADD_TO])
def test_nothing_is_allocated_or_copied(lower, text):
    bufferized = lower(text, "bufferized")
    assert "alloc" not in bufferized
    assert "copy" not in bufferized


def test_the_argument_changes(build):
    function = build(SCALE_FIRST)
    x = np.arange(4.0)
    assert function([x, 3, 2.0]) == [6.0]
    assert x.tolist() == [0, 2, 4, 3]


def test_strided_arguments_change_too(build):
    function = build(ADD_TO)
    x = np.arange(8.0)
    assert function([x[::2], np.ones(4)]) == []
    assert x.tolist() == [1, 1, 3, 3, 5, 5, 7, 7]
    swapped = np.arange(4.0).astype(">f8")
    function([swapped, np.ones(4)])
    assert swapped.tolist() == [1, 2, 3, 4]


def test_arguments_that_cannot_change(build):
    function = build(ADD_TO)
    x = np.arange(4.0)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="argument 0 is written to, but the array is read-only"):
        function([x, x])
    with pytest.raises(TypeError, match="argument 0 is written to, so it has to be an array"):
        function([[1.0, 2.0], np.ones(2)])


def test_results_that_trade_places(build):
    x, y = np.arange(4.0), np.ones(4)
    assert build(SWAP)([x, y]) == []
    assert x.tolist() == [1, 1, 1, 1]
    assert y.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("first", ["x", "r", "q", "y"])
@pytest.mark.parametrize("second", ["x", "r", "q", "y"])
def test_returned_values_are_not_overwritten(run, first, second):
    x, y = np.arange(4.0), np.ones(4)
    values = {"x": x.copy(), "y": y, "r": x + y, "q": np.sqrt(x + y)}
    (returned,) = run(both(f"%{first}", f"%{second}"), x, y)
    np.testing.assert_array_equal(x, values[first])
    np.testing.assert_array_equal(returned, values[second])
    returned += 1
    np.testing.assert_array_equal(x, values[first])
    np.testing.assert_array_equal(y, np.ones(4))
