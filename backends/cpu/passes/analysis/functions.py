"""The functions of a module, and what marks them."""

from __future__ import annotations

from typing import Any

from agir.backends.mlir.modules import symbols
from agir.ir.building.attributes import LIBRARY

LEAVES = "agir.leaves"
"""Marks functions whose last three results say whether, and why, they have ended early."""
WRITABLE = "agir.writable"
"""Marks arguments that may be written into."""
KERNEL = "agir.kernel"
"""Marks functions that were made of one array operation."""
PART = "agir.part"
"""Marks functions that were made of a part of a long block."""
DESTINATIONS = "agir.destinations"
"""The arguments of a function that its results are written into, once they are no results any more."""
PREFIX = "agir.parallel."
"""How the names of functions begin that run a range of a loop's iterations."""
RUN = ".run"
"""How the name of the function ends that divides a loop among threads."""


def functions(module: Any) -> list[Any]:
    """The functions of a module that have a body."""
    return [
        operation
        for operation in symbols(module).values()
        if operation.name == "func.func" and operation.regions[0].blocks
    ]


def is_public(function: Any) -> bool:
    """Whether a function can be called from outside its module."""
    return "sym_visibility" not in function.attributes


def name_of(function: Any) -> str:
    """By what calls know a function."""
    name: str = function.attributes["sym_name"].value
    return name


def block_of(function: Any) -> Any:
    """The block that a function begins with; before control flow is lowered it is the only one."""
    return function.regions[0].blocks[0]


def library_functions(module: Any, *, give_lists: bool) -> set[str]:
    """The names of the library's functions in a module: those that give lists, or only read."""
    return {
        name
        for name, function in symbols(module).items()
        if LIBRARY in function.attributes and bool(function.attributes[LIBRARY].value) is give_lists
    }
