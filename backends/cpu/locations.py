"""Where in the user's program an operation comes from, in words."""

from __future__ import annotations

from typing import Any

from agir.ir import bindings


def describe(location: Any) -> str:
    """``file:line``, with the callers behind it where there are any; empty if unknown."""
    ir = bindings.ir
    # a diagnostic's location comes without its class
    location = ir.Location.from_attr(location.attr)
    if isinstance(location, ir.FileLineColLoc):
        # text that was parsed without a file's name
        place = "line " if location.filename == "-" else f"{location.filename}:"
        return f"{place}{location.start_line}"
    if isinstance(location, ir.NameLoc):
        return describe(location.child_loc)
    if isinstance(location, ir.CallSiteLoc):
        return _joined([describe(location.callee), describe(location.caller)], ", called from ")
    if isinstance(location, ir.FusedLoc):
        return _joined([describe(part) for part in location.locations], " and ")
    return ""


def diagnostic(info: Any) -> str:
    """One line for a diagnostic of MLIR: place, message and notes."""
    place = describe(info.location)
    notes = "".join(f" ({note.message})" for note in info.notes)
    return f"{place}: {info.message}{notes}" if place else f"{info.message}{notes}"


def diagnostics(error: Any) -> str:
    """The message of an ``MLIRError``, one line for each diagnostic."""
    return "\n".join(diagnostic(info) for info in error.error_diagnostics) or str(error)


def _joined(places: list[str], separator: str) -> str:
    return separator.join(dict.fromkeys(place for place in places if place))
