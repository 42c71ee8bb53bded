"""The parts of a ``linalg.generic``: its maps, and which of its loops are reductions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.ir.building import bindings


def affine_map(rank: int, axes: Sequence[int]) -> Any:
    """The affine map from `rank` loop counters to these of them."""
    ir = bindings.ir
    return ir.AffineMap.get(rank, 0, [ir.AffineExpr.get_dim(axis) for axis in axes])


def iterator_types(rank: int, reduced: Sequence[int] = ()) -> Any:
    """The attribute that says which loops are reductions; the others are parallel."""
    kinds = ["reduction" if axis in reduced else "parallel" for axis in range(rank)]
    # as one text: an attribute of linalg by itself would load the dialect's Python classes
    text = ", ".join(f"#linalg.iterator_type<{kind}>" for kind in kinds)
    return bindings.ir.Attribute.parse(f"[{text}]")


def reduced_axes(generic: Any) -> list[int]:
    """Which loops of a ``linalg.generic`` are reductions."""
    kinds = str(generic.attributes["iterator_types"]).split(",")
    return [axis for axis, kind in enumerate(kinds) if "reduction" in kind]
