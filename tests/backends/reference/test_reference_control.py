"""Control flow, calls, errors and the interface of the interpreter."""

from __future__ import annotations

import time

import numpy as np
import pytest

from agir.backends.reference import Interpreter, UndefinedBehaviour, UnsupportedOperation

from .interpret import Case, assert_same, parse, run

COLLATZ = """
func.func @f(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %r:2 = scf.while (%x = %n, %steps = %zero) : (i64, i64) -> (i64, i64) {
    %c = arith.cmpi sgt, %x, %one : i64
    scf.condition(%c) %x, %steps : i64, i64
  } do {
  ^bb0(%x: i64, %steps: i64):
    %odd = arith.andi %x, %one : i64
    %c = arith.cmpi eq, %odd, %one : i64
    %y = scf.if %c -> i64 {
      %t = arith.muli %x, %three : i64
      %u = arith.addi %t, %one : i64
      scf.yield %u : i64
    } else {
      %h = arith.divsi %x, %two : i64
      scf.yield %h : i64
    }
    %s = arith.addi %steps, %one : i64
    scf.yield %y, %s : i64, i64
  }
  return %r#1 : i64
}"""
CHANGED_TYPES = """
func.func @f(%n: i64) -> f64 {
  %r = scf.while (%x = %n) : (i64) -> f64 {
    %ten = arith.constant 10 : i64
    %c = arith.cmpi slt, %x, %ten : i64
    %y = arith.sitofp %x : i64 to f64
    scf.condition(%c) %y : f64
  } do {
  ^bb0(%y: f64):
    %two = arith.constant 2.0 : f64
    %z = arith.mulf %y, %two : f64
    %w = arith.fptosi %z : f64 to i64
    scf.yield %w : i64
  }
  return %r : f64
}"""
COUNTED = """
func.func @f(%lower: {0}, %upper: {0}, %step: {0}) -> {0} {{
  %zero = arith.constant 0 : {0}
  %r = scf.for {1} %i = %lower to %upper step %step iter_args(%s = %zero) -> ({0}) {2} {{
    %t = arith.addi %s, %i : {0}
    scf.yield %t : {0}
  }}
  return %r : {0}
}}"""
FILLED = """
func.func @f(%n: index, %x: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%t = %x) -> tensor<?xf64> {
    %k = arith.index_cast %i : index to i64
    %v = arith.sitofp %k : i64 to f64
    %u = tensor.insert %v into %t[%i] : tensor<?xf64>
    scf.yield %u : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}"""
SWITCH = """
func.func @f(%k: index) -> i32 {
  %r = scf.index_switch %k -> i32
  case 2 { %a = arith.constant 20 : i32
    scf.yield %a : i32 }
  case 5 { %a = arith.constant 50 : i32
    scf.yield %a : i32 }
  default { %a = arith.constant -1 : i32
    scf.yield %a : i32 }
  return %r : i32
}"""
REGION = """
func.func @f(%c: i1) -> i32 {
  %r:2 = scf.execute_region -> (i32, i32) {
    %a = arith.constant 20 : i32
    scf.yield %a, %a : i32, i32
  }
  scf.if %c {
    %s = arith.addi %r#0, %r#1 : i32
  }
  return %r#1 : i32
}"""
FIBONACCI = """
func.func private @pair(%n: i64) -> (i64, i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.cmpi eq, %n, %zero : i64
  %r:2 = scf.if %c -> (i64, i64) {
    scf.yield %zero, %one : i64, i64
  } else {
    %m = arith.subi %n, %one : i64
    %p:2 = func.call @pair(%m) : (i64) -> (i64, i64)
    %s = arith.addi %p#0, %p#1 : i64
    scf.yield %p#1, %s : i64, i64
  }
  return %r#0, %r#1 : i64, i64
}
func.func @f(%n: i64) -> i64 {
  %r:2 = func.call @pair(%n) : (i64) -> (i64, i64)
  func.call @nothing() : () -> ()
  %s = func.call @same(%r#0) : (i64) -> i64
  return %s : i64
}
func.func private @nothing() { return }
func.func private @same(%x: i64) -> i64 { return %x : i64 }
"""
I8 = np.int8
CASES = [
    Case(COLLATZ, (np.int64(27),), (np.int64(111),)),
    Case(CHANGED_TYPES, (3,), (np.float64(12),)),
    Case(COUNTED.format("index", "", ""), (0, 10, 3), (np.int64(18),)),
    Case(COUNTED.format("index", "", ""), (5, 5, 1), (np.int64(0),)),
    Case(COUNTED.format("i8", "", ": i8"), (I8(-3), I8(3), I8(2)), (I8(-3),)),
    Case(COUNTED.format("i8", "unsigned", ": i8"), (I8(-4), I8(-1), I8(2)), (I8(-6),)),
    Case(FILLED, (3, np.zeros(4)), (np.array([0.0, 1, 2, 0]),)),
    *(Case(SWITCH, (k,), (np.int32(v),)) for k, v in ((2, 20), (5, 50), (3, -1))),
    *(Case(REGION, (c,), (np.int32(20),)) for c in (True, False)),
    Case(FIBONACCI, (20,), (np.int64(6765),)),
]


@pytest.mark.parametrize("case", CASES)
def test_program(case: Case) -> None:
    for result, expected in zip(run(case.text, *case.arguments), case.expected, strict=True):
        assert_same(result, expected)


def test_endless_recursion_is_a_python_error() -> None:
    with pytest.raises(RecursionError):
        run(FIBONACCI, -1)


def test_a_loop_that_does_not_advance_is_undefined() -> None:
    with pytest.raises(UndefinedBehaviour, match=r"^scf.for: a step of 0 at loc"):
        run(COUNTED.format("index", "", ""), 0, 1, 0)


@pytest.mark.parametrize("name", ["divsi", "remsi", "floordivsi", "ceildivsi"])
@pytest.mark.parametrize(
    ("type_", "a", "b"), [("i8", 1, 0), ("i8", -128, -1), ("i64", -(2**63), -1), ("i1", True, True)]
)
def test_undefined_division(name: str, type_: str, a: int, b: int) -> None:
    scalar = f"arith.{name} %x, %y : {type_}"
    text = f"func.func @f(%x: {type_}, %y: {type_}) -> {type_} {{\n %r = {scalar}"
    with pytest.raises(UndefinedBehaviour, match=rf"^arith.{name}: integer division .* at loc"):
        run(f"{text}\n return %r : {type_} }}", a, b)


@pytest.mark.parametrize("name", ["divui", "remui", "ceildivui"])
def test_undefined_unsigned_division(name: str) -> None:
    type_ = "tensor<2xi8>"
    text = f"func.func @f(%x: {type_}) -> {type_} {{\n %r = arith.{name} %x, %x : {type_}"
    with pytest.raises(UndefinedBehaviour, match="integer division by zero"):
        run(f"{text}\n return %r : {type_} }}", np.int8([1, 0]))


def test_a_negative_power_of_zero_is_undefined() -> None:
    text = "func.func @f(%x: i8, %y: i8) -> i8 {\n %r = math.ipowi %x, %y : i8\n return %r : i8 }"
    with pytest.raises(UndefinedBehaviour, match=r"^math.ipowi: a negative power of zero"):
        run(text, 0, -1)


def test_undefined_behaviour_names_the_innermost_operation() -> None:
    text = """
    func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
      %r = scf.if %c -> i32 {
        %q = arith.divsi %x, %y : i32 loc("model.py":12:5)
        scf.yield %q : i32
      } else {
        scf.yield %x : i32
      }
      return %r : i32
    }"""
    with pytest.raises(UndefinedBehaviour, match=r"^arith.divsi: .* at .*model.py\":12:5"):
        run(text, True, 1, 0)
    assert run(text, False, 1, 0) == [1]


def unsupported(line: str) -> str:
    return f'func.func @f(%x: i32, %t: tensor<2xi32>) {{\n {line} loc("model.py":3:1)\n return }}'


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("%p = ub.poison : i32", "ub.poison"),
        ("%y = arith.extsi %x : i32 to i256", "arith.extsi"),
    ],
)
def test_unsupported_operation(line: str, name: str) -> None:
    with pytest.raises(UnsupportedOperation, match=rf"^{name}: .* at .*model.py\":3:1"):
        run(unsupported(line), 1, np.zeros(2, np.int32))


def test_unsupported_functions() -> None:
    with pytest.raises(
        UnsupportedOperation, match=r"^func.func: nothing provides the function 'f'"
    ):
        run("func.func private @f()")


IDENTITY = (
    "func.func @f(%x: tensor<?x2xf32>, %y: f32) -> tensor<?x2xf32> { return %x : tensor<?x2xf32> }"
)


def test_arguments_are_checked() -> None:
    good = np.zeros((1, 2), np.float32)
    interpreter = Interpreter(parse(IDENTITY))
    with pytest.raises(KeyError, match="no function named 'g'"):
        interpreter.call("g")
    with pytest.raises(TypeError, match="f takes 2 arguments, got 1"):
        interpreter.call("f", good)
    with pytest.raises(TypeError, match="expected a tensor of float32, got float64"):
        interpreter.call("f", np.zeros((1, 2)), 1.0)
    with pytest.raises(ValueError, match=r"expected a tensor of shape \(None, 2\), got \(2, 1\)"):
        interpreter.call("f", good.T, 1.0)
    with pytest.raises(TypeError, match="expected a scalar of float32"):
        interpreter.call("f", good, np.float64(1))


def test_results_do_not_alias_arguments() -> None:
    argument = np.zeros((1, 2), np.float32)
    (result,) = run(IDENTITY, argument, 0.0)
    result += 1
    assert not argument.any()


def test_an_invalid_module_is_rejected() -> None:
    module, other = (
        parse(f"func.func @f(%x: {kind}) -> {kind} {{ return %x : {kind} }}")
        for kind in ("i32", "f32")
    )
    argument, wrong = (
        each.body.operations[0].regions[0].blocks[0].arguments[0] for each in (module, other)
    )
    argument.set_type(wrong.type)
    with pytest.raises(Exception, match=r"verif|match"):
        Interpreter(module)


def test_scalar_loops_are_quick() -> None:
    interpreter = Interpreter(parse(COUNTED.format("index", "", "")))
    start = time.perf_counter()
    assert interpreter.call("f", 0, 100_000, 1) == [4999950000]
    assert time.perf_counter() - start < 5
