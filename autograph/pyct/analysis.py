"""Everything that is known of the variables of one function, for the conversion of its body."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import gast

from agir.autograph.pyct import cfg
from agir.autograph.pyct.activity import Scope, scope_of, walk_function, walk_own
from agir.autograph.pyct.delayed import Delayed
from agir.autograph.pyct.liveness import Bits, Liveness
from agir.autograph.pyct.reaching_definitions import Conditions, ReachingDefinitions

INLINES = sys.version_info >= (3, 12)
"""Whether comprehensions are part of the function they stand in."""


class Analysis:
    """The states of the statements of a function, and the reads that may find no value."""

    def __init__(self, function: Any, lost: Iterable[str] = ()) -> None:
        """`lost` are local variables that only unreachable code, which is gone, binds."""
        self.scope: Scope = scope_of(function)
        self.scope.locals.update(dict.fromkeys(lost))
        self.graph = cfg.build(function)
        self.bits = Bits([*self.scope.locals, *sorted(self.scope.outer)])
        of = self.bits.of
        self._share_writes()
        self._outer = of(self.scope.outer)
        self._always = self._outer | of(self.scope.captured)
        self._modified = [of(node.access.modifies) for node in self.graph.nodes]
        self._bound_outside = self._within_depth(0)
        self.liveness = Liveness(self.graph, self.bits, self._always)
        self._states = {stmt: self._state(stmt) for stmt in self.graph.places}
        at_start = of([*_late_walrus(function), *lost])
        self._at_start = self._reach(at_start & ~of(self.scope.params) & ~self._outer)
        self.undefinable = self._undefinable()

    def _share_writes(self) -> None:
        """A call may assign to what nested functions declare nonlocal."""
        if self.scope.shared:
            for node in self.graph.nodes:
                if node.access.calls:
                    node.access.may_bind.update(dict.fromkeys(sorted(self.scope.shared)))

    def _state(self, stmt: Any) -> int:
        place = self.graph.places[stmt]
        modified = self._within(place.body) | self._within(place.orelse)
        before, after = self.liveness.before, self.liveness.after
        assert place.leave is not None
        live = before[place.leave.index]
        for node in place.between:
            live |= before[node.index]
        if place.inner is None:
            live |= after[place.decide.index]
        else:
            # What a test binds for the body has to get from one function to the other.
            live |= before[place.decide.index]
            live |= before[place.inner.index] & self._modified[place.decide.index]
        return modified & live

    def _within_depth(self, depth: int) -> int:
        modified = 0
        for node in self.graph.nodes:
            if node.depth <= depth:
                modified |= self.bits.of(node.access.binds) | self.bits.of(node.access.may_bind)
        return modified

    def _within(self, span: range) -> int:
        modified = 0
        for index in span:
            modified |= self._modified[index]
        return modified

    def _reach(self, at_start: int) -> int:
        """Solve for the conditions; returns the names to initialise at the start."""
        own = self.bits.of(self.scope.locals) & ~self.bits.of(self.scope.params)
        entries = {stmt: self._states[stmt] & own for stmt in self.graph.places}

        def initialised(node: cfg.Node) -> int:
            return entries[node.enters] if node.enters is not None else 0

        while True:
            bound = self.bits.of(self.bits.names) & ~own
            start = Conditions(own & ~at_start, at_start, bound)
            self.reaching = ReachingDefinitions(self.graph, self.bits, start, initialised)
            more = at_start | self._needed_at_start(entries)
            if more == at_start:
                return at_start
            at_start = more

    def _needed_at_start(self, entries: dict[Any, int]) -> int:
        """Names that cannot be initialised later, because they may be bound by then."""
        needed = 0
        for node in self.graph.nodes:
            unbound, undefined, bound = self.reaching.before[node.index]
            if node.enters is not None:
                needed |= entries[node.enters] & unbound & (undefined | bound)
            if unbound:
                reads = (*node.access.reads, *node.access.inner_reads)
                used = self.bits.of(read.id for read in reads)
                used |= self.bits.of(node.access.deletes)
                moved = -1 if node.depth or node.access.lazy else ~self._bound_outside
                needed |= unbound & used & moved
        return needed

    def _undefinable(self) -> set[str]:
        undefined = self._at_start
        for node in self.graph.nodes:
            undefined |= self.reaching.before[node.index].undefined
            undefined |= self.bits.of(node.access.deletes)
        return set(self.bits.within(undefined & ~self._outer))

    def ordered(self, bits: int) -> tuple[str, ...]:
        """Names in the order in which the function binds them."""
        return self.bits.within(bits)

    def state(self, stmt: Any) -> tuple[str, ...]:
        """The variables that a statement of control flow reads and modifies."""
        return self.ordered(self._states[stmt])

    def kept(self, stmt: Any) -> tuple[str, ...]:
        """Those of them that may still be read after the statement has raised an exception."""
        return self.ordered(self._states[stmt] & self.live_where_caught(stmt))

    def live_where_caught(self, stmt: Any) -> int:
        """The variables that are live where the exceptions of a statement go."""
        target = self.graph.places[stmt].enter.raises
        if stmt in self.graph.caught:  # the handlers of a `try` go through its last clause
            target = self.graph.caught[stmt][1]
        return self._outer if target is None else self.liveness.before[target.index]

    def modified(self, span: range) -> set[str]:
        """The variables that some steps modify."""
        return set(self.ordered(self._within(span)))

    def modified_anywhere(self) -> set[str]:
        """The variables that any step of the function modifies."""
        return self.modified(range(len(self.graph.nodes)))

    def at_start(self) -> tuple[str, ...]:
        """The variables to initialise at the start of the function."""
        return self.ordered(self._at_start)

    def unbound_before(self, stmt: Any) -> tuple[str, ...]:
        """The variables to initialise before a statement of control flow."""
        return self.ordered(self._unbound_before(stmt))

    def _unbound_before(self, stmt: Any) -> int:
        unbound, undefined, bound = self.reaching.before[self.graph.places[stmt].enter.index]
        # Nothing is known where control never comes, but the names must be bound somewhere.
        unbound |= ~(undefined | bound)
        return self._states[stmt] & unbound & ~self._outer

    def unset_in(self, span: range, shared: Iterable[str]) -> tuple[str, ...]:
        """The variables to initialise at the start of a block, which has them for itself.

        A function is made of the block; what it shares with the one around is not its own.  Its
        own are those that statements in it may get before they have a value.
        """
        own = self._within(span) & ~self._outer & ~self.bits.of(shared)
        inner = [stmt for stmt, place in self.graph.places.items() if place.enter.index in span]
        if not own or not inner:
            return ()
        unbound = self._unbound_in(span, own)
        got = 0
        for stmt in inner:
            before = unbound.get(self.graph.places[stmt].enter.index, 0)
            got |= self._states[stmt] & before & ~self._unbound_before(stmt)
        return self.ordered(got)

    def _unbound_in(self, span: range, names: int) -> dict[int, int]:
        """The variables that may be unbound before each step, if they are where the steps begin."""
        unbound = {span.start: names}
        waiting = [self.graph.nodes[span.start]]
        while waiting:
            node = waiting.pop()
            before = unbound[node.index]
            after = before & ~self.bits.of(node.access.binds) & ~self.bits.of(node.access.deletes)
            flows = [(each, after) for each in node.successors]
            flows += [(node.raises, before)] if node.raises is not None else []
            for target, value in flows:
                known = unbound.get(target.index)
                if target.index in span and (known is None or value & ~known):
                    unbound[target.index] = value | (known or 0)
                    waiting.append(target)
        return unbound

    def doubtful_reads(self) -> tuple[list[Any], list[Any]]:
        """Reads that may find `Undefined`, and those of them that happen in another function."""
        plain: list[Any] = []
        inner: list[Any] = []
        for node in self.graph.nodes:
            undefined = self.reaching.before[node.index].undefined & ~self._outer
            undefined |= self.bits.of(node.access.deletes) if node.access.binds else 0
            if not undefined:
                continue
            names = set(self.bits.within(undefined))
            plain.extend(read for read in node.access.reads if read.id in names)
            for read in node.access.inner_reads:
                if read.id in names:
                    own = INLINES and read not in node.access.late_reads
                    (plain if own else inner).append(read)
        return plain, inner

    def doubtful_deletes(self, stmt: Any) -> set[str]:
        """The variables that may have no value where they are deleted."""
        node = self.graph.steps[stmt]
        unbound, undefined, _ = self.reaching.before[node.index]
        return set(self.ordered((unbound | undefined) & self.bits.of(node.access.deletes)))


def _late_walrus(function: Any) -> set[str]:
    """Names that are bound by ``:=`` in an operand that may not be evaluated."""
    found: set[str] = set()
    nodes = list(walk_function(function))
    if not any(isinstance(node, gast.NamedExpr) for node in nodes):
        return found
    for node in nodes:
        for operand in _late_operands(node):
            for each in walk_own(operand):
                if isinstance(each, gast.NamedExpr):
                    found.add(each.target.id)
    return found


def _late_operands(node: Any) -> list[Any]:
    if isinstance(node, Delayed):
        return [node.value]
    if isinstance(node, gast.ListComp | gast.SetComp | gast.DictComp | gast.GeneratorExp):
        return [node]
    if isinstance(node, gast.BoolOp):
        return list(node.values[1:])
    if isinstance(node, gast.Compare):
        return list(node.comparators[1:])
    if isinstance(node, gast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, gast.Assert) and node.msg is not None:
        return [node.msg]
    return []
