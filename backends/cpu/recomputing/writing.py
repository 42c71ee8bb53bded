"""Writes a stage with others computed in its loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.backends.cpu.dependence.linear import Linear
from agir.backends.cpu.passes.analysis.generic_operations import affine_map
from agir.backends.cpu.recomputing.positions import Position, composed
from agir.backends.cpu.recomputing.stages import Reading, Stage
from agir.backends.cpu.recomputing.weighing import Root
from agir.backends.cpu.sweeps.emission import as_value, computed
from agir.backends.mlir.making import clone, number_attribute, op, use_instead
from agir.backends.mlir.modules import children
from agir.ir.building import attributes, bindings

_Key = tuple[Any, Position]


class Writer:
    """Puts a new operation in the place of a root."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self._operation = root.stage.operation
        self._stages = {each.operation.results[0]: each for each in root.computed}
        self._operands: dict[_Key, Any] = {}
        self._maps: list[Any] = []
        self._values: dict[_Key, Any] = {}

    def write(self) -> None:
        """Write it, and remove the old one."""
        old = self._operation
        inputs = len(old.operands) - len(old.results)
        with bindings.ir.InsertionPoint(old), old.location:
            for reading in self._root.stage.readings:
                self._collect_own(reading)
            made = self._create(list(old.operands)[inputs:])
            self._fill(made)
        use_instead(old, made.results)
        old.erase()

    def _collect_own(self, reading: Reading) -> None:
        if reading.position is not None and reading.base in self._stages:
            self._collect(self._stages[reading.base], reading.position)
            return
        key = self._key(reading)
        if key not in self._operands:
            self._operands[key] = self._operation.operands[reading.operand]
            self._maps.append(self._operation.attributes["indexing_maps"][reading.operand])

    def _key(self, reading: Reading) -> _Key:
        """What is read; by its number where that is not known."""
        if reading.position is None:
            return (reading.operand, ())
        return (reading.base, reading.position)

    def _collect(self, stage: Stage, point: Position) -> None:
        """The arrays that are read to compute a stage at a point."""
        if (stage.operation.results[0], point) in self._values:
            return
        self._values[stage.operation.results[0], point] = None
        for reading in stage.readings:
            key = _at(reading, point)
            if key[0] in self._stages:
                self._collect(self._stages[key[0]], key[1])
            elif key not in self._operands:
                self._operands[key] = self._slice(*key)
                loops = [index.counter for index in key[1] if index.counter is not None]
                map_ = affine_map(self._root.stage.loops, loops)
                self._maps.append(bindings.ir.AffineMapAttr.get(map_))

    def _slice(self, base: Any, position: Position) -> Any:
        """The elements of an array that the loops read."""
        if not position:
            return base
        ir = bindings.ir
        offsets = [_emitted(index.offset) for index in position]
        sizes = [
            1 if index.counter is None else self._root.sizes[index.counter] for index in position
        ]
        steps = [1 if index.counter is None else index.step for index in position]
        shape = attributes.static(
            size for size, index in zip(sizes, position, strict=True) if index.counter is not None
        )
        kind = ir.RankedTensorType.get(shape, base.type.element_type)
        operands, found = attributes.slicing([base], offsets, sizes, steps)
        return op("tensor.extract_slice", kind, *operands, **found)

    def _create(self, outputs: Sequence[Any]) -> Any:
        ir = bindings.ir
        old = self._operation
        maps = [
            *self._maps,
            *list(old.attributes["indexing_maps"])[len(old.operands) - len(outputs) :],
        ]
        made = ir.Operation.create(
            "linalg.generic",
            results=[result.type for result in old.results],
            operands=[*self._operands.values(), *outputs],
            attributes={
                "indexing_maps": ir.ArrayAttr.get(maps),
                "iterator_types": old.attributes["iterator_types"],
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get(
                    [len(self._operands), len(outputs)]
                ),
            },
            regions=1,
        )
        types = [getattr(value.type, "element_type", value.type) for value in made.operands]
        made.regions[0].blocks.append(*types, arg_locs=[old.location] * len(types))
        return made

    def _fill(self, made: Any) -> None:
        block = made.regions[0].blocks[0]
        arguments = list(block.arguments)
        self._values = dict(zip(self._operands, arguments, strict=False))
        old = self._operation.regions[0].blocks[0]
        own = list(old.arguments)
        values: dict[Any, Any] = {}
        with bindings.ir.InsertionPoint(block):
            for reading, argument in zip(self._root.stage.readings, own, strict=False):
                values[argument] = self._read(self._key(reading))
            outputs = len(self._operation.results)
            values.update(zip(own[-outputs:], arguments[-outputs:], strict=True))
            for inner in children(self._operation):
                clone(inner, values)

    def _read(self, key: _Key) -> Any:
        """The element of an array, or of a stage, at a position."""
        if key not in self._values:
            self._values[key] = self._computed(self._stages[key[0]], key[1])
        return self._values[key]

    def _computed(self, stage: Stage, point: Position) -> Any:
        arguments = list(stage.operation.regions[0].blocks[0].arguments)
        values = {
            argument: self._read(_at(reading, point))
            for reading, argument in zip(stage.readings, arguments, strict=False)
        }
        *inside, leave = children(stage.operation)
        for inner in inside:
            with inner.location:
                if inner.name == "linalg.index":
                    values[inner.results[0]] = _place(point, inner.attributes["dim"].value)
                else:
                    clone(inner, values)
        return values.get(leave.operands[0], leave.operands[0])


def _at(reading: Reading, point: Position) -> _Key:
    assert reading.position is not None
    return reading.base, composed(reading.position, point)


def _place(point: Position, axis: int) -> Any:
    """Where along a dimension of a stage the loops are."""
    offset, step, counter = point[axis]
    if counter is None:
        return as_value(_emitted(offset))
    index = op("linalg.index", bindings.ir.IndexType.get(), dim=number_attribute(counter))
    scaled = index if step == 1 else computed("arith.muli", index, step)
    return computed("arith.addi", scaled, _emitted(offset))


def _emitted(form: Linear) -> Any:
    """A number, or the SSA value of a sum."""
    if not form.terms:
        return form.constant
    total: Any = form.constant
    for value, factor in sorted(form.terms, key=lambda term: str(term[0].get_name())):
        index = value if _is_index(value) else computed("arith.index_cast", value)
        term = index if factor == 1 else computed("arith.muli", index, factor)
        total = (
            term if isinstance(total, int) and total == 0 else computed("arith.addi", term, total)
        )
    return total


def _is_index(value: Any) -> bool:
    return str(value.type) == "index"
