"""Checks of the minimum and maximum of an array, in loops, become checks of each element.

``x[cols]`` with an array of indices asks whether the least and the greatest of them are inside, and
says which is not.  In a loop, whether all of them are inside is known sooner than which are the
extrema, so those are found only after a check has failed.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.passes.analysis.generic_operations import (
    affine_map,
    iterator_types,
    reduced_axes,
)
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import clone, compare, constant, i1, op, predicate
from agir.backends.mlir.modules import children, is_in_loop
from agir.ir.building import bindings
from agir.records import dataclass

_EXTREMA = {
    "arith.minsi": ("sgt", "sge"),
    "arith.maxsi": ("slt", "sle"),
    "arith.minui": ("ugt", "uge"),
    "arith.maxui": ("ult", "ule"),
}
"""What holds of every number where it holds of this extremum."""

_MOVABLE = ("arith.", "tensor.extract")


@dataclass(frozen=True)
class _Side:
    """A comparison of an extremum of an array with a number."""

    comparison: Any
    generic: Any
    start: Any
    """What the extremum is found from on, which is compared as well."""

    @property
    def array(self) -> Any:
        return self.generic.operands[0]

    @property
    def bound(self) -> Any:
        return self.comparison.operands[1]


def split_min_max_checks(module: Any) -> None:
    """Rewrite checks of two extrema, inside of loops, where only failures need the extrema."""
    while _rewrite_one(Graph(module)):
        pass


def _rewrite_one(graph: Graph) -> bool:
    for both in filter(is_in_loop, graph.find("arith.andi")):
        sides = [_side(value, graph) for value in both.operands]
        found = [side for side in sides if side is not None]
        # all in one block: a bound of an inner one is not there yet where the array is read
        together = all(s.generic.block == s.comparison.block == both.block for s in found)
        if len(found) == 2 and together and _can_be_one(found, graph):
            late = _Late(both, found, graph)
            if late.only_after_failures():
                late.move()
                _check_each(both, found)
                late.erase()
                return True
    return False


def _side(condition: Any, graph: Graph) -> _Side | None:
    comparison = graph.producer(condition, "arith.cmpi")
    if comparison is None:
        return None
    extract = graph.producer(comparison.operands[0], "tensor.extract")
    generic = extract and graph.producer(extract.operands[0], "linalg.generic")
    if generic is None or len(generic.operands) != 2 or not _is_of_all(generic):
        return None
    combiner, *rest = children(generic)
    if len(rest) != 1 or set(combiner.operands) != set(generic.regions[0].blocks[0].arguments):
        return None
    if predicate(comparison) not in _EXTREMA.get(combiner.name, ()):
        return None
    start = graph.producer(generic.operands[1], "arith.constant")
    return _Side(comparison, generic, start.attributes["value"]) if start is not None else None


def _is_of_all(generic: Any) -> bool:
    first = generic.attributes["indexing_maps"][0].value
    return bool(first.n_dims == len(reduced_axes(generic)) > 0 and first.is_permutation)


def _can_be_one(sides: list[_Side], graph: Graph) -> bool:
    """Whether the comparisons are of one array, with numbers that are there before it is read."""
    first, second = sides
    if (first.array, first.generic.block) != (second.array, second.generic.block):
        return False
    if first.generic == second.generic:
        return False
    earlier = _earlier(sides)
    sources = [graph.producer(side.bound) for side in sides]
    return all(
        s is None or s.block != earlier.block or s.is_before_in_block(earlier) for s in sources
    )


def _earlier(sides: list[_Side]) -> Any:
    first, second = (side.generic for side in sides)
    return first if first.is_before_in_block(second) else second


def _check_each(both: Any, sides: list[_Side]) -> None:
    """Whether the comparisons hold of each number, in the place of whether they do of the extrema."""
    ir = bindings.ir
    earlier = _earlier(sides)
    array, truth = sides[0].array, i1()
    rank = array.type.rank
    start = ir.RankedTensorType.get([], truth)
    yes = ir.DenseElementsAttr.get_splat(start, ir.BoolAttr.get(True))
    maps = [earlier.attributes["indexing_maps"][0], ir.AffineMapAttr.get(affine_map(rank, ()))]
    with ir.InsertionPoint(earlier), both.location:
        generic = ir.Operation.create(
            "linalg.generic",
            results=[start],
            operands=[array, op("arith.constant", start, value=yes)],
            attributes={
                "indexing_maps": ir.ArrayAttr.get(maps),
                "iterator_types": iterator_types(rank, range(rank)),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1]),
            },
            regions=1,
        )
        kinds = [array.type.element_type, truth]
        block = generic.regions[0].blocks.append(*kinds, arg_locs=[both.location] * 2)
        with ir.InsertionPoint(block):
            number, total = block.arguments
            held = op("arith.andi", truth, total, _hold(sides, [number, number]))
            ir.Operation.create("linalg.yield", operands=[held])
    with ir.InsertionPoint(both), both.location:
        of_array = op("tensor.extract", truth, *generic.results)
        starts = [_number(side.start.get_splat_value()) for side in sides]
        held = op("arith.andi", truth, of_array, _hold(sides, starts))
    both.results[0].replace_all_uses_with(held)
    both.erase()


def _hold(sides: list[_Side], numbers: list[Any]) -> Any:
    """Whether each comparison holds of its number."""
    first, second = (
        compare(number, predicate(side.comparison), side.bound)
        for side, number in zip(sides, numbers, strict=True)
    )
    return op("arith.andi", i1(), first, second)


def _number(value: Any) -> Any:
    """A constant."""
    return op("arith.constant", value.type, value=value)


class _Late:
    """What is computed from the extrema, and the selections that choose it after a failure."""

    def __init__(self, both: Any, sides: list[_Side], graph: Graph) -> None:
        self.both = both
        self.sides = sides
        self.graph = graph
        self.computed = [side.generic for side in sides]
        self.chosen: list[tuple[Any, int]] = []
        """Selections, each with the position of the operand that failures choose."""

    def only_after_failures(self) -> bool:
        """Whether nothing else depends on the extrema."""
        waiting = [side.generic.results[0] for side in self.sides]
        while waiting:
            for user, position in self.graph.uses(waiting.pop()):
                if user == self.both or user in self.computed:
                    continue
                if self._chooses(user, position):
                    self.chosen.append((user, position))
                elif self._can_move(user):
                    self.computed.append(user)
                    waiting += user.results
                else:
                    return False
        computed = set(self.computed)
        self.computed = [op for op in self.graph.operations if op in computed]
        return True

    def _can_move(self, user: Any) -> bool:
        """Whether an operation can be done behind a branch that stands after the check."""
        made = [self.graph.producer(value) for value in user.operands]
        return (
            user.block == self.both.block
            and user.name.startswith(_MOVABLE)
            and all(
                source is None
                or source in self.computed
                or source.block != user.block
                or source.is_before_in_block(self.both)
                for source in made
            )
        )

    def _chooses(self, user: Any, position: int) -> bool:
        """Whether a selection takes this operand only if the check fails."""
        return (
            user.name == "arith.select"
            and position == 1
            and user.block == self.both.block
            and self._is_failure(user.operands[0])
        )

    def _is_failure(self, condition: Any) -> bool:
        """Whether a condition holds only if the check fails: ``not both``, ``not both and ...``."""
        source = self.graph.producer(condition, "arith.")
        if source is None:
            return False
        if source.name == "arith.andi":
            return any(map(self._is_failure, source.operands))
        if source.name != "arith.xori" or source.operands[0] != self.both.results[0]:
            return False
        other = self.graph.producer(source.operands[1], "arith.constant")
        return other is not None and bool(other.attributes["value"].value)

    def move(self) -> None:
        """Compute it behind a branch."""
        for selection, position in self.chosen:
            self._behind_branch(selection, position)

    def erase(self) -> None:
        """Leave nothing of it where it was."""
        for operation in reversed(self.computed):
            operation.erase()

    def _behind_branch(self, selection: Any, position: int) -> None:
        ir = bindings.ir
        value, condition = selection.operands[position], selection.operands[0]
        kind = value.type
        holder = self.graph.producer(condition)
        assert holder is not None
        with ir.InsertionPoint.after(holder), selection.location:
            branch = ir.Operation.create("scf.if", results=[kind], operands=[condition], regions=2)
        with ir.InsertionPoint(branch.regions[0].blocks.append()), selection.location:
            made: dict[Any, Any] = {}
            for operation in self.computed:
                clone(operation, made)
            ir.Operation.create("scf.yield", operands=[made[value]])
        with ir.InsertionPoint(branch.regions[1].blocks.append()), selection.location:
            ir.Operation.create("scf.yield", operands=[constant(kind, 0)])
        selection.operands[position] = branch.results[0]
