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


def check(module: Any, stage: str, dialects: Iterable[str]) -> None:
    """Raise ``LoweringError`` if the module holds operations of other dialects than these."""
    allowed = {"builtin", *dialects}
    left: dict[str, str] = {}
    for operation in walk(module):
        name = operation.name
        if name.partition(".")[0] not in allowed or name == "builtin.unrealized_conversion_cast":
            left.setdefault(name, describe(operation.location))
    if left:
        found = ", ".join(f"{name} ({place})" if place else name for name, place in left.items())
        raise LoweringError(f"the passes of {stage!r} do not lower {found}")
