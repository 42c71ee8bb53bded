"""Buffers that a group needs for one iteration of its shared loops at a time."""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.dependence.arrays import SCRATCH
from agir.backends.cpu.sweeps.buffers import Buffers
from agir.backends.cpu.sweeps.groups import Group
from agir.backends.cpu.sweeps.sizes import Sizes
from agir.backends.cpu.sweeps.statements import Leaf
from agir.backends.cpu.sweeps.views import Subscript, is_view
from agir.ir.building import bindings
from agir.records import dataclass


@dataclass(frozen=True)
class Temporary:
    """An allocation that can be smaller: the dimensions that it keeps, and the one of the block.

    The block is the last dimension of the smaller one, so that its elements are neighbours.
    """

    allocation: Any
    kept: tuple[int, ...]
    block: int | None


def temporaries(group: Group, sizes: Sizes, buffers: Buffers) -> dict[Any, Temporary]:
    """The buffers that only a group uses, each of whose elements in one iteration only."""
    graph = buffers.graph
    own = {leaf.operation for leaf in group.leaves}
    found = {}
    for base in group.bases:
        allocation = graph.producer(base, "memref.alloc")
        if allocation is None or allocation.name != "memref.alloc":
            continue
        axes = [_axis(base, loop, group, buffers) for loop in sizes.loops]
        if None not in axes and only_used_by(base, own, buffers):
            block = axes[sizes.loops.index(sizes.blocked)] if sizes.blocked is not None else None
            kept = tuple(axis for axis in range(base.type.rank) if axis not in axes)
            found[base] = Temporary(allocation, kept, block)
    return found


def _axis(base: Any, loop: int, group: Group, buffers: Buffers) -> int | None:
    """The dimension of a buffer that all of its accesses go along with a shared loop."""
    axes = set(range(base.type.rank))
    for n, leaf in enumerate(group.leaves):
        for access in leaf.accesses:
            if access.base == base:
                if not all(_is_known(place, leaf, buffers) for place in access.places):
                    return None
                axes &= {
                    axis
                    for axis, place in enumerate(access.places)
                    if place == (0, 1, group.loops[loop][n])
                }
    return min(axes, default=None)


def _is_known(place: Subscript, leaf: Leaf, buffers: Buffers) -> bool:
    """Whether the part of a buffer can be told without the buffer."""
    if place.offset is None or place.step != 1:
        return False
    return place.counter is None or any(map(buffers.lasts, leaf.loop_sizes[place.counter]))


def only_used_by(value: Any, own: set[Any], buffers: Buffers) -> bool:
    """Whether nothing but these operations uses a buffer and its views, until it is freed."""
    return all(
        only_used_by(user.results[0], own, buffers)
        if is_view(user)
        else user in own or user.name == "memref.dealloc"
        for user, _ in buffers.graph.uses(value)
    )


def smaller(temporary: Temporary, sizes: Sizes, operands: list[Any]) -> Any:
    """Allocate the smaller buffer, at the insertion point; `operands` are the dynamic sizes."""
    ir = bindings.ir
    old = temporary.allocation.results[0].type
    dynamic = [axis for axis in range(old.rank) if old.is_dynamic_dim(axis)]
    supply = dict(zip(dynamic, operands, strict=True))
    shape = [old.shape[axis] for axis in temporary.kept]
    if temporary.block is not None:
        shape.append(sizes.size)
    loop_sizes = [supply[axis] for axis in temporary.kept if axis in supply]
    attributes = {
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(loop_sizes), 0]),
        SCRATCH: ir.UnitAttr.get(),
    }
    if "alignment" in temporary.allocation.attributes:
        attributes["alignment"] = temporary.allocation.attributes["alignment"]
    return ir.Operation.create(
        "memref.alloc",
        results=[ir.MemRefType.get(shape, old.element_type)],
        operands=loop_sizes,
        attributes=attributes,
        loc=temporary.allocation.location,
    ).results[0]
