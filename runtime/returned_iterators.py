"""Functions under `jit` that return a generator or other iterator, which the host makes of parts."""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any

from agir.autograph.segments import ReturningFunction
from agir.runtime.function import GenericFunction
from agir.runtime.generators import CompiledGenerator, iterator, read
from agir.runtime.segments import Machine
from agir.runtime.traced import Options
from agir.runtime.yielding import steps
from agir.runtime.yielding.layouts import packed
from agir.runtime.yielding.steps import MADE, plain


class Returning:
    """Calls a function that returns iterators."""

    def __init__(self, function: FunctionType, options: Options) -> None:
        found = ReturningFunction(function, steps)
        self._run: GenericFunction[..., Any] = GenericFunction(
            found.function, replace(options, finish=packed)
        )
        inner = replace(options, static=())
        self._machines = [Machine(each, inner) for each in found.generators]
        self._outer = Machine(function, inner)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the function returns."""
        number, _, item = read(self._run(*args, **kwargs))
        if number is None:
            return item
        if number == MADE:
            function, given, named = item
            return iterator(self._outer, function, [plain(each) for each in given], named)
        return CompiledGenerator(self._machines[~number], item, {})
