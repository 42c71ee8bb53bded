"""Expressions."""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any

from agir.autograph.pyct.unparsing.fstrings import FString
from agir.autograph.pyct.unparsing.levels import (
    AND,
    ATOM,
    BINARY,
    BITOR,
    OR,
    TEST,
    UNARY,
    UNARY_OPERATORS,
    WALRUS,
    YIELD,
    level_of,
)
from agir.autograph.pyct.unparsing.writer import Writer


class Expressions(Writer):
    """One method an expression."""

    def _NamedExpr(self, t: Any) -> None:
        self.at(ATOM, t.target)
        self.write(" := ")
        self.at(TEST, t.value)

    def _BoolOp(self, t: Any) -> None:
        level = level_of(t)
        word = " and " if level == AND else " or "
        self.series(lambda each: self.at(level + 1, each), t.values, word)

    def _UnaryOp(self, t: Any) -> None:
        text, level = UNARY_OPERATORS[type(t.op)]
        self.write(text)
        self.at(level, t.operand)

    def _BinOp(self, t: Any) -> None:
        text, level = BINARY[type(t.op)]
        to_the_right = isinstance(t.op, ast.Pow)
        self.at(level + to_the_right, t.left)
        self.write(f" {text} ")
        # A sign binds less tightly than a power, but needs no parentheses in an exponent.
        self.at(UNARY if to_the_right else level + 1, t.right)

    def _Compare(self, t: Any) -> None:
        self.at(BITOR, t.left)
        for op, comparator in zip(t.ops, t.comparators, strict=True):
            self.write(f" {self.cmpops[type(op).__name__]} ")
            self.at(BITOR, comparator)

    def _IfExp(self, t: Any) -> None:
        self.at(OR, t.body)
        self.write(" if ")
        self.at(OR, t.test)
        self.write(" else ")
        self.at(TEST, t.orelse)

    def _Await(self, t: Any) -> None:
        self.write("await ")
        self.at(ATOM, t.value)

    def _Yield(self, t: Any) -> None:
        self.write("yield")
        if t.value:
            self.write(" ")
            self.at(TEST, t.value)

    def _YieldFrom(self, t: Any) -> None:
        self.write("yield from ")
        self.at(TEST, t.value)

    def _Starred(self, t: Any) -> None:
        self.write("*")
        self.at(BITOR, t.value)

    def _Tuple(self, t: Any) -> None:
        with self.enclosed("()"):
            self.elements(t.elts)

    def elements(self, elements: Sequence[Any]) -> None:
        self.series(self.argument, elements)
        if len(elements) == 1:
            self.write(",")

    def _List(self, t: Any) -> None:
        with self.enclosed("[]"):
            self.series(self.argument, t.elts)

    def _Set(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.series(self.argument, t.elts)

    def _Dict(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.series(self.item, list(zip(t.keys, t.values, strict=True)))

    def item(self, item: tuple[Any, Any]) -> None:
        if item[0] is None:
            self.write("**")
            self.at(BITOR, item[1])
        else:
            self.at(TEST, item[0])
            self.write(": ")
            self.at(TEST, item[1])

    def _ListComp(self, t: Any) -> None:
        self.comprehension("[]", t)

    def _SetComp(self, t: Any) -> None:
        self.comprehension("{}", t)

    def _GeneratorExp(self, t: Any) -> None:
        self.comprehension("()", t)

    def comprehension(self, pair: str, t: Any) -> None:
        with self.enclosed(pair):
            self.at(TEST, t.elt)
            self.dispatch(t.generators)

    def _DictComp(self, t: Any) -> None:
        with self.enclosed("{}"):
            self.item((t.key, t.value))
            self.dispatch(t.generators)

    def _comprehension(self, t: Any) -> None:
        self.write(" async for " if t.is_async else " for ")
        self.dispatch(t.target)
        self.write(" in ")
        self.at(OR, t.iter)
        for condition in t.ifs:
            self.write(" if ")
            self.at(OR, condition)

    def _Call(self, t: Any) -> None:
        self.at(ATOM, t.func)
        with self.enclosed("()"):
            self.series(self.argument, [*t.args, *t.keywords])

    def _keyword(self, t: Any) -> None:
        self.write("**" if t.arg is None else f"{t.arg}=")
        self.at(BITOR if t.arg is None else TEST, t.value)

    def _Attribute(self, t: Any) -> None:
        self.at(ATOM, t.value)
        if isinstance(t.value, ast.Constant) and type(t.value.value) is int:
            self.write(" ")
        self.write(f".{t.attr}")

    def _Subscript(self, t: Any) -> None:
        self.at(ATOM, t.value)
        with self.enclosed("[]"):
            if isinstance(t.slice, ast.Tuple) and any(map(_is_slice, t.slice.elts)):
                self.elements(t.slice.elts)
            else:
                self.at(WALRUS if isinstance(t.slice, ast.Starred) else YIELD, t.slice)

    def _Slice(self, t: Any) -> None:
        for text, part in (("", t.lower), (":", t.upper), (":" if t.step else "", t.step)):
            self.write(text)
            if part:
                self.at(TEST, part)

    def _Constant(self, t: Any) -> None:
        if t.value is Ellipsis:
            self.write("...")
        elif isinstance(t.value, float | complex):
            self.write(_number(t.value))
        else:
            self.write(("u" if t.kind == "u" else "") + repr(t.value))

    def _JoinedStr(self, t: Any) -> None:
        self.write(FString(t.values, self.source).text())

    def _FormattedValue(self, t: Any) -> None:
        self.write(FString([t], self.source).text())


def _is_slice(node: ast.AST) -> bool:
    return isinstance(node, ast.Slice | ast.Starred)


def _number(value: complex) -> str:
    text = repr(value).replace("inf", f"1e{sys.float_info.max_10_exp + 1}")
    return text.replace("nan", f"(1e{sys.float_info.max_10_exp + 1}-1e309)")
