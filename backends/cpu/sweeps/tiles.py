"""Whether it is worth while to tile a stencil, how large the tiles are, and the loops over them.

The arrays in between are then scratch of the size of a tile with its halo, which stays in a near
cache.  What is in a halo is computed by both of its tiles, so tiles have to be larger than halos.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from agir.backends.cpu.dependence.arrays import SCRATCH
from agir.backends.cpu.sweeps.buffers import Buffers, LoopSize, item_bytes, static_bytes
from agir.backends.cpu.sweeps.emission import computed, inside, loop, part
from agir.backends.cpu.sweeps.groups import Group
from agir.backends.cpu.sweeps.iterations import Iteration
from agir.backends.cpu.sweeps.nests import erase_with_users, freed, loop_size_of, move_after
from agir.backends.cpu.sweeps.parts import Parts
from agir.backends.cpu.sweeps.sizes import Sizes
from agir.backends.cpu.sweeps.statements import Access, Leaf, Statement
from agir.backends.cpu.sweeps.stencils import Stencil
from agir.backends.cpu.sweeps.views import Subscript
from agir.ir.building import bindings
from agir.records import dataclass

LARGE = 2 * 1024 * 1024  # bytes of arrays in between: less stays in a near cache anyway
SCRATCH_BYTES = 128 * 1024  # of all of them, for one tile
LONGEST = 512  # elements of a tile along the last dimension, if it has others
FEWEST_ROWS = 32  # of such a tile
FEWEST, SHORTEST = 8, 64  # elements of a tile along any dimension, and along the last one
LINE = 8  # elements of which rows of the scratch are multiples
MOST_AGAIN = 1.35  # how much may be computed, where 1 is nothing twice


@dataclass(frozen=True)
class Tiling:
    """The tiled loops, by number, with the sizes of the tiles and of the loops."""

    sizes: dict[int, int]
    loop_sizes: dict[int, LoopSize]


def tiling(stencil: Stencil, buffers: Buffers) -> Tiling | None:
    """How to tile a stencil; None if that is of no use."""
    if not _is_large(stencil) or all(n == (0, 0) for each in stencil.halos for n in each):
        return None
    results = _results(stencil)
    found = {
        number: loop_size
        for number in range(len(results.loops))
        if (loop_size := loop_size_of(number, results, buffers)) is not None
    }
    if not _rest_is_known(stencil, set(found)):
        return None
    sizes = _sizes(stencil, found)
    if not sizes or _computed(stencil, sizes) > MOST_AGAIN:
        return None
    return Tiling(sizes, {number: found[number] for number in sizes})


def _is_large(stencil: Stencil) -> bool:
    known = [static_bytes(base.type) for base in stencil.temporaries]
    return None in known or sum(size for size in known if size is not None) >= LARGE


def _results(stencil: Stencil) -> Group:
    """The leaves that compute what is no scratch: the tiles are theirs."""
    group = stencil.group
    own = [n for n in range(len(group.leaves)) if n not in stencil.temporaries.values()]
    leaves = [group.leaves[n] for n in own]
    loops = [tuple(loop[n] for n in own) for loop in group.loops]
    return Group(group.statements, leaves, loops, group.equal)


def _axes(base: Any, stencil: Stencil) -> list[int | None]:
    """The number of the loop that each dimension of an array in between follows."""
    n = stencil.temporaries[base]
    leaf = stencil.group.leaves[n]
    written = next(access for access in leaf.accesses if access.base == base and access.writes)
    numbers = {own[n]: number for number, own in enumerate(stencil.group.loops)}
    return [numbers.get(place.counter) for place in written.places]  # type: ignore[arg-type]


def _rest_is_known(stencil: Stencil, tiled: set[int]) -> bool:
    """Whether along the other dimensions the scratch has a number of elements, and all parts of it."""
    group = stencil.group
    for n, leaf in enumerate(group.leaves):
        followed = {group.loops[number][n] for number in tiled}
        for access in leaf.accesses:
            if access.base in stencil.temporaries:
                for axis, place in enumerate(access.places):
                    if place.counter in followed:
                        continue
                    if access.base.type.is_dynamic_dim(axis) or not _is_part(place, leaf):
                        return False
    return True


def _is_part(place: Subscript, leaf: Leaf) -> bool:
    """Whether a leaf has a range of a known length along a dimension, or one place."""
    if place.offset is None:
        return False
    if place.counter is None:
        return True
    return place.step == 1 and any(isinstance(n, int) for n in leaf.loop_sizes[place.counter])


def _sizes(stencil: Stencil, loop_sizes: dict[int, LoopSize]) -> dict[int, int]:
    """Long tiles along memory, and so many rows that the scratch is of the size that it may have."""
    bases = list(stencil.temporaries)
    widest = max(bases, key=lambda base: base.type.rank)
    axes = _axes(widest, stencil)
    tiled = [number for number in axes if number in loop_sizes]
    fixed = prod(widest.type.shape[a] for a, n in enumerate(axes) if n not in loop_sizes)
    elements = SCRATCH_BYTES // sum(item_bytes(base.type) for base in bases) // max(1, fixed)
    sizes: dict[int, int] = {}
    for left in range(len(tiled) - 1, -1, -1):
        number = tiled[left]
        assert number is not None
        last = axes[-1] == number
        wanted = max(FEWEST, round(elements ** (1 / (left + 1))))
        if last and left:
            wanted = min(LONGEST, elements // FEWEST_ROWS)
        loop_size = loop_sizes[number]
        size = _even(wanted, loop_size) if not last else max(SHORTEST, wanted // LINE * LINE)
        sizes[number] = min(size, loop_size) if isinstance(loop_size, int) else size
        elements = max(1, elements // sizes[number])
    return dict(sorted(sizes.items()))


def _even(size: int, loop_size: LoopSize) -> int:
    """A size that leaves little over, if there is one that is not much smaller."""
    if not isinstance(loop_size, int) or loop_size <= size:
        return size
    return -(-loop_size // -(-loop_size // size))


def _computed(stencil: Stencil, sizes: dict[int, int]) -> float:
    """How often an element of a stage is computed, on the average of the stages."""
    shares = [
        prod(
            1 + (halos[n][1] - halos[n][0]) / sizes[number]
            for number, halos in enumerate(stencil.halos)
            if number in sizes
        )
        for n in stencil.temporaries.values()
    ]
    return sum(shares) / len(shares)


class Tiles:
    """Puts the loops over tiles where a stencil's last statement is."""

    def __init__(
        self, stencil: Stencil, tiling: Tiling, buffers: Buffers, block: list[Any]
    ) -> None:
        self._stencil = stencil
        self._tiling = tiling
        self._parts = _Parts(stencil, tiling, buffers)
        self._allocations = [buffers.graph.producer(base) for base in stencil.temporaries]
        self._freed = freed(block, stencil.group.bases - set(stencil.temporaries))

    @property
    def statements(self) -> list[Statement]:
        """What the loops take the place of."""
        return self._stencil.group.statements

    def make(self) -> None:
        """Make them, and remove the statements."""
        ir = bindings.ir
        last = self._stencil.group.statements[-1].operation
        with ir.InsertionPoint(last), last.location:
            values = {base: self._scratch(base) for base in self._stencil.temporaries}
            self._make(list(self._tiling.sizes), Iteration({}, {}, dict(values)))
            for value in values.values():
                ir.Operation.create("memref.dealloc", operands=[value])
        move_after(self._freed, last)
        for statement in self._stencil.group.statements:
            statement.operation.erase()
        for allocation in self._allocations:
            erase_with_users(allocation)

    def _scratch(self, base: Any) -> Any:
        ir = bindings.ir
        n = self._stencil.temporaries[base]
        shape = []
        for axis, number in enumerate(_axes(base, self._stencil)):
            if number in self._tiling.sizes:
                low, high = self._stencil.halos[number][n]
                shape.append(self._tiling.sizes[number] + high - low)
            else:
                shape.append(base.type.shape[axis])
        shape[-1] = -(-shape[-1] // LINE) * LINE
        attributes = {
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
            "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64),
            SCRATCH: ir.UnitAttr.get(),
        }
        kind = ir.MemRefType.get(shape, base.type.element_type)
        made = ir.Operation.create("memref.alloc", results=[kind], attributes=attributes)
        return made.results[0]

    def _make(self, loops: Sequence[int], iteration: Iteration) -> None:
        if not loops:
            for n, statement in enumerate(self._stencil.group.statements):
                with statement.operation.location:
                    self._parts.write(n, self._with_halo(n, iteration))
            return
        number, *inner = loops
        size = self._tiling.sizes[number]
        loop_size = iteration.number(self._tiling.loop_sizes[number])
        if loop_size == size and isinstance(loop_size, int):
            self._make(inner, iteration.at(number, 0, size))
            return
        made = loop(0, loop_size, size)
        with inside(made):
            start = made.regions[0].blocks[0].arguments[0]
            even = isinstance(loop_size, int) and loop_size % size == 0
            left = size if even else _smaller(size, computed("arith.subi", loop_size, start))
            self._make(inner, iteration.at(number, start, left))

    def _with_halo(self, n: int, iteration: Iteration) -> Iteration:
        """The iteration as one leaf has it."""
        offsets, sizes = {}, {}
        for number, start in iteration.offsets.items():
            low, high = self._stencil.halos[number][n]
            offsets[number] = _sum(start, low)
            sizes[number] = _sum(iteration.sizes[number], high - low)
        return Iteration(offsets, sizes, dict(iteration.values))


def _smaller(size: int, left: Any) -> Any:
    return computed("arith.minsi", left, size)


def _sum(value: Any, number: int) -> Any:
    if isinstance(value, int) or number == 0:
        return value + number if isinstance(value, int) else value
    return computed("arith.addi", value, number)


class _Parts(Parts):
    """Writes leaves of which the arrays in between are the parts that a tile has."""

    def __init__(self, stencil: Stencil, tiling: Tiling, buffers: Buffers) -> None:
        chosen = Sizes(tuple(tiling.sizes))
        super().__init__(stencil.group, chosen, buffers, dict.fromkeys(stencil.temporaries))
        self._stencil = stencil

    def _of_temporary(
        self, leaf: Leaf, access: Access, shared: dict[int, int], iteration: Iteration
    ) -> tuple[Any, list[int]]:
        writer = self._stencil.temporaries[access.base]
        reader = self._group.leaves.index(leaf)
        offsets: list[Any] = []
        loop_sizes: list[Any] = []
        dropped: set[int] = set()
        dims: list[int] = []
        for axis, place in enumerate(access.places):
            number = shared.get(place.counter, -1) if place.counter is not None else -1
            if number >= 0:
                halos = self._stencil.halos[number]
                offsets.append(halos[reader][0] + place.offset - halos[writer][0])
                loop_sizes.append(iteration.sizes[number])
            else:
                offsets.append(iteration.value(place.offset))
                loop_sizes.append(self._whole(leaf, place.counter))
            if place.counter is None:
                dropped.add(axis)
            else:
                dims.append(place.counter)
        return part(iteration.values[access.base], offsets, loop_sizes, dropped), dims

    def _whole(self, leaf: Leaf, counter: int | None) -> int:
        if counter is None:
            return 1
        return next(each for each in leaf.loop_sizes[counter] if isinstance(each, int))
