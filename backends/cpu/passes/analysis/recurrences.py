"""Finding loops in which an element follows from the one before it, by sums, maxima or minima.

``H[i, j] = max(0, H[i - 1, j - 1] + score, H[i - 1, j] - 2, H[i, j - 1] - 2)``

All but the last part of it is known for many ``j`` at once, and then many iterations are one
*scan*: `scans` writes it.  What one iteration hands to the next is a variable, or an element of an
array that it writes and the next one reads.  Only integers: for them the order of operations makes
no difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from agir.backends.cpu.contractions import bodies
from agir.backends.cpu.dependence.accesses import Access, accesses
from agir.backends.cpu.dependence.constants import number_of
from agir.backends.cpu.dependence.independence import is_distinct
from agir.backends.cpu.dependence.linear import Linear, linear
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.modules import children
from agir.ir.building import bindings
from agir.records import dataclass

LOAD, STORE = "memref.load", "memref.store"
SUM, LEAST, GREATEST = "arith.addi", "arith.minsi", "arith.maxsi"
_WAYS = (SUM, LEAST, GREATEST)


@dataclass(frozen=True)
class Recurrence:
    """``value = way(last + step, *others)``, where ``last`` is the value of the iteration before."""

    value: Any
    last: Any
    """A variable of the loop, or what is read of an array."""
    way: str
    step: int
    others: tuple[Any, ...]
    path: tuple[Any, ...]
    """The operations that depend on the iteration before, up to the one that makes the value."""

    @property
    def bits(self) -> int:
        """The width of the numbers."""
        return int(self.value.type.width)

    def floor(self) -> int | None:
        """A number that the others hold the value above of (or below of), if there is one."""
        found = [n for each in self.others for n in _constants_of(each, self.way)]
        best = max if self.way == GREATEST else min
        return best(found) if found and self.way != SUM else None


@dataclass
class Pattern:
    """A loop whose iterations can be done together, in their order in memory."""

    loop: Any
    recurrences: list[Recurrence] = field(default_factory=list)
    reductions: dict[int, Any] = field(default_factory=dict)
    """By the number of a variable the operation that adds to it, and nothing else does."""
    forwarded: dict[Any, Any] = field(default_factory=dict)
    """What is read of an array after it was written, and the value that was written."""
    loads: dict[Any, bool] = field(default_factory=dict)
    """Loads, and whether they read another element in each iteration."""
    stores: list[Any] = field(default_factory=list)

    @property
    def body(self) -> list[Any]:
        """The operations of an iteration."""
        return children(self.loop)[:-1]

    @property
    def counter(self) -> Any:
        """The counter of the loop."""
        return self.loop.regions[0].blocks[0].arguments[0]

    @property
    def variables(self) -> list[Any]:
        """The variables, as an iteration begins with them."""
        return list(self.loop.regions[0].blocks[0].arguments)[1:]

    @property
    def yielded(self) -> list[Any]:
        """The variables, as an iteration yields them."""
        return list(children(self.loop)[-1].operands)


def _constants_of(value: Any, way: str) -> Iterator[int]:
    number = number_of(value)
    if number is not None:
        yield number
    elif getattr(value.owner, "name", "") == way:
        for operand in value.owner.operands:
            yield from _constants_of(operand, way)


def pattern(loop: Any) -> Pattern | None:
    """The pattern of an ``scf.for``; None where iterations cannot be done together."""
    found = Pattern(loop)
    inside = found.body
    if number_of(loop.operands[2]) != 1 or not all(map(_is_known, inside)):
        return None
    graph = Graph(loop)
    if _find_in_memory(found, graph) and _find_in_variables(found, graph) and found.recurrences:
        return found if _depends_on_nothing_else(found, graph) else None
    return None


def _is_known(operation: Any) -> bool:
    if operation.name in (LOAD, STORE):
        kind = operation.operands[operation.name == STORE].type
        strides, _ = kind.get_strides_and_offset()
        return kind.rank > 0 and strides[-1] == 1 and _is_number(kind.element_type)
    return bodies.fits(operation, addresses=True)


def _is_integer(kind: Any) -> bool:
    return isinstance(kind, bindings.ir.IntegerType) and kind.width in (8, 16, 32, 64)


def _is_number(kind: Any) -> bool:
    ir = bindings.ir
    return _is_integer(kind) or isinstance(kind, (ir.F32Type, ir.F64Type))


# Memory: what is read and written in each iteration, and what one reads that the iteration before
# has written.


def _find_in_memory(found: Pattern, graph: Graph) -> bool:
    touched = accesses(found.loop)
    if touched is None:
        return False
    by_operation = {access.operation: access for access in touched}
    found.stores = [op for op in found.body if op.name == STORE]
    loads = [op for op in found.body if op.name == LOAD]
    moves = {access.operation: _moves(access, found.counter) for access in touched}
    if any(moves[store] is not True for store in found.stores):
        return False
    written = [by_operation[store] for store in found.stores]
    if len({access.array for access in written}) < len(written):
        return False
    if not all(is_distinct(access.array, touched) for access in written):
        return False
    for load in loads:
        read = by_operation[load]
        store = next((each for each in written if each.array == read.array), None)
        if store is None or _is_never_written(read, store, found.counter):
            if moves[load] is None:
                return False
            found.loads[load] = bool(moves[load])
        elif not _connect(found, read, store, graph):
            return False
    return True


def _moves(access: Access, counter: Any) -> bool | None:
    """Whether each iteration touches the next element, or all the same one; None for anything else."""
    if access.place is None:
        return None
    subscripts = list(access.operation.operands)[1 + (access.operation.name == STORE) :]
    forms = [linear(each) for each in subscripts]
    factors = [form.coefficient(counter) for form in forms]
    if any(_is_of_loop(v, counter) for form in forms for v, _ in form.without(counter).terms):
        return None
    if any(factors[:-1]) or factors[-1] not in (0, 1):
        return None
    return factors[-1] == 1


def _is_of_loop(value: Any, counter: Any) -> bool:
    owner = value.owner
    block = owner if isinstance(owner, bindings.ir.Block) else owner.operation.block
    return bool(block == counter.owner)


def _difference(one: Access, other: Access) -> list[Linear] | None:
    if one.place is None or other.place is None or len(one.place) != len(other.place):
        return None
    return [a + b * -1 for a, b in zip(one.place, other.place, strict=True)]


def _is_apart(load: Access, store: Access, counter: Any) -> bool:
    """Whether they never touch the same element: another row in each iteration."""
    difference = _difference(load, store)
    if difference is None:
        return False
    rows = [form.coefficient(counter) for form in (store.place or [])]
    return any(
        not form.terms and form.constant and not factor
        for form, factor in zip(difference, rows, strict=True)
    )


def _distance(load: Access, store: Access, counter: Any) -> int | None:
    """By how many iterations what is read lies ahead of what the same iteration writes."""
    difference = _difference(load, store)
    if difference is None or any(form.terms for form in difference):
        return None
    places = zip(difference, store.place or [], strict=True)
    found = [form.constant for form, place in places if place.coefficient(counter)]
    return found[0] if len(found) == 1 else None


def _is_never_written(load: Access, store: Access, counter: Any) -> bool:
    """Whether a load reads what no iteration writes, or none has written yet."""
    if _is_apart(load, store, counter):
        return True
    distance = _distance(load, store, counter)
    if distance == 0:
        return bool(load.operation.is_before_in_block(store.operation))
    return distance is not None and distance > 0


def _connect(found: Pattern, load: Access, store: Access, graph: Graph) -> bool:
    """Take note of a load of what this iteration or the one before it has stored, if it is one."""
    distance = _distance(load, store, found.counter)
    value, result = store.operation.operands[0], load.operation.results[0]
    if distance == 0:
        found.forwarded[result] = value
        return True
    made = _recurrence(value, result, graph) if distance == -1 else None
    if made is not None:
        found.recurrences.append(made)
    return made is not None


# Variables.


def _find_in_variables(found: Pattern, graph: Graph) -> bool:
    for number, (before, after) in enumerate(zip(found.variables, found.yielded, strict=True)):
        after = found.forwarded.get(after, after)
        source = graph.producer(after)
        if source is None or not _is_integer(after.type):
            return False
        if _only_adds(source, before, after, graph):
            found.reductions[number] = source
            continue
        made = _recurrence(after, before, graph)
        if made is None:
            return False
        found.recurrences.append(made)
    return True


def _only_adds(source: Any, before: Any, after: Any, graph: Graph) -> bool:
    """Whether an operation combines a variable with something, and nothing else wants either."""
    return (
        source.name in _WAYS
        and list(source.operands).count(before) == 1
        and len(graph.uses(before)) == 1
        and len(graph.uses(after)) == 1
    )


def _recurrence(value: Any, last: Any, graph: Graph) -> Recurrence | None:
    """How a value follows from that of the iteration before, which nothing else may want."""
    path: list[Any] = []
    others: list[Any] = []
    step, at, way = 0, last, ""
    while at != value:
        uses = graph.uses(at)
        if len(uses) != 1:
            return None
        user = uses[0].user
        rest = list(user.operands)
        rest.remove(at)
        if user.name in _WAYS and way in ("", user.name) and not _is_step(user, value, way):
            way = user.name
            others += rest
        elif not way and (number := _step(user, at)) is not None:
            step += number
        else:
            return None
        path.append(user)
        at = user.results[0]
    if not way or not _is_integer(value.type) or (way == SUM and step):
        return None
    return Recurrence(value, last, way, step, tuple(others), tuple(path))


def _is_step(user: Any, value: Any, way: str) -> bool:
    """Whether a sum with a constant comes before the greatest or least is taken."""
    return (
        user.name == SUM
        and not way
        and user.results[0] != value
        and any(number_of(each) is not None for each in user.operands)
    )


def _step(user: Any, at: Any) -> int | None:
    left, right = user.operands[0], user.operands[-1]
    if user.name == SUM:
        return number_of(right if left == at else left)
    number = number_of(right) if user.name == "arith.subi" and left == at else None
    return None if number is None else -number


def _depends_on_nothing_else(found: Pattern, graph: Graph) -> bool:
    """Whether the rest of an iteration needs nothing of the iteration before but by the recurrences."""
    inside = {op for each in found.recurrences for op in each.path}
    inside.update(found.reductions.values())
    lasts = {each.last for each in found.recurrences}
    lasts.update(found.variables[number] for number in found.reductions)
    return all(use.user in inside for last in lasts for use in graph.uses(last)) and len(
        [op for each in found.recurrences for op in each.path]
    ) == len({op for each in found.recurrences for op in each.path})
