"""What writing any part of the grammar needs."""

from __future__ import annotations

import ast
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import astunparse

from agir.autograph.pyct.unparsing.levels import TEST, YIELD, level_of


class Writer(astunparse.Unparser):  # type: ignore[misc]
    """What the methods for node classes, which are named after them, have in common."""

    # Every place in which an expression stands says how tightly it has to bind.

    def at(self, level: int, node: ast.AST) -> None:
        """Write an expression, in parentheses if it binds less tightly than `level`."""
        if level_of(node) < level:
            with self.enclosed("()"):
                self.dispatch(node)
        else:
            self.dispatch(node)

    @contextmanager
    def enclosed(self, pair: str) -> Iterator[None]:
        """Write what the block writes, between two characters."""
        self.write(pair[0])
        yield
        self.write(pair[1])

    def series(self, write: Callable[[Any], None], items: Sequence[Any], by: str = ", ") -> None:
        """Write items with something between them."""
        for index, item in enumerate(items):
            if index:
                self.write(by)
            write(item)

    def argument(self, node: ast.AST) -> None:
        """An element of a list or of the arguments of a call."""
        self.at(YIELD if isinstance(node, ast.Starred) else TEST, node)

    def block(self, head: str, stmts: Sequence[ast.stmt]) -> None:
        """A statement with a block."""
        self.fill(head)
        self.suite(stmts)

    def suite(self, stmts: Sequence[ast.stmt]) -> None:
        """The statements of a block."""
        self.enter()
        self.dispatch(stmts)
        self.leave()

    def source(self, node: ast.expr) -> str:
        """An expression by itself."""
        out = io.StringIO()
        type(self)(ast.Expression(node), out)
        return out.getvalue().strip("\n")
