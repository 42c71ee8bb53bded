"""Dialects that MLIR does not have, declared in IRDL or in Python."""

from __future__ import annotations

import re
from typing import Any

from agir.errors import OperandTypeError, PluginError
from agir.ir.building import bindings
from agir.records import dataclass

_NAME = re.compile(r"irdl\.dialect\s+@(\w+)")


@dataclass(frozen=True)
class Dialect:
    """A dialect: a text of IRDL, or a class made of the bindings' ``dialects.ext.Dialect``.

    Its operations may be in every stage before ``llvm``; a pass takes them away before that is made.

    >>> ag.plugins.Dialect("irdl.dialect @mine { irdl.operation @nothing { } }").name
    'mine'
    """

    definition: Any
    name: str = ""

    def __post_init__(self) -> None:
        given = self.definition
        if isinstance(given, str):
            found = _NAME.search(given)
            name = found[1] if found else ""
        else:
            name = getattr(given, "DIALECT_NAMESPACE", "") or getattr(given, "name", "")
        if not name or not (isinstance(given, str) or hasattr(given, "load")):
            raise OperandTypeError(
                "a dialect is a text with `irdl.dialect @name { ... }`, or a class made of "
                f"dialects.ext.Dialect, not {given!r}"
            )
        object.__setattr__(self, "name", self.name or name)

    def load(self) -> None:
        """Have MLIR know the dialect: now, or as soon as it is imported."""
        bindings.add_dialect(self._load)

    def _load(self) -> None:
        ir = bindings.ir
        try:
            if isinstance(self.definition, str):
                bindings.irdl.load_dialects(ir.Module.parse(self.definition))
            else:
                self.definition.load()
        except Exception as error:
            raise PluginError(
                f"the dialect {self.name!r} cannot be loaded: {type(error).__name__}: {error}"
            ) from error
