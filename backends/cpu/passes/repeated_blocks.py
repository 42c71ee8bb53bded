"""Blocks of operations that a large program repeats become a function, which is compiled once.

A network of equal layers, a loop that Python unrolled: the trace has the same operations again and
again, on other values.  Whatever follows is work for each of them, so this comes first.

A block begins with a contraction or a loop, before which arrays lie in memory anyway: what fuses is in
one block, and a program in which everything would fuse is left as it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from agir.backends.cpu.passes.alternation import constant
from agir.backends.cpu.passes.functions import functions
from agir.backends.cpu.passes.kernels import MANY, WHOLE
from agir.backends.cpu.passes.outlined import add_kernel, call, defined, kernel
from agir.backends.cpu.passes.repeats import Run, runs
from agir.backends.cpu.passes.result_arrays import is_array
from agir.backends.mlir.modules import children, walk
from agir.ir import bindings

_LEAST_TURNS = 4
_LIMITS = ("linalg.contract", "linalg.conv", "scf.for", "scf.while")
"""What no loops are shared across."""
_PURE = frozenset({"arith", "complex", "index", "linalg", "math", "scf", "tensor"})
_MADE_ANEW = ("arith.constant", "tensor.empty")
"""What a function makes itself."""
_VIEWS = ("tensor.cast", "tensor.collapse_shape", "tensor.expand_shape", "tensor.extract_slice")
"""What is no array of its own, and so no result of a function."""


def outline_repeated_blocks(module: Any) -> None:
    """Put calls of one function in the place of equal blocks of a large program."""
    if WHOLE in module.operation.attributes:
        return
    for function in functions(module):
        everything = children(function)
        if len(everything) >= MANY and _repeats(everything):
            _outline(module, _Body(everything))


def _repeats(everything: Sequence[Any]) -> bool:
    """Whether as many blocks as it takes could begin in the same way."""
    beginnings = [each for each in everything if each.name.startswith(_LIMITS)]
    alike = Counter(tuple(map(_key, _with_regions(each))) for each in beginnings)
    return max(alike.values(), default=0) >= _LEAST_TURNS


def _outline(module: Any, body: _Body) -> None:
    replaced: list[_Block] = []
    for run in runs(body.keys(), body.limits, _LEAST_TURNS):
        alike: defaultdict[Hashable, list[_Block]] = defaultdict(list)
        for block in body.blocks(run):
            alike[block.pattern].append(block)
        for blocks in alike.values():
            if len(blocks) >= _LEAST_TURNS:
                chain = _chained(blocks)
                replaced += _rolled(blocks, chain) if chain else _called(module, blocks)
    _erase(replaced)


class _Body:
    """The operations of a function, but for what can be made anew, and where values are used."""

    def __init__(self, everything: Sequence[Any]) -> None:
        self.anew: dict[Any, Any] = {}
        self.operations: list[Any] = []
        for each in everything:
            if each.name in _MADE_ANEW and not len(each.operands):
                self.anew[each.results[0]] = each
            else:
                self.operations.append(each)
        self.nested = [_with_regions(each) for each in self.operations]
        self.limits = [i for i, op in enumerate(self.operations) if op.name.startswith(_LIMITS)]
        self.last_use: dict[Any, int] = {}
        for i, nested in enumerate(self.nested):
            self.last_use.update((value, i) for each in nested for value in each.operands)

    def keys(self) -> list[int]:
        """The same number for operations that do the same, on whatever values."""
        known: dict[Any, int] = {}
        return [known.setdefault(tuple(map(_key, each)), len(known)) for each in self.nested]

    def blocks(self, run: Run) -> list[_Block]:
        """The turns of a run, which begin where the fewest values have to be handed on."""
        divisions = [
            [_Block(self, first, first + run.period) for first in _firsts(start, run)]
            for start in self.limits
            if run.start <= start < run.start + run.period
        ]
        possible = [blocks for blocks in divisions if all(b.is_complete() for b in blocks)]
        return min(possible, key=lambda blocks: len(blocks[len(blocks) // 2].results), default=[])

    def constant(self, value: Any) -> Any:
        """What a value is that has to be the same in each turn; None for those that may differ.

        What code becomes depends on integers and on arrays that are filled, not on other numbers.
        """
        source = self.anew.get(value)
        if source is None:
            return None
        if source.name == "tensor.empty":
            return value.type
        ir = bindings.ir
        attribute = source.attributes["value"]
        if isinstance(value.type, ir.RankedTensorType):
            is_fixed = isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat
        else:
            is_fixed = isinstance(attribute, ir.IntegerAttr)
        return attribute if is_fixed else None


def _firsts(start: int, run: Run) -> range:
    return range(start, run.end - run.period + 1, run.period)


def _with_regions(operation: Any) -> list[Any]:
    return walk(operation) if len(operation.regions) else [operation]


def _key(operation: Any) -> Any:
    name = operation.name
    if name.partition(".")[0] not in _PURE:
        return operation  # like no other
    return (
        name,
        tuple(operation.attributes.items()),
        tuple([value.type for value in operation.operands]),
        tuple([value.type for value in operation.results]),
    )


class _Block:
    """Operations that stand together, what they use of what is around them, and give to it."""

    def __init__(self, body: _Body, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.operations = body.operations[start:end]
        self.results = [
            (i, j)
            for i, operation in enumerate(self.operations)
            for j, value in enumerate(operation.results)
            if body.last_use.get(value, start) >= end
        ]
        self.made: dict[Any, Any] = {}
        """What a call gives in the place of what its operations give."""
        self.anew, self._last_use = body.anew, body.last_use
        self.inputs: dict[Any, Hashable] = {}
        self.fixed: set[Any] = set()
        self.inside = [each for nested in body.nested[start:end] for each in nested]
        made = (value for each in self.inside for value in defined(each))
        own = {value: i for i, value in enumerate(made)}
        self.pattern = tuple(self._pattern(own, body))

    def _pattern(self, own: dict[Any, int], body: _Body) -> Iterator[Hashable]:
        """Which of its own values, of the inputs or of the constants each operand is."""
        for each in self.inside:
            for value in each.operands:
                if value in own:
                    yield own[value]
                    continue
                if value not in self.inputs:
                    fixed = body.constant(value)
                    if fixed is not None:
                        self.fixed.add(value)
                    self.inputs[value] = ("input", len(self.inputs)) if fixed is None else fixed
                yield self.inputs[value]

    def given(self, results: Iterable[tuple[int, int]]) -> list[Any]:
        """These of the values that its operations make."""
        return [self.operations[i].results[j] for i, j in results]

    def is_used_after(self, end: int) -> bool:
        """Whether anything that it gives is used from a place on."""
        return any(self._last_use[value] >= end for value in self.given(self.results))

    def is_complete(self) -> bool:
        """Whether all that it gives are numbers, or arrays of their own of known extents."""
        return all(
            self.operations[i].name not in _VIEWS and getattr(kind, "has_static_shape", True)
            for i, j in self.results
            for kind in [self.operations[i].results[j].type]
        )

    def values(self, positions: Iterable[int]) -> list[Any]:
        """These of the inputs."""
        inputs = list(self.inputs)
        return [inputs[i] for i in positions]

    def makes(self, value: Any, others: Iterable[Any]) -> bool:
        """Whether a function can make a value itself in the place of this and of others."""
        if value not in self.anew:
            return False
        return value in self.fixed or all(other == value for other in others)


@dataclass(frozen=True)
class _Chain:
    """How blocks hang together each of which goes on from the one before it."""

    carried: dict[int, tuple[int, int]]
    """The inputs that each takes from what the one before gives."""
    given: list[tuple[int, int]]
    """What else the last one gives."""


def _chained(blocks: Sequence[_Block]) -> _Chain | None:
    """How blocks hang together, if nothing but the last one's values is used after them."""
    pairs = list(pairwise(blocks))
    if any(a.end != b.start or a.is_used_after(b.end) for a, b in pairs):
        return None
    first = blocks[0]
    carried = {}
    for i, (value, *others) in enumerate(zip(*(block.inputs for block in blocks), strict=True)):
        if first.makes(value, others) or all(other == value for other in others):
            continue
        place = next((at for at in first.results if first.given([at]) == others[:1]), None)
        if place is None or any(a.given([place]) != b.values([i]) for a, b in pairs):
            return None
        carried[i] = place
    given = [place for place in blocks[-1].results if place not in carried.values()]
    return _Chain(carried, given)


def _rolled(blocks: Sequence[_Block], chain: _Chain) -> Sequence[_Block]:
    """Make a loop around the first block that does what all do; gives the others."""
    ir = bindings.ir
    first, *others = blocks
    end = first.operations[-1]
    places = [*chain.carried.values(), *chain.given]
    values = first.given(places)
    with ir.InsertionPoint.after(end), end.location:
        started = [*first.values(chain.carried), *map(_anything, values[len(chain.carried) :])]
        bounds = [constant(ir.IndexType.get(), each) for each in (0, len(blocks), 1)]
        kinds = [value.type for value in values]
        loop = ir.Operation.create("scf.for", kinds, [*bounds, *started], regions=1)
    body = loop.regions[0].blocks.append(ir.IndexType.get(), *kinds)
    with ir.InsertionPoint(body), end.location:
        leave = ir.Operation.create("scf.yield", operands=values)
    carried = dict(zip(first.values(chain.carried), list(body.arguments)[1:], strict=False))
    for operation in first.operations:
        operation.move_before(leave)
    for each in first.inside:
        for i, value in enumerate(each.operands):
            if value in carried:
                each.operands[i] = carried[value]
    last = blocks[-1]
    last.made = dict(zip(last.given(places), loop.results, strict=True))
    return others


def _anything(value: Any) -> Any:
    """A value of this one's type, which is never looked at."""
    if is_array(value):
        return _empty(value.type)
    return bindings.ir.Operation.create("ub.poison", results=[value.type]).results[0]


def _called(module: Any, blocks: Sequence[_Block]) -> Sequence[_Block]:
    """Make a function of the first block, and after each one a call that gives what it gives."""
    first = blocks[0]
    results = sorted(set().union(*(block.results for block in blocks)))
    columns = zip(*(block.inputs for block in blocks), strict=True)
    taken = [i for i, (value, *others) in enumerate(columns) if not first.makes(value, others)]
    inputs = first.values(taken)
    arrays = [value.type for value in first.given(results) if is_array(value)]
    kinds = [*(value.type for value in inputs), *arrays]
    function = kernel(first.operations, inputs, kinds, first.given(results))
    add_kernel(module, function)
    for block in blocks:
        last = block.operations[-1]
        with bindings.ir.InsertionPoint.after(last), last.location:
            made = call(function, [*block.values(taken), *map(_empty, arrays)]).results
        block.made = dict(zip(block.given(results), made, strict=True))
    return blocks


def _empty(kind: Any) -> Any:
    return bindings.ir.Operation.create("tensor.empty", results=[kind]).results[0]


def _erase(blocks: Sequence[_Block]) -> None:
    """Remove blocks in whose place there are calls."""
    for block in blocks:
        for old, new in block.made.items():
            old.replace_all_uses_with(new)
    for block in reversed(blocks):
        for operation in reversed(block.operations):
            operation.erase()
