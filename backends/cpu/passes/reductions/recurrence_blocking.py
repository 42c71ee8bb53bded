"""Sums over all that a loop has written so far are made for several of its iterations at once.

``x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]``: each iteration waits for the number that the one
before it has stored, and a vector that holds that number among others waits until it is in memory.
What was written before a block of iterations is summed for all of them together, so an element that
several iterations read is loaded once; each iteration then adds the few elements of its block, one
by one.
"""

from __future__ import annotations

from typing import Any

from agir.backends.cpu.contractions.code import Code, Index
from agir.backends.cpu.dependence.accesses import Access, accesses
from agir.backends.cpu.dependence.constants import number_of
from agir.backends.cpu.dependence.independence import is_distinct
from agir.backends.cpu.dependence.linear import Linear, linear
from agir.backends.cpu.passes.analysis.combiners import COMBINERS, Combiner
from agir.backends.mlir.making import clone
from agir.backends.mlir.modules import find, walk
from agir.ir.building import bindings
from agir.records import dataclass

_ITERATIONS = 4
"""Of a block: with more of them their sums do not stay in registers."""

_LOAD, _STORE = "memref.load", "memref.store"
_AHEAD = ("memref.subview", "memref.cast", "arith.", "affine.apply")
"""What may be done before its turn: it reads nothing."""


@dataclass(frozen=True)
class _Recurrence:
    """A loop, the reduction in its body, and where that ends: so many after the loop's counter."""

    loop: Any
    reduction: Any
    ahead: list[Any]
    """The operations of the body that the reduction needs."""
    beyond: int
    combiner: Any
    way: Combiner

    @property
    def counter(self) -> Any:
        return _arguments(self.loop)[0]

    @property
    def total(self) -> Any:
        """The buffer of one number in which the reduction is made."""
        return _stores(self.reduction)[0].operands[1]


def block_recurrences(module: Any) -> None:
    """Rewrite loops that reduce what they have written so far as loops over blocks of iterations."""
    for loop in find(module, "scf.for"):
        found = _recurrence(loop)
        if found is not None and _may_be_summed_ahead(found):
            with bindings.ir.InsertionPoint(loop), loop.location:
                _Writer(found).write()


def _body(loop: Any) -> list[Any]:
    return [view.operation for view in loop.regions[0].blocks[0].operations]


def _arguments(loop: Any) -> list[Any]:
    return list(loop.regions[0].blocks[0].arguments)


def _stores(loop: Any) -> list[Any]:
    return [each for each in _body(loop) if each.name == _STORE]


def _recurrence(loop: Any) -> _Recurrence | None:
    """A loop whose only loop inside is a reduction over all elements up to the counter."""
    inner = [each for each in _body(loop) if len(each.regions)]
    if len(inner) != 1 or loop.results or number_of(loop.operands[2]) != 1:
        return None
    reduction = inner[0]
    combiner = _combiner(reduction)
    if combiner is None:
        return None
    beyond = linear(reduction.operands[1]) + Linear.of(0, {_arguments(loop)[0]: -1})
    ahead = _needed(reduction, loop)
    if beyond.terms or ahead is None:
        return None
    way = COMBINERS[combiner.name]
    return _Recurrence(loop, reduction, ahead, beyond.constant, combiner, way)


def _combiner(loop: Any) -> Any | None:
    """What a loop, one by one from 0, combines elements with, in any order, to one number."""
    if loop.name != "scf.for" or loop.results or any(len(each.regions) for each in _body(loop)):
        return None
    stores = _stores(loop)
    bounds = [number_of(value) for value in (loop.operands[0], loop.operands[2])]
    if bounds != [0, 1] or len(stores) != 1 or stores[0].operands[1].type.rank:
        return None
    value, total = stores[0].operands
    combiner = next((each for each in _body(loop) if value in list(each.results)), None)
    if combiner is None or combiner.name not in COMBINERS:
        return None
    flagged = "fastmath" in combiner.attributes
    if COMBINERS[combiner.name].flags and not (
        flagged and "reassoc" in str(combiner.attributes["fastmath"])
    ):
        return None
    reads = [each for each in _body(loop) if each.name == _LOAD and each.operands[0] == total]
    uses = [use for each in reads for use in each.results[0].uses]
    if len(reads) != 1 or len(uses) != 1 or uses[0].owner.operation != combiner:
        return None
    return combiner


def _needed(reduction: Any, loop: Any) -> list[Any] | None:
    """The operations of a loop's body that a reduction in it needs; None where one reads something."""
    made = {result: each for each in _body(loop) for result in each.results}
    wanted = [made[v] for inner in walk(reduction) for v in inner.operands if v in made]
    found: list[Any] = []
    while wanted:
        operation = wanted.pop()
        if operation in found:
            continue
        if not operation.name.startswith(_AHEAD):
            return None
        found.append(operation)
        wanted += [made[value] for value in operation.operands if value in made]
    return [each for each in _body(loop) if each in found]


def _may_be_summed_ahead(found: _Recurrence) -> bool:
    """Whether nothing that the iterations of a block write is what their reductions read of before it.

    And whether the loop reads what it writes at all: else its iterations are none of this pass's
    business.
    """
    every, inner = accesses(found.loop), accesses(found.reduction)
    if every is None or inner is None:
        return False
    reads = [each for each in inner if not each.writes and each.array != found.total]
    writes = [each for each in every if each.writes and each.array != found.total]
    if any(each.operation.name != _LOAD for each in reads):
        return False
    return (
        any(read.array == write.array for read in reads for write in writes)
        and all(is_distinct(write.array, every) for write in writes)
        and all(
            _are_apart(read, write, found)
            for read in reads
            for write in writes
            if read.array == write.array
        )
    )


def _are_apart(read: Access, write: Access, found: _Recurrence) -> bool:
    """Whether in one dimension an iteration reads elsewhere than it and earlier ones have written."""
    if read.place is None or write.place is None or set(write.reach) - {1}:
        return False
    counter, index = found.counter, _arguments(found.reduction)[0]
    inside = {result for each in walk(found.loop)[1:] for result in each.results}
    for one, other in zip(read.place, write.place, strict=True):
        terms = {value for value, _ in (*one.terms, *other.terms)}
        if terms & inside or other.coefficient(counter) != 1 or other.coefficient(index):
            continue
        distance = other + one.without(index) * -1
        if one == other and _comes_later(write.operation, found):  # a place for each iteration
            return True
        is_up_to = one.coefficient(index) == 1 and not distance.without(counter).terms
        if is_up_to and distance.coefficient(counter) == 1 and distance.constant >= found.beyond:
            return True
    return False


def _comes_later(operation: Any, found: _Recurrence) -> bool:
    body = _body(found.loop)
    return operation in body[body.index(found.reduction) :]


class _Writer:
    def __init__(self, found: _Recurrence) -> None:
        self.found = found
        self.code = Code.here()

    def write(self) -> None:
        """The loop over whole blocks; the loop itself does the iterations that are left."""
        code, loop = self.code, self.found.loop
        low, high, _ = loop.operands
        index = code.index_type
        span = code.op("arith.maxsi", [code.subtract(high, low), code.value(0)], [index])
        end = code.add(low, code.round_down(span, _ITERATIONS))
        code.loop(low, end, _ITERATIONS, [], self._block)
        loop.operands[0] = end

    def _block(self, first: Index, _: list[Any]) -> list[Any]:
        """The iterations of a block, which begins with the sums of what was there before it."""
        code, found = self.code, self.found
        reached = code.value(code.add(first, found.beyond))
        known = code.op("arith.maxsi", [reached, code.value(0)], [code.index_type])
        counters = [code.add(first, number) for number in range(_ITERATIONS)]
        iterations = [self._ahead(counter) for counter in counters]
        start = found.way.start(code, 0, found.combiner.results[0].type)
        totals = code.loop(
            0, known, 1, [start] * _ITERATIONS, lambda k, sums: self._all(iterations, k, sums)
        )
        for counter, total in zip(counters, totals, strict=True):
            self._iteration(counter, known, total)
        return []

    def _all(self, iterations: list[dict[Any, Any]], index: Any, sums: list[Any]) -> list[Any]:
        return [
            self._one(iteration, index, total)
            for iteration, total in zip(iterations, sums, strict=True)
        ]

    def _ahead(self, counter: Any) -> dict[Any, Any]:
        made = {self.found.counter: counter}
        for operation in self.found.ahead:
            clone(operation, made)
        return made

    def _one(self, iteration: dict[Any, Any], index: Any, total: Any) -> Any:
        """The reduction's body for an element, in one of the iterations."""
        made = {**iteration, _arguments(self.found.reduction)[0]: index}
        for operation in _body(self.found.reduction)[:-1]:
            if operation.name == _LOAD and operation.operands[0] == self.found.total:
                made[operation.results[0]] = total
            elif operation.name != _STORE:
                clone(operation, made)
        return made[self.found.combiner.results[0]]

    def _iteration(self, counter: Any, known: Any, before: Any) -> None:
        """The body of the loop, whose reduction goes on from where the common one has ended."""
        code, found = self.code, self.found
        made = {found.counter: counter}
        for operation in _body(found.loop)[:-1]:
            if operation != found.reduction:
                clone(operation, made)
                continue
            buffer = made.get(found.total, found.total)
            kind = before.type
            total = code.op(_LOAD, [buffer], [kind])
            total = code.op(found.combiner.name, [total, before], [kind], found.way.attributes())
            code.store(total, buffer, [], 0)
            clone(operation, made).operands[0] = known
