"""Leaves on the parts of their operands that belong to one iteration of the shared loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import iterator_types
from agir.backends.cpu.sweeps.buffers import Buffers, is_buffer
from agir.backends.cpu.sweeps.emission import computed, part
from agir.backends.cpu.sweeps.groups import Group
from agir.backends.cpu.sweeps.iterations import Iteration
from agir.backends.cpu.sweeps.sizes import Sizes
from agir.backends.cpu.sweeps.statements import Access, Leaf, loop_texts, outputs
from agir.backends.cpu.sweeps.temporaries import Temporary
from agir.backends.mlir.making import size_of
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings


class Parts:
    """Writes the leaves of a group."""

    def __init__(
        self, group: Group, sizes: Sizes, buffers: Buffers, temporaries: Mapping[Any, Any]
    ) -> None:
        self._group = group
        self._sizes = sizes
        self._buffers = buffers
        self._temporaries = temporaries

    def write(self, n: int, iteration: Iteration) -> None:
        """A leaf on the part of its operands that one iteration has."""
        leaf = self._group.leaves[n]
        shared = {self._group.loops[number][n]: number for number in self._sizes.loops}
        kept = [
            d for d in range(leaf.rank) if iteration.sizes.get(shared.get(d, -1), 1) is not None
        ]
        at = {old: new for new, old in enumerate(kept)}
        operands: list[Any] = []
        maps: list[list[str]] = []
        for value, results, access in _operands(leaf):
            if access is None:
                operands.append(iteration.value(value))
                maps.append([])
            elif access.base in self._temporaries:
                view, dims = self._of_temporary(leaf, access, shared, iteration)
                operands.append(view)
                maps.append([f"d{at[dim]}" for dim in dims])
            else:
                view, texts = self._part(iteration.value(value), results, shared, iteration)
                operands.append(view)
                maps.append([f"d{at[int(t[1:])]}" if t[0] == "d" else t for t in texts])
        self._write(leaf, operands, maps, at, shared, iteration)

    def _part(
        self, value: Any, results: list[str], shared: dict[int, int], iteration: Iteration
    ) -> tuple[Any, list[str]]:
        """The part of a value that belongs to an iteration, and which loops it then follows."""
        numbers = [shared.get(int(t[1:])) if t[0] == "d" else None for t in results]
        if all(number is None for number in numbers):
            return value, results
        offsets = [0 if number is None else iteration.offsets[number] for number in numbers]
        loop_sizes, dropped = [], set()
        for axis, number in enumerate(numbers):
            if number is None:
                loop_sizes.append(self._loop_size(value, axis))
            elif iteration.sizes[number] is None:
                loop_sizes.append(1)
                dropped.add(axis)
            else:
                loop_sizes.append(iteration.sizes[number])
        kept = [text for axis, text in enumerate(results) if axis not in dropped]
        return part(value, offsets, loop_sizes, dropped), kept

    def _loop_size(self, value: Any, axis: int) -> Any:
        if not value.type.is_dynamic_dim(axis):
            return value.type.get_dim_size(axis)
        return size_of(value, axis)

    def _of_temporary(
        self, leaf: Leaf, access: Access, shared: dict[int, int], iteration: Iteration
    ) -> tuple[Any, list[int]]:
        """The part of the smaller buffer that an access is of, and the loops that it follows."""
        temporary: Temporary = self._temporaries[access.base]
        offsets: list[Any] = []
        loop_sizes: list[Any] = []
        dropped: set[int] = set()
        dims: list[int] = []
        for position, axis in enumerate(temporary.kept):
            place = access.places[axis]
            offsets.append(iteration.value(place.offset))
            if place.counter is None:
                loop_sizes.append(1)
                dropped.add(position)
            else:
                known = filter(self._buffers.lasts, leaf.loop_sizes[place.counter])
                loop_size = min(known, key=lambda each: not isinstance(each, int))
                loop_sizes.append(iteration.number(loop_size))
                dims.append(place.counter)
        if temporary.block is not None:
            counter = access.places[temporary.block].counter
            assert counter is not None
            offsets.append(0)
            loop_sizes.append(iteration.sizes[shared[counter]])
            dims.append(counter)
        return part(iteration.values[access.base], offsets, loop_sizes, dropped), dims

    def _write(
        self,
        leaf: Leaf,
        operands: list[Any],
        maps: list[list[str]],
        at: dict[int, int],
        shared: dict[int, int],
        iteration: Iteration,
    ) -> None:
        """The leaf as a ``linalg.generic`` on other operands."""
        ir = bindings.ir
        rank = len(at)
        outs = outputs(leaf.operation)
        texts = [f"affine_map<({_dims(rank)}) -> ({', '.join(each)})>" for each in maps]
        attributes = {
            "indexing_maps": ir.ArrayAttr.get([ir.Attribute.parse(text) for text in texts]),
            "iterator_types": iterator_types(rank, [at[d] for d in leaf.reduced if d in at]),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(operands) - outs, outs]),
        }
        made = ir.Operation.create(
            "linalg.generic", operands=operands, attributes=attributes, regions=1
        )
        if leaf.operation.name == "linalg.generic":
            copy = leaf.operation.clone(ip=ir.InsertionPoint(made))
            copy.regions[0].blocks[0].append_to(made.regions[0])
            copy.erase()
            iteration.replace_in(made, inner_only=True)
            self._renumber(made, at, shared, iteration)
            return
        kinds = [v.type.element_type if is_buffer(v) else v.type for v in operands]
        block = made.regions[0].blocks.append(*kinds)
        ir.Operation.create(
            "linalg.yield", operands=[block.arguments[0]], ip=ir.InsertionPoint(block)
        )

    def _renumber(
        self, made: Any, at: dict[int, int], shared: dict[int, int], iteration: Iteration
    ) -> None:
        """Let ``linalg.index`` give what it gave before."""
        ir = bindings.ir
        for index in [each for each in walk(made) if each.name == "linalg.index"]:
            old = index.attributes["dim"].value
            offset = iteration.offsets.get(shared.get(old, -1))
            if old not in at:
                index.results[0].replace_all_uses_with(offset)
                index.erase()
                continue
            index.attributes["dim"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), at[old])
            if offset is not None:
                with ir.InsertionPoint.after(index):
                    number = computed("arith.addi", index.results[0], offset)
                index.results[0].replace_all_uses_except(number, number.owner.operation)


def _operands(leaf: Leaf) -> Iterator[tuple[Any, list[str], Access | None]]:
    """The operands of a leaf, the loops that they follow, and where they lie if in memory."""
    values = list(leaf.operation.operands)
    accesses = iter(leaf.accesses)
    for value, results in zip(values, loop_texts(leaf.operation, values), strict=True):
        yield value, results, next(accesses) if is_buffer(value) else None


def _dims(rank: int) -> str:
    return ", ".join(f"d{axis}" for axis in range(rank))
