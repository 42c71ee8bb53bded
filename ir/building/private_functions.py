"""The private functions of a module under construction: their names, and which are needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol

from agir.ir.building import bindings, symbol_names
from agir.ir.building.program import Block, Operation, likeness

_UNFINISHED = "agir.outlined."


class Named(Protocol):
    """What a function of the module is made for, and is called by its symbol."""

    symbol: str


class PrivateFunctions:
    """The functions that a trace has outlined, each group of equal ones once."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self._count = 0
        self._groups: dict[Any, str] = {}
        self._made: dict[str, Any] = {}
        self.derivatives: dict[str, str] = {}
        """By function that calls itself, the one that goes back through it."""
        self.changes: dict[str, str] = {}
        """... and the one that computes changes beside its values."""

    def temporary_symbol(self) -> str:
        """A symbol for a function that is being recorded, which no other symbol begins with."""
        self._count += 1
        return f"{_UNFINISHED}{self._count}."

    def add(self, first: Named, functions: Sequence[tuple[str, Any]]) -> None:
        """Take over finished functions, each with the user's name for it; the first is called."""
        alike = likeness([function for _, function in functions])
        if alike not in self._groups:
            names = {symbol_of(function): self.free_name(name) for name, function in functions}
            for _, function in functions:
                rename(function, names)
                self._made[symbol_of(function)] = function
            self._groups[alike] = names[first.symbol]
        first.symbol = self._groups[alike]

    def keep(self, symbol: str, function: Any) -> None:
        """Take over a finished function of a name that :meth:`free_name` has given."""
        self._made[symbol] = function

    def know(self, symbol: str, function: Any) -> None:
        """Know a function of another module."""
        self._taken.add(symbol)
        self._made[symbol] = function

    def made(self, symbol: str) -> Any:
        """The function of that name; None where there is none."""
        return self._made.get(symbol)

    def all(self) -> list[Any]:
        """All functions that were made."""
        return list(self._made.values())

    def free_name(self, wanted: str) -> str:
        """A symbol like the name that no other function has."""
        wanted = re.sub(r"\W", "_", symbol_names.symbol(wanted))
        name, number = wanted, 0
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name

    def needed_by(self, function: Any) -> list[Any]:
        """The functions that this one calls, at first or second hand."""
        return self._needed(callees(function)) if self._made else []

    def needed_in(self, block: Block) -> list[Any]:
        """Those that what is recorded in a block calls: others were of what has been taken back."""
        calls = [each for each in block.walk() if each.name == "func.call"] if self._made else []
        return self._needed([each.attributes["callee"].value for each in calls])

    def _needed(self, names: list[str]) -> list[Any]:
        found: dict[str, Any] = {}
        work = [names]
        while work:
            for name in work.pop():
                if name in self._made and name not in found:
                    found[name] = self._made[name]
                    work.append(callees(found[name]))
        return list(found.values())


def symbol_of(function: Any) -> str:
    """The symbol by which a function is called."""
    name: str = function.attributes["sym_name"].value
    return name


def _calls(function: Operation) -> list[Operation]:
    return [each for each in function.inside() if each.name == "func.call"]


GRADIENT = "agir.gradient"
"""The attribute of a function that names the one which computes its cotangents."""


def callees(function: Any) -> list[str]:
    """The functions that this one calls, and the one that differentiates it."""
    named = [function.attributes[GRADIENT].value] if GRADIENT in function.attributes else []
    return [*named, *(call.attributes["callee"].value for call in _calls(function))]


def rename(function: Any, names: dict[str, str]) -> None:
    """Call a function, and those that it calls, by other symbols, where there are such."""
    ir = bindings.ir
    function.attributes["sym_name"] = ir.StringAttr.get(names[symbol_of(function)])
    for call in _calls(function):
        callee = call.attributes["callee"].value
        if callee in names:
            call.attributes["callee"] = ir.FlatSymbolRefAttr.get(names[callee])
