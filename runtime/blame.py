"""The user's line in the messages of errors that are raised by a call, not while tracing."""

from __future__ import annotations

import linecache

from agir.ir import recording
from agir.ir.building import locations
from agir.ir.building.locations import Position
from agir.ir.recording import explained


def caller() -> Position | None:
    """The innermost line of the user's that has led here."""
    frames = locations.user_frames()
    return locations.position(frames[0]) if frames else None


def at_caller(message: str) -> str:
    """The message with the user's line under it."""
    place = caller()
    if place is None or "\n  at " in message:
        return message
    source = linecache.getline(place.file, place.line).strip()
    return f"{message}\n  at {place}, in {place.function}" + (f": {source}" if source else "")


def at_user(message: str) -> str:
    """The same of a function that is called, or recorded."""
    traced = recording.current() is not None
    return explained(message) if traced else at_caller(message)
