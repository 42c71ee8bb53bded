"""Lists, dicts and sets of anything as arguments: one trace for all lengths and contents of a type."""

from __future__ import annotations

import copy
import random
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import agir as ag
from tests.runtime.arguments.test_objects_as_arguments import Point, check, drawn


def words_of(count: int, seed: int = 0) -> list[str]:
    """Some words."""
    chooser = random.Random(seed * 1000 + count)
    return ["".join(chooser.choices("abcé😀", k=chooser.randrange(4))) for _ in range(count)]


def counted(words: Any) -> Any:
    found: dict[str, int] = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    words.append("end")
    return found


def test_lists_of_text() -> None:
    check(counted, *(lambda n=n: (words_of(n),) for n in (3, 4, 0, 6, 8, 50, 400)), traces=5)


def heaviest(edges: Any) -> Any:
    best, total = None, 0.0
    for one, two, weight in edges:
        total += weight
        if best is None or weight > best[2]:
            best = (one, two, weight)
    return best, total


def test_lists_of_tuples() -> None:
    def edges(count: int) -> Callable[[], tuple[Any, ...]]:
        return lambda: ([(i, str(i * 7 % 5), i % 4 / 2) for i in range(count)],)

    check(heaviest, *map(edges, (3, 4, 5, 6, 1, 90)), traces=4)


def reached(after: Any, start: Any) -> Any:
    seen = set()
    waiting = [start]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting.extend(after[node])
    after[start].append(start)
    return sorted(seen), start in after


def test_dicts_of_lists() -> None:
    def graph(count: int) -> Callable[[], tuple[Any, ...]]:
        return lambda: (
            {f"n{i}": [f"n{(3 * i + j) % count}" for j in range(i % 3)] for i in range(count)},
            "n1",
        )

    check(reached, *map(graph, (3, 4, 5, 6, 7, 30)), traces=5)


def changed(table: Any, key: Any) -> Any:
    if key in table:
        del table[key]
    else:
        table[key] = len(table)
    return list(table), sum(table.values())


@pytest.mark.parametrize("kind", [dict, OrderedDict, Counter])
def test_dicts_that_change(kind: Any) -> None:
    def made(count: int, key: str) -> Callable[[], tuple[Any, ...]]:
        return lambda: (kind({f"k{i}": i for i in range(count)}), key)

    cases = [(3, "k1"), (4, "z"), (2, "k0"), (5, "k9"), (6, "k5"), (150, "k77")]
    check(changed, *(made(*each) for each in cases), traces=6)


def grouped(groups: Any, names: Any) -> Any:
    for name in names:
        groups[name].append(len(name))
    return len(groups)


def test_a_defaultdict_and_names() -> None:
    def made(count: int) -> Callable[[], tuple[Any, ...]]:
        return lambda: (defaultdict(list, {"a": [1]}), words_of(count))

    check(grouped, *map(made, (2, 3, 4, 5, 20)), traces=5)


def united(one: Any, two: Any) -> Any:
    one |= two
    one.discard("b")
    return len(one), sorted(one), "a" in two


def test_sets_of_text() -> None:
    def made(*items: str) -> Callable[[], tuple[Any, ...]]:
        return lambda: (set(items), {"a", "b"})

    check(united, made("x"), made("y", "b"), made("a"), made("c", "d", "e"), made(), traces=5)


def ages(people: Any) -> Any:
    total = 0
    for person in people:
        total += person["age"] + len(person["name"])
        person["age"] += 1
    people.sort(key=lambda p: p["name"])
    return total


def test_lists_of_dicts() -> None:
    def made(count: int) -> Callable[[], tuple[Any, ...]]:
        return lambda: ([{"name": "x" * (i * 7 % 5), "age": i} for i in range(count)],)

    check(ages, *map(made, (3, 4, 2, 5, 6, 40)), traces=6)


def rows(table: Any) -> Any:
    table[0].append("new")
    table[-1] = table[0]
    return [len(row) for row in table], table[-1]


def test_lists_of_lists_of_text_that_are_shared() -> None:
    def made(count: int) -> Callable[[], tuple[Any, ...]]:
        def make() -> tuple[Any, ...]:
            shared = words_of(2)
            return ([words_of(i) if i % 3 else shared for i in range(count)],)

        return make

    check(rows, *map(made, (3, 4, 2, 5, 6, 9)), traces=5)


def both(one: Any, two: Any) -> Any:
    one.append("x")
    two.append("y")
    return len(one), one is two, one[-1]


def test_one_list_for_two_parameters() -> None:
    def made(count: int, is_one: bool) -> Callable[[], tuple[Any, ...]]:
        def make() -> tuple[Any, ...]:
            first = words_of(count)
            return (first, first) if is_one else (first, words_of(count, 1))

        return make

    cases = [(3, True), (4, False), (5, True), (6, True), (7, False), (2, True), (9, False)]
    check(both, *(made(*each) for each in cases), traces=7)


def nearest(points: Any, by_name: Any) -> Any:
    for point in points:
        by_name[f"{point.x:.1f}"] = point
        point.y += 1.0
    return len(by_name), points[0] in [by_name["0.0"]]


def test_dicts_of_objects() -> None:
    def made(count: int) -> Callable[[], tuple[Any, ...]]:
        def make() -> tuple[Any, ...]:
            points = [Point(i / 2, 0.0) for i in range(count)]
            return points, {"first": points[0], "other": Point(9.0, 9.0)}

        return make

    check(nearest, *map(made, (2, 3, 4, 5, 6)), traces=5)


def items(value: Any) -> Any:
    return value, list(value), len(value)


def entries(value: Any) -> Any:
    return value, list(value.items()), len(value)


SCALARS: dict[str, Callable[[random.Random], Any]] = {
    "int": lambda r: r.randrange(-5, 5),
    "large": lambda r: r.choice([2**63 - 1, -(2**63), 0]),
    "float": lambda r: r.choice([0.5, -1e300, float("inf"), 2.0]),
    "bool": lambda r: r.random() < 0.5,
    "complex": lambda r: complex(r.randrange(3), 1),
    "text": lambda r: "".join(r.choices("ab\u00e9\U0001f600\0", k=r.randrange(4))),
    "none": lambda r: None,
}
HASHED = ("int", "bool", "text", "float")


def typed(chooser: random.Random, depth: int) -> Callable[[random.Random], Any]:
    """Gives values of one random type, of different lengths."""
    kinds = ["scalar", "scalar", "or_none", "mixed"]
    kind = chooser.choice(
        kinds if depth == 0 else [*kinds, "list", "tuple", "dict", "point", "set"]
    )
    if kind == "scalar":
        return SCALARS[chooser.choice(list(SCALARS))]
    if kind == "or_none":
        inner = typed(chooser, depth - 1) if depth else SCALARS["int"]
        return lambda r: None if r.random() < 0.3 else inner(r)
    if kind == "mixed":
        one, two = (SCALARS[chooser.choice(["int", "float", "text"])] for _ in range(2))
        return lambda r: (one if r.random() < 0.5 else two)(r)
    if kind == "list":
        inner = typed(chooser, depth - 1)
        return lambda r: [inner(r) for _ in range(r.randrange(5))]
    if kind == "tuple":
        parts = [typed(chooser, depth - 1) for _ in range(chooser.randrange(1, 4))]
        return lambda r: tuple(part(r) for part in parts)
    if kind == "point":
        tags = typed(chooser, 0)
        return lambda r: Point(r.random(), 0.0, [tags(r) for _ in range(r.randrange(3))])
    key = SCALARS[chooser.choice(HASHED)]
    if kind == "set":
        return lambda r: {key(r) for _ in range(r.randrange(5))}
    inner = typed(chooser, depth - 1)
    return lambda r: {key(r): inner(r) for _ in range(r.randrange(5))}


@pytest.mark.parametrize("seed", range(40))
def test_values_of_any_type_go_in_and_come_out(seed: int) -> None:
    chooser = random.Random(seed)
    inner = typed(chooser, 2)
    if seed % 2:
        function: Any = items
        make = lambda r: [inner(r) for _ in range(r.randrange(1, 6))]  # noqa: E731
    else:
        function = entries
        make = lambda r: {f"k{n}": inner(r) for n in range(r.randrange(1, 6))}  # noqa: E731
    compiled: Any = ag.jit(function)
    for number in range(6):
        value = make(random.Random(number))
        expected = drawn(function(make(random.Random(number))))
        assert drawn(compiled(value)) == expected


def nested(one: Any, two: Any) -> Any:
    one[0].append("x")
    return one[0][-1], two[-1], len(two), one is two


def test_lists_of_lists_for_two_parameters_that_were_one_before() -> None:
    def made(count: int, is_one: bool) -> Callable[[], tuple[Any, ...]]:
        def make() -> tuple[Any, ...]:
            first = [words_of(i + 1) for i in range(count)]
            return (first, first) if is_one else (first, [words_of(i + 1) for i in range(count)])

        return make

    cases = [(2, True), (3, False), (4, True), (5, True), (6, True), (3, False), (7, False)]
    check(nested, *(made(*each) for each in cases), traces=7)


def shared_rows(words: Any, one: Any, two: Any) -> Any:
    words.append("x")
    one[0].append(7)
    return two[0][-1], len(two[0]), len(words)


def test_rows_of_numbers_that_two_lists_share_beside_data() -> None:
    def made(count: int) -> Callable[[], tuple[Any, ...]]:
        def make() -> tuple[Any, ...]:
            rows = [[i, i + 1] for i in range(count)]
            return words_of(count), rows, [rows[0], [5]]

        return make

    check(shared_rows, *map(made, (2, 3, 4, 5, 6, 7, 90)), traces=7)


def in_a_dict(words: Any, groups: Any, pair: Any) -> Any:
    words[0].append("x")
    return groups["first"][-1], pair[1][-1], len(groups)


def test_lists_that_are_in_data_and_in_other_arguments() -> None:
    def made(count: int) -> Callable[[], tuple[Any, ...]]:
        def make() -> tuple[Any, ...]:
            words = [words_of(i + 1) for i in range(count)]
            return words, {"first": words[0]}, (count, words[-1])

        return make

    check(in_a_dict, *map(made, (2, 3, 4, 5, 6, 7)), traces=6)


def products(a, b):
    made = [[0.0 for _ in range(len(b[0]))] for _ in range(len(a))]
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                made[i][j] += a[i][k] * b[k][j]
    return made


def test_long_rows_that_are_given_twice():
    rows = [[float(i * j % 7) for i in range(40)] for j in range(40)]
    f = ag.jit(products)
    others = [row[::-1] for row in rows]
    for a, b in ((rows, rows), (rows, others), (others, others)):
        assert f(a, b) == products(a, b)


def the_longest_chain(n, seen=None):
    seen = seen or set()
    following = sum(int(digit) ** 2 for digit in str(n))
    if following in seen:
        return 0
    seen.add(n)
    return 1 + the_longest_chain(following, seen)


def remembered(n, memory=None):
    if memory is None:
        memory = {}
    if n in memory:
        return memory[n]
    if n < 2:
        return n
    memory[n] = remembered(n - 1, memory) + remembered(n - 2, memory)
    return memory[n]


def one_of_two(a, b, n):
    one = a if n > 1 else b
    one[n] = 7
    both = [a, b, one]
    both[n % 3][100] = 1
    return len(one)


@pytest.mark.parametrize(
    ("f", "arguments"),
    [
        (the_longest_chain, [(44,), (44, {5}), (7, {1, 2}), (9,)]),
        (remembered, [(30,), (30, {}), (12, {3: 5})]),
        (one_of_two, [({1: 2}, {3: 4}, 1), ({1: 2}, {3: 4}, 2), ({}, {5: 6, 7: 8}, 0)]),
    ],
)
def test_containers_that_are_put_where_there_may_be_others(f, arguments):
    decorated = ag.jit(f)
    for each in arguments:
        mine, plain = copy.deepcopy(each), copy.deepcopy(each)
        assert decorated(*mine) == f(*plain)
        assert mine == plain


def numbers_or_characters(text, n):
    found = [n]
    if n > 100:
        found.extend(text)
    seen = set()
    for each in found:
        seen.add(each)
    return [[ord(c) for c in x] if isinstance(x, str) else [5] for x in found], len(seen)


@pytest.mark.parametrize("n", [0, 3, 101, 200])
def test_numbers_and_characters_in_one_list(n):
    assert ag.jit(numbers_or_characters)("xyx", n) == numbers_or_characters("xyx", n)


def two_colours(graph):
    colours = defaultdict(lambda: -1)

    def can_be(node, colour):
        if colours[node] == -1:
            colours[node] = colour
            for each in graph.get(node, []):
                if not can_be(each, 1 - colour):
                    return False
        return colours[node] == colour

    return all(colours[node] != -1 or can_be(node, 0) for node in graph)


def test_graphs_have_one_trace():
    f = ag.jit(two_colours)
    square = {0: [1, 3], 1: [0, 2], 2: [1, 3], 3: [0, 2]}
    for graph in (square, {7: [8], 8: [7]}, {**square, 4: [0, 1]}, {5: [], 6: [5]}):
        assert f(graph) == two_colours(graph)
    assert f.experimental_get_tracing_count() == 1
    letters = {"a": [1, 3], "b": ["a", 2], "c": []}
    assert f(letters) == two_colours(letters)


def in_common(a: Any, b: Any) -> Any:
    return set(a).isdisjoint(set(b)), len(a), sum(b)


@pytest.mark.filterwarnings("ignore::agir.errors.RetraceWarning")
def test_one_tuple_for_two_parameters_of_which_one_is_of_any_length() -> None:
    f = ag.jit(in_common)
    for n in (1, 2, 3, 4, 5, 40, 2, 7):
        one, other = tuple(range(n)), tuple(range(n, 2 * n))
        for a, b in ((one, other), (one, one), (other, one), ((), one), (other, other)):
            assert f(a, b) == in_common(a, b)
