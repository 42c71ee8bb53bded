"""The control-flow graph of a function.

A node is what is evaluated without a branch: a simple statement, the test of an `if`, the target
of a `for`.  Nodes are numbered in the order of the source, so a statement is a range of numbers.
"""

# ruff: noqa: N802, N815 (methods are named after the classes of nodes)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import Any

import gast

from agir.autograph.pyct.activity import Access, access_of
from agir.records import dataclass


@dataclass(eq=False)
class Node:
    """One step: what it accesses, and the steps that may follow."""

    index: int
    access: Access
    depth: int
    raises: Node | None
    successors: list[Node] = field(default_factory=list)
    enters: Any = None
    """The statement of control flow that begins here."""
    loses: str | None = None
    """The name of an exception, which is unbound at the end of its handler."""


@dataclass
class Place:
    """Where a compound statement lies in the graph."""

    enter: Node
    decide: Node
    """The test of an `if` or `while`; of a `for`, the step before each item."""
    body: range
    orelse: range
    inner: Node | None = None
    """The first step of the body."""
    leave: Node | None = None
    parts: dict[Any, range] = field(default_factory=dict)
    """Of a `try`: the steps of its clauses, by the name of the field or by the handler."""
    between: list[Node] = field(default_factory=list)
    """Of a `try`: the steps with which a clause begins."""


@dataclass
class Graph:
    """The nodes of a function, and the places of its `if`, `while`, `for` and `try` statements."""

    nodes: list[Node]
    entry: Node
    exit: Node
    places: dict[Any, Place]
    steps: dict[Any, Node]
    """The nodes of the simple statements."""
    caught: dict[Any, tuple[Node, Node | None]]
    """Where exceptions go from the body of a `try` or `with`, and from its other clauses."""


@dataclass
class _Finally:
    """A `finally` clause that jumps have to go through."""

    entry: Node
    onward: list[Any] = field(default_factory=list)


@dataclass
class _Loop:
    header: Node
    leave: Node


def is_plain(stmt: Any) -> bool:
    """Whether a `try` stays one: made by a converter, or of groups of exceptions."""
    return bool(getattr(stmt, "plain", False)) or not isinstance(stmt, gast.Try)


def build(function: Any) -> Graph:
    """The graph of a function definition."""
    return _Builder().function(function)


class _Builder:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.places: dict[Any, Place] = {}
        self.steps: dict[Any, Node] = {}
        self.caught: dict[Any, tuple[Node, Node | None]] = {}
        self.depth = 0
        self.raises: Node | None = None
        self.around: list[_Loop | _Finally] = []

    def function(self, function: Any) -> Graph:
        entry = self.node()
        self.exit = Node(-1, Access(), 0, None)
        last = self.block(function.body, [entry])
        self.exit.index = len(self.nodes)
        self.nodes.append(self.exit)
        self.link(last, self.exit)
        return Graph(self.nodes, entry, self.exit, self.places, self.steps, self.caught)

    def node(self, *parts: Any, after: Iterable[Node] = ()) -> Node:
        access = access_of(*parts) if parts else Access()
        node = Node(len(self.nodes), access, self.depth, self.raises)
        self.nodes.append(node)
        self.link(after, node)
        return node

    def link(self, nodes: Iterable[Node], target: Node) -> None:
        for node in nodes:
            node.successors.append(target)

    def block(self, stmts: Sequence[Any], before: list[Node]) -> list[Node]:
        for stmt in stmts:
            method = getattr(self, f"on_{type(stmt).__name__}", self.on_simple)
            before = method(stmt, before)
        return before

    def on_simple(self, stmt: Any, before: list[Node]) -> list[Node]:
        node = self.steps[stmt] = self.node(stmt, after=before)
        return [node]

    def on_Raise(self, stmt: Any, before: list[Node]) -> list[Node]:
        self.node(stmt, after=before)
        return []

    def on_Return(self, stmt: Any, before: list[Node]) -> list[Node]:
        self.jump(self.node(stmt, after=before), None)
        return []

    def on_Break(self, stmt: Any, before: list[Node]) -> list[Node]:
        self.jump(self.node(stmt, after=before), "leave")
        return []

    def on_Continue(self, stmt: Any, before: list[Node]) -> list[Node]:
        self.jump(self.node(stmt, after=before), "header")
        return []

    def jump(self, node: Node, target: str | None) -> None:
        for each in reversed(self.around):
            if isinstance(each, _Finally):
                node.successors.append(each.entry)
                each.onward.append(target)
                return
            if target is not None:
                node.successors.append(getattr(each, target))
                return
        node.successors.append(self.exit)

    def on_If(self, stmt: Any, before: list[Node]) -> list[Node]:
        enter = self.node(after=before)
        enter.enters = stmt
        test = self.node(stmt.test, after=[enter])
        self.depth += 1
        body, ends = self.span(stmt.body, test)
        orelse, others = self.span(stmt.orelse, test)
        self.depth -= 1
        leave = self.node(after=[*ends, *others])
        self.places[stmt] = Place(enter, test, body, orelse, leave=leave)
        return [leave]

    def span(self, stmts: Sequence[Any], before: Node) -> tuple[range, list[Node]]:
        start = len(self.nodes)
        first = self.node(after=[before])
        ends = self.block(stmts, [first])
        return range(start, len(self.nodes)), ends

    def on_While(self, stmt: Any, before: list[Node]) -> list[Node]:
        enter = self.node(after=before)
        enter.enters = stmt
        self.depth += 1
        test = self.node(stmt.test, after=[enter])
        return self.loop(stmt, enter, test, test)

    def on_For(self, stmt: Any, before: list[Node]) -> list[Node]:
        enter = self.node(after=before)
        enter.enters = stmt
        iterated = self.node(stmt.iter, after=[enter])
        extra = getattr(stmt, "extra_test", None)
        self.depth += 1
        header = self.node(*([extra] if extra else []), after=[iterated])
        target = self.node(stmt.target, after=[header])
        return self.loop(stmt, enter, header, target)

    on_AsyncFor = on_For

    def loop(self, stmt: Any, enter: Node, header: Node, first: Node) -> list[Node]:
        leave = Node(-1, Access(), self.depth - 1, self.raises)
        self.around.append(_Loop(header, leave))
        body, ends = self.span(stmt.body, first)
        self.around.pop()
        self.link(ends, header)
        self.depth -= 1
        _, others = self.span(stmt.orelse, header)
        leave.index = len(self.nodes)
        self.nodes.append(leave)
        self.link(others, leave)
        inside = range(first.index, body.stop)
        inner = self.nodes[body.start]
        self.places[stmt] = Place(enter, header, inside, range(0), inner=inner, leave=leave)
        return [leave]

    def on_With(self, stmt: Any, before: list[Node]) -> list[Node]:
        for item in stmt.items:
            before = [self.node(item.context_expr, item.optional_vars, after=before)]
        # What is raised inside may be suppressed.
        caught = self.node()
        outer, self.raises = self.raises, caught
        self.caught[stmt] = (caught, outer)
        ends = self.block(stmt.body, before)
        self.raises = outer
        leave = self.node(after=[*ends, caught])
        return [leave]

    on_AsyncWith = on_With

    def on_Try(self, stmt: Any, before: list[Node]) -> list[Node]:
        if is_plain(stmt):
            return self.clauses(
                stmt, before, Place(self.nodes[0], self.nodes[0], range(0), range(0))
            )
        enter = self.node(after=before)
        enter.enters = stmt
        start = len(self.nodes)
        place = self.places[stmt] = Place(enter, enter, range(0), range(0))
        self.depth += 1
        ends = self.clauses(stmt, [enter], place)
        self.depth -= 1
        place.body = range(start, len(self.nodes))
        place.leave = self.node(after=ends)
        return [place.leave]

    def on_TryStar(self, stmt: Any, before: list[Node]) -> list[Node]:
        return self.clauses(stmt, before, Place(self.nodes[0], self.nodes[0], range(0), range(0)))

    def clauses(self, stmt: Any, before: list[Node], place: Place) -> list[Node]:
        """The clauses of a `try`, which the place learns."""
        outer = self.raises
        final = self.enter_finally(stmt)
        guarded = self.raises
        caught = self.node()
        self.caught[stmt] = (caught, guarded)
        self.raises = caught
        place.parts["body"], ends = self.clause(stmt.body, before)
        self.raises = guarded
        place.between.append(caught)
        place.parts["orelse"], ends = self.clause(stmt.orelse, ends)
        place.between.append(self.nodes[place.parts["orelse"].start])
        for handler in stmt.handlers:
            start = len(self.nodes)
            ends = [*ends, *self.handler(handler, caught)]
            place.parts[handler] = range(start, len(self.nodes))
        if guarded is not None:
            caught.successors.append(guarded)
        if final is not None:
            self.raises = outer
            start = len(self.nodes)
            place.between.append(final.entry)
            ends = self.leave_finally(stmt, final, ends)
            place.parts["finalbody"] = range(start, len(self.nodes))
        return ends

    def clause(self, stmts: Sequence[Any], before: list[Node]) -> tuple[range, list[Node]]:
        start = len(self.nodes)
        ends = self.block(stmts, [self.node(after=before)])
        return range(start, len(self.nodes)), ends

    def handler(self, handler: Any, caught: Node) -> list[Node]:
        entry = self.node(handler.type, handler.name, after=[caught])
        ends = self.block(handler.body, [entry])
        if handler.name is None:
            return ends
        end = self.node(after=ends)
        end.loses = handler.name.id
        return [end]

    def enter_finally(self, stmt: Any) -> _Finally | None:
        if not stmt.finalbody:
            return None
        final = _Finally(Node(-1, Access(), self.depth, self.raises))
        self.around.append(final)
        self.raises = final.entry
        return final

    def leave_finally(self, stmt: Any, final: _Finally, ends: list[Node]) -> list[Node]:
        self.around.pop()
        final.entry.index = len(self.nodes)
        self.nodes.append(final.entry)
        self.link(ends, final.entry)
        ends = self.block(stmt.finalbody, [final.entry])
        for node in ends:
            if self.raises is not None:
                node.successors.append(self.raises)
            for target in final.onward:
                self.jump(node, target)
        return ends

    def on_Match(self, stmt: Any, before: list[Node]) -> list[Node]:
        previous = self.node(stmt.subject, after=before)
        ends: list[Node] = []
        for case in stmt.cases:
            pattern = self.node(case.pattern, case.guard, after=[previous])
            body = self.node(after=[pattern])
            body.access.binds.update(access_of(case.pattern).may_bind)
            ends.extend(self.block(case.body, [body]))
            previous = pattern
        return [*ends, previous]
