"""Generator functions as functions of their state, in the form that `convert` takes."""

from __future__ import annotations

import builtins
import copy
import threading
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import gast

from agir.autograph.converters.segments import Segment, Segments, Site
from agir.autograph.pyct import loader, parser
from agir.autograph.pyct.activity import scope_of
from agir.autograph.pyct.exchange import to_ast
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.qualified_names import resolve
from agir.autograph.pyct.trees import walk
from agir.errors import ConversionError, UnsupportedError

__all__ = ["SegmentedFunction", "Site"]


class SegmentedFunction:
    """A generator function, and the functions that run from one `yield` of it to the next.

    ``helpers`` is the module that these call: to say that they are suspended or have ended, and to
    iterate over something.
    """

    def __init__(self, function: FunctionType, helpers: Any) -> None:
        self._function = function
        self._helpers = helpers
        tree, definition = parser.parse(function)
        self._class_name = definition.class_name
        if not isinstance(tree, gast.FunctionDef):
            raise self._located(UnsupportedError("a lambda that yields is not recorded: use def"))
        code = function.__code__
        used = {each.id for each in walk(tree) if hasattr(each, "id")}
        namer = Namer({*used, *function.__globals__, *code.co_freevars, *code.co_names})
        self._helper = namer.fresh("steps__")
        hidden = set(scope_of(tree).locals)
        names = self._names()

        def known(node: Any) -> Any:
            parts = getattr(node, "id", None)
            return None if parts in hidden else resolve(node, names)

        self._lock = threading.Lock()
        try:
            self._segments = Segments(tree, namer, self._helper, known)
        except UnsupportedError as error:
            raise self._located(error) from None

    def _names(self) -> dict[str, Any]:
        function = self._function
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        names = {**vars(builtins), **function.__globals__}
        for name, cell in cells:
            try:
                names[name] = cell.cell_contents
            except ValueError:
                names.pop(name, None)
        return names

    @property
    def sites(self) -> Sequence[Site]:
        """The places where it yields."""
        return self._segments.sites

    def first(self) -> FunctionType:
        """The function from the beginning; it takes what the generator function takes."""
        made = self._made(self._segments.first())
        made.__defaults__ = self._function.__defaults__
        made.__kwdefaults__ = self._function.__kwdefaults__
        return made

    def after(self, number: int, *, throws: bool = False) -> FunctionType:
        """The function from a `yield` on: of the state there, and of what is sent or thrown."""
        with self._lock:
            try:
                segment = self._segments.after(number, throws=throws)
            except UnsupportedError as error:
                raise self._located(error) from None
        return self._made(segment)

    def _located(self, error: UnsupportedError) -> ConversionError:
        where = f"{self._function.__qualname__} ({self._function.__code__.co_filename})"
        return UnsupportedError(f"{where}: {error.message}")

    def _made(self, segment: Segment) -> FunctionType:
        function = self._function
        tree = to_ast(copy.deepcopy(segment.tree))
        template = loader.compile_function(
            tree,
            function.__code__,
            self._class_name,
            extra=(self._helper,),
            qualname=function.__qualname__,
        )
        parser.keep(template.code, segment.tree, self._class_name)
        made = loader.instantiate(template, function, {self._helper: self._helpers})
        made.__defaults__ = made.__kwdefaults__ = None
        made.__annotations__ = {}
        return made
