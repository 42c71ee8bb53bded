"""Parts of a long function that stand one after the other, and what they use of each other."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from agir.backends.cpu.passes.outlining.numbered_operations import (
    Described,
    Descriptions,
    filled_with,
)
from agir.backends.cpu.passes.outlining.outlined_functions import defined
from agir.backends.cpu.passes.outlining.repetitions import Run
from agir.backends.cpu.passes.outlining.result_arrays import is_array
from agir.backends.mlir.modules import walk
from agir.ir.building import bindings

_PURE = frozenset({"arith", "complex", "index", "linalg", "math", "scf", "tensor"})
MADE_ANEW = ("arith.constant", "complex.constant", "tensor.empty")
"""What a function makes itself."""
RESHAPES = ("tensor.collapse_shape", "tensor.expand_shape")
VIEWS = ("tensor.cast", "tensor.extract_slice", *RESHAPES)
"""What is no array of its own, and so no result of a function."""
_COMMUTATIVE = frozenset(
    f"arith.{name}" for name in ("addf", "addi", "andi", "mulf", "muli", "ori", "xori")
)
_NEVER = 1 << 20
_TRIES = 4
"""So many places are tried for where the iterations of a run begin."""


class Body:
    """The operations of a function, but for what can be made anew, and where values are used."""

    def __init__(
        self, everything: Sequence[Any], limits: tuple[str, ...], *, views: bool = True
    ) -> None:
        """With `views`, parts of what there is before stand in no block."""
        self.anew: dict[Any, Any] = {}
        self.views: dict[Any, Any] = {}
        """Parts of what there is before all of the operations, which each block takes for itself."""
        self.operations: list[Any] = []
        made: set[Any] = set()
        for each in everything:
            if each.name in MADE_ANEW and not len(each.operands):
                self.anew[each.results[0]] = each
            elif views and each.name in VIEWS and made.isdisjoint(each.operands):
                self.views[each.results[0]] = each
            else:
                self.operations.append(each)
                made.update(each.results)
        self.nested = [with_regions(each) for each in self.operations]
        self.limits = [i for i, op in enumerate(self.operations) if op.name.startswith(limits)]
        self.operands = self._operands()
        self.last_use: dict[Any, int] = {}
        for i, nested in enumerate(self.operands):
            self.last_use.update((value, i) for operands in nested for _, value in operands)
        descriptions = Descriptions()
        self.kind = descriptions.kind
        self.describe = descriptions.of
        self.described = [[described(op, descriptions) for op in each] for each in self.nested]
        self.constants = {
            value: descriptions.constant(each)
            for value, each in self.anew.items()
            if _has_to_be_known(each)
        }
        """The constants on which it depends what code becomes."""

    def _operands(self) -> list[list[list[tuple[int, Any]]]]:
        """The operands of each operation, and of those inside of it, with their positions.

        Where their order makes no difference, what is made last stands first.
        """
        made = {v: i for i, each in enumerate(self.operations) for v in each.results}
        found = [[list(enumerate(each.operands)) for each in nested] for nested in self.nested]
        for operation, (operands, *_) in zip(self.operations, found, strict=True):
            if operation.name in _COMMUTATIVE:
                operands.sort(key=lambda each: (each[1] in self.anew, -made.get(each[1], -1)))
        return found

    def keys(self, *, exact: bool) -> list[int]:
        """The same number for operations that do the same, on whatever values.

        If not exact, but for their numbers.
        """
        known: dict[Any, int] = {}
        keys = (tuple([d if exact else d.form for d in each]) for each in self.described)
        return [known.setdefault(each, len(known)) for each in keys]

    def blocks(self, run: Run) -> list[Block]:
        """The iterations of a run, which begin where the fewest arrays are live."""
        for start in self._beginnings(run)[:_TRIES]:
            firsts = range(start, run.end - run.period + 1, run.period)
            blocks = [Block(self, first, first + run.period) for first in firsts]
            if all(block.is_complete() for block in blocks):
                return blocks
        return []

    def erase_unused(self) -> None:
        """Erase constants and views that nothing uses any more."""
        for operation in (*reversed(self.views.values()), *self.anew.values()):
            if not _is_used(operation):
                operation.erase()

    def _beginnings(self, run: Run) -> list[int]:
        """Where iterations can begin, the best places first: where what fuses is in one iteration.

        There are none if all of an iteration could fuse with the next.
        """
        middle = run.start + (run.iterations - 1) // 2 * run.period
        limits = {i - middle for i in self.limits} & set(range(run.period))
        if not limits:
            return []
        changes = [0] * (run.period + 1)
        for i in range(middle, min(middle + 2 * run.period, len(self.operations))):
            for value in self.operations[i].results:
                first = max(i - run.period + 1, middle)
                last = min(i, self.last_use.get(value, i) - run.period, middle + run.period - 1)
                if first <= last:
                    cost = _cost(self.operations[i], value)
                    changes[first - middle] += cost
                    changes[last + 1 - middle] -= cost
        costs = list(accumulate(changes[:-1]))
        order = sorted((cost, i not in limits, i) for i, cost in enumerate(costs) if cost < _NEVER)
        return [run.start + i for _, _, i in order]


def _cost(operation: Any, value: Any) -> int:
    """What it costs that a value is live from an iteration to a later one."""
    if not is_array(value):
        return 0
    return 1 if _is_own_array(operation, value) else _NEVER


def _is_own_array(operation: Any, value: Any) -> bool:
    return operation.name not in VIEWS and bool(getattr(value.type, "has_static_shape", True))


def with_regions(operation: Any) -> list[Any]:
    """An operation and all that is inside of it."""
    return walk(operation) if len(operation.regions) else [operation]


def described(operation: Any, descriptions: Descriptions) -> Described:
    """What an operation does; it is like no other if it does more than compute."""
    return descriptions.of(operation) if is_pure(operation) else Described(operation)


def is_pure(operation: Any) -> bool:
    """Whether an operation only computes, as far as its dialect says."""
    return operation.name.partition(".")[0] in _PURE


def _has_to_be_known(source: Any) -> bool:
    """Whether code depends on a constant: on integers and filled arrays, not on other numbers."""
    if source.name == "tensor.empty":
        return True
    if is_array(source.results[0]):
        return filled_with(source) is not None
    return isinstance(source.attributes["value"], bindings.ir.IntegerAttr)


def _is_used(operation: Any) -> bool:
    return any(True for value in operation.results for _ in value.uses)


class Block:
    """Operations that stand together, what they use of what is around them, and give to it."""

    def __init__(self, body: Body, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.body = body
        self.operations = body.operations[start:end]
        self.results = [
            (i, j)
            for i, operation in enumerate(self.operations)
            for j, value in enumerate(operation.results)
            if body.last_use.get(value, start) >= end
        ]
        self.made: dict[Any, Any] = {}
        """What a call gives in the place of what its operations give."""
        self.inputs: dict[Any, range] = {}
        """What is used of the values around, with the places of their sizes in `numbers`."""
        self.numbers: list[int] = []
        self.sizes: set[int] = set()
        """Which of the numbers are sizes of arrays."""
        self.reshapes: list[Any] = []
        nested = body.nested[start:end]
        made = (value for operations in nested for each in operations for value in defined(each))
        self._own: dict[Any, Hashable] = {value: i for i, value in enumerate(made)}
        self.pattern = tuple(self._pattern())
        for value in self.inputs:
            self.inputs[value] = self._add(body.kind(value.type))

    def _pattern(self) -> Iterator[Hashable]:
        """What each operation does, and which value each operand is."""
        body = self.body
        for i in range(self.start, self.end):
            self.reshapes += [each for each in body.nested[i] if each.name in RESHAPES]
            for description, values in zip(body.described[i], body.operands[i], strict=True):
                self._add(description)
                yield description.form
                for _, value in values:
                    yield from self._operand(value)

    def _operand(self, value: Any) -> Iterator[Hashable]:
        found = self._own.get(value)
        if found is not None:
            yield found
        elif (constant := self.body.constants.get(value)) is not None:
            self._add(constant)
            yield constant.form
        elif (view := self.body.views.get(value)) is not None:
            description = self.body.describe(view)
            self.reshapes += [view] * (view.name in RESHAPES)
            self._add(description)
            yield description.form
            for each in view.operands:
                yield from self._operand(each)
            self._own[value] = ("view", len(self._own))
        else:
            self.inputs[value] = range(0)
            form = self.body.kind(value.type).form
            self._own[value] = ("input", len(self.inputs))
            yield ("input", len(self.inputs), form)

    def _add(self, description: Described) -> range:
        """Note the numbers of something, which stand here in all blocks of a pattern."""
        first = len(self.numbers)
        self.numbers += description.numbers
        places = range(first, len(self.numbers))
        self.sizes.update(places[len(places) - description.sizes :])
        return places

    def given(self, results: Iterable[tuple[int, int]]) -> list[Any]:
        """These of the values that its operations make."""
        return [self.operations[i].results[j] for i, j in results]

    def is_used_after(self, end: int) -> bool:
        """Whether anything that it gives is used from a place on."""
        return any(self.body.last_use[value] >= end for value in self.given(self.results))

    def is_complete(self) -> bool:
        """Whether all that it gives are numbers, or arrays of their own of known sizes."""
        return all(
            _is_own_array(self.operations[i], self.operations[i].results[j])
            for i, j in self.results
        )

    def values(self, positions: Iterable[int]) -> list[Any]:
        """These of the inputs."""
        inputs = list(self.inputs)
        return [inputs[i] for i in positions]

    def makes(self, value: Any, others: Iterable[Any]) -> bool:
        """Whether a function can make a value itself in the place of this and of others."""
        return value in self.body.anew and all(other == value for other in others)
