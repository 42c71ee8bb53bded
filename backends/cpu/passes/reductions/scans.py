"""Loops whose elements follow one from the other are done for many elements at once, as scans.

Of ``x = max(x + step, t)`` the iterations of a vector are combined in a logarithmic number of
steps: each lane with the one before it, the one two before it, and so on; what the vector before
has come to is added last.  The last vector is masked.

A number that wraps around is the reason not to: ``max(a + step, b)`` and so on is the same in any
order only where nothing does.  Where the numbers themselves do not show it, each vector is asked, and
if it is too near to the edge its iterations are made one by one.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from agir.backends.cpu.code.host import vectors
from agir.backends.cpu.contractions.code import Code
from agir.backends.cpu.dependence.constants import iterations
from agir.backends.cpu.passes.analysis.combiners import COMBINERS
from agir.backends.cpu.passes.analysis.recurrences import (
    GREATEST,
    LEAST,
    LOAD,
    STORE,
    SUM,
    Pattern,
    Recurrence,
    pattern,
)
from agir.backends.mlir.modules import find, walk
from agir.ir.building import bindings
from agir.records import dataclass

_FEWEST_LANES = 4


def scan_recurrences(module: Any) -> None:
    """Rewrite innermost loops whose iterations depend on each other by sums, maxima or minima."""
    if not vectors().masks:
        return
    for loop in find(module, "scf.for"):
        if any(len(each.regions) for each in walk(loop)[1:]):
            continue
        found = pattern(loop)
        if found is not None:
            lanes = _lanes(found)
            known = iterations(loop)
            if lanes >= _FEWEST_LANES and (known is None or known >= lanes):
                with bindings.ir.InsertionPoint(loop), loop.location:
                    _Writer(found, lanes).write()
                loop.erase()


def _lanes(found: Pattern) -> int:
    return min(vectors().lanes(each.bits) for each in found.recurrences)


@dataclass
class _Iterations:
    """The iterations of one vector: their values, as vectors, and as numbers in the first of them."""

    first: Any
    mask: Any
    in_lanes: dict[Any, Any] = field(default_factory=dict)
    in_first: dict[Any, Any] = field(default_factory=dict)


class _Writer:
    def __init__(self, found: Pattern, lanes: int) -> None:
        self.found = found
        self.lanes = lanes
        self.code = Code.here()
        self.ends = {each.value: each for each in found.recurrences}
        self.low, self.high, _, *self.starts = found.loop.operands

    def write(self) -> None:
        """The loop over whole vectors, and the last part."""
        code, lanes = self.code, self.lanes
        iterations_ = code.op("arith.subi", [self.high, self.low], [code.index_type])
        count = code.op("arith.maxsi", [iterations_, code.value(0)], [code.index_type])
        rest = code.op("arith.remsi", [count, code.value(lanes)], [code.index_type])
        whole = code.subtract(code.add(self.low, count), rest)
        begin = [*map(self._carried_at_start, self.found.recurrences)]
        begin += [self._neutral(number) for number in self.found.reductions]

        def body(index: Any, carried: list[Any]) -> list[Any]:
            return self._iterations(index, None, carried)[0]

        carried = code.loop(self.low, whole, lanes, begin, body)
        known = iterations(self.found.loop)
        if known is None or known % lanes:
            mask = code.lanes_before(rest, lanes)
            after, values = self._iterations(whole, mask, carried)
        else:
            after, values = carried, carried
        self._finish(rest, carried, after, values)

    # Before and after.

    def _carried_at_start(self, each: Recurrence) -> Any:
        """What the first iteration finds, in each lane."""
        code = self.code
        if each.last in self.found.variables:
            number = self.starts[self.found.variables.index(each.last)]
        else:
            number = self._read_if_any(each.last.owner)
        floor = each.floor()
        if floor is not None and _never_wraps(each, floor, self.lanes):
            # as far from the edge as what follows is; what comes of it is the same
            kind, step = number.type, code.constant(number.type, str(each.step))
            limit = code.constant(kind, str(floor))
            moved = code.op(SUM, [number, step], [kind])
            moved = code.op(each.way, [moved, limit], [kind])
            number = code.op("arith.subi", [moved, step], [kind])
        return code.broadcast(number, self.lanes)

    def _read_if_any(self, load: Any) -> Any:
        """What the first iteration reads, if there is one."""
        code, ir = self.code, bindings.ir
        kind = load.results[0].type
        condition = code.compare(self.low, "slt", self.high)
        branch = ir.Operation.create("scf.if", results=[kind], operands=[condition], regions=2)
        with ir.InsertionPoint(branch.regions[0].blocks.append()):
            code.op("scf.yield", [self._read(load, self.low)])
        with ir.InsertionPoint(branch.regions[1].blocks.append()):
            code.op("scf.yield", [code.constant(kind, "0")])
        return branch.results[0]

    def _read(self, load: Any, counter: Any) -> Any:
        """What an iteration reads."""
        buffer, *subscripts = load.operands
        iteration = _Iterations(counter, None)
        at = [self._in_first(iteration, each) for each in subscripts]
        return self.code.op(LOAD, [buffer, *at], [load.results[0].type])

    def _neutral(self, number: int) -> Any:
        operation = self.found.reductions[number]
        way = COMBINERS[operation.name]
        return way.start(self.code, self.lanes, operation.results[0].type)

    def _finish(self, rest: Any, carried: list[Any], after: list[Any], values: list[Any]) -> None:
        """What the loop's variables are in the end."""
        code, found = self.code, self.found
        recurrences = len(found.recurrences)
        for number, vector in zip(found.reductions, after[recurrences:], strict=True):
            operation = found.reductions[number]
            total = COMBINERS[operation.name].of_lanes(code, vector)
            operands = [self.starts[number], total]
            made = code.op(operation.name, operands, [total.type])
            found.loop.results[number].replace_all_uses_with(made)
        for position, each in enumerate(found.recurrences):
            if each.last in found.variables:
                number = found.variables.index(each.last)
                made = self._last(rest, carried[position], values[position])
                found.loop.results[number].replace_all_uses_with(made)

    def _last(self, rest: Any, before: Any, vector: Any) -> Any:
        """The value of the last iteration: in the last part if there is one."""
        code, kind = self.code, vector.type.element_type
        none = code.compare(rest, "eq", 0)
        place = code.choose(none, code.value(0), code.subtract(rest, 1))
        unknown = bindings.ir.ShapedType.get_dynamic_size()
        at = {"static_position": bindings.ir.DenseI64ArrayAttr.get([unknown])}
        found = code.op("vector.extract", [vector, place], [kind], at)
        first = {"static_position": bindings.ir.DenseI64ArrayAttr.get([0])}
        return code.choose(none, code.op("vector.extract", [before], [kind], first), found)

    # The iterations of one vector.

    def _iterations(self, index: Any, mask: Any, carried: list[Any]) -> tuple[list[Any], list[Any]]:
        """What is carried on after the iterations.

        And the values of the recurrences in each of them.
        """
        code, found, lanes = self.code, self.found, self.lanes
        iteration = _Iterations(index, mask)
        count = len(found.recurrences)
        safe: list[Any] = []
        for each, last in zip(found.recurrences, carried, strict=False):
            iteration.in_lanes[each.last] = last
        for operation in found.body:
            if operation.name == STORE or operation in found.reductions.values():
                continue
            for result in operation.results:
                if result in self.ends:
                    iteration.in_lanes[result] = self._scan(iteration, self.ends[result], safe)
        values = [self._in_lanes(iteration, each.value) for each in found.recurrences]
        last = [lanes - 1] * lanes
        after = [code.shuffle(value, value, last) for value in values]
        for number, total in zip(found.reductions, carried[count:], strict=True):
            after.append(self._reduced(iteration, number, total))
        stores = [(store, self._in_lanes(iteration, store.operands[0])) for store in found.stores]

        def write() -> None:
            for store, value in stores:
                _, buffer, *subscripts = store.operands
                at = [self._in_first(iteration, each) for each in subscripts]
                code.store(value, buffer, at, lanes, mask)

        if not safe:
            write()
            return after, values
        return self._if_safe(iteration, safe, write, carried, after, values)

    def _reduced(self, iteration: _Iterations, number: int, total: Any) -> Any:
        code, operation = self.code, self.found.reductions[number]
        before = self.found.variables[number]
        operands = list(operation.operands)
        operands.remove(before)
        value = self._in_lanes(iteration, operands[0])
        made = code.op(operation.name, [total, value], [total.type])
        return made if iteration.mask is None else code.choose(iteration.mask, made, total)

    def _scan(self, iteration: _Iterations, each: Recurrence, safe: list[Any]) -> Any:
        """The value of a recurrence in each of the iterations."""
        code, lanes = self.code, self.lanes
        first, *more = [self._in_lanes(iteration, other) for other in each.others]
        total, kind = first, first.type
        for other in more:
            total = code.op(each.way, [total, other], [kind])
        last = iteration.in_lanes[each.last]
        floor = each.floor()
        if each.step and (floor is None or not _never_wraps(each, floor, lanes)):
            safe += [self._is_far(each, vector) for vector in (total, last)]
        distance = 1
        while distance < lanes:
            order = [max(lane - distance, 0) for lane in range(lanes)]
            moved = self._stepped(code.shuffle(total, total, order), each, [distance] * lanes)
            made = code.op(each.way, [total, moved], [kind])
            if not _may_repeat(each):
                reached = ", ".join("true" if n >= distance else "false" for n in range(lanes))
                truth = code.vector(lanes, bindings.ir.IntegerType.get_signless(1))
                made = code.choose(code.constant(truth, f"dense<[{reached}]>"), made, total)
            total = made
            distance *= 2
        last = self._stepped(last, each, range(1, lanes + 1))
        return code.op(each.way, [total, last], [kind])

    def _stepped(self, vector: Any, each: Recurrence, times: Any) -> Any:
        """The lanes, so many steps further each."""
        if not each.step:
            return vector
        code = self.code
        numbers = [_wrapped(each.step * n, each.bits) for n in times]
        steps = code.constant(vector.type, f"dense<{numbers}>")
        return code.op(SUM, [vector, steps], [vector.type])

    def _is_far(self, each: Recurrence, vector: Any) -> Any:
        """Whether numbers are so far from the edge that steps of a vector's iterations do not wrap."""
        limit, predicate = _edge(each, self.lanes), "sge" if each.step < 0 else "sle"
        edge = self.code.constant(vector.type, f"dense<{limit}>")
        return self.code.compare(vector, predicate, edge)

    # What a value is in the iterations.

    def _in_lanes(self, iteration: _Iterations, value: Any) -> Any:
        value = self.found.forwarded.get(value, value)
        if value not in iteration.in_lanes:
            iteration.in_lanes[value] = self._vector(iteration, value)
        return iteration.in_lanes[value]

    def _vector(self, iteration: _Iterations, value: Any) -> Any:
        code, lanes = self.code, self.lanes
        if value == self.found.counter:
            return code.op(
                SUM,
                [code.broadcast(iteration.first, lanes), code.lane_numbers(lanes)],
                [code.vector(lanes, value.type)],
            )
        if not self._is_of_loop(value):
            return code.broadcast(value, lanes)
        operation = value.owner.operation if hasattr(value.owner, "operation") else value.owner
        if operation.name == "arith.constant":
            return code.broadcast(operation.clone().results[0], lanes)
        if operation.name == LOAD:
            return self._loaded(iteration, operation)
        operands = [self._in_lanes(iteration, each) for each in operation.operands]
        attributes = dict(operation.attributes.items())
        return code.op(operation.name, operands, [code.vector(lanes, value.type)], attributes)

    def _loaded(self, iteration: _Iterations, load: Any) -> Any:
        code = self.code
        buffer, *subscripts = load.operands
        at = [self._in_first(iteration, each) for each in subscripts]
        kind = load.results[0].type
        if not self.found.loads[load]:
            return code.broadcast(code.op(LOAD, [buffer, *at], [kind]), self.lanes)
        return code.load_many(buffer, at, self.lanes, iteration.mask)

    def _in_first(self, iteration: _Iterations, value: Any) -> Any:
        """A subscript, in the first of the iterations."""
        if value == self.found.counter:
            return self.code.value(iteration.first)
        if not self._is_of_loop(value):
            return value
        if value not in iteration.in_first:
            operation = value.owner.operation if hasattr(value.owner, "operation") else value.owner
            operands = [self._in_first(iteration, each) for each in operation.operands]
            attributes = dict(operation.attributes.items())
            iteration.in_first[value] = self.code.op(
                operation.name, operands, [value.type], attributes
            )
        return iteration.in_first[value]

    def _is_of_loop(self, value: Any) -> bool:
        owner = value.owner
        block = owner if isinstance(owner, bindings.ir.Block) else owner.operation.block
        return bool(block == self.found.counter.owner)

    # Iterations that are made one by one after all.

    def _if_safe(
        self,
        iteration: _Iterations,
        safe: list[Any],
        write: Any,
        carried: list[Any],
        after: list[Any],
        values: list[Any],
    ) -> tuple[list[Any], list[Any]]:
        code, ir = self.code, bindings.ir
        held = safe[0]
        for more in safe[1:]:
            held = code.both(held, more)
        if iteration.mask is not None:
            ones = code.constant(held.type, "dense<true>")
            beyond = code.op("arith.xori", [iteration.mask, ones], [held.type])
            held = code.either(held, beyond)
        condition = COMBINERS["arith.andi"].of_lanes(code, held)
        count = len(values)
        results = [*after, *values]
        branch = ir.Operation.create(
            "scf.if", results=[v.type for v in results], operands=[condition], regions=2
        )
        with ir.InsertionPoint(branch.regions[0].blocks.append()):
            write()
            code.op("scf.yield", results)
        with ir.InsertionPoint(branch.regions[1].blocks.append()):
            code.op("scf.yield", self._one_by_one(iteration, carried, count))
        made = list(branch.results)
        return made[: len(after)], made[len(after) :]

    def _one_by_one(self, iteration: _Iterations, carried: list[Any], count: int) -> list[Any]:
        """The iterations by a copy of the loop; what it gives as vectors."""
        code, found, lanes = self.code, self.found, self.lanes
        end = code.minimum(code.add(iteration.first, lanes), self.high)
        first = {"static_position": bindings.ir.DenseI64ArrayAttr.get([0])}

        def lane(vector: Any) -> Any:
            return code.op("vector.extract", [vector], [vector.type.element_type], first)

        starts = list(self.starts)
        for each, vector in zip(found.recurrences, carried, strict=False):
            if each.last in found.variables:
                starts[found.variables.index(each.last)] = lane(vector)
        for number in found.reductions:
            kind = self.starts[number].type
            starts[number] = COMBINERS[found.reductions[number].name].start(code, 0, kind)
        copy = self._copied(iteration.first, end, starts)
        after, values = [], []
        for each in found.recurrences:
            if each.last in found.variables:
                value = copy.results[found.variables.index(each.last)]
            else:
                value = self._read(each.last.owner, end)
            after.append(code.broadcast(value, lanes))
            values.append(after[-1])
        for number, total in zip(found.reductions, carried[count:], strict=True):
            operation = found.reductions[number]
            old = code.op(operation.name, [lane(total), copy.results[number]], [lane(total).type])
            after.append(code.op("vector.insert", [old, total], [total.type], first))
        return [*after, *values]

    def _copied(self, low: Any, high: Any, starts: list[Any]) -> Any:
        """The loop as it was, over other iterations."""
        copy = self.found.loop.operation.clone()
        for position, value in enumerate([self.code.value(low), high]):
            copy.operands[position] = value
        for position, value in enumerate(starts):
            copy.operands[3 + position] = value
        return copy


def _wrapped(number: int, bits: int) -> int:
    half: int = 2 ** (bits - 1)
    return (number + half) % (2 * half) - half


def _edge(each: Recurrence, lanes: int) -> int:
    """From where on the steps of a vector's iterations may wrap around."""
    edge: int = 2 ** (each.bits - 1)
    return -edge - each.step * lanes if each.step < 0 else edge - 1 - each.step * lanes


def _never_wraps(each: Recurrence, floor: int, lanes: int) -> bool:
    """Whether a number that values are never below (or above) is that far from the edge."""
    if each.way == GREATEST and each.step <= 0:
        return floor >= _edge(each, lanes)
    return each.way == LEAST and each.step >= 0 and floor <= _edge(each, lanes)


def _may_repeat(each: Recurrence) -> bool:
    """Whether lanes before the first one may be the first one, a few steps too far."""
    return (each.way == GREATEST and each.step <= 0) or (each.way == LEAST and each.step >= 0)
