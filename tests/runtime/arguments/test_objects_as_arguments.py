"""Objects of a program's classes as arguments: one trace for all of them, changes are the caller's.

Each program is run by plain Python and compiled, on objects that are made anew; results and arguments
must have the same shape, cycles and objects that are the same included.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import agir as ag


class Node:
    """A node of a list or a tree."""

    def __init__(self, value: Any, left: Any = None, right: Any = None) -> None:
        self.value = value
        self.left = left
        self.right = right


def drawn(value: Any, seen: dict[int, int] | None = None) -> Any:
    """A value as text, in which objects and lists that are one have one number."""
    seen = {} if seen is None else seen
    if isinstance(value, (list, dict)) or hasattr(value, "__dict__") or hasattr(value, "__slots__"):
        if isinstance(value, type | enum.Enum | np.generic) or callable(value):
            return repr(value)
        if id(value) in seen:
            return f"#{seen[id(value)]}"
        seen[id(value)] = len(seen)
    if isinstance(value, tuple | list):
        inner = ", ".join(drawn(each, seen) for each in value)
        return f"{type(value).__name__}({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {drawn(v, seen)}" for k, v in value.items()) + "}"
    if isinstance(value, bool | int | float | complex | str | type(None) | np.generic):
        return f"{type(value).__name__} {value!r}"
    names = sorted({*getattr(value, "__dict__", ()), *_abstracts(value)})
    inner = ", ".join(f"{n}={drawn(getattr(value, n), seen)}" for n in names)
    return f"{type(value).__name__}({inner})"


def _abstracts(value: Any) -> list[str]:
    found = [n for cls in type(value).__mro__ for n in vars(cls).get("__slots__", ())]
    return [n for n in found if hasattr(value, n)]


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """What a call gives or raises, and what it has left of its arguments."""
    try:
        result = function(*arguments)
    except Exception as error:
        return f"{type(error).__name__} {drawn(list(arguments))}"
    return drawn([result, *arguments])


def check(
    function: Callable[..., Any], *makers: Callable[[], tuple[Any, ...]], traces: int
) -> None:
    """Calls with the arguments that these make, one after another, as plain Python makes them."""
    compiled: Any = ag.jit(function)
    for make in makers:
        assert outcome(compiled, make()) == outcome(function, make())
    assert len(compiled._concrete) <= traces


def chain(*values: Any) -> Any:
    """A linked list."""
    first = None
    for value in reversed(values):
        first = Node(value, None, first)
    return first


def tree(*values: Any) -> Any:
    """A search tree."""
    root: Any = None
    for value in values:
        root = insert(root, value)
    return root


def insert(root: Any, value: Any) -> Any:
    """Put a value into a tree."""
    if root is None:
        return Node(value)
    node = root
    while True:
        if value < node.value:
            if node.left is None:
                node.left = Node(value)
                return root
            node = node.left
        else:
            if node.right is None:
                node.right = Node(value)
                return root
            node = node.right


def total(node: Any) -> Any:
    """The sum of a tree."""
    if node is None:
        return 0
    return node.value + total(node.left) + total(node.right)


def reverse(first: Any) -> Any:
    """A list the other way round."""
    before = None
    while first is not None:
        first.right, before, first = before, first, first.right
    return before


def values_of(first: Any) -> Any:
    """The values of a list."""
    found = []
    while first is not None:
        found.append(first.value)
        first = first.right
    return found


def test_a_tree_of_any_size_has_one_trace() -> None:
    sizes = [(5, 2, 8), (1,), (4, 3, 2, 1), tuple(range(40))]
    check(total, *(lambda s=s: (tree(*s),) for s in sizes), lambda: (None,), traces=2)


def test_what_is_inserted_is_the_callers() -> None:
    makers = [lambda s=s: (tree(*s), 6) for s in [(5, 2, 8), (7,), (1, 2, 3), (5, 6, 7, 8, 9)]]
    check(insert, *makers, traces=3)


def test_links_are_changed() -> None:
    check(reverse, *(lambda n=n: (chain(*range(n)),) for n in (3, 1, 20, 2)), traces=2)
    check(values_of, *(lambda n=n: (chain(*range(n)),) for n in (3, 1, 20, 2)), traces=2)


def test_a_long_chain() -> None:
    compiled: Any = ag.jit(values_of)
    compiled(chain(1, 2))
    assert compiled(chain(*range(20_000))) == list(range(20_000))


class Ring:
    """A node of a ring, with text and a list."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.name = f"n{number}"
        self.seen = [number]
        self.next = self


def ring(*numbers: int) -> Ring:
    """A ring, whose first two nodes have one list."""
    made = [Ring(n) for n in numbers]
    for one, two in zip(made, [*made[1:], made[0]], strict=True):
        one.next = two
    made[-1].seen = made[0].seen
    return made[0]


def around(start: Any) -> Any:
    length, names, node = 0, [], start
    while True:
        node.seen.append(length)
        names.append(node.name)
        node.name = node.name + "!"
        length += len(node.name)
        node = node.next
        if node is start:
            break
    return length, names, start.next, start.next.seen


def test_rings_text_and_shared_lists() -> None:
    check(around, *(lambda n=n: (ring(*n),) for n in [(1, 22, 3), (7,), (5, 6)]), traces=2)


def meet(one: Any, two: Any, others: Any) -> Any:
    """Two arguments that have objects in common, and a list that one of them has, too."""
    others.append(5)
    found = 0
    node = one
    while node is not None:
        if node is two:
            found += 1
        if node.left is others:
            found += 10
        node = node.right
    two.value = found
    return one.value, two, others


def test_arguments_that_are_or_have_the_same_objects() -> None:
    def make() -> tuple[Any, ...]:
        first, shared = chain(1, 2, 3), [1, 2]
        first.left = shared
        return first, first.right, shared

    def apart() -> tuple[Any, ...]:
        return chain(1, 2), chain(3, 4), [1]

    check(meet, make, apart, make, traces=3)


@dataclass
class Point:
    """A point."""

    x: float
    y: float
    tags: list[str] = field(default_factory=list)


def centre(points: Any) -> Any:
    x = y = 0.0
    for each in points:
        x += each.x
        y += each.y
        each.x = 0.0
        each.tags.append("seen")
    points.append(Point(x / len(points), y / len(points)))
    return points[-1], len(points[0].tags)


def test_lists_of_dataclasses() -> None:
    sizes = (3, 5, 2, 9, 4)
    check(centre, *(lambda n=n: ([Point(i, 0.5 * i) for i in range(n)],) for n in sizes), traces=5)


def test_a_list_that_has_one_object_twice() -> None:
    def make() -> tuple[Any, ...]:
        point = Point(1.0, 2.0)
        return ([point, Point(3.0, 4.0), point],)

    check(centre, *[make] * 5, traces=4)


class Shape:
    """What has an area."""

    def __init__(self, size: float) -> None:
        self.size = size
        self.count = 0

    def area(self) -> float:
        """The area."""
        return 0.0


class Square(Shape):
    """A square."""

    def area(self) -> float:
        """The area."""
        self.count += 1
        return self.size * self.size


class Circle(Shape):
    """A circle."""

    def area(self) -> float:
        """The area."""
        self.count += 2
        return 3.0 * self.size * self.size


def areas(shapes: Any) -> Any:
    return sum([each.area() for each in shapes]), max(shapes, key=lambda s: s.size).size


def test_lists_of_objects_of_several_classes() -> None:
    kinds = [Square, Circle, Shape]
    makers = [lambda n=n: ([kinds[i % 3](i + 1.5) for i in range(n)],) for n in (3, 4, 5, 6, 11)]
    check(areas, *makers, traces=4)


class Slotted:
    """An object without a dict, some of which lack an attribute."""

    __slots__ = ("next", "number", "rest")

    def __init__(self, number: Any, after: Any) -> None:
        self.number = number
        self.next = after


def with_rest(first: Any) -> Any:
    total = 0
    while first is not None:
        if hasattr(first, "rest"):
            total += first.rest
        else:
            first.rest = first.number
        first = first.next
    return total


def test_abstracts_and_attributes_that_only_some_have() -> None:
    def make(count: int) -> Callable[[], tuple[Any, ...]]:
        def made() -> tuple[Any, ...]:
            first = None
            for n in range(count):
                first = Slotted(n, first)
                if n % 2:
                    first.rest = 10 * n
            return (first,)

        return made

    check(with_rest, *map(make, (4, 5, 1, 8)), traces=3)


def mixed(first: Any) -> Any:
    found = []
    while first is not None:
        if first.value is None:
            first.value = 7
        elif isinstance(first.value, str):
            found.append(first.value)
        else:
            first.value = first.value * 2
        first = first.right
    return found


def test_attributes_of_several_kinds() -> None:
    values: list[tuple[Any, ...]] = [(1, 2.5, None), (None, 3), ("a", 4, "bcd"), (True, "", 2j)]
    check(mixed, *(lambda v=v: (chain(*v),) for v in values), traces=4)


class Colour(enum.Enum):
    """A colour."""

    RED = 1
    BLACK = 2


def paint(first: Any) -> Any:
    reds = 0
    while first is not None:
        if first.value is Colour.RED:
            reds += 1
            first.value = Colour.BLACK
        first = first.right
    return reds


def test_members_of_enumerations() -> None:
    red, black = Colour.RED, Colour.BLACK
    makers = [lambda v=v: (chain(*v),) for v in [(red, black), (black, black, red), (red,)]]
    check(paint, *makers, traces=3)


def pairs(edges: Any, start: Any) -> Any:
    total = 0.0
    for one, two, weight in edges:
        if one is start or two is start:
            total += weight
            two.value += 1
    return total


def test_tuples_with_objects() -> None:
    def make(count: int) -> Callable[[], tuple[Any, ...]]:
        def made() -> tuple[Any, ...]:
            nodes = [Node(n) for n in range(count)]
            edges = [(nodes[i], nodes[(i * 3 + 1) % count], i / 2) for i in range(count)]
            return edges, nodes[1]

        return made

    check(pairs, *map(make, (3, 4, 5, 6, 7)), traces=4)


def fail(first: Any, limit: int) -> Any:
    while first is not None:
        first.value += 1
        if first.value > limit:
            raise ValueError("too large")
        first = first.right
    return limit


def test_what_fails_has_changed_nothing() -> None:
    compiled: Any = ag.jit(fail)
    first = chain(1, 2, 9)
    with pytest.raises(ValueError, match="too large"):
        compiled(first, 5)
    assert values_of(first) == [1, 2, 9]
    assert compiled(first, 20) == 20
    assert values_of(first) == [2, 3, 10]


class Trie:
    """A node of a trie."""

    def __init__(self) -> None:
        self.below: dict[str, Any] = {}
        self.is_word = False


def enter(root: Any, words: Any) -> Any:
    """Put words into a trie."""
    added = 0
    for word in words:
        node = root
        for letter in word:
            if letter not in node.below:
                node.below[letter] = Trie()
                added += 1
            node = node.below[letter]
        node.is_word = True
    return added


def test_dicts_in_objects() -> None:
    def make(*words: str) -> Callable[[], tuple[Any, ...]]:
        def made() -> tuple[Any, ...]:
            root = Trie()
            enter(root, words)
            return root, ["cart", "dog", "do"]

        return made

    check(enter, make("cat", "car"), make(), make("x"), make("do", "dogs"), traces=3)


class Graph:
    """A graph of ints, with what has been seen of it."""

    def __init__(self, *edges: tuple[int, int]) -> None:
        self.after: dict[int, list[int]] = {}
        self.seen: set[int] = set()
        self.names: dict[int, str] = {}
        for one, two in edges:
            self.after.setdefault(one, []).append(two)
            self.after.setdefault(two, [])
            self.names[one] = f"node {one}"

    @ag.jit
    def edge(self, one: int, two: int) -> None:
        """Add an edge."""
        for each in (one, two):
            if each not in self.after:
                self.after[each] = []
        self.after[one].append(two)

    @ag.jit
    def reach(self, start: int) -> Any:
        """How many nodes are reached, and the first one's name."""
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node not in self.seen:
                self.seen.add(node)
                waiting.extend(self.after[node])
        return len(self.seen), self.names.get(start, "")


def test_dicts_of_lists_and_sets_in_objects() -> None:
    graphs = [Graph((1, 2), (2, 3)), Graph((4, 4)), Graph((1, 5), (5, 1), (7, 7))]
    for graph in graphs:
        start = min(graph.after)
        for two in range(10, 14):
            graph.edge(start, two)
        assert graph.after[start][-4:] == [10, 11, 12, 13]
        assert all(graph.after[two] == [] for two in range(10, 14))
        count, name = graph.reach(start)
        assert name == f"node {start}"
        assert count == len(graph.seen)
        assert graph.seen >= {start, 10, 11, 12, 13}
    edge: Any = vars(Graph)["edge"]
    assert sum(len(graph.edge._concrete) for graph in graphs) + len(edge._concrete) <= 6


class Stack:
    """A stack of linked nodes, whose methods are compiled."""

    def __init__(self) -> None:
        self.first: Any = None
        self.size = 0

    @ag.jit
    def push(self, value: Any) -> None:
        """Put a value on top."""
        self.first = Node(value, None, self.first)
        self.size += 1

    @ag.jit
    def total(self) -> Any:
        """The sum of the values."""
        found, node = 0, self.first
        while node is not None:
            found += node.value
            node = node.right
        return found

    @ag.jit
    def reverse(self) -> Any:
        """Turn it round."""
        self.first = reverse(self.first)
        return self


def test_methods_of_such_objects_have_traces_for_all_of_them() -> None:
    stacks = [Stack() for _ in range(4)]
    for number, stack in enumerate(stacks):
        for value in range(6):
            stack.push(value + number)
        assert stack.size == 6
        assert stack.total() == 15 + 6 * number
        assert stack.reverse() is stack
        assert values_of(stack.first) == [value + number for value in range(6)]
    push: Any = vars(Stack)["push"]
    assert 1 <= len(push._concrete) <= 2
    assert sum(len(stack.push._concrete) for stack in stacks) <= 2


class Walker:
    """An object of numbers, of which there are many."""

    def __init__(self, x: float) -> None:
        self.x = x

    @ag.jit
    def step(self, by: Any) -> Any:
        """Move."""
        self.x += by
        return self.x


def test_methods_of_many_objects_have_few_traces() -> None:
    walkers = [Walker(float(n)) for n in range(30)]
    assert [each.step(0.5) for each in walkers] == [n + 0.5 for n in range(30)]
    assert [each.x for each in walkers] == [n + 0.5 for n in range(30)]
    assert sum(len(each.step._concrete) for each in walkers) <= 3


def large(first: Any) -> Any:
    return first.value + (1 if first.right.value > first.value else 0)


def test_what_tables_cannot_hold_is_known_while_tracing() -> None:
    check(large, lambda: (chain(1, 2),), lambda: (chain(1, 2**70),), traces=9)


def cells(node: Any) -> Any:
    node.left[0] = node.right.left[1]
    return node.left.sum()


def test_objects_with_arrays_are_known_while_tracing() -> None:
    def make() -> tuple[Any, ...]:
        inner = Node(1, np.arange(3.0))
        return (Node(2, np.ones(2), inner),)

    compiled: Any = ag.jit(cells)
    (node,) = make()
    assert compiled(node) == 2.0
    assert node.left.tolist() == [1.0, 1.0]
