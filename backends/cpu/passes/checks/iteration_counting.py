"""Which loops count their iterations, so that the user can interrupt them (see `interrupts`).

All ``while`` loops do of which nobody knows when they end.  A ``for`` loop does where it may take
seconds and has loops in it, or nothing is around it, not even a recursion; so does a ``while`` that
goes on below a bound at most, which no caller gives, and adds to a number in each iteration.  A
``for`` loop becomes two: the inner one does as many iterations as are left until the clock is
looked at, so what LLVM makes of it is what it would make of the loop.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Set
from typing import Any

from agir.backends.cpu.passes.analysis.functions import functions
from agir.backends.cpu.passes.analysis.loop_carried import BOUNDS
from agir.backends.mlir.graph import Producers
from agir.backends.mlir.making import (
    called,
    cast,
    compare,
    constant,
    i64,
    op,
    predicate,
    use_instead,
)
from agir.backends.mlir.modules import children, find, is_in_loop
from agir.ir.building import bindings
from agir.ir.building.attributes import LIBRARY

LEFT = "agir_iterations_left"
"""How many iterations are left until the clock is looked at; the operand is how many at first."""
ITERATIONS = "agir_iterations_done"
"""What stands behind iterations: with what the former gave, and how many they were."""

CERTAIN = "agir.certain"
"""The attribute of a loop that was made of one that is sure to run."""
_OURS = "agir."
"""What the names begin with of functions of the library, and of those that several threads run."""

_LONG = 1 << 30
"""Iterations of innermost loops, less than which are over before anybody interrupts them."""
_EXTENT, _NUMBER, _CALL = 1 << 14, 1 << 40, 1 << 20
"""What is taken for an array's size, for a number that a caller gives and that is no size of an
array here, and for a call's iterations."""
_LIBRARY_CALL = 1 << 5
"""What is taken for the iterations of a search in a table or text."""
_WRITTEN_OUT = 64
"""A loop of fewer iterations is no loop any more when LLVM looks for what it can run in vectors."""
_LOOK = 1 << 21
"""Iterations of innermost loops after which the clock is looked at first."""
_FEWEST, _MOST = 16, 1 << 16
"""Iterations of a loop after which it is."""
_LARGEST_STEP = 1 << 20
"""So that as many steps as are counted at once are a number of 64 bits."""
_LOOPS = ("scf.for", "scf.while", "func.call")
_MOST_OPERATIONS = 64
"""How many operations are looked at to find out what a bound is made of."""


def count_iterations(module: Any) -> None:
    """Mark the iterations of loops that may have to be interrupted."""
    if sys.platform == "win32":
        return
    named = {each.attributes["sym_name"].value: each for each in functions(module)}
    of_library = {name for name, each in named.items() if LIBRARY in each.attributes}
    work = _Work(Producers(module), of_library)
    counted = []
    for name, function in named.items():
        if not (name.startswith(_OURS) or name in of_library):
            counted += [
                loop for loop in find(function, "scf.for", "scf.while") if work.counts(loop)
            ]
    marked = [(loop, min(max(_LOOK // work.iteration(loop), _FEWEST), _MOST)) for loop in counted]
    for loop, count in marked:
        (_count_each if loop.name == "scf.while" else _count_together)(loop, count)
    if marked:
        for text in (f"@{LEFT}(i64) -> i64", f"@{ITERATIONS}(i64, i64)"):
            module.body.append(bindings.ir.Operation.parse(f"func.func private {text}"))


class _Work:
    """Estimates how many iterations of innermost loops there are in others."""

    def __init__(self, graph: Producers, of_library: Set[str]) -> None:
        self._graph = graph
        self._of_library = of_library
        self._known: dict[Any, int] = {}
        self._bounds: dict[Any, Any] = {}
        arrays = [size for each in graph.find("memref.alloc") for size in each.operands]
        self._sizes = {number for size in arrays for number in self._numbers(size)}

    def counts(self, loop: Any) -> bool:
        """Whether the iterations of a loop are to be counted."""
        if loop.name == "scf.while":
            if self._most(loop) is None or self._iterations(loop) >= _NUMBER:
                return True
        elif not self._can_be_divided(loop):
            return False
        iteration = self.iteration(loop)
        if self._iterations(loop) * iteration < _LONG:
            return False
        return iteration > 1 or not (is_in_loop(loop.parent) or _calls_itself(loop))

    def _can_be_divided(self, loop: Any) -> bool:
        """Whether a ``for`` loop can be done some iterations at once."""
        step = self._graph.number(loop.operands[2])
        return step is not None and step <= _LARGEST_STEP and _is_wide(loop.operands[0].type)

    def iteration(self, loop: Any) -> int:
        """Of the loops in an iteration of a loop; one where there are none."""
        if loop not in self._known:
            inner = [self._of(each) for each in _directly_inside(loop)]
            self._known[loop] = max(1, sum(inner))
        return self._known[loop]

    def _of(self, inner: Any) -> int:
        if inner.name == "func.call":
            name = inner.attributes["callee"].value
            if name in self._of_library:
                return _LIBRARY_CALL
            return 0 if name.startswith(_OURS) else _CALL
        iterations = self._iterations(inner)
        return (
            iterations * self.iteration(inner)
            if iterations >= _WRITTEN_OUT or self.iteration(inner) > 1
            else 0
        )

    def _iterations(self, loop: Any) -> int:
        """How often the body of a loop runs."""
        if loop.name == "scf.while":
            bound = self._most(loop)
            return _EXTENT if bound is None else self._graph.number(bound) or self._size(bound)
        first, last, step = (self._graph.number(each) for each in list(loop.operands)[:3])
        if first is None or last is None or step is None:
            return self._size(loop.operands[1])
        return max(0, -(-(last - first) // step))

    def _most(self, loop: Any) -> Any | None:
        """The bound of a number that each iteration of a ``while`` loop adds to, or None."""
        if loop not in self._bounds:
            self._bounds[loop] = next(
                (
                    bound
                    for number, bound in self._comparisons(loop)
                    if not self._graph.is_inside(bound, loop) and self._grows(loop, number)
                ),
                None,
            )
        return self._bounds[loop]

    def _comparisons(self, loop: Any) -> Iterator[tuple[Any, Any]]:
        """The numbers that have to be less than others for a loop to go on."""
        work = [next(e for e in children(loop) if e.name == "scf.condition").operands[0]]
        while work:
            value = work.pop()
            source = self._graph.producer(value)
            if source is None:
                continue
            if source.name == "arith.andi":
                work += source.operands
            elif source.name == "scf.if":  # a and b
                number = list(source.results).index(value)
                ends = [end.operands[number] for end in children(source) if end.name == "scf.yield"]
                if self._graph.number(ends[-1]) == 0:
                    work += [source.operands[0], ends[0]]
            elif source.name == "arith.cmpi" and predicate(source) in ("slt", "sle"):
                yield source.operands[0], source.operands[1]

    def _grows(self, loop: Any, number: Any) -> bool:
        """Whether a number is one that each iteration of a loop adds a constant to."""
        tested = list(loop.regions[0].blocks[0].arguments)
        if number not in tested:
            return False
        stop, again = (e for e in children(loop) if e.name in ("scf.condition", "scf.yield"))
        added = self._graph.producer(again.operands[tested.index(number)], "arith.addi")
        step = None if added is None else self._graph.number(added.operands[1])
        if added is None or step is None or step <= 0:
            return False
        body = list(loop.regions[1].blocks[0].arguments)
        old = added.operands[0]
        return old in body and stop.operands[1 + body.index(old)] == number

    def _size(self, bound: Any) -> int:
        """What a bound is taken for, which a number of the caller's makes as large as it is."""
        return _NUMBER if self._numbers(bound) - self._sizes else _EXTENT

    def _numbers(self, value: Any) -> set[Any]:
        """The numbers of the caller's that a value is computed of."""
        work, found, seen = [value], set(), 0
        while work and seen < _MOST_OPERATIONS:
            each = work.pop()
            seen += 1
            source = self._graph.producer(each)
            if source is None:
                found |= {each} if _is_number_of_caller(each) else set()
            elif source.name.startswith("arith."):
                work += source.operands
        return found


def _is_wide(kind: Any) -> bool:
    return kind in (bindings.ir.IndexType.get(), i64())


def _is_number_of_caller(value: Any) -> bool:
    ir = bindings.ir
    is_number = isinstance(value.type, (ir.IntegerType, ir.IndexType))
    return is_number and value.owner.owner.operation.name == "func.func"


def _calls_itself(loop: Any) -> bool:
    """Whether a loop is in a function of which there are many short calls rather than a long one."""
    function = loop.parent
    while function.name != "func.func":
        function = function.parent
    name = function.attributes["sym_name"].value
    return any(each.attributes["callee"].value == name for each in find(function, "func.call"))


def _directly_inside(loop: Any) -> list[Any]:
    """The loops and calls in a loop that no other loop in it is around."""
    found = []
    work = children(loop)
    while work:
        each = work.pop()
        if each.name in _LOOPS:
            found.append(each)
        elif len(each.regions):
            work += children(each)
    return found


def _count_each(loop: Any, count: int) -> None:
    """Have a ``while`` loop count its iterations, of which there are that many at first."""
    with bindings.ir.InsertionPoint(_end_of_iteration(loop)), loop.location:
        _done(_left(count), constant(i64(), 1))


def _end_of_iteration(loop: Any) -> Any:
    body = loop.regions[1].blocks[0]
    return next(each for each in children(loop) if each.name == "scf.yield" and each.block == body)


def _count_together(loop: Any, count: int) -> None:
    """Put a ``for`` loop into one that does some of its iterations at once, and counts them."""
    ir = bindings.ir
    first, last, step, *carried = loop.operands
    is_certain = is_sure_to_run(loop)
    kinds = [first.type, *(each.type for each in carried)]
    with ir.InsertionPoint(loop), loop.location:
        distance = _distance(first, last)
        begin = [constant(first.type, 0), *carried]
        made = ir.Operation.create("scf.while", kinds, begin, regions=2)
        blocks = [
            region.blocks.append(*kinds, arg_locs=[loop.location] * len(kinds))
            for region in made.regions
        ]
    use_instead(loop, made.results[1:])
    with ir.InsertionPoint(blocks[0]), loop.location:
        goes_on = compare(blocks[0].arguments[0], "ult", distance)
        ir.Operation.create("scf.condition", [], [goes_on, *blocks[0].arguments])
    before, *given = blocks[1].arguments
    with ir.InsertionPoint(blocks[1]), loop.location:
        left = _left(count)
        most = op("arith.muli", first.type, cast(left, first.type), step)
        ahead = op("arith.minui", first.type, op("arith.subi", first.type, distance, before), most)
        start = op("arith.addi", first.type, first, before)
        bounds = [start, op("arith.addi", first.type, start, ahead), step]
        iterations = op("arith.divui", first.type, ahead, step)
        rest = op("arith.remui", first.type, ahead, step)
        less = op("arith.minui", first.type, rest, constant(first.type, 1))
        end = ir.Operation.create(
            "scf.yield", operands=[op("arith.addi", first.type, before, ahead), *loop.results]
        )
    loop.move_before(end)
    for position, value in enumerate([*bounds, *given]):
        loop.operands[position] = value
    if is_certain:
        for each in (made, loop):
            each.attributes[CERTAIN] = ir.UnitAttr.get()
    with ir.InsertionPoint(end), loop.location:
        _done(left, cast(op("arith.addi", first.type, iterations, less), i64()))


def is_sure_to_run(loop: Any) -> bool:
    """Whether it is known how often a loop runs: what frees the memory that it gives relies on it."""
    if CERTAIN in loop.attributes:
        return True
    if loop.name != "scf.for":
        return False
    bounds = [each.owner for each in list(loop.operands)[:BOUNDS]]
    if any(getattr(each, "name", "") != "arith.constant" for each in bounds):
        return False
    return any(isinstance(each.type, bindings.ir.MemRefType) for each in loop.results)


def _left(count: int) -> Any:
    return called(LEFT, [i64()], [constant(i64(), count)]).results[0]


def _done(left: Any, iterations: Any) -> None:
    called(ITERATIONS, [], [left, iterations])


def _distance(first: Any, last: Any) -> Any:
    """From the first number to the last; without a sign, for it may need all bits."""
    some = compare(first, "slt", last)
    return op(
        "arith.select",
        first.type,
        some,
        op("arith.subi", first.type, last, first),
        constant(first.type, 0),
    )
