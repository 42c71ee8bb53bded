"""Numbers that are constants of the program."""

from __future__ import annotations

from typing import Any


def constant(value: Any) -> int | None:
    """The number that an SSA value is, where that is known."""
    owner = value.owner
    if getattr(owner, "name", "") != "arith.constant":
        return None
    return int(owner.attributes["value"].value)


def bounds(loop: Any) -> tuple[int, int, int] | None:
    """The lower bound, the upper bound and the step of an ``scf.for`` between constants."""
    low, high, step = (constant(value) for value in list(loop.operands)[:3])
    return None if low is None or high is None or step is None else (low, high, step)


def turns(loop: Any) -> int | None:
    """How often the body of an ``scf.for`` between constants runs."""
    found = bounds(loop)
    return None if found is None else max(0, -((found[0] - found[1]) // found[2]))
