"""Modules from text: forms that agir itself does not record."""

from __future__ import annotations

import numpy as np
import pytest

from agir.backends.reference import Interpreter
from agir.backends.stages import Compilation
from agir.errors import NotDifferentiableError
from agir.ir.gradients.halves import halve

TWICE = """
func.func @f(%x: f64, %n: i64) -> (f64, f64) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:4 = scf.while (%a = %x, %k = %n) : (f64, i64) -> (f64, f64, i64, i64) {
    %c = arith.cmpi sgt, %k, %zero : i64
    scf.condition(%c) %a, %a, %k, %k : f64, f64, i64, i64
  } do {
  ^bb0(%a: f64, %b: f64, %k: i64, %l: i64):
    %m = arith.mulf %a, %b : f64
    %j = arith.subi %l, %one : i64
    scf.yield %m, %j : f64, i64
  }
  return %r#0, %r#1 : f64, f64
}
"""
COMPUTED = """
func.func @f(%x: f64, %limit: f64) -> f64 {
  %r = scf.while (%a = %x) : (f64) -> f64 {
    %b = arith.mulf %a, %x : f64
    %c = arith.cmpf olt, %b, %limit : f64
    scf.condition(%c) %b : f64
  } do {
  ^bb0(%b: f64):
    %d = math.exp %b : f64
    scf.yield %d : f64
  }
  return %r : f64
}
"""
STEPS = """
func.func @f(%x: tensor<7xf64>, %first: i32) -> f64 {
  %end = arith.constant 7 : i32
  %step = arith.constant 3 : i32
  %zero = arith.constant 1.0 : f64
  %r = scf.for %i = %first to %end step %step iter_args(%t = %zero) -> (f64) : i32 {
    %k = arith.index_cast %i : i32 to index
    %e = tensor.extract %x[%k] : tensor<7xf64>
    %p = arith.mulf %t, %e : f64
    scf.yield %p : f64
  }
  return %r : f64
}
"""
NAMED = """
func.func @f(%x: tensor<2x3xf64>, %y: tensor<3x2xf64>, %z: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %r = linalg.matmul ins(%x, %y : tensor<2x3xf64>, tensor<3x2xf64>)
                     outs(%z : tensor<2x2xf64>) -> tensor<2x2xf64>
  return %r : tensor<2x2xf64>
}
"""


def hold(text: str, *args: object) -> None:
    """Hold the backward half to differences, every result with the weight 1."""
    module = Compilation.from_text(text, "hlo").get("hlo")
    kinds = module.body.operations[0].attributes["function_type"].value
    sources = [n for n, kind in enumerate(kinds.inputs) if "f64" in str(kind)]
    halves = halve(module, "f", len(kinds.results), sources)
    out = Interpreter(halves.forward).call("f", *args)
    saved = out[len(kinds.results) : len(kinds.results) + len(halves.saved)]
    seeds = [np.ones_like(out[n]) for n in halves.targets]
    given = [args[n] for n in halves.needed]
    found = Interpreter(halves.backward).call("f_backward", *given, *saved, *seeds)
    plain = Interpreter(module)
    for number, gradient in zip(sources, found, strict=True):
        base = np.array(args[number], np.float64)
        for where in np.ndindex(base.shape):
            sums = []
            for step in (1e-6, -1e-6):
                moved = base.copy()
                moved[where] += step
                given = [*args[:number], moved[()], *args[number + 1 :]]
                sums.append(sum(float(np.sum(each)) for each in plain.call("f", *given)))
            expected = (sums[0] - sums[1]) / 2e-6
            np.testing.assert_allclose(np.asarray(gradient)[where], expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("iterations", [0, 1, 3])
def test_a_test_that_hands_on_a_value_twice(iterations: int) -> None:
    hold(TWICE, np.float64(1.1), np.int64(iterations))


@pytest.mark.parametrize("limit", [0.0, 5.0, 500.0])
def test_a_test_that_computes_what_it_hands_on(limit: float) -> None:
    hold(COMPUTED, np.float64(1.3), np.float64(limit))


@pytest.mark.parametrize("first", [0, 2, 7, 9])
def test_a_loop_over_integers_with_a_step(first: int) -> None:
    hold(STEPS, np.linspace(0.5, 1.5, 7), np.int32(first))


def test_a_named_operation() -> None:
    hold(NAMED, np.ones((2, 3)), np.arange(6.0).reshape(3, 2), np.eye(2))


def test_an_operation_without_a_rule() -> None:
    text = """func.func @f(%x: f64) -> f64 {
      %y = math.clampf %x to [%x, %x] : f64
      return %y : f64
    }"""
    module = Compilation.from_text(text, "hlo").get("hlo")
    with pytest.raises(NotDifferentiableError, match=r"math\.clampf(.|\n)*line 2"):
        halve(module, "f", 1, [0])
