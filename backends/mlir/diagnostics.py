"""What MLIR's diagnostics say, with the user's places."""

from __future__ import annotations

from typing import Any

from agir.ir.building.locations import describe


def diagnostic(info: Any) -> str:
    """One line for a diagnostic of MLIR: place, message and notes."""
    place = describe(info.location)
    notes = "".join(f" ({note.message})" for note in info.notes)
    return f"{place}: {info.message}{notes}" if place else f"{info.message}{notes}"


def diagnostics(error: Any) -> str:
    """The message of an ``MLIRError``, one line for each diagnostic."""
    return "\n".join(diagnostic(info) for info in error.error_diagnostics) or str(error)
