"""The LLVM dialect: values, memory, calls, and branches."""

from __future__ import annotations

import numpy as np
import pytest

from agir.backends.reference import UndefinedBehaviour, UnsupportedOperation, dispatch
from agir.backends.reference.dialects import arith, math
from agir.backends.reference.dialects.llvm import SAME
from agir.backends.reference.natives import NATIVES

from .interpret import Case, assert_same, run

PAIR = "!llvm.struct<(i64, f32, array<2 x i8>)>"
HEAD = """llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @sin(f64) -> f64
llvm.mlir.global private constant @table(dense<[3, 5, 7]> : tensor<3xi64>) : !llvm.array<3 x i64>
llvm.mlir.global private @made() : !llvm.struct<(i64, i64)> {
  %0 = llvm.mlir.zero : !llvm.struct<(i64, i64)>
  %1 = llvm.mlir.constant(9 : i64) : i64
  %2 = llvm.insertvalue %1, %0[1] : !llvm.struct<(i64, i64)>
  llvm.return %2 : !llvm.struct<(i64, i64)>
}
"""

CASES = (
    Case(
        f"""{HEAD}
        llvm.func @twice(%x: i64) -> i64 {{
          %0 = llvm.add %x, %x : i64
          llvm.return %0 : i64
        }}
        llvm.func @f(%n: i64, %x: f64) -> !llvm.struct<(i64, f64, i64, i64)> {{
          %one = llvm.mlir.constant(1 : i64) : i64
          %size = llvm.mlir.constant(64 : i64) : i64
          %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
          %q = llvm.getelementptr %p[%one, 1] : (!llvm.ptr, i64) -> !llvm.ptr, {PAIR}
          %y = llvm.fptrunc %x : f64 to f32
          llvm.store %y, %q : f32, !llvm.ptr
          %w = llvm.getelementptr %p[%one] : (!llvm.ptr, i64) -> !llvm.ptr, {PAIR}
          %s = llvm.load %w : !llvm.ptr -> {PAIR}
          %z = llvm.extractvalue %s[1] : {PAIR}
          %k = llvm.mlir.addressof @twice : !llvm.ptr
          %c = llvm.call %k(%n) : !llvm.ptr, (i64) -> i64
          %t = llvm.mlir.addressof @table : !llvm.ptr
          %a = llvm.alloca %one x !llvm.array<3 x i64> : (i64) -> !llvm.ptr
          %b = llvm.mlir.constant(24 : i64) : i64
          "llvm.intr.memcpy"(%a, %t, %b) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
          %o = llvm.mlir.constant(7 : i8) : i8
          "llvm.intr.memset"(%a, %o, %one) <{{isVolatile = false}}> : (!llvm.ptr, i8, i64) -> ()
          %a1 = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i64
          %eight = llvm.mlir.constant(8 : i64) : i64
          "llvm.intr.memmove"(%a1, %a, %eight) <{{isVolatile = false}}>
            : (!llvm.ptr, !llvm.ptr, i64) -> ()
          %l = llvm.load %a1 : !llvm.ptr -> i64
          %m = llvm.mlir.addressof @made : !llvm.ptr
          %m1 = llvm.getelementptr %m[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, i64)>
          %v = llvm.load %m1 : !llvm.ptr -> i64
          llvm.call @free(%p) : (!llvm.ptr) -> ()
          %g = llvm.fpext %z : f32 to f64
          %h = llvm.call @sin(%g) : (f64) -> f64
          %r0 = llvm.mlir.poison : !llvm.struct<(i64, f64, i64, i64)>
          %r1 = llvm.insertvalue %c, %r0[0] : !llvm.struct<(i64, f64, i64, i64)>
          %r2 = llvm.insertvalue %h, %r1[1] : !llvm.struct<(i64, f64, i64, i64)>
          %r3 = llvm.insertvalue %l, %r2[2] : !llvm.struct<(i64, f64, i64, i64)>
          %r4 = llvm.insertvalue %v, %r3[3] : !llvm.struct<(i64, f64, i64, i64)>
          llvm.return %r4 : !llvm.struct<(i64, f64, i64, i64)>
        }}
        func.func @g(%n: i64) -> i64 {{ return %n : i64 }}""",
        (np.int64(21), np.float64(0.5)),
        (np.int64(42), np.sin(0.5), np.int64(7), np.int64(9)),
    ),
    Case(
        """llvm.func @f(%n: i64) -> i64 {
          %zero = llvm.mlir.constant(0 : i64) : i64
          %one = llvm.mlir.constant(1 : i64) : i64
          llvm.br ^loop(%n, %zero : i64, i64)
        ^loop(%i: i64, %sum: i64):
          %go = llvm.icmp "sgt" %i, %zero : i64
          llvm.cond_br %go, ^body, ^done
        ^body:
          %next = llvm.sub %i, %one : i64
          %more = llvm.add %sum, %i : i64
          llvm.br ^loop(%next, %more : i64, i64)
        ^done:
          %two = llvm.mlir.constant(2 : i64) : i64
          %odd = llvm.urem %sum, %two : i64
          llvm.switch %odd : i64, ^other(%zero : i64) [ 0: ^even(%sum : i64) ]
        ^other(%a: i64):
          %b = llvm.sub %a, %sum : i64
          llvm.return %b : i64
        ^even(%c: i64):
          llvm.return %c : i64
        }""",
        (np.int64(5),),
        (np.int64(-15),),
    ),
    Case(
        """llvm.func @f(%x: f64, %n: i64) -> !llvm.struct<(f64, i64, f64, i1, i64)> {
          %z = llvm.mlir.constant(0 : i64) : i64
          %v0 = llvm.mlir.constant(dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf64>) : vector<4xf64>
          %u = llvm.mlir.undef : vector<4xf64>
          %v1 = llvm.insertelement %x, %v0[%z : i64] : vector<4xf64>
          %w = llvm.shufflevector %v1, %v0 [3, 2, 5, 0] : vector<4xf64>
          %s = llvm.intr.stepvector : vector<4xi64>
          %i = "llvm.intr.vector.reduce.add"(%s) : (vector<4xi64>) -> i64
          %e = llvm.extractelement %w[%z : i64] : vector<4xf64>
          %f = "llvm.intr.vector.reduce.fadd"(%e, %w) : (f64, vector<4xf64>) -> f64
          %m = "llvm.intr.vector.reduce.fmul"(%e, %w) : (f64, vector<4xf64>) -> f64
          %g = "llvm.intr.vector.reduce.fmaximum"(%w) : (vector<4xf64>) -> f64
          %t = llvm.mlir.constant(true) : i1
          %ex = llvm.intr.expect %t, %t : i1
          llvm.intr.assume %ex : i1
          %c = "llvm.intr.is.fpclass"(%x) <{bit = 264 : i32}> : (f64) -> i1
          %o = "llvm.intr.sadd.with.overflow"(%n, %n) : (i64, i64) -> !llvm.struct<(i64, i1)>
          %b = llvm.extractvalue %o[1] : !llvm.struct<(i64, i1)>
          %d = llvm.and %b, %c : i1
          %p = llvm.inttoptr %n : i64 to !llvm.ptr
          %q = llvm.ptrtoint %p : !llvm.ptr to i64
          %r = llvm.freeze %q : i64
          %k = "llvm.intr.abs"(%r) <{is_int_min_poison = false}> : (i64) -> i64
          %call = llvm.call_intrinsic "llvm.sqrt.f64"(%x) : (f64) -> f64
          %r0 = llvm.mlir.poison : !llvm.struct<(f64, i64, f64, i1, i64)>
          %r1 = llvm.insertvalue %f, %r0[0] : !llvm.struct<(f64, i64, f64, i1, i64)>
          %r2 = llvm.insertvalue %i, %r1[1] : !llvm.struct<(f64, i64, f64, i1, i64)>
          %r3 = llvm.insertvalue %call, %r2[2] : !llvm.struct<(f64, i64, f64, i1, i64)>
          %r4 = llvm.insertvalue %d, %r3[3] : !llvm.struct<(f64, i64, f64, i1, i64)>
          %r5 = llvm.insertvalue %k, %r4[4] : !llvm.struct<(f64, i64, f64, i1, i64)>
          llvm.return %r5 : !llvm.struct<(f64, i64, f64, i1, i64)>
        }""",
        (np.float64(9), np.int64(2**62)),
        (np.float64(4 + 4 + 3 + 2 + 9), np.int64(6), np.float64(3), np.True_, np.int64(2**62)),
    ),
    Case(
        """llvm.func @f(%p: i64) -> f64 {
          %one = llvm.mlir.constant(4 : i64) : i64
          %a = llvm.alloca %one x f64 : (i64) -> !llvm.ptr
          %m = llvm.mlir.constant(dense<[true, false, true, true]> : vector<4xi1>) : vector<4xi1>
          %v = llvm.mlir.constant(dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf64>) : vector<4xf64>
          llvm.store %v, %a : vector<4xf64>, !llvm.ptr
          %d = llvm.fadd %v, %v : vector<4xf64>
          llvm.intr.masked.store %d, %a, %m {alignment = 8 : i32}
            : vector<4xf64>, vector<4xi1> into !llvm.ptr
          %l = llvm.intr.masked.load %a, %m, %v {alignment = 8 : i32}
            : (!llvm.ptr, vector<4xi1>, vector<4xf64>) -> vector<4xf64>
          %i = llvm.mlir.constant(dense<[3, 1, 0, 2]> : vector<4xi64>) : vector<4xi64>
          %q = llvm.ptrtoint %a : !llvm.ptr to i64
          %s = "llvm.intr.vector.reduce.fadd"(%x, %l) : (f64, vector<4xf64>) -> f64
          llvm.return %s : f64
        }""".replace("(%x, %l)", "(%z, %l)").replace(
            "%q = llvm", "%z = llvm.mlir.constant(0.0 : f64) : f64\n          %q = llvm"
        ),
        (np.int64(0),),
        (np.float64(2 + 2 + 6 + 8),),
    ),
)
FOLDS = {
    "mul": 24, "and": 0, "or": 7, "xor": 4, "smin": 1, "smax": 4, "add": 10,
}  # fmt: skip
FLOAT_FOLDS = {"fmin": 1.0, "fmax": 4.0, "fminimum": 1.0, "fmaximum": 4.0}
FOLD = """llvm.func @f(%x: i64) -> {kind} {{
  %v = llvm.mlir.constant(dense<{values}> : vector<4x{kind}>) : vector<4x{kind}>
  %r = "llvm.intr.vector.reduce.{name}"(%v) : (vector<4x{kind}>) -> {kind}
  llvm.return %r : {kind}
}}"""
CASES += tuple(
    Case(FOLD.format(name=name, kind=kind, values=values), (np.int64(0),), (type_(expected),))
    for kind, values, type_, folds in (
        ("i64", "[1, 2, 3, 4]", np.int64, FOLDS),
        ("f64", "[1.0, 2.0, 3.0, 4.0]", np.float64, FLOAT_FOLDS),
    )
    for name, expected in folds.items()
)
OVERFLOW = """llvm.func @f(%x: i64, %y: i64) -> !llvm.struct<(i64, i1)> {{
  %r = "llvm.intr.{name}.with.overflow"(%x, %y) : (i64, i64) -> !llvm.struct<(i64, i1)>
  llvm.return %r : !llvm.struct<(i64, i1)>
}}"""
CASES += tuple(
    Case(OVERFLOW.format(name=name), (np.int64(x), np.int64(y)), (np.int64(r), np.bool_(over)))
    for name, x, y, r, over in (
        ("sadd", 2**63 - 1, 1, -(2**63), True),
        ("uadd", -1, 1, 0, True),
        ("ssub", -(2**63), 1, 2**63 - 1, True),
        ("usub", 3, 2, 1, False),
        ("smul", 2**40, 2**20, 2**60, False),
        ("umul", 2**40, 2**40, 0, True),
    )
)
CASES += (
    Case(
        """llvm.func @f(%n: i64) -> i64 {
          %four = llvm.mlir.constant(4 : i64) : i64
          %a = llvm.alloca %four x i64 : (i64) -> !llvm.ptr
          llvm.intr.lifetime.start %a : !llvm.ptr
          llvm.store %n, %a : i64, !llvm.ptr
          %p = llvm.mlir.poison : vector<2x!llvm.ptr>
          %z = llvm.mlir.constant(0 : i64) : i64
          %o = llvm.mlir.constant(1 : i64) : i64
          %p0 = llvm.insertelement %a, %p[%z : i64] : vector<2x!llvm.ptr>
          %p1 = llvm.insertelement %a, %p0[%o : i64] : vector<2x!llvm.ptr>
          %m = llvm.mlir.constant(dense<true> : vector<2xi1>) : vector<2xi1>
          %r = llvm.mlir.constant(dense<0> : vector<2xi64>) : vector<2xi64>
          %g = llvm.intr.masked.gather %p1, %m, %r {alignment = 8 : i32}
            : (vector<2x!llvm.ptr>, vector<2xi1>, vector<2xi64>) -> vector<2xi64>
          %s = "llvm.intr.vector.reduce.add"(%g) : (vector<2xi64>) -> i64
          llvm.intr.lifetime.end %a : !llvm.ptr
          llvm.return %s : i64
        }""",
        (np.int64(21),),
        (np.int64(42),),
    ),
)
BRANCHES = Case(
    """func.func @f(%n: i64) -> i64 {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      cf.br ^loop(%n, %zero : i64, i64)
    ^loop(%i: i64, %sum: i64):
      %go = arith.cmpi sgt, %i, %zero : i64
      cf.cond_br %go, ^body, ^done
    ^done:
      %k = builtin.unrealized_conversion_cast %sum : i64 to i64
      cf.switch %k : i64, [ default: ^other(%zero : i64), 15: ^right(%k : i64) ]
    ^other(%a: i64):
      return %a : i64
    ^right(%c: i64):
      return %c : i64
    ^body:
      %next = arith.subi %i, %one : i64
      %more = arith.addi %sum, %i : i64
      cf.br ^loop(%next, %more : i64, i64)
    }""",
    (np.int64(5),),
    (np.int64(15),),
)


def test_branches_of_functions_that_are_not_lowered() -> None:
    assert run(BRANCHES.text, *BRANCHES.arguments) == list(BRANCHES.expected)
    assert run(BRANCHES.text, np.int64(4)) == [0]


@pytest.mark.parametrize("case", CASES)
def test_programs(case: Case) -> None:
    signature = "(" + ", ".join(_kind(each) for each in case.arguments) + ") -> ("
    signature += ", ".join(_kind(each) for each in case.expected) + ")"
    head, _, rest = case.text.partition("llvm.func @f(")
    before, brace, body = rest.partition("{\n")
    text = f"{head}llvm.func @f({before}attributes {{agir.signature = {signature}}} {brace}{body}"
    found = run(text, *case.arguments)
    for one, other in zip(found, case.expected, strict=True):
        assert_same(one, other, 1e-7)


def _kind(value: np.generic) -> str:
    return {"f": f"f{8 * value.itemsize}", "i": f"i{8 * value.itemsize}", "b": "i1"}[
        value.dtype.kind
    ]


def test_most_operations_are_those_of_arith_and_math() -> None:
    known = {**arith.OPERATIONS, **math.OPERATIONS}
    for name, other in SAME.items():
        assert name in dispatch.OPERATIONS
        assert other in known


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("llvm.call @free(%p) : (!llvm.ptr) -> ()\nllvm.call @free(%p) : (!llvm.ptr) -> ()",
         "freed before"),
        ("llvm.call @free(%p) : (!llvm.ptr) -> ()\n%x = llvm.load %p : !llvm.ptr -> i64",
         "used that has been freed"),
        ("%q = llvm.getelementptr %p[8] : (!llvm.ptr) -> !llvm.ptr, i64\n"
         "%x = llvm.load %q : !llvm.ptr -> i64", "outside of all allocations"),
        ("llvm.unreachable", "what is unreachable is reached"),
    ],
)  # fmt: skip
def test_what_is_undefined(body: str, message: str) -> None:
    end = "" if "unreachable" in body else "llvm.return"
    text = f"""{HEAD}
    llvm.func @f() attributes {{agir.signature = () -> ()}} {{
      %size = llvm.mlir.constant(64 : i64) : i64
      %p = llvm.call @malloc(%size) : (i64) -> !llvm.ptr
      {body}
      {end}
    }}"""
    with pytest.raises(UndefinedBehaviour, match=message):
        run(text)


def test_what_nothing_provides_is_said_by_its_name() -> None:
    text = """llvm.func @nobody() -> i64
    llvm.func @f() -> i64 attributes {agir.signature = () -> i64} {
      %x = llvm.call @nobody() : () -> i64
      llvm.return %x : i64
    }"""
    with pytest.raises(UnsupportedOperation, match="nothing provides the function 'nobody'"):
        run(text)
    assert "malloc" in NATIVES
