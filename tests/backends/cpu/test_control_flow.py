"""Loops, branches and calls, with scalars and tensors carried."""

import numpy as np
import pytest

VECTOR = "tensor<?xf64>"

COLLATZ = """
func.func @f(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %k = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %x, %one : i64
    scf.condition(%more) %x, %k : i64, i64
  } do {
  ^bb0(%x: i64, %k: i64):
    %half = arith.floordivsi %x, %two : i64
    %twice = arith.muli %half, %two : i64
    %rest = arith.subi %x, %twice : i64
    %even = arith.cmpi eq, %rest, %zero : i64
    %next = scf.if %even -> i64 {
      scf.yield %half : i64
    } else {
      %t = arith.muli %x, %three : i64
      %u = arith.addi %t, %one : i64
      scf.yield %u : i64
    }
    %steps = arith.addi %k, %one : i64
    scf.yield %next, %steps : i64, i64
  }
  return %r#1 : i64
}"""

GROWING = """
func.func @f(%x: tensor<3xf64>, %n: i64) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x0 = tensor.cast %x : tensor<3xf64> to tensor<?xf64>
  %r:2 = scf.while (%v = %x0, %i = %zero) : (tensor<?xf64>, i64) -> (tensor<?xf64>, i64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %v, %i : tensor<?xf64>, i64
  } do {
  ^bb0(%v: tensor<?xf64>, %i: i64):
    %w = tensor.concat dim(0) %v, %x : (tensor<?xf64>, tensor<3xf64>) -> tensor<?xf64>
    %j = arith.addi %i, %one : i64
    scf.yield %w, %j : tensor<?xf64>, i64
  }
  return %r#0 : tensor<?xf64>
}"""

BRANCH = """
func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %c: i1) -> (tensor<?xf64>, tensor<?xf64>) {
  %r = scf.if %c -> tensor<?xf64> {
    %s = arith.addf %x, %x : tensor<?xf64>
    scf.yield %s : tensor<?xf64>
  } else {
    scf.yield %y : tensor<?xf64>
  }
  return %r, %r : tensor<?xf64>, tensor<?xf64>
}"""

RECURSION = """
func.func @f(%x: tensor<?xf64>, %n: i64) -> tensor<?xf64> {
  %r = func.call @g(%x, %n) : (tensor<?xf64>, i64) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
func.func private @g(%x: tensor<?xf64>, %n: i64) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %more = arith.cmpi sgt, %n, %zero : i64
  %r = scf.if %more -> tensor<?xf64> {
    %y = arith.addf %x, %x : tensor<?xf64>
    %m = arith.subi %n, %one : i64
    %s = func.call @g(%y, %m) : (tensor<?xf64>, i64) -> tensor<?xf64>
    %q = arith.addf %s, %x : tensor<?xf64>
    scf.yield %q : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}"""

FIBONACCI = """
func.func @f(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %small = arith.cmpi slt, %n, %two : i64
  %r = scf.if %small -> i64 {
    scf.yield %n : i64
  } else {
    %a = arith.subi %n, %one : i64
    %b = arith.subi %n, %two : i64
    %x = func.call @f(%a) : (i64) -> i64
    %y = func.call @f(%b) : (i64) -> i64
    %z = arith.addi %x, %y : i64
    scf.yield %z : i64
  }
  return %r : i64
}"""

CALLS = """
func.func private @h(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  return %x, %x : tensor<?xf64>, tensor<?xf64>
}
func.func @f(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
  %a, %b = func.call @h(%x) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %c, %d = func.call @h(%b) : (tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
  %e = arith.addf %a, %c : tensor<?xf64>
  return %e, %d : tensor<?xf64>, tensor<?xf64>
}"""

SQUARES_IN_PLACE = """
func.func @f(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<?xf64> {
    %a = tensor.extract %v[%i] : tensor<?xf64>
    %b = arith.mulf %a, %a : f64
    %w = tensor.insert %b into %v[%i] : tensor<?xf64>
    scf.yield %w : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}"""

SWAP_FOR = """
func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%v = %x, %w = %y)
      -> (tensor<?xf64>, tensor<?xf64>) {
    scf.yield %w, %v : tensor<?xf64>, tensor<?xf64>
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}"""

SWAP_WHILE = """
func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: i64) -> (tensor<?xf64>, tensor<?xf64>) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:3 = scf.while (%v = %x, %w = %y, %i = %zero)
      : (tensor<?xf64>, tensor<?xf64>, i64) -> (tensor<?xf64>, tensor<?xf64>, i64) {
    %more = arith.cmpi slt, %i, %n : i64
    scf.condition(%more) %v, %w, %i : tensor<?xf64>, tensor<?xf64>, i64
  } do {
  ^bb0(%v: tensor<?xf64>, %w: tensor<?xf64>, %i: i64):
    %j = arith.addi %i, %one : i64
    scf.yield %w, %v, %j : tensor<?xf64>, tensor<?xf64>, i64
  }
  return %r#0, %r#1 : tensor<?xf64>, tensor<?xf64>
}"""

RANK_0 = """
func.func @f(%x: tensor<f64>, %n: index) -> (tensor<f64>, f64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%v = %x) -> tensor<f64> {
    %w = arith.addf %v, %v : tensor<f64>
    scf.yield %w : tensor<f64>
  }
  %s = tensor.extract %r[] : tensor<f64>
  return %r, %s : tensor<f64>, f64
}"""

X, Y = np.arange(4.0), np.ones(4)


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        pytest.param(COLLATZ, (27,), [111], id="while"),
        pytest.param(GROWING, (X[:3], 2), [np.tile(X[:3], 3)], id="growing"),
        pytest.param(GROWING, (X[:3], 0), [X[:3]], id="growing-by-nothing"),
        pytest.param(BRANCH, (X, Y[:2], True), [X * 2, X * 2], id="if"),
        pytest.param(BRANCH, (X, Y[:2], False), [Y[:2], Y[:2]], id="else"),
        pytest.param(RECURSION, (X, 3), [X * 15], id="recursion"),
        pytest.param(FIBONACCI, (20,), [6765], id="recursion-on-scalars"),
        pytest.param(CALLS, (X,), [X * 2, X], id="calls"),
        pytest.param(SQUARES_IN_PLACE, (X, 4), [X**2], id="for"),
        pytest.param(SWAP_FOR, (X, Y, 3), [Y, X], id="swap-in-for"),
        pytest.param(SWAP_WHILE, (X, Y, 3), [Y, X], id="swap-in-while"),
        pytest.param(RANK_0, (np.array(3.0), 4), [48.0, 48.0], id="rank-0-in-loop"),
    ],
)
def test_program(run, text, arguments, expected):
    copies = [np.copy(argument) for argument in arguments]
    results = run(text, *arguments)
    assert len(results) == len(expected)
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_array_equal(result, value, strict=np.ndim(value) > 0)
    for argument, copy in zip(arguments, copies, strict=True):
        np.testing.assert_array_equal(argument, copy)
    for result in results:
        assert not any(np.shares_memory(result, argument) for argument in arguments)
