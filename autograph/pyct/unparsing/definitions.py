"""Functions, classes, type parameters and lambdas."""

# ruff: noqa: N802 (methods are named after the classes of nodes)

from __future__ import annotations

import ast
from typing import Any

from agir.autograph.pyct.unparsing.levels import TEST, WALRUS, YIELD
from agir.autograph.pyct.unparsing.writer import Writer


class Definitions(Writer):
    """One method a definition or a part of one."""

    def decorators(self, t: Any) -> None:
        for decorator in t.decorator_list:
            self.fill("@")
            self.at(WALRUS, decorator)

    def _FunctionDef(self, t: Any) -> None:
        self.definition("def ", t)

    def _AsyncFunctionDef(self, t: Any) -> None:
        self.definition("async def ", t)

    def definition(self, word: str, t: Any) -> None:
        self.write("\n")
        self.decorators(t)
        self.fill(word + t.name)
        self.type_params(t)
        with self.enclosed("()"):
            self.dispatch(t.args)
        if t.returns:
            self.write(" -> ")
            self.at(TEST, t.returns)
        self.suite(t.body)

    def _ClassDef(self, t: Any) -> None:
        self.write("\n")
        self.decorators(t)
        self.fill("class " + t.name)
        self.type_params(t)
        if t.bases or t.keywords:
            with self.enclosed("()"):
                self.series(self.argument, [*t.bases, *t.keywords])
        self.suite(t.body)

    def type_params(self, t: Any) -> None:
        if getattr(t, "type_params", None):
            with self.enclosed("[]"):
                self.series(self.dispatch, t.type_params)

    def _TypeVar(self, t: Any) -> None:
        self.write(t.name)
        if t.bound:
            self.write(": ")
            self.at(TEST, t.bound)
        self.default(t)

    def _ParamSpec(self, t: Any) -> None:
        self.write("**" + t.name)
        self.default(t)

    def _TypeVarTuple(self, t: Any) -> None:
        self.write("*" + t.name)
        self.default(t)

    def default(self, t: Any) -> None:
        if getattr(t, "default_value", None):
            self.write(" = ")
            self.at(YIELD if isinstance(t.default_value, ast.Starred) else TEST, t.default_value)

    def _TypeAlias(self, t: Any) -> None:
        self.fill("type ")
        self.dispatch(t.name)
        self.type_params(t)
        self.write(" = ")
        self.at(TEST, t.value)

    def _arguments(self, t: Any) -> None:
        parts: list[tuple[str, Any, Any]] = []
        plain = [*t.posonlyargs, *t.args]
        defaults = [None] * (len(plain) - len(t.defaults)) + list(t.defaults)
        for index, (arg, default) in enumerate(zip(plain, defaults, strict=True), 1):
            parts.append(("", arg, default))
            if index == len(t.posonlyargs):
                parts.append(("/", None, None))
        if t.vararg or t.kwonlyargs:
            parts.append(("*", t.vararg, None))
        parts += [("", *pair) for pair in zip(t.kwonlyargs, t.kw_defaults, strict=True)]
        if t.kwarg:
            parts.append(("**", t.kwarg, None))
        self.series(self.formal, parts)

    def formal(self, part: tuple[str, Any, Any]) -> None:
        stars, arg, default = part
        self.write(stars)
        if arg is not None:
            self.dispatch(arg)
        if default is not None:
            self.write("=" if arg.annotation is None else " = ")
            self.at(TEST, default)

    def _arg(self, t: Any) -> None:
        self.write(t.arg)
        if t.annotation:
            self.write(": ")
            self.argument(t.annotation)

    def _Lambda(self, t: Any) -> None:
        self.write("lambda")
        if any(getattr(t.args, field) for field in t.args._fields):
            self.write(" ")
        self.dispatch(t.args)
        self.write(": ")
        self.at(TEST, t.body)
