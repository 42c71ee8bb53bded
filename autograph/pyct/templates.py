"""Code templates.

A template is quoted Python; `replace` parses it and puts names, expressions and statements in the
place of the names in it ::

    replace("x_ = ag__.Undefined(name_)", origin, x_="n", name_=constant("n"))

A string replaces a name wherever one can stand (a function's name, `nonlocal`), an expression
replaces a loaded name, and a list of statements a name that is a statement of its own.  In a
`nonlocal` or in a tuple, a tuple of strings replaces one name.  Every node gets the location of
`origin`, the user's node it is derived from; what is put in keeps its own.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import gast

_PLACE = ("lineno", "col_offset", "end_lineno", "end_col_offset")


@functools.lru_cache(maxsize=256)
def _parsed(template: str) -> Any:
    return gast.parse(template)


def replace(template: str, origin: Any, **replacements: Any) -> list[Any]:
    """The statements of a template."""
    return _Filler(origin, replacements).block(_parsed(template).body)


def statement(template: str, origin: Any, **replacements: Any) -> Any:
    """The only statement of a template."""
    (single,) = replace(template, origin, **replacements)
    return single


def expression(template: str, origin: Any, **replacements: Any) -> Any:
    """The expression that a template consists of."""
    return statement(template, origin, **replacements).value


def name(text: str, origin: Any, ctx: Any = None) -> Any:
    """A name."""
    return _placed(gast.Name(text, ctx or gast.Load(), None, None), origin)


def names(texts: Sequence[str], origin: Any) -> Any:
    """A tuple of names."""
    return _placed(gast.Tuple([name(text, origin) for text in texts], gast.Load()), origin)


def constant(value: Any, origin: Any) -> Any:
    """A constant, or a tuple of constants."""
    if isinstance(value, tuple):
        return _placed(gast.Tuple([constant(each, origin) for each in value], gast.Load()), origin)
    return _placed(gast.Constant(value, None), origin)


def keyword(arg: str, value: Any) -> Any:
    """A keyword argument."""
    return gast.copy_location(gast.keyword(arg, value), value)


def at_line(node: Any, line: int) -> Any:
    """An origin on a line of its own."""
    origin = gast.copy_location(gast.Pass(), node)
    origin.lineno = origin.end_lineno = line
    origin.col_offset = origin.end_col_offset = 0
    return origin


def call(function: str, origin: Any, *args: Any) -> Any:
    """A call of a dotted name."""
    node = expression(f"{function}()", origin)
    node.args = list(args)
    return node


def _place(origin: Any) -> dict[str, Any]:
    """Where derived code stands: on the first line of the origin, as far as debuggers see."""
    place = {field: getattr(origin, field, None) for field in _PLACE}
    if place["end_lineno"] != place["lineno"]:
        place["end_lineno"], place["end_col_offset"] = place["lineno"], place["col_offset"]
    return place


def _placed(node: Any, origin: Any) -> Any:
    node.__dict__.update(_place(origin))
    return node


class _Filler:
    """Copies a template, filling it in."""

    def __init__(self, origin: Any, replacements: dict[str, Any]) -> None:
        self.replacements = replacements
        self.place = _place(origin)

    def block(self, nodes: Sequence[Any]) -> list[Any]:
        result: list[Any] = []
        for node in nodes:
            filled = self.node(node)
            if isinstance(filled, list):
                result.extend(filled)
            elif filled is not None:
                result.append(filled)
        return result

    def node(self, node: Any) -> Any:
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Name):
            replacement = self.replacements.get(node.value.id)
            if isinstance(replacement, list):
                return replacement
        if isinstance(node, gast.Name) and node.id in self.replacements:
            return self.named(node, self.replacements[node.id])
        if isinstance(node, gast.Nonlocal | gast.Global):
            return self.declaration(node)
        return self.copy(node)

    def named(self, node: Any, replacement: Any) -> Any:
        if isinstance(replacement, str):
            return self.copy(gast.Name(replacement, node.ctx, None, None))
        if isinstance(replacement, tuple):
            elements = [gast.Name(text, node.ctx, None, None) for text in replacement]
            return self.copy(gast.Tuple(elements, node.ctx))
        return replacement

    def declaration(self, node: Any) -> Any:
        declared: list[str] = []
        for text in node.names:
            replacement = self.replacements.get(text, text)
            declared.extend([replacement] if isinstance(replacement, str) else replacement)
        return self.copy(type(node)(declared)) if declared else None

    def copy(self, node: Any) -> Any:
        kind: Any = type(node)
        new = kind.__new__(kind)
        new.__dict__.update(self.place)
        for field in node._fields:
            new.__dict__[field] = self.value(getattr(node, field, None))
        return new

    def value(self, value: Any) -> Any:
        if isinstance(value, list):
            if value and isinstance(value[0], gast.stmt):
                return self.block(value)
            return [self.value(each) for each in value]
        if isinstance(value, gast.AST):
            return value if isinstance(value, gast.expr_context) else self.node(value)
        if isinstance(value, str) and isinstance(self.replacements.get(value), str):
            return self.replacements[value]
        return value
