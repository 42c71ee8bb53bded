"""Python's trees as `gast` trees, and back, quickly: both ways are a good part of a conversion.

What becomes of the nodes that differ is `gast`'s own.  All others have the same fields here and there,
which are looked up once for each class of nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import gast
from gast.ast3 import Ast3ToGAst, GAstToAst3


def to_gast(node: ast.AST) -> Any:
    """The `gast` tree of a tree of Python's."""
    return _ToGast().visit(node)


def to_ast(node: Any) -> Any:
    """The tree of Python's for a `gast` tree."""
    return _ToAst().visit(node)


class _Quick:
    """Visits the nodes of a tree by their classes."""

    there: Any
    """Where the classes of the new nodes are."""

    def __init__(self) -> None:
        self.way: Any = self.__class__

    def visit(self, node: Any) -> Any:
        kind: Any = node.__class__
        return _visitor(self.way, kind)(self, node)

    def _visit(self, value: Any) -> Any:
        if value.__class__ is list:
            return [self._visit(each) for each in value]
        if isinstance(value, ast.AST):
            kind: Any = value.__class__
            return _visitor(self.way, kind)(self, value)
        return value

    def generic_visit(self, node: Any) -> Any:
        kind, fields, place, empty = _counterpart(self.way, node.__class__)
        if empty is not _NOT_EMPTY:
            return empty
        new, old = kind.__new__(kind), node.__dict__
        found = new.__dict__
        for name in fields:
            if name in old:
                found[name] = self._visit(old[name])
        for name in place:
            if name in old:
                found[name] = old[name]
        return new


class _ToGast(_Quick, Ast3ToGAst):  # type: ignore[misc]
    there = gast

    def visit_Name(self, node: Any) -> Any:  # noqa: N802 (named after the class of nodes)
        new = self.generic_visit(node)
        new.annotation = new.type_comment = None
        return new


class _ToAst(_Quick, GAstToAst3):  # type: ignore[misc]
    there = ast

    visit_Assign = visit_Name = _Quick.generic_visit  # noqa: N815 (named after classes of nodes)


@cache
def _visitor(way: Any, kind: Any) -> Callable[[Any, Any], Any]:
    found: Callable[[Any, Any], Any] = getattr(way, f"visit_{kind.__name__}", way.generic_visit)
    return found


@cache
def _counterpart(way: Any, kind: Any) -> tuple[Any, tuple[str, ...], tuple[str, ...], Any]:
    """The class of the same name there, the fields and attributes of both, and its only node.

    Contexts and operators have neither, so one node is enough; None stands for what is no part
    of a program, as in `gast`.
    """
    there = getattr(way.there, kind.__name__, None)
    if there is None:
        return there, (), (), None
    fields = tuple(name for name in kind._fields if name in there._fields)
    place = tuple(name for name in kind._attributes if name in there._attributes)
    return there, fields, place, _NOT_EMPTY if fields or place else there()


_NOT_EMPTY = object()
