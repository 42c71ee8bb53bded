"""The compiled functions of a generator function, each made when it is first needed."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from dataclasses import replace
from types import FunctionType, MethodType
from typing import Any

from agir.autograph.converters.yielding.segments import Site
from agir.autograph.libraries import is_library
from agir.autograph.segments import SegmentedFunction
from agir.by_identity import IdentityDict
from agir.errors import ConversionError
from agir.runtime.recording.traced import Options
from agir.runtime.yielding import steps
from agir.runtime.yielding.layouts import packed

Make = Callable[[FunctionType, Options], Any]
"""Decorates a function."""


class Way:
    """How a generator goes on from one `yield`: the function, and what that is given."""

    __slots__ = ("asks", "is_guarded", "is_simple", "number", "receives", "run")

    def __init__(self, site: Site, run: Any) -> None:
        self.run: Callable[..., Any] = run
        self.number = site.number
        self.asks = site.asks
        self.receives = site.receives
        self.is_guarded = site.is_guarded
        self.is_simple = site.asks is None and not site.receives


class Machine:
    """All of them, and those of the generator functions that the function calls."""

    def __init__(self, function: FunctionType, options: Options, make: Make) -> None:
        self._make = make
        self._function = function
        self._options = options
        self._lock = threading.RLock()
        self._segmented: SegmentedFunction | None = None
        self._first: Any | None = None
        self._ways: dict[int, Way] = {}
        self._throwing: dict[int, Any] = {}
        self._inner: IdentityDict[Machine] = IdentityDict()

    @property
    def name(self) -> str:
        """What the generators are called."""
        return self._function.__name__

    @property
    def qualname(self) -> str:
        """The same with what is around it."""
        return self._function.__qualname__

    @property
    def segmented(self) -> SegmentedFunction:
        """The functions before they are compiled."""
        with self._lock:
            if self._segmented is None:
                self._segmented = SegmentedFunction(self._function, steps)
            return self._segmented

    @property
    def first(self) -> Any:
        """From the beginning."""
        with self._lock:
            if self._first is None:
                self._first = self._compiled(self.segmented.first())
            return self._first

    def way(self, number: int) -> Way:
        """From a `yield` on."""
        found = self._ways.get(number)
        if found is None:
            with self._lock:
                run = self._compiled(self.segmented.after(number))
                found = self._ways.setdefault(number, Way(self.segmented.sites[number], run))
        return found

    def throwing(self, number: int) -> Any:
        """From a `yield` on at which an exception is raised."""
        with self._lock:
            if number not in self._throwing:
                made = self.segmented.after(number, throws=True)
                self._throwing[number] = self._compiled(made)
            return self._throwing[number]

    def _compiled(self, function: FunctionType) -> Any:
        static = set(self._options.static) & set(inspect.signature(function).parameters)
        options = replace(self._options, static=tuple(static), finish=packed, lengths_vary=True)
        return self._make(function, options)

    def compiled(self) -> list[Any]:
        """Those that there are."""
        with self._lock:
            first = [] if self._first is None else [self._first]
            ways: list[Any] = [each.run for each in self._ways.values()]
            return [*first, *ways, *self._throwing.values()]

    def inner(self, function: Any) -> Machine | None:
        """The machine of a generator function that this one calls; None where Python runs it."""
        plain = function.__func__ if isinstance(function, MethodType) else function
        if not inspect.isgeneratorfunction(plain) or type(plain) is not FunctionType:
            return None
        if plain is self._function:
            return self
        found = self._inner.get(plain)
        if found is None and not is_library(plain):
            found = Machine(plain, replace(self._options, static=()), self._make)
            try:
                found.segmented  # noqa: B018 (asked whether it can be made)
            except ConversionError:
                return None
            self._inner.set(plain, found)
        return found
