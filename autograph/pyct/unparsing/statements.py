"""Statements, but for definitions and `match`."""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

import ast
from typing import Any

from agir.autograph.pyct.unparsing.levels import BINARY, TEST, WALRUS, YIELD
from agir.autograph.pyct.unparsing.writer import Writer


class Statements(Writer):
    """One method a statement."""

    def _Expr(self, t: Any) -> None:
        self.fill()
        text = t.value.value if isinstance(t.value, ast.Constant) else None
        if isinstance(text, str) and t.value.kind is None and _is_plain(text):
            self.write(f'"""{text}"""')
        else:
            self.value(t.value)

    def _Assign(self, t: Any) -> None:
        self.fill()
        for target in t.targets:
            self.dispatch(target)
            self.write(" = ")
        self.value(t.value)

    def value(self, node: ast.AST) -> None:
        """What is assigned, which may be a `yield` without parentheses."""
        self.at(TEST if isinstance(node, ast.NamedExpr) else YIELD, node)

    def _AugAssign(self, t: Any) -> None:
        self.fill()
        self.dispatch(t.target)
        self.write(f" {BINARY[type(t.op)][0]}= ")
        self.value(t.value)

    def _AnnAssign(self, t: Any) -> None:
        self.fill()
        if not t.simple and isinstance(t.target, ast.Name):
            with self.enclosed("()"):
                self.dispatch(t.target)
        else:
            self.dispatch(t.target)
        self.write(": ")
        self.at(TEST, t.annotation)
        if t.value:
            self.write(" = ")
            self.value(t.value)

    def _Return(self, t: Any) -> None:
        self.fill("return")
        if t.value:
            self.write(" ")
            self.at(TEST, t.value)

    def _Delete(self, t: Any) -> None:
        self.fill("del ")
        self.series(lambda each: self.at(TEST, each), t.targets)

    def _Assert(self, t: Any) -> None:
        self.fill("assert ")
        self.at(TEST, t.test)
        if t.msg:
            self.write(", ")
            self.at(TEST, t.msg)

    def _Raise(self, t: Any) -> None:
        self.fill("raise")
        for word, part in ((" ", t.exc), (" from ", t.cause)):
            if part:
                self.write(word)
                self.at(TEST, part)

    def _For(self, t: Any) -> None:
        self.loop("for ", t)

    def _AsyncFor(self, t: Any) -> None:
        self.loop("async for ", t)

    def loop(self, word: str, t: Any) -> None:
        self.fill(word)
        self.dispatch(t.target)
        self.write(" in ")
        self.at(TEST, t.iter)
        self.suite(t.body)
        if t.orelse:
            self.block("else", t.orelse)

    def _If(self, t: Any) -> None:
        self.condition("if ", t)

    def _While(self, t: Any) -> None:
        self.condition("while ", t)

    def condition(self, word: str, t: Any) -> None:
        self.fill(word)
        self.at(WALRUS, t.test)
        self.suite(t.body)
        if len(t.orelse) == 1 and isinstance(t, ast.If) and isinstance(t.orelse[0], ast.If):
            self.condition("elif ", t.orelse[0])
        elif t.orelse:
            self.block("else", t.orelse)

    def _Try(self, t: Any) -> None:
        self.attempt(t, "except")

    def _TryStar(self, t: Any) -> None:
        self.attempt(t, "except*")

    def attempt(self, t: Any, word: str) -> None:
        self.block("try", t.body)
        for handler in t.handlers:
            self.fill(word)
            if handler.type:
                self.write(" ")
                self.at(TEST, handler.type)
            if handler.name:
                self.write(f" as {handler.name}")
            self.suite(handler.body)
        for name, stmts in (("else", t.orelse), ("finally", t.finalbody)):
            if stmts:
                self.block(name, stmts)

    def _With(self, t: Any) -> None:
        self.fill("with ")
        self.items(t)

    def _AsyncWith(self, t: Any) -> None:
        self.fill("async with ")
        self.items(t)

    def items(self, t: Any) -> None:
        self.series(self.dispatch, t.items)
        self.suite(t.body)

    def _withitem(self, t: Any) -> None:
        # `with (a, b):` are two items, so a tuple that is one item keeps its own parentheses.
        self.at(TEST, t.context_expr)
        if t.optional_vars:
            self.write(" as ")
            self.at(TEST, t.optional_vars)


def _is_plain(text: str) -> bool:
    """Whether a docstring can stand between triple quotes as it is."""
    special = "\\" in text or '"""' in text or text.endswith('"')
    return not special and all(each.isprintable() or each == "\n" for each in text)
