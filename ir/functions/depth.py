"""How deep a recorded function may call itself: as deep as Python would let it."""

from __future__ import annotations

import sys

DEPTH_LIMIT = "agir.depth_limit"
"""The attribute of an outlined function that holds the limit; back ends provide the stack for it."""

_MOST = 1_000_000


def depth_limit() -> int:
    """Python's recursion limit at present, where that is not out of all proportion."""
    return min(sys.getrecursionlimit(), _MOST)
