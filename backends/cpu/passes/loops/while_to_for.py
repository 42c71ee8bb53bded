"""``while`` loops that count: for as long as memory is looked at by a counter, they are ``for`` loops.

``while i < n: s += x[i]; i += 1`` is what a ``for`` is, and what is known of those holds for it.  One
thing differs: a ``while`` stops where a check has failed, and a ``for`` runs out.  So one in which
something can fail is marked, and is a ``while`` again if that has not been settled before it.

Loops that do not look at memory by their counter stay as they are: they may take any time, and can be
interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from agir.backends.cpu.passes.analysis.access_ranges import within
from agir.backends.cpu.passes.analysis.failing_checks import failing_conditions
from agir.backends.cpu.passes.analysis.loop_carried import LOOPS
from agir.backends.cpu.passes.analysis.yielded_values import YieldedValues
from agir.backends.mlir.graph import Graph
from agir.backends.mlir.making import (
    cast,
    compare,
    constant,
    number_attribute,
    op,
    predicate,
    use_instead,
)
from agir.backends.mlir.modules import children, walk
from agir.backends.mlir.reached import reached
from agir.ir.building import bindings
from agir.records import dataclass

STOPS = "agir.stops"
"""On a ``scf.for``: the variable of the loop that is not zero once it has to stop."""
_MIRRORED = {"slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle"}
"""By a predicate of ``arith.cmpi`` that for exchanged operands."""
_ACCESSES = {"memref.load": 1, "memref.store": 2}
"""By the operation, where its subscripts begin."""
_GREATEST = 2**63 - 1
_LARGEST_STEP = 2**31
_SUMS = ("arith.index_cast", "arith.addi")
_SHORT = 60
"""Operations in a loop that may be there twice."""


class _Operand(NamedTuple):
    """A value as an operand: it may have become another one since."""

    user: Any
    position: int

    @property
    def value(self) -> Any:
        """What it is now."""
        return self.user.operands[self.position]


@dataclass
class _Counted:
    """A ``while`` that counts."""

    loop: Any
    position: int
    """Of the counter among what the loop begins with."""
    downwards: bool
    bound: _Operand
    inclusive: bool
    """Whether the counter gets to the bound."""
    step: int | _Operand
    """The magnitude of what each iteration adds; an operand is tested before the loop."""
    settled: list[_Operand]
    """What else the test asks, and what is there before the loop."""
    code: int | None
    """The variable that has to be zero, too."""
    order: list[int]
    """For each value that the test passes on: its position among the initial values."""


def convert_while_to_for(module: Any) -> None:
    """Make ``for`` loops of those ``while`` loops that count; those that can fail are marked."""
    graph = Graph(module)
    found = [_counted(loop, graph) for loop in graph.find("scf.while")]
    for each in found:
        if each is not None:
            if not isinstance(each.step, int):
                _test_step(each, each.step)
            _write_for(each, graph)


def restore_while_exits(module: Any) -> None:
    """Make ``while`` loops again of those that were, and that can fail."""
    graph = Graph(module)
    yielded = YieldedValues(graph)
    marked = [loop for loop in graph.find("scf.for") if STOPS in loop.attributes]
    codes = [loop.attributes[STOPS].value for loop in marked]
    pairs = list(zip(marked, codes, strict=True))
    failing = [_can_fail(loop, code, graph, yielded) for loop, code in pairs]
    for (loop, code), can_fail in zip(pairs, failing, strict=True):
        del loop.attributes[STOPS]
        if can_fail:
            _write_while(loop, code)


def _can_fail(loop: Any, code: int, graph: Graph, yielded: YieldedValues) -> bool:
    """Whether a check in it is not settled, or an iteration fails wherever it gets to (`raise`)."""
    checks = failing_conditions(walk(loop), graph)
    if any(graph.producer(bad, "arith.constant") is None for bad in checks):
        return True

    def made_of(value: Any) -> list[Any]:
        selection = graph.producer(value, "arith.select")
        if selection is None:
            return yielded.sources(value) or []
        settled = failing_conditions([selection], graph)
        return list(selection.operands)[2 if settled else 1 :]

    end = graph.ends(loop)[0].operands[code]
    return any(graph.number(value) for value in reached([end], made_of))


# What counts.


def _counted(loop: Any, graph: Graph) -> _Counted | None:
    tested = list(loop.regions[0].blocks[0].arguments)
    body = list(loop.regions[1].blocks[0].arguments)
    before = [each for each in children(loop) if each.block == tested[0].owner] if tested else []
    if not before or not all(each.name.startswith("arith.") for each in before[:-1]):
        return None
    passed = list(before[-1].operands)[1:]
    if not all(value in tested for value in passed):
        return None
    order = [tested.index(value) for value in passed]
    found: _Counted | None = None
    settled: list[_Operand] = []
    code = None
    for operand in _conjuncts(_Operand(before[-1], 0), graph):
        part = operand.value
        if not graph.is_inside(part, loop):
            settled.append(operand)
        elif code is None and (stops := _stopping(part, tested, graph)) is not None:
            code = stops
        elif found is None:
            found = _counter(loop, part, tested, order, graph)
            if found is None:
                return None
        else:
            return None
    if found is None or not _is_subscript(body[order.index(found.position)], loop):
        return None
    found.settled, found.code = settled, code
    return found


def _conjuncts(condition: _Operand, graph: Graph) -> Iterator[_Operand]:
    both = graph.producer(condition.value, "arith.andi")
    if both is None:
        yield condition
        return
    for position in range(2):
        yield from _conjuncts(_Operand(both, position), graph)


def _stopping(part: Any, tested: list[Any], graph: Graph) -> int | None:
    """The variable that a part of a test compares with zero."""
    compared = graph.producer(part, "arith.cmpi")
    if compared is None or predicate(compared) != "eq":
        return None
    value, zero = compared.operands
    return tested.index(value) if graph.number(zero) == 0 and value in tested else None


def _counter(
    loop: Any, part: Any, tested: list[Any], order: list[int], graph: Graph
) -> _Counted | None:
    """The counter that a part of a test compares with a bound."""
    compared = graph.producer(part, "arith.cmpi")
    if compared is None:
        return None
    relation = predicate(compared)
    counter, bound = _Operand(compared, 0), _Operand(compared, 1)
    if counter.value not in tested:
        counter, bound, relation = bound, counter, _MIRRORED.get(relation, "")
    value = counter.value
    if relation not in _MIRRORED or value not in tested or graph.is_inside(bound.value, loop):
        return None
    position = tested.index(value)
    if str(value.type) not in ("i64", "index") or position not in order:
        return None
    step = _step(loop, position, order, graph)
    downwards = relation in ("sgt", "sge")
    if isinstance(step, int):
        step = -step if downwards else step
        fits = 0 < step <= _LARGEST_STEP
    else:
        fits = step is not None and not downwards and _is_short(loop)
    if step is None or not fits:
        return None
    inclusive = relation in ("sle", "sge")
    return _Counted(loop, position, downwards, bound, inclusive, step, [], None, order)


def _is_short(loop: Any) -> bool:
    """Whether a loop may be there twice."""
    inside = walk(loop)
    return len(inside) <= _SHORT and not any(each.name in LOOPS for each in inside[1:])


def _step(loop: Any, position: int, order: list[int], graph: Graph) -> int | _Operand | None:
    """What each iteration adds to a variable: a number, or what is there before the loop."""
    (leave,) = (each for each in _ends(loop) if each.name == "scf.yield")
    body = list(loop.regions[1].blocks[0].arguments)
    names = [body[at] for at, number in enumerate(order) if number == position]
    added = graph.producer(leave.operands[position])
    if added is None or added.name not in ("arith.addi", "arith.subi"):
        return None
    one, other = _Operand(added, 0), _Operand(added, 1)
    is_sum = added.name == "arith.addi"
    if one.value not in names and is_sum:
        one, other = other, one
    if one.value not in names or graph.is_inside(other.value, loop):
        return None
    number = graph.number(other.value)
    if number is None:
        return other if is_sum else None
    return number if is_sum else -number


def _ends(loop: Any) -> list[Any]:
    ends = ("scf.condition", "scf.yield")
    return [each for each in children(loop) if each.name in ends]


def _is_subscript(counter: Any, loop: Any) -> bool:
    """Whether memory is looked at by a counter, so that there are no more iterations than elements."""
    inside = walk(loop)
    made_of = {counter}
    for each in inside:  # what is made comes before what is made of it
        if each.name.startswith("arith.") and not made_of.isdisjoint(each.operands):
            made_of.update(each.results)
    return any(
        not made_of.isdisjoint(list(each.operands)[_ACCESSES[each.name] :])
        for each in inside
        if each.name in _ACCESSES
    )


# ``for``.


def _test_step(found: _Counted, step: _Operand) -> None:
    """Put a loop into a branch where its step is known to be positive, and a copy where it is not."""
    ir = bindings.ir
    loop = found.loop
    kinds = [result.type for result in loop.results]
    with ir.InsertionPoint(loop), loop.location:
        fits = within(step.value, 1, _LARGEST_STEP)
        branch = ir.Operation.create("scf.if", results=kinds, operands=[fits], regions=2)
    use_instead(loop, branch.results)
    blocks = [region.blocks.append() for region in branch.regions]
    with ir.InsertionPoint(blocks[1]), loop.location:
        copy = loop.clone()
        ir.Operation.create("scf.yield", operands=list(copy.results))
    blocks[0].append(loop)
    with ir.InsertionPoint(blocks[0]), loop.location:
        ir.Operation.create("scf.yield", operands=list(loop.results))


def _write_for(found: _Counted, graph: Graph) -> None:
    ir = bindings.ir
    loop = found.loop
    starts = list(loop.operands)
    index = ir.IndexType.get()
    carried = [n for n in range(len(starts)) if n != found.position or _is_left(found, graph)]
    with ir.InsertionPoint(loop), loop.location:
        begin = cast(starts[found.position], index)
        low, high = _bounds(begin, cast(found.bound.value, index), found)
        for each in found.settled:
            high = op("arith.select", index, each.value, high, low)
        if isinstance(found.step, int):
            step = constant(index, found.step)
        else:
            step = cast(found.step.value, index)
        made = ir.Operation.create(
            "scf.for",
            results=[starts[n].type for n in carried],
            operands=[low, high, step, *(starts[n] for n in carried)],
            regions=1,
        )
    block = made.regions[0].blocks.append(index, *(starts[n].type for n in carried))
    counter, *variables = block.arguments
    with ir.InsertionPoint(block), loop.location:
        value = op("arith.subi", index, begin, counter) if found.downwards else counter
        value = cast(value, starts[found.position].type)
    names = dict(zip(carried, variables, strict=True)) | {found.position: value}
    leave = _move(loop.regions[1].blocks[0], block, [names[n] for n in found.order])
    with ir.InsertionPoint(block), loop.location:
        ir.Operation.create("scf.yield", operands=[leave.operands[n] for n in carried])
    leave.erase()
    results = dict(zip(carried, made.results, strict=True))
    for n, old in zip(found.order, loop.results, strict=True):
        if n in results:
            old.replace_all_uses_with(results[n])
    if found.code is not None:
        made.attributes[STOPS] = number_attribute(carried.index(found.code))
    loop.erase()


def _is_left(found: _Counted, graph: Graph) -> bool:
    """Whether a counter is looked at after the loop."""
    results = found.loop.results
    names = [results[at] for at, n in enumerate(found.order) if n == found.position]
    return not isinstance(found.step, int) or any(map(graph.uses, names))


def _bounds(begin: Any, to: Any, found: _Counted) -> tuple[Any, Any]:
    """From where to where a ``for`` counts; downwards it counts what has been taken away."""
    index = begin.type
    if not found.downwards:
        if not found.inclusive:
            return begin, to
        if not _is_modest(to):
            to = op("arith.minsi", index, to, constant(index, _GREATEST - 1))
        return begin, op("arith.addi", index, to, constant(index, 1))
    zero = constant(index, 0)
    if found.inclusive:
        if not _is_modest(to):
            to = op("arith.maxsi", index, to, constant(index, 1 - _GREATEST))
        to = op("arith.addi", index, to, constant(index, -1))
    iterations = op("arith.subi", index, begin, to)
    if not (_is_modest(begin) and _is_modest(to)):
        most = constant(index, _GREATEST)
        iterations = op("arith.select", index, compare(iterations, "slt", zero), most, iterations)
        iterations = op("arith.select", index, compare(to, "slt", begin), iterations, zero)
    return zero, iterations


def _is_modest(value: Any) -> bool:
    """Whether a value is a constant or made of counters: one more or less does not wrap around."""
    return all(map(_is_modest_itself, reached([value], _summed)))


def _summed(value: Any) -> list[Any]:
    """What a sum is made of; nothing where a value is none."""
    owner = value.owner
    is_sum = not isinstance(owner, bindings.ir.Block) and owner.operation.name in _SUMS
    return list(owner.operation.operands) if is_sum else []


def _is_modest_itself(value: Any) -> bool:
    """Whether a value is a sum, a small constant or a counter."""
    owner = value.owner
    if isinstance(owner, bindings.ir.Block):
        around = owner.owner.operation
        return bool(around.name == "scf.for" and value.arg_number == 0)
    source = owner.operation
    if source.name == "arith.constant":
        return abs(int(source.attributes["value"].value)) <= _LARGEST_STEP
    return source.name in _SUMS


# ``while``.


def _write_while(loop: Any, code: int) -> None:
    ir = bindings.ir
    low, high, step, *starts = loop.operands
    kinds = [low.type, *(each.type for each in starts)]
    with ir.InsertionPoint(loop), loop.location:
        made = ir.Operation.create("scf.while", results=kinds, operands=[low, *starts], regions=2)
    test, body = (region.blocks.append(*kinds) for region in made.regions)
    with ir.InsertionPoint(test), loop.location:
        counter, *variables = test.arguments
        stopping = variables[code]
        fine = compare(stopping, "eq", constant(stopping.type, 0))
        goes_on = op("arith.andi", fine.type, compare(counter, "slt", high), fine)
        ir.Operation.create("scf.condition", operands=[goes_on, *test.arguments])
    leave = _move(loop.regions[0].blocks[0], body, list(body.arguments))
    with ir.InsertionPoint(body), loop.location:
        following = op("arith.addi", low.type, body.arguments[0], step)
        ir.Operation.create("scf.yield", operands=[following, *leave.operands])
    leave.erase()
    use_instead(loop, list(made.results)[1:])
    loop.erase()


def _move(source: Any, target: Any, names: list[Any]) -> Any:
    """Move what is in a block to the end of another one; gives the operation that ended it."""
    for old, new in zip(source.arguments, names, strict=True):
        old.replace_all_uses_with(new)
    around = source.owner
    *inside, leave = (each for each in children(around) if each.block == source)
    for each in inside:
        target.append(each)
    return leave
