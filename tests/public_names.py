"""What agir offers: every public name, where it is found, and the facts of its documentation.

Run as a program, this writes a program that uses each name, for the type checker (``make mypy``).
"""

from __future__ import annotations

import inspect
import re
import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import agir as ag
from agir import operations as operations_table

FACTS = re.compile(r"^(Shapes|Dtypes|Raises|Source): (.*(?:\n +.*)*)", re.MULTILINE)


class Name(NamedTuple):
    """A public name."""

    path: str
    """How a program writes it, after ``ag.``."""
    value: Any

    @property
    def documentation(self) -> str:
        return inspect.getdoc(self.value) or ""

    def facts(self) -> dict[str, str]:
        """What the lines ``Shapes: ...`` and so on say."""
        found = FACTS.findall(self.documentation)
        return {key: " ".join(text.split()) for key, text in found}


def modules(module: types.ModuleType = ag, path: str = "") -> Iterator[tuple[str, Any]]:
    """The public modules, with how a program writes them after ``ag``."""
    yield path, module
    for name in module.__all__:
        if isinstance(value := getattr(module, name), types.ModuleType):
            yield from modules(value, f"{path}.{name}")


def every() -> list[Name]:
    """All that is public and no module, each value once, under its first name."""
    found: dict[int, Name] = {}
    for path, module in modules():
        for name in module.__all__:
            value = getattr(module, name)
            if not isinstance(value, types.ModuleType):
                found.setdefault(id(value), Name(f"{path}.{name}"[1:], value))
    return list(found.values())


def documented() -> list[Name]:
    """Those that have documentation of their own: not None, nor constants, dtypes, aliases, errors."""
    aliases = (types.UnionType, typing._UnionGenericAlias)
    plain = (type(None), float, ag.DType, *aliases)
    return [
        name
        for name in every()
        if not isinstance(name.value, plain)
        and not (inspect.isclass(name.value) and issubclass(name.value, BaseException))
    ]


NOT_OF_TENSORS = {
    "broadcast_static_shape", "is_tensor", "random.get_global_generator", "random.set_seed",
    "random.set_global_generator",
}  # fmt: skip


def operations() -> list[Name]:
    """The functions on tensors."""
    spaces = [getattr(ag, name) for name in ("linalg", "math", "nn", "random", "bitwise")]
    inside = {id(getattr(s, name)) for s in spaces for name in s.__all__}
    inside |= {id(getattr(ag, name)) for name in operations_table.__all__}
    return [
        name
        for name in documented()
        if id(name.value) in inside
        and not inspect.isclass(name.value)
        and name.path not in NOT_OF_TENSORS
    ]


def program() -> str:
    """A program that uses each name."""
    uses = (f"ag{path}.{name}\n" for path, module in modules() for name in module.__all__)
    return "import agir as ag\n\n" + "".join(uses)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(program())
