"""Modules of Numba's from which programs import what stands elsewhere here."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def module(name: str, **contents: Any) -> ModuleType:
    """A module of that name below `agir.numba`, with the contents."""
    made = ModuleType(f"agir.numba.{name}")
    vars(made).update(contents)
    sys.modules[made.__name__] = made
    return made
