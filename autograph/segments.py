"""Generator functions as functions of their state, in the form that `convert` takes."""

from __future__ import annotations

import builtins
import copy
import threading
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import gast

from agir.autograph.converters.yielding.returned_iterators import ReturnedIterators
from agir.autograph.converters.yielding.segments import Segments, Site
from agir.autograph.pyct import loader, parser
from agir.autograph.pyct.activity import scope_of
from agir.autograph.pyct.exchange import to_ast
from agir.autograph.pyct.naming import Namer
from agir.autograph.pyct.qualified_names import resolve
from agir.autograph.pyct.templates import statement
from agir.autograph.pyct.trees import walk
from agir.errors import ConversionError, UnsupportedError


class _Rewritten:
    """A function whose tree becomes those of other functions, which call ``helpers``."""

    def __init__(self, function: FunctionType, helpers: Any) -> None:
        self._function = function
        self._helpers = helpers
        tree, definition = parser.parse(function)
        tree = _with_statements(tree)
        self._class_name = definition.class_name
        code = function.__code__
        used = {each.id for each in walk(tree) if hasattr(each, "id")}
        self._namer = Namer({*used, *function.__globals__, *code.co_freevars, *code.co_names})
        self._helper = self._namer.fresh("steps__")
        self._tree = tree
        self._hidden = set(scope_of(tree).locals)
        self._names = _names(function)

    def _known(self, node: Any) -> Any:
        """What a name or attribute stands for outside of the function."""
        return None if getattr(node, "id", None) in self._hidden else resolve(node, self._names)

    def _located(self, error: UnsupportedError) -> ConversionError:
        where = f"{self._function.__qualname__} ({self._function.__code__.co_filename})"
        return UnsupportedError(f"{where}: {error.message}")

    def _made(self, tree: Any, name: str | None = None) -> FunctionType:
        function = self._function
        template = loader.compile_function(
            to_ast(copy.deepcopy(tree)),
            function.__code__,
            self._class_name,
            extra=(self._helper,),
            qualname=function.__qualname__,
        )
        if name is not None:
            template = loader.Template(template.code.replace(co_name=name), template.extra)
        parser.keep(template.code, tree, self._class_name)
        made = loader.instantiate(template, function, {self._helper: self._helpers})
        made.__defaults__ = made.__kwdefaults__ = None
        made.__annotations__ = {}
        if name is not None:
            made.__name__ = name
            made.__qualname__ = f"{function.__qualname__}.<locals>.{name}"
        return made

    def _with_defaults(self, made: FunctionType) -> FunctionType:
        made.__defaults__ = self._function.__defaults__
        made.__kwdefaults__ = self._function.__kwdefaults__
        return made


def _with_statements(tree: Any) -> Any:
    """A lambda as a function with a statement."""
    if not isinstance(tree, gast.Lambda):
        return tree
    body = gast.copy_location(gast.Return(tree.body), tree.body)
    made = statement("def lambda_():\n    body_", tree, body_=[body])
    made.args = tree.args
    return made


def _names(function: FunctionType) -> dict[str, Any]:
    """What the names around a function stand for."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    names = {**vars(builtins), **function.__globals__}
    for name, cell in cells:
        try:
            names[name] = cell.cell_contents
        except ValueError:
            names.pop(name, None)
    return names


class SegmentedFunction(_Rewritten):
    """A generator function, and the functions that run from one `yield` of it to the next.

    ``helpers`` is the module that these call: to say that they are suspended or have ended, and to
    iterate over something.
    """

    def __init__(self, function: FunctionType, helpers: Any) -> None:
        super().__init__(function, helpers)
        self._lock = threading.Lock()
        try:
            self._segments = Segments(self._tree, self._namer, self._helper, self._known)
        except UnsupportedError as error:
            raise self._located(error) from None

    @property
    def sites(self) -> Sequence[Site]:
        """The places where it yields."""
        return self._segments.sites

    def first(self) -> FunctionType:
        """The function from the beginning; it takes what the generator function takes."""
        return self._with_defaults(self._made(self._segments.first().tree))

    def after(self, number: int, *, throws: bool = False) -> FunctionType:
        """The function from a `yield` on: of the state there, and of what is sent or thrown."""
        with self._lock:
            segment = self._segments.after(number, throws=throws)
        return self._made(segment.tree)


class ReturningFunction(_Rewritten):
    """A function that returns iterators, as one that gives what they are made of."""

    def __init__(self, function: FunctionType, helpers: Any) -> None:
        super().__init__(function, helpers)
        found = ReturnedIterators(self._tree, self._namer, self._helper, self._known)
        self.may_return = found.may_return
        """Whether it may return an iterator."""
        self.function = self._with_defaults(self._made(found.function))
        self.generators = [self._made(each, _shown(each.name)) for each in found.generators]
        """The generator functions in it."""


def _shown(name: str) -> str:
    return f"<{name}>" if name == "genexpr" else name
