"""Quantities and lines as people write them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from agir.backends.mlir.places import SourceLocation

Units = Sequence[tuple[str, float]]

TIMES: Units = (("s", 1.0), ("ms", 1e3), ("us", 1e6), ("ns", 1e9))
BYTES: Units = (("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0))
FLOPS: Units = (("Gflop", 1e9), ("Mflop", 1e6), ("kflop", 1e3), ("flop", 1.0))


def amount(value: int | None, units: Units) -> str:
    """A quantity that may be unknown; nothing for none at all."""
    return "?" if value is None else scaled(value, units) if value else ""


def scaled(value: float, units: Units) -> str:
    """A number with three digits, in a unit that suits it."""
    if units is TIMES:
        name, factor = next((u for u in units if value * u[1] >= 1), units[-1])
        value *= factor
    else:
        name, factor = next((u for u in units if value >= u[1]), units[-1])
        value /= factor
    digits = max(0, 2 - math.floor(math.log10(max(value, 1))))
    text = f"{value:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text} {name}"


def numbers(places: Sequence[SourceLocation]) -> str:
    """Lines: ``4, 7-9``."""
    groups: list[list[int]] = []
    for line in sorted({place.line for place in places}):
        if groups and line == groups[-1][-1] + 1:
            groups[-1].append(line)
        else:
            groups.append([line])
    return ", ".join(f"{g[0]}-{g[-1]}" if len(g) > 1 else str(g[0]) for g in groups)
