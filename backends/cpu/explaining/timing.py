"""Timing the rows of a program: the processor's cycle counter is read before and after each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from agir.backends.cpu.engine import Executable
from agir.backends.cpu.explaining.program import LOOPS, ROW
from agir.backends.mlir.modules import find
from agir.backends.mlir.places import number_in
from agir.backends.stages import Compilation
from agir.ir.building import bindings

_OTHERS = ("memref.copy", "linalg.generic", "func.call", "scf.if")
"""What a row can become but loops; a branch is one between threads and none."""
_ENOUGH = 0.05
"""Seconds of running after which a mean is good enough."""
_MOST_RUNS = 1000
_SEQUENTIAL = 7
"""``seq_cst`` among LLVM's atomic orderings."""

_CLOCK = """
func.func @now() -> (i64, i64) {
  llvm.fence syncscope("singlethread") seq_cst
  %t = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
  llvm.fence syncscope("singlethread") seq_cst
  llvm.fence syncscope("singlethread") seq_cst
  %u = llvm.call_intrinsic "llvm.readcyclecounter"() : () -> i64
  llvm.fence syncscope("singlethread") seq_cst
  return %t, %u : i64, i64
}
"""


class Clocks:
    """For each row how often it ran and how many cycles that took, written by compiled code."""

    def __init__(self, rows: int) -> None:
        self.counts = np.zeros(rows, np.int64)
        self.cycles = np.zeros(rows, np.int64)

    def insert(self, module: Any) -> None:
        """Insert the clocks into a module of the ``loops`` stage with numbered rows."""
        for operations in _outermost(module).values():
            for first, last, number in operations:
                self._surround(first, last, number)

    def reset(self) -> None:
        """Forget what was counted."""
        self.counts[:] = 0
        self.cycles[:] = 0

    def _surround(self, first: Any, last: Any, number: int) -> None:
        ir = bindings.ir
        i64 = ir.IntegerType.get_signless(64)
        with last.location:
            with ir.InsertionPoint(first):
                start = _now(i64)
            after = ir.InsertionPoint.after(last)
            with after:
                end = _now(i64)
                taken = _create("llvm.sub", [i64], [end, start])
                one = _create("llvm.mlir.constant", [i64], [], value=ir.IntegerAttr.get(i64, 1))
                _add(i64, _address(self.cycles, number), taken)
                _add(i64, _address(self.counts, number), one)


def _outermost(module: Any) -> dict[int, list[tuple[Any, Any, int]]]:
    """For each row the operations that it begins and ends with, in each block where it stands."""
    found: dict[int, list[tuple[Any, Any, int]]] = {}
    for operation in find(module, *LOOPS, *_OTHERS):
        number = number_in(operation.location, ROW)
        if number is None or number_in(operation.parent.location, ROW) == number:
            continue
        runs = found.setdefault(number, [])
        if runs and runs[-1][1].block == operation.block:
            runs[-1] = (runs[-1][0], operation, number)
        else:
            runs.append((operation, operation, number))
    return found


def _now(i64: Any) -> Any:
    ir = bindings.ir
    _fence()  # nothing may move into what is timed, or out of it
    time = _create(
        "llvm.call_intrinsic",
        [i64],
        [],
        intrin=ir.StringAttr.get("llvm.readcyclecounter"),
        operandSegmentSizes=ir.DenseI32ArrayAttr.get([0, 0]),
        op_bundle_sizes=ir.DenseI32ArrayAttr.get([]),
    )
    _fence()
    return time


def _fence() -> None:
    ir = bindings.ir
    ordering = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _SEQUENTIAL)
    # for the compiler only: it costs no instruction
    _create("llvm.fence", [], [], ordering=ordering, syncscope=ir.StringAttr.get("singlethread"))


def _add(i64: Any, address: int, amount: Any) -> None:
    ir = bindings.ir
    number = _create("llvm.mlir.constant", [i64], [], value=ir.IntegerAttr.get(i64, address))
    pointer = _create("llvm.inttoptr", [ir.Type.parse("!llvm.ptr")], [number])
    old = _create("llvm.load", [i64], [pointer])
    new = _create("llvm.add", [i64], [old, amount])
    _create("llvm.store", [], [new, pointer])


def _create(name: str, results: list[Any], operands: list[Any], **attributes: Any) -> Any:
    operation = bindings.ir.Operation.create(name, results, operands, attributes)
    return operation.results[0] if results else None


def _address(counters: Any, number: int) -> int:
    return int(counters.ctypes.data + 8 * number)


def measure(run: Callable[[], Any], clocks: Clocks | None = None) -> tuple[float, int]:
    """Seconds for a run, in the mean of several, and how many these were."""
    run()  # the first one warms the caches
    if clocks is not None:
        clocks.reset()
    runs, total = 0, 0.0
    while total < _ENOUGH and runs < _MOST_RUNS:
        start = time.perf_counter()
        run()
        total += time.perf_counter() - start
        runs += 1
    return total / runs, runs


@cache
def seconds_of_a_cycle() -> float:
    """How long the cycle counter takes to go on by one."""
    first, start = _clock()([])[0], time.perf_counter()
    while time.perf_counter() - start < _ENOUGH:
        pass
    last, end = _clock()([])[0], time.perf_counter()
    return float((end - start) / (last - first))


@cache
def cycles_of_a_clock() -> int:
    """How many cycles reading the counter twice takes, of which nothing is the timed code's."""
    pairs = [_clock()([]) for _ in range(100)]
    return min(int(second - first) for first, second in pairs)


@cache
def _clock() -> Executable:
    return Executable(Compilation.from_text(_CLOCK, "loops"), "now")


def copies(arguments: Sequence[Any]) -> list[Any]:
    """The arguments, so that a run cannot change the caller's."""
    return [np.array(each) if isinstance(each, np.ndarray) else each for each in arguments]
