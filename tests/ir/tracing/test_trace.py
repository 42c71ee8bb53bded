"""What a trace is made of while it is recorded."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import agir as ag
from agir.ir.building import bindings, making, program
from agir.ir.tracing.trace import Trace
from agir.runtime.recording import tracing


def recorded_again(x: Any, n: int) -> Any:
    total = 0
    for i in range(n):
        try:
            total = total + x[i] / n  # is an int before the first iteration: recorded again
            x[0] = total
        except IndexError:
            total = total * 2.0
    return total, x


def test_mlir_is_made_once_when_the_trace_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    finishing = False

    class Watched(bindings.ir.Operation):  # type: ignore[misc, name-defined]
        @staticmethod
        def create(name: str, *args: Any, **options: Any) -> Any:
            assert finishing, f"{name} is made while the function is recorded"
            made.append(name)
            return operation.create(name, *args, **options)

    def finish(*arguments: Any) -> Any:
        nonlocal finishing
        finishing = True
        return module(*arguments)

    operation, module = bindings.ir.Operation, making.module
    monkeypatch.setattr(bindings.ir, "Operation", Watched)
    monkeypatch.setattr(making, "module", finish)
    text = ag.jit(recorded_again).get_concrete_function(np.ones(3), 3).compilation.text("hlo")
    assert made.count("scf.for") == 1, "what was recorded again is there once"
    assert text.count("scf.for") == 1


def test_a_trace_that_is_given_up_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where something fails when the function has its module."""
    traces: list[weakref.ref[Trace]] = []
    finish = tracing.finish

    def failing(trace: Trace, *arguments: Any) -> Any:
        traces.append(weakref.ref(trace))
        finish(trace, *arguments)
        raise ag.errors.StagingError("too late")

    monkeypatch.setattr(tracing, "finish", failing)
    with pytest.raises(ag.errors.StagingError, match="too late"):
        ag.jit(recorded_again)(np.ones(3), 3)
    gc.collect()
    assert traces[0]() is None


def test_the_program_of_a_module_is_the_module_again() -> None:
    module = ag.jit(recorded_again).get_concrete_function(np.ones(3), 3).compilation.get("hlo")
    functions = making.program(module.body.operations)
    with bindings.context():
        assert str(making.module(functions)) == str(module)


def test_functions_that_do_the_same_are_alike() -> None:
    def function(name: str, value: int) -> program.Operation:
        ir, kind = bindings.ir, bindings.ir.IntegerType.get_signless(64)
        block = program.Block([kind], [ir.Location.unknown()])
        number = ir.IntegerAttr.get(kind, value)
        one = block.begin("arith.constant", kind, (), ir.Location.unknown(), value=number)
        total = [block.arguments[0], one]
        block.append(
            program.Operation("arith.addi", [kind], total, None, (), ir.Location.unknown())
        )
        said = {"sym_name": ir.StringAttr.get(name)}
        return program.Operation("func.func", (), (), said, [block], ir.Location.unknown())

    with bindings.context():
        assert program.likeness([function("f", 1)]) == program.likeness([function("g", 1)])
        assert program.likeness([function("f", 1)]) != program.likeness([function("f", 2)])
