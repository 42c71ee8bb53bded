"""The end of the program, which is an exception like any other: ``sys.exit``."""

from __future__ import annotations

from typing import Any

__ag_convert__ = True


def leave(status: Any = None) -> None:
    """Raise what Python ends with."""
    raise SystemExit(status)
