"""The kernels of the benchmarks, decorated as they are, agree with themselves undecorated."""

from __future__ import annotations

import importlib
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import agir as ag

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
kernels = importlib.import_module("benchmarks.kernels")
sys.path.remove(str(ROOT))


@pytest.mark.parametrize("interpreted", [False, True], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("name", kernels.NAMES)
def test_decorated_agrees_with_undecorated(name: str, interpreted: bool) -> None:
    kernel = kernels.Kernel(name)
    decorated = ag.jit(kernel.function, jit_compile=False if interpreted else None)
    arguments = kernels.fresh(kernel.inputs("small"))
    returned = decorated(*arguments)
    kernels.check(kernel.results(returned, arguments), kernel.expected("small"), kernel.scale)


@pytest.mark.parametrize("name", kernels.NAMES)
def test_loops_for_numba_agree_with_the_program(name: str) -> None:
    kernel = kernels.Kernel(name)
    if kernel.loops is not None:
        arguments = kernels.fresh(kernel.inputs("small"))
        returned = kernel.loops(*arguments)
        kernels.check(kernel.results(returned, arguments), kernel.expected("small"), kernel.scale)


def functions(module: types.ModuleType) -> Iterator[types.FunctionType]:
    for value in vars(module).values():
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__:
            yield value


@pytest.mark.parametrize("name", kernels.NAMES)
def test_nothing_of_agir_in_a_kernel(name: str) -> None:
    module = kernels.Kernel(name).module
    assert not [n for n in vars(module) if n in ("ag", "agir")]
    assert not any("agir" in f.__code__.co_names for f in functions(module))


def in_loops(text: str) -> Iterator[str]:
    """The allocations of a bufferized program inside of loops, and the copies of heap memory there."""
    around: list[bool] = []
    for line in map(str.strip, text.splitlines()):
        if any(around) and re.search(r"memref\.alloc\b|memref\.copy %alloc\w*, %alloc\w* ", line):
            yield line
        for brace in re.findall(r"[{}]", re.sub(r"\{[^{}]*\}", "", line)):
            if brace == "{":
                around.append(bool(re.search(r"scf\.(for|while)|\bdo \{", line)))
            elif around:
                around.pop()


@pytest.mark.parametrize("name", kernels.NAMES)
def test_nothing_is_allocated_in_the_loops(name: str) -> None:
    kernel = kernels.Kernel(name)
    stages = ag.jit(kernel.function).experimental_get_compiler_ir(*kernel.inputs("full"))
    assert list(in_loops(stages(stage="bufferized"))) == []


def test_allocations_in_loops_are_found() -> None:
    text = """
    %alloc = memref.alloc() : memref<4xf64>
    scf.for %i = %c0 to %c4 step %c1 {
      %alloc_0 = memref.alloc() {alignment = 64 : i64} : memref<4xf64>
      memref.copy %alloc_0, %alloc : memref<4xf64> to memref<4xf64>
    }
    memref.copy %alloc_0, %alloc : memref<4xf64> to memref<4xf64>
    """
    assert len(list(in_loops(text))) == 2


def test_the_check_fails_where_it_has_to() -> None:
    right: list[Any] = [np.array([1.0, 2.0]), np.array([3], np.int32)]
    kernels.check(right, right)
    for wrong in ([right[0] + 1e-5, right[1]], [right[0], right[1] + 1], right[:1]):
        with pytest.raises(AssertionError):
            kernels.check(wrong, right)
    with pytest.raises(AssertionError):
        kernels.check([np.array([np.nan])], [np.array([1.0])])
