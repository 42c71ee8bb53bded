"""Scalar operations against what LLVM makes of them."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from agir.backends.reference import Interpreter, UndefinedBehaviour
from agir.ir.building import bindings

from .interpret import DTYPES, parse

PIPELINE = (
    "builtin.module(convert-complex-to-libm,convert-complex-to-standard,convert-math-to-funcs,"
    "func.func(arith-expand),convert-math-to-llvm,convert-math-to-libm,"
    "convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)"
)
INTEGERS = ("i8", "i32", "i64")
FLOATS = ("f32", "f64")
EDGES: dict[str, list[Any]] = {
    "i1": [False, True],
    **{
        name: [-(1 << (bits - 1)), -7, -1, 0, 1, 3, 5, (1 << (bits - 1)) - 1]
        for name, bits in (("i8", 8), ("i32", 32), ("i64", 64))
    },
    **{name: [-np.inf, -2.5, -1, -0.5, -0.0, 0.0, 0.5, 1.5, 7, np.inf, np.nan] for name in FLOATS},
    "complex<f64>": [1 + 2j, -0.5 + 0.25j, 3 - 1j, -1 - 1j],
}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


INTEGER_BINARY = _words(
    "addi subi muli divsi divui remsi remui floordivsi ceildivsi ceildivui andi ori xori "
    "maxsi maxui minsi minui"
)
FLOAT_BINARY = _words("addf subf mulf divf remf maximumf minimumf maxnumf minnumf")
FLOAT_PREDICATES = _words("oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno")
EXACT = _words("absf ceil floor round roundeven trunc sqrt")
ROUNDED = _words(
    "exp exp2 expm1 log log2 log10 log1p cbrt sin cos tan asin acos atan sinh cosh tanh "
    "asinh acosh atanh erf erfc rsqrt"
)


class Program(NamedTuple):
    """One operation on scalars."""

    name: str
    line: str
    operands: tuple[str, ...]
    result: str
    tolerance: float = 0

    @property
    def text(self) -> str:
        parameters = ", ".join(f"%{index}: {type_}" for index, type_ in enumerate(self.operands))
        return (
            f"func.func @{self.name}({parameters}) -> {self.result} "
            f"attributes {{llvm.emit_c_interface}} {{\n"
            f"  %r = {self.line}\n  return %r : {self.result}\n}}"
        )


def integer_programs(type_: str) -> Iterator[Program]:
    for name in INTEGER_BINARY:
        yield Program(f"{name}_{type_}", f"arith.{name} %0, %1 : {type_}", (type_,) * 2, type_)
    for predicate in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]:
        line = f"arith.cmpi {predicate}, %0, %1 : {type_}"
        yield Program(f"{predicate}_{type_}", line, (type_,) * 2, "i1")
    for name in ("absi", "ctpop", "ctlz", "cttz"):
        yield Program(f"{name}_{type_}", f"math.{name} %0 : {type_}", (type_,), type_)
    yield Program(f"ipowi_{type_}", f"math.ipowi %0, %1 : {type_}", (type_,) * 2, type_)
    for name, target in itertools.product(("sitofp", "uitofp"), FLOATS):
        line = f"arith.{name} %0 : {type_} to {target}"
        yield Program(f"{name}_{type_}_{target}", line, (type_,), target)
    for name in ("extsi", "extui"):
        yield Program(f"{name}_i1_{type_}", f"arith.{name} %0 : i1 to {type_}", ("i1",), type_)


def float_programs(type_: str) -> Iterator[Program]:
    for name in FLOAT_BINARY:
        yield Program(f"{name}_{type_}", f"arith.{name} %0, %1 : {type_}", (type_,) * 2, type_)
    for predicate in FLOAT_PREDICATES:
        line = f"arith.cmpf {predicate}, %0, %1 : {type_}"
        yield Program(f"{predicate}_{type_}", line, (type_,) * 2, "i1")
    for name in EXACT:
        yield Program(f"{name}_{type_}", f"math.{name} %0 : {type_}", (type_,), type_)
    for name in ("isnan", "isfinite"):
        yield Program(f"{name}_{type_}", f"math.{name} %0 : {type_}", (type_,), "i1")
    yield Program(f"copysign_{type_}", f"math.copysign %0, %1 : {type_}", (type_,) * 2, type_)
    yield Program(f"fma_{type_}", f"math.fma %0, %1, %0 : {type_}", (type_,) * 2, type_)
    tolerance = 4 * float(np.finfo(DTYPES[type_]).eps)
    for name in ROUNDED:
        yield Program(f"{name}_{type_}", f"math.{name} %0 : {type_}", (type_,), type_, tolerance)
    for name in ("powf", "atan2"):
        line = f"math.{name} %0, %1 : {type_}"
        yield Program(f"{name}_{type_}", line, (type_,) * 2, type_, tolerance)


def complex_programs() -> Iterator[Program]:
    type_ = "complex<f64>"
    for name in ["add", "sub", "mul", "div"]:
        line = f"complex.{name} %0, %1 : {type_}"
        yield Program(f"complex_{name}", line, (type_,) * 2, type_, 1e-14)
    for name in ["abs", "angle", "re", "im"]:
        yield Program(f"complex_{name}", f"complex.{name} %0 : {type_}", (type_,), "f64", 1e-14)


PROGRAMS = [
    *(program for type_ in INTEGERS for program in integer_programs(type_)),
    *(program for type_ in FLOATS for program in float_programs(type_)),
    *complex_programs(),
    Program("truncf", "arith.truncf %0 : f64 to f32", ("f64",), "f32"),
    Program("extf", "arith.extf %0 : f32 to f64", ("f32",), "f64"),
    Program("trunci", "arith.trunci %0 : i32 to i8", ("i32",), "i8"),
]
TEXT = "\n".join(program.text for program in PROGRAMS)


@pytest.fixture(scope="module")
def engine() -> Any:
    module = parse(TEXT)
    manager = bindings.passmanager.PassManager.parse(PIPELINE, context=bindings.context())
    manager.run(module.operation)
    return bindings.execution_engine.ExecutionEngine(module, opt_level=0)


@pytest.fixture(scope="module")
def interpreter() -> Interpreter:
    return Interpreter(parse(TEXT))


def native(engine: Any, program: Program, operands: list[Any]) -> Any:
    """Call through the packed interface: an array of pointers to operands and result."""
    address = engine.raw_lookup(program.name)
    assert address
    buffers = [np.array([value]) for value in operands]
    buffers.append(np.zeros(1, DTYPES[program.result]))
    pointers = (ctypes.c_void_p * len(buffers))(*(buffer.ctypes.data for buffer in buffers))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)(ctypes.addressof(pointers))
    return buffers[-1][0]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_against_compiled_code(engine: Any, interpreter: Interpreter, program: Program) -> None:
    values = [list(np.array(EDGES[type_], DTYPES[type_])) for type_ in program.operands]
    for operands in itertools.product(*values):
        try:
            (actual,) = interpreter.call(program.name, *operands)
        except UndefinedBehaviour:
            continue
        expected = native(engine, program, list(operands))
        np.testing.assert_allclose(
            actual, expected, rtol=program.tolerance, err_msg=f"{program.line} of {operands}"
        )
        # the sign of a zero is LLVM's to choose in maxnum and minnum, and lost in its log(1 + x)
        exact = not program.tolerance and "num" not in program.name
        if exact and actual.dtype.kind == "f" and not np.isnan(actual):
            assert np.signbit(actual) == np.signbit(expected), operands
