"""Lines of C, the names of values, and the statements of which each operation becomes some."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agir.backends.c.types import refuse, type_name
from agir.ir.building import bindings

__all__ = ["Writer", "function_name", "global_name"]

_STEP = "    "
_NOT_IN_NAMES = re.compile(r"\W|^(?=\d)", re.ASCII)


def global_name(name: str) -> str:
    """The identifier of an array that the program holds."""
    return "constant_" + _NOT_IN_NAMES.sub("_", name).strip("_")


def function_name(name: str) -> str:
    """The identifier of a function, which is none of C's own."""
    return "agir_" + _NOT_IN_NAMES.sub("_", name)


class Writer:
    """The text of one function.

    `constants` and `expressions` give the values of operations, `statements` write those that are more.
    """

    def __init__(
        self,
        constants: Mapping[str, Callable[[Any], str]],
        expressions: Mapping[str, Callable[[Any, list[str]], str]],
        statements: Mapping[str, Callable[[Writer, Any], None]],
        functions: frozenset[str],
    ) -> None:
        self.lines: list[str] = []
        self.functions = functions
        self._constants = constants
        self._expressions = expressions
        self._statements = statements
        self._depth = 0
        self._names: dict[Any, str] = {}
        self._count = 0
        self.types: dict[str, None] = {}
        """The types of C that are used."""

    def fresh(self, hint: str) -> str:
        """A name that nothing else has."""
        self._count += 1
        return f"{_NOT_IN_NAMES.sub('_', hint)}_{self._count}"

    def name(self, value: Any) -> str:
        """The name of a value that is defined."""
        return self._names[value]

    def named(self, value: Any, hint: str = "") -> str:
        """A new name for a value: the user's variable, where there is one."""
        source = getattr(value, "location", None) or value.owner.location
        ir = bindings.ir
        source = ir.Location.from_attr(source.attr)
        said = source.name_str if isinstance(source, ir.NameLoc) else hint or "v"
        self._names[value] = self.fresh(said)
        return self._names[value]

    def type(self, value: Any) -> str:
        """The type of a value, of which note is taken."""
        operation = value.owner if hasattr(value.owner, "name") else value.owner.owner
        name = type_name(value.type, operation)
        self.types[name] = None
        return name

    def alias(self, value: Any, other: Any) -> None:
        """Have a value be known by another's name."""
        self._names[value] = self._names[other]

    def line(self, text: str) -> None:
        """Write a line."""
        self.lines.append(_STEP * self._depth + text)

    def open(self, head: str) -> None:
        """Begin a block."""
        self.line(f"{head} {{")
        self._depth += 1

    def close(self, tail: str = "") -> None:
        """End a block."""
        self._depth -= 1
        self.line(f"}}{tail}")

    def define(self, value: Any, text: str) -> None:
        """Give a value a name, if anything uses it."""
        if any(True for _ in value.uses):
            kind = self.type(value)
            self.line(f"{kind} {self.named(value)} = {text};")

    def declare(self, value: Any) -> str:
        """A variable for a value that is assigned later, and its name."""
        kind = self.type(value)
        name = self.named(value)
        self.line(f"{kind} {name};")
        return name

    def assign(self, targets: Sequence[str], values: Sequence[str]) -> None:
        """Assign at once: what is assigned to may be one of the values."""
        pairs = [pair for pair in zip(targets, values, strict=True) if pair[0] != pair[1]]
        if {value for _, value in pairs} & {target for target, _ in pairs}:
            kept = [(target, self.fresh("next"), value) for target, value in pairs]
            for target, name, value in kept:
                self.line(f"__typeof__({target}) {name} = {value};")
            pairs = [(target, name) for target, name, _ in kept]
        for target, value in pairs:
            self.line(f"{target} = {value};")

    def body(self, block: Any) -> tuple[Any, list[str]]:
        """Write the operations of a block; gives its end, and the names of what that hands on."""
        *operations, end = (view.operation for view in block.operations)
        for each in operations:
            self.operation(each)
        return end, [self.name(value) for value in end.operands]

    def operation(self, operation: Any) -> None:
        """Write an operation."""
        if constant := self._constants.get(operation.name):
            self._names[operation.results[0]] = constant(operation)
        elif expression := self._expressions.get(operation.name):
            given = [self.name(value) for value in operation.operands]
            self.define(operation.results[0], expression(operation, given))
        elif statement := self._statements.get(operation.name):
            statement(self, operation)
        else:
            refuse(operation, "there is nothing like it")
