"""Numbers that are constants of the program."""

from __future__ import annotations

from typing import Any


def number_of(value: Any) -> int | None:
    """The number that an SSA value is, where that is known."""
    owner = value.owner
    if getattr(owner, "name", "") != "arith.constant":
        return None
    return int(owner.attributes["value"].value)


def bounds(loop: Any) -> tuple[int, int, int] | None:
    """The lower bound, the upper bound and the step of an ``scf.for`` between constants."""
    low, high, step = (number_of(value) for value in list(loop.operands)[:3])
    return None if low is None or high is None or step is None else (low, high, step)


def iterations(loop: Any) -> int | None:
    """How often the body of an ``scf.for`` between constants runs."""
    found = bounds(loop)
    return None if found is None else max(0, -((found[0] - found[1]) // found[2]))


def most_iterations(loop: Any) -> int | None:
    """How often the body of an ``scf.for`` runs at most, where the end is bounded: that of a tile."""
    low, high, step = list(loop.operands)[:3]
    first, by = number_of(low), number_of(step)
    known = [n for n in map(number_of, upper_bounds(high)) if n is not None]
    if first is None or by is None or not known:
        return None
    return max(0, -((first - min(known)) // by))


def upper_bounds(value: Any) -> list[Any]:
    """Values that one is not greater than."""
    return list(value.owner.operands) if getattr(value.owner, "name", "") == "arith.minsi" else []
