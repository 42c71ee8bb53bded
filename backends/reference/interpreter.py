"""Calling the functions of a module with NumPy values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agir.ir.host import hosts

from . import deep
from .core.memory import MemRef
from .core.types import ValueType, cast_argument, export_result
from .descriptors import Lowered
from .functions import Function
from .modules import Module


class Interpreter:
    """Executes the functions of an MLIR module of any stage, from tensors to the LLVM dialect.

    The module is verified at once; each function is decoded when it is first called, and later
    changes to the module are not seen.
    """

    def __init__(self, module: Any, given: Mapping[str, Any] | None = None) -> None:
        module.operation.verify()
        self._kept = module
        self._module = Module(module, given or {})
        functions = self._module.functions.values()
        self._depth = max((each.depth_limit for each in functions), default=0)
        self.may_act = any(each.may_act for each in functions)

    def function(self, name: str) -> Function:
        """The function of this name."""
        return self._module.function(name)

    def call(self, name: str, *arguments: Any, writes: bool = False) -> list[Any]:
        """Run one function on NumPy values; results are copies.

        Arguments are never modified, unless the function has buffers for them and ``writes`` says
        that what it writes into those is to be seen.
        """
        function = self.function(name)
        if len(arguments) != len(function.inputs):
            raise TypeError(f"{name} takes {len(function.inputs)} arguments, got {len(arguments)}")
        values = list(map(_given, arguments, function.inputs))
        run = Lowered(function, self._module.memory).run if function.is_lowered else function.run
        with hosts.calling():
            if self.may_act:  # in this thread or another one
                hosts.note_act()
            results = deep.run(self._depth, lambda: _quietly(run, values))
        for argument, value in zip(arguments, values, strict=True):
            if isinstance(value, MemRef) and writes:
                argument[...] = value.array
        return list(map(_exported, results, function.outputs))


def _quietly(run: Any, values: Sequence[Any]) -> list[Any]:
    with np.errstate(all="ignore"):
        found: list[Any] = run(values)
    return found


def _given(value: Any, type_: ValueType) -> Any:
    """An argument; an array for a buffer is copied into one."""
    if not type_.is_memref:
        return cast_argument(value, type_)
    return MemRef.of(cast_argument(value, replace(type_, is_tensor=True)))


def _exported(value: Any, type_: ValueType) -> Any:
    if isinstance(value, MemRef):
        value, type_ = value.array, replace(type_, is_tensor=True)
    return export_result(value, type_)
