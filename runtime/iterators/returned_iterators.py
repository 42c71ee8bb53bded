"""Functions under `jit` that return a generator or other iterator, which the host makes of parts."""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType
from typing import Any

from agir.autograph.segments import ReturningFunction
from agir.errors import ConversionError
from agir.runtime.iterators.generators import CompiledGenerator, iterator, read
from agir.runtime.iterators.segments import Machine, Make
from agir.runtime.recording.traced import Options
from agir.runtime.yielding import steps
from agir.runtime.yielding.layouts import packed
from agir.runtime.yielding.steps import MADE, plain


def returning(function: FunctionType, options: Options, make: Make) -> Returning | None:
    """How to call a function that returns iterators; None where it returns none that can be made."""
    try:
        found = ReturningFunction(function, steps)
    except ConversionError:
        return None
    return Returning(function, found, options, make) if found.may_return else None


class Returning:
    """Calls a function that returns iterators."""

    def __init__(
        self, function: FunctionType, found: ReturningFunction, options: Options, make: Make
    ) -> None:
        self._run = make(found.function, replace(options, finish=packed))
        inner = replace(options, static=())
        self._machines = [Machine(each, inner, make) for each in found.generators]
        self._outer = Machine(function, inner, make)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the function returns."""
        number, _, item = read(self._run(*args, **kwargs))
        if number is None:
            return item
        if number == MADE:
            function, given, named = item
            return iterator(self._outer, function, [plain(each) for each in given], named)
        return CompiledGenerator(self._machines[~number], item, {})
