"""Nothing may be left behind: partial conversions skip what they do not know without a word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agir.backends.mlir.diagnostics import diagnostics
from agir.backends.mlir.modules import walk
from agir.errors import LoweringError
from agir.ir.building import bindings
from agir.ir.building.locations import describe


def verify(module: Any, stage: str) -> None:
    """Raise ``LoweringError`` if the module breaks a rule of MLIR."""
    try:
        module.operation.verify()
    except bindings.ir.MLIRError as error:
        raise LoweringError(f"{stage!r} is not valid: {diagnostics(error)}") from None


def check(module: Any, stage: str, names: Iterable[str]) -> None:
    """Raise ``LoweringError`` if the module holds operations other than these and those of dialects."""
    allowed = {"builtin", *names}
    left: dict[str, str] = {}
    for operation in walk(module):
        name = operation.name
        is_allowed = name in allowed or name.partition(".")[0] in allowed
        if not is_allowed or name == "builtin.unrealized_conversion_cast":
            left.setdefault(name, describe(operation.location))
    if left:
        found = ", ".join(f"{name} ({place})" if place else name for name, place in left.items())
        raise LoweringError(f"the passes of {stage!r} do not lower {found}")
