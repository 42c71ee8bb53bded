"""Every construct of the language over run-time values, one small function each.

`docs/language.md` is made from this table (``make docs``), and `test_constructs.py` runs each
function decorated against its undecorated self.  A call is a tuple of arguments; numbers and arrays
become run-time values, `Python(...)` stays a Python value.
"""

# ruff: noqa: B012, B023, B905, C416, C419, C417, E731, F841, RUF015, RUF021, UP031, UP032

from __future__ import annotations

import bisect
import cmath
import collections
import contextlib
import dataclasses
import functools
import heapq
import itertools
import math
import queue
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Construct(NamedTuple):
    """A row of the table."""

    section: str
    title: str
    function: Callable[..., Any]
    calls: tuple[tuple[Any, ...], ...]
    of_jit: bool = False
    """Whether `ag.function` refuses it, as TensorFlow does."""


class Python(NamedTuple):
    """An argument that stays a Python value."""

    value: Any


CONSTRUCTS: list[Construct] = []


def construct(
    section: str, title: str, *calls: tuple[Any, ...], of_jit: bool = False
) -> Callable[[Any], Any]:
    """Add a function to the table."""

    def add(function: Any) -> Any:
        CONSTRUCTS.append(Construct(section, title, function, calls, of_jit))
        return function

    return add


def ints(*values: int) -> Any:
    return np.array(values, np.int64)


def floats(*values: float) -> Any:
    return np.array(values, np.float64)


# Branches.
BRANCHES = "Branches"


@construct(BRANCHES, "`if` / `elif` / `else`", (-3.0,), (0.0,), (4.0,), (40.0,))
def if_elif_else(x):
    if x < 0:
        y = -x
    elif x == 0:
        y = 100.0
    elif x < 10:
        y = x * x
    else:
        y = x - 1
    return y


@construct(BRANCHES, "`if` on an int or a float", (0, 0.0), (3, 0.5))
def if_on_numbers(n, x):
    r = 0
    if n:
        r += 1
    if not x:
        r += 2
    return r


@construct(BRANCHES, "`a if c else b`", (2,), (-2,))
def conditional_expression(x):
    return (x if x > 0 else -x) + (1 if not x > 0 else 2 if x == 2 else 3)


@construct(BRANCHES, "`and`, `or` evaluate what they need", (0,), (3,), (100,))
def short_circuit(x):
    if x != 0 and 10 // x >= 2 or x == 100:
        return 1
    return 0


@construct(BRANCHES, "chained comparison", (3,), (8,), (12,))
def chained_comparison(n):
    if 0 < n < 5:
        return 1
    return 2 if 5 <= n != 7 <= 10 else 3


@construct(BRANCHES, "tuples and lists compared in order", (3,), (5,))
def compared_in_order(n):
    return (n, 1) < (5, 0), [1, n] >= [1, 4], (n, 2) != (3, 2), max((n, 0), (4, 9))


@construct(BRANCHES, "`in`, `not in` Python containers", (3,), (8,), (-1,))
def membership(n):
    a = 1 if n in (1, 2, 3) else 0
    b = 2 if n not in [8, 9] else 0
    c = 4 if n in range(0, 10, 2) else 0
    return a + b + c + (8 if n in {-1: "x"} else 0)


@construct(BRANCHES, "early returns, some paths falling through", (1,), (5,), (20,), (-5,))
def early_returns(x):
    if x > 2:
        if x > 10:
            return x
        x = x + 1
    elif x < -2:
        return -x
    return x * 10


@construct(BRANCHES, "a function that returns on one path only", (1.0,), (-1.0,))
def returns_or_not(x):
    if x > 0:
        return x


@construct(BRANCHES, "a name bound in one branch only", (3,), (1,))
def bound_in_one_branch(n):
    if n > 2:
        y = n
    if n > 2:
        return y
    return 0


@construct(BRANCHES, "a name unbound on the path taken: `UnboundLocalError`", (3,), (1,))
def unbound_on_a_path(n):
    if n > 2:
        y = n
    return y


@construct(BRANCHES, "results of different kinds", (1.0,), (-1.0,), (-9.0,))
def different_kinds(x):
    if x > 0:
        return x, 1
    if x > -5:
        return "negative"
    return {"x": x}


@construct(BRANCHES, "`match` on values, alternatives, guards", (0,), (2,), (-4,), (9,))
def match_values(n):
    match n:
        case 0:
            return 100
        case 1 | 2 | 3:
            return 200
        case k if k < 0:
            return -k
        case _:
            return n


@construct(BRANCHES, "`match` on tuples and classes", (0, 1), (2, 3), (5, 5))
def match_structures(a, b):
    match (a, b):
        case (0, y):
            return y
        case (x, 3):
            return x * 100
        case (int() | float() | _, z):
            return z - 50


# Loops.
LOOPS = "Loops"


@construct(LOOPS, "`while`", (27,), (1,))
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@construct(LOOPS, "`while` on a number", (48, 36), (7, 0))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@construct(LOOPS, "`while True` with `break`", (3,), (0,))
def while_true(n):
    i = 0
    while True:
        if i >= n:
            break
        i += 1
    return i


@construct(LOOPS, "`while True` left by `return`", (3,), (-3,))
def while_true_return(n):
    i = 0
    while True:
        i += 1
        if i > n:
            return i * 2


@construct(LOOPS, "`break` and `continue` in nested loops", (2,), (6,))
def nested_jumps(n):
    c = 0
    for i in range(n):
        for j in range(10):
            if j > i:
                break
            if (i + j) % 2:
                continue
            c += j
    return c


@construct(LOOPS, "`return` from inside a loop", (ints(1, 4, 6), 4), (ints(1, 2), 9), (ints(), 1))
def return_from_a_loop(x, t):
    for i, v in enumerate(x):
        if v >= t:
            return i
    return -1


@construct(LOOPS, "`else` of `for` and `while`", (3,), (9,))
def loop_else(n):
    for i in range(n):
        if i == 5:
            r = 1
            break
    else:
        r = 2
    while r < 10:
        if r == n:
            break
        r += 2
    else:
        r += 100
    return r


@construct(LOOPS, "run-time `break` in a loop over a Python list", (5,), (1,))
def break_in_a_python_loop(n):
    s = 0
    for x in [1, 2, 3, 10]:
        if x > n:
            break
        if x == 2:
            continue
        s += x
    else:
        s = -1
    return s


@construct(LOOPS, "`for` over an array, its rows", (ints(1, 2, 3),), (ints(),))
def over_arrays(x):
    s = 0
    for v in x:
        s += v
    rows = 0
    for row in np.reshape(x, (-1, 1)):
        rows += row[0]
    return s + rows


@construct(LOOPS, "`range` with start, stop and (negative) step", (7,), (0,))
def ranges(n):
    s = 0
    for i in range(n, 0, -2):
        s = s * 10 + i
    for i in range(1, n, 3):
        s = s * 10 + i
    return s


@construct(LOOPS, "the loop variable after the loop", (5,), (0,))
def variable_after_the_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


@construct(
    LOOPS, "`enumerate`, `zip`, `reversed`, nested targets", (floats(1, 2, 3), floats(4, 5, 6))
)
def combined_iterables(x, y):
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y), 1):
        s += i * a * b
    for a in reversed(x):
        s = s / 2 + a
    return s


@construct(LOOPS, "`dict.items()`, `keys()`, `values()`", (3,), (0,))
def over_dicts(n):
    d = {"a": n, "b": n * 2}
    s = 0
    for key, v in d.items():
        if v > 3 or key == "a":
            s += v
    return s + sum(d.values()) + len(d.keys())


@construct(LOOPS, "starred and nested targets", (2,))
def starred_targets(x):
    first, *rest = x, x * 2, x * 3
    (a, b), c = rest, first
    return a * 100 + b * 10 + c


@construct(LOOPS, "walrus in a condition", (20.0,), (1.0,))
def walrus(limit):
    x = 1.0
    while (y := x * 2.0) < limit:
        x = y
    return y


@construct(LOOPS, "a long range over a Python int", (2.0,))
def long_range(x):
    s = 0.0
    for i in range(10_000):
        s += x / (i + 1)
    return s


@construct(LOOPS, "a range whose counter indexes a Python list", (2.0,))
def range_over_a_list(x):
    weights = [1.0, 2.0, 0.5, 4.0, 8.0, 16.0]
    for i in range(len(weights)):
        x = x + weights[i]
    return x


@construct(LOOPS, "a dtype that changes", (4,))
def changing_dtype(n):
    s = 0
    for i in range(n):
        s = s + 0.5 * i
    return s


@construct(LOOPS, "a shape that changes", (4,), (0,))
def changing_shape(n):
    out = np.zeros(1)
    for i in range(n):
        out = np.concatenate([out, out[:1] + i])
    return out


@construct(LOOPS, "a name first bound in a loop: `UnboundLocalError` if it never ran", (3,), (0,))
def first_bound_in_a_loop(n):
    for i in range(n):
        last = i * 2
    return last


# State.
STATE = "State of branches and loops"


class Point(NamedTuple):
    x: Any
    y: Any


@dataclasses.dataclass
class Total:
    value: Any
    count: Any = 0


@construct(STATE, "tuples and named tuples", (4,))
def tuples(n):
    p = Point(0, 0)
    pair = (0, (1, n))
    while p.x < n:
        p = Point(p.x + 1, p.y + 2)
        pair = (pair[0] + 1, (pair[1][0] * 2, pair[1][1]))
    return p.x, p.y, pair


@construct(STATE, "dict entries", (3,), (0,))
def dict_entries(n):
    d = {"s": 0, "c": 0}
    for i in range(n):
        d["s"] += i * 2
        d["c"] += 1
    if n > 2:
        d["c"] = -1
    return d["s"], d["c"]


@construct(STATE, "dataclasses: fields changed, object replaced", (floats(1, 2, 6),))
def dataclass_state(x):
    a = Total(0.0)
    for v in x:
        a.count += 1
        if v > 1:
            a = dataclasses.replace(a, value=a.value + v)
    return a.value, a.count


class Counter:
    total = 100

    def __init__(self, n):
        self.n = n
        if n > 2:
            self.big = 1
        else:
            self.big = 0

    def step(self, k):
        if k % 2 == 0:
            self.n = self.n + k
        return self

    @property
    def doubled(self):
        if self.n > 5:
            return self.n * 2
        return self.n

    @doubled.setter
    def doubled(self, value):
        if value > 4:
            self.n = value // 2

    @classmethod
    def make(cls, n):
        return cls(n)

    @staticmethod
    def sign(v):
        if v > 0:
            return 1
        return -1

    def __call__(self, m):
        for i in range(m):
            self.step(i)
        return self.n


@construct(STATE, "attributes of `self` and other objects", (5,), (1,))
def attributes(n):
    c = Counter(n)
    for i in range(n):
        c.step(i)
    if n > 3:
        c.extra = 7
    else:
        c.extra = 8
    return c.n, c.big, c.extra


@construct(STATE, "an object made anew in each iteration", (4,))
def object_rebound(n):
    c = Counter(n)
    while c.n > 0:
        c = Counter(c.n - 1)
    return c.n, c.big


class Link:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after


@construct(STATE, "linked lists that loops make, change and go through", (5,))
def linked_lists(n):
    first = last = None
    for i in range(n):
        link = Link(i)
        if first is None:
            first = link
        else:
            last.after = link
        last = link
    link, before = first, None
    while link is not None:
        link.after, before, link = before, link, link.after
    found = []
    while before is not None:
        found.append(before.value)
        before = before.after
    return found


class Leaf:
    def __init__(self, key):
        self.key = key
        self.left = self.right = None


def planted(tree, key):
    if tree is None:
        return Leaf(key)
    if key < tree.key:
        tree.left = planted(tree.left, key)
    else:
        tree.right = planted(tree.right, key)
    return tree


def height(tree):
    return 0 if tree is None else 1 + max(height(tree.left), height(tree.right))


@construct(STATE, "trees of objects, made and gone through by recursion", (9,))
def trees_of_objects(n):
    tree = None
    for i in range(n):
        tree = planted(tree, i * 7 % n)
    return height(tree), tree.key, tree.left is None


class Vertex:
    def __init__(self, name):
        self.name = name
        self.near = []
        self.seen = False


@construct(STATE, "graphs: objects in lists of each other, under several names", (6,))
def graphs_of_objects(n):
    vertices = [Vertex(i) for i in range(n)]
    for i in range(n):
        vertices[i].near.append(vertices[i * 2 % n])
        vertices[i * 2 % n].near.append(vertices[i])
    waiting, order = [vertices[1]], []
    while waiting:
        vertex = waiting.pop()
        if not vertex.seen:
            vertex.seen = True
            order.append(vertex.name)
            waiting.extend(vertex.near)
    return order, vertices[1].near[0] is vertices[2 % n]


def linked(*values):
    first = None
    for value in values:
        first = Link(value, first)
    return first


def ring_of(count):
    last = Link(0)
    first = last
    for n in range(1, count):
        first = Link(n, first)
    last.after = first
    return first


@construct(
    STATE,
    "objects that refer to each other as arguments",
    (linked(3, 1, 2), ring_of(4)),
    (linked(5), ring_of(1)),
    of_jit=True,
)
def linked_arguments(first, ring):
    total, node = 0, first
    while node is not None:
        total = total * 10 + node.value
        node = node.after
    count, node = 1, ring.after
    while node is not ring:
        count += 1
        node = node.after
    return total, count, first.after is None


@construct(
    STATE,
    "lists of text, tuples and dicts as arguments, and dicts of lists",
    (["a", "bc"], [(1, 2.5, None), (2, 0.5, "x")], {"k": [1, 2]}),
    (["", "d", "e"], [(3, 1.0, "y")], {"k": [], "m": [3]}),
    of_jit=True,
)
def containers_as_arguments(words, rows, groups):
    found = "".join(words)
    total = 0.0
    for number, weight, name in rows:
        total += number * weight
        if name is not None:
            found += name
    return found, total, sum([sum(each) for each in groups.values()])


@construct(STATE, "dicts and sets in dicts, lists and attributes", (7,), of_jit=True)
def dicts_in_dicts(n):
    groups, rows = {}, [set() for _ in range(n)]
    for i in range(n):
        groups.setdefault(i % 3, {})[i] = i * i
        rows[i * 2 % n].add(i)
        last = groups[i % 3]
    last[n] = 0
    return (
        [sum(each) for each in groups.values()],
        [len(row) for row in rows],
        last is groups[(n - 1) % 3],
    )


@construct(STATE, "`nonlocal` names", (4,))
def nonlocal_names(n):
    total = 0

    def bump(v):
        nonlocal total
        if v > 0:
            total = total + v

    for i in range(n):
        bump(i * 2)
    return total


_GLOBAL = 0


@construct(STATE, "`global` names", (4,))
def global_names(n):
    global _GLOBAL
    _GLOBAL = 0
    for i in range(n):
        _GLOBAL += i
    result, _GLOBAL = _GLOBAL, 0
    return result


@construct(STATE, "None before the loop, a value inside", (floats(2, 5, 1),), (floats(),))
def none_at_first(x):
    best = None
    for i, v in enumerate(x):
        if best is None or v > best[1]:
            best = (i, v)
    if best is None:
        return None
    return best


@construct(STATE, "strings, functions and other Python values", (3,), (-3,), (0,))
def python_values(x):
    state = "start"
    f = np.negative if x > 0 else np.abs
    n = 0
    while state != "end":
        if state == "start":
            state = "middle" if x != 0 else "end"
        else:
            state = "end"
        n += 1
    return state, f(x), n


@construct(STATE, "`del`", (4,), (0,))
def deletion(x):
    t = x * 2
    d = {"a": t, "b": 1}
    if x > 0:
        u = t // 2
        del t, d["b"]
        x = u
    return x, len(d["a"].shape) if hasattr(d["a"], "shape") else 0


@construct(STATE, "`x[i] = v`, `x[a:b] += v`, `x[mask] = v`", (ints(3, 1, 2, 5),))
def array_items(x):
    x = x.copy()
    x[0] = 9
    x[1:3] += 5
    x[x > 6] = 0
    return x


@construct(STATE, "aliases and views of an array", (ints(3, 1, 2),))
def aliases(x):
    x = x.copy()
    y = x
    y[0] = 9
    v = x[1:]
    for i in range(len(v)):
        v[i] += 10
    return x, y


# Lists.
LISTS = "Lists in staged loops"


@construct(LISTS, "`append`, then an array of it", (ints(1, 2, 3),))
def list_append(x):
    out = []
    for v in x:
        out.append(v * 2)
    return np.stack(out)


@construct(
    LISTS, "`append` under a condition, `len`, the list returned", (ints(1, 2, 3),), (ints(),)
)
def list_append_some(x):
    out = []
    for v in x:
        if v > 1:
            out.append(v * 2)
    return out, len(out)


@construct(LISTS, "`pop`, `while stack:`", (20,), (0,))
def list_stack(n):
    stack = [n]
    s = 0
    while stack:
        v = stack.pop()
        s += v
        if v > 1:
            stack.append(v // 2)
            stack.append(v - v // 2 - 1)
    return s


@construct(LISTS, "items read and written, `extend`, slices, iteration", (4,))
def list_items(n):
    out = [0]
    for i in range(n):
        out.append(i)
    out[0] = 7
    out[n] += 5
    out.extend([8, 9])
    s = 0
    for v in out[1:]:
        s = s * 2 + v
    return s, out[-1], len(out)


@construct(LISTS, "elements of a list of known length", (4,))
def list_elements(n):
    xs = [1, 2, 3, 4]
    for i in range(n):
        xs[i] = xs[i] * 10
        xs[0], xs[1] = xs[1], xs[0]
    return xs


@construct(LISTS, "lists of tuples", (ints(4, 2, 9),))
def list_of_tuples(x):
    pairs = []
    for i, v in enumerate(x):
        if v != 2:
            pairs.append((i, v))
    s = 0
    for i, v in pairs:
        s += i * 10 + v
    return s, len(pairs)


@construct(
    LISTS, "tuples of any length, as items and keys", (ints(4, 2, 9),), (ints(0),), of_jit=True
)
def tuples_of_any_length(x):
    path, groups = (), {}
    for v in x:
        path += (int(v),)
        groups.setdefault(tuple(sorted(path)), []).append(path[1:])
    return path, len(path), list(groups), list(groups.values())


@construct(LISTS, "lists of lists, of any lengths", (ints(4, 2, 9),), (ints(0),))
def list_of_lists(x):
    groups = [[] for _ in range(10)]
    for v in x:
        groups[v].append(v)
        groups[v // 2].append(v * 10)
    grid = [[i * j for j in range(i)] for i in range(len(x) + len(groups[0]))]
    for row in grid:
        row.append(len(row))
    return groups, grid, sorted(grid, key=len, reverse=True)


@construct(LISTS, "one list in several places", (ints(4, 2, 9),), (ints(0),))
def list_in_several_places(x):
    rows = []
    row = [0]
    for v in x:
        rows.append(row)
        if v > 3:
            row = [v]
        row.append(v + 1)
    last = rows[-1]
    last.append(7)
    return rows, row, last is rows[0]


# Functions.
FUNCTIONS = "Functions and classes"


@construct(FUNCTIONS, "recursion on run-time values", (5,), (0,))
def recursion(n):
    def fact(k):
        if k <= 1:
            return 1
        return k * fact(k - 1)

    return fact(n)


@construct(FUNCTIONS, "mutual recursion", (5,), (4,))
def mutual_recursion(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n)


def _evens(n):
    i = 0
    while i < n:
        yield i * 2
        i += 1


@construct(FUNCTIONS, "generators", (4,), (0,))
def generators(n):
    s = 0
    for v in _evens(n):
        if v > 4:
            break
        s += v
    return s


@construct(FUNCTIONS, "generators that loops and branches go on with", (4,), (1,))
def generators_gone_on_with(n):
    evens, squares, s = _evens(99), (v * v for v in range(n)), 0
    while s < 3 * n:
        s += next(evens)
        if s % 3 == 1:
            s += next(squares, 7)
    return s, next(evens), list(squares)


@construct(FUNCTIONS, "generator expressions", (ints(1, 2, 3),))
def generator_expressions(x):
    return sum(v * v for v in x), any(v > 2 for v in x), max(v % 3 for v in x)


@construct(FUNCTIONS, "list comprehensions", (ints(3, 1, 2),))
def list_comprehensions(x):
    a = [v * 2 for v in x]
    b = [v for v in x if v > 1]
    return a[0] + a[2], len(b), sum(b), [[i * v for i in range(2)][1] for v in x][0]


@construct(FUNCTIONS, "dict comprehensions", (3,))
def dict_comprehensions(n):
    d = {k: n * len(k) for k in ("a", "bb")}
    return d["a"] + d["bb"]


@construct(FUNCTIONS, "lambdas: two on a line, late binding", (3,))
def lambdas(x):
    f, g = lambda v: v + 1, lambda v: v * 2 if v > 1 else v
    late = [lambda v: v * k for k in (1, 10)]
    return f(x), g(x), late[0](x)


@construct(FUNCTIONS, "defaults, star-args, keyword-only, `**kwargs`", (3.0,), (0.5,))
def parameters(x):
    def h(a, /, b=2, *c, d, **e):
        if a > 1:
            return a * b + d + sum(c) + e["z"]
        return a

    return h(x, 1, 2, 3, d=4, z=5)


def _twice(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) + function(*args, **kwargs)

    return wrapper


@_twice
def _scaled(x, k=2):
    if x > 0:
        return x * k
    return x


@construct(FUNCTIONS, "decorators of others, `functools.partial`, `wraps`", (3,), (-3,))
def decorators_and_partials(x):
    return functools.partial(_scaled, k=3)(x) + _scaled(x)


@construct(FUNCTIONS, "methods, `__init__`, class and static methods, callable objects", (5,), (1,))
def methods(n):
    c = Counter.make(n)
    return c(n), Counter.sign(n - 3), c.total


class Capped:
    def __init__(self, v):
        self.v = min(v, 10)

    def __add__(self, other):
        if other > 2:
            return Capped(self.v + other)
        return self

    def __lt__(self, other):
        return self.v < other.v and other.v > 0

    def __eq__(self, other):
        if self.v > 5:
            return False
        return self.v == other.v

    __hash__ = None


@construct(FUNCTIONS, "operators of classes, with branches in them", (4,), (1,))
def overloaded_operators(n):
    p = Capped(n) + n
    return p.v, p < Capped(9), p == Capped(1), p != Capped(1)


@functools.total_ordering
class Version:
    def __init__(self, major, minor):
        self.major = major
        self.minor = minor

    def __eq__(self, other):
        return (self.major, self.minor) == (other.major, other.minor)

    def __lt__(self, other):
        return (self.major, self.minor) < (other.major, other.minor)

    __hash__ = None


@dataclasses.dataclass
class Journal:
    start: float
    noted: list = dataclasses.field(default_factory=list)
    counts: dict = dataclasses.field(default_factory=lambda: {"n": 0})
    sign: float = dataclasses.field(init=False)
    scale: dataclasses.InitVar[float] = 2.0

    def __post_init__(self, scale):
        if self.start > 2:
            self.sign = scale
        else:
            self.sign = -scale

    def note(self, v):
        if v > 2:
            self.noted.append(v)
        self.counts["n"] += 1


class Diary(Journal):
    def __init__(self, start):
        super().__init__(start, scale=3.0)


@construct(FUNCTIONS, "factories and `__post_init__` of data classes", (floats(3, 1, 5),))
def data_classes_with_factories(x):
    one, other = Journal(x[0]), Diary(x[1])
    for v in x:
        one.note(v)
        other.note(v + 1)
    return one.noted, one.counts["n"], one.sign, len(other.noted), other.sign


@construct(FUNCTIONS, "`functools.total_ordering`", (4, 2), (1, 2), (2, 2), (2, 3))
def ordered_totally(a, b):
    one, other = Version(a, b), Version(2, 2)
    latest = one if one >= other else other
    return one > other, one <= other, one >= other, one < other, latest.major, one != other


@construct(FUNCTIONS, "properties and their setters", (5,), (1,))
def properties(n):
    c = Counter(n)
    c.doubled = n * 2
    return c.doubled


@construct(FUNCTIONS, "`super()`, classes defined inside, `__private` names", (3,), (-3,))
def classes(n):
    class Base:
        def __init__(self, v):
            self.__v = v

        def get(self):
            if self.__v > 0:
                return self.__v
            return 0

    class Derived(Base):
        def get(self):
            return super().get() + 1

    return Derived(n).get()


@construct(FUNCTIONS, "closures, made and called in loops", (4,))
def closures(n):
    def counter():
        count = 0

        def step(v):
            nonlocal count
            if v > 1:
                count += v
            return count

        return step

    step = counter()
    for i in range(n):
        step(i)
    return step(0)


_NAMESPACE: dict[str, Any] = {}
exec("def made_by_exec(x):\n    if x > 0:\n        return x * 2\n    return -x\n", _NAMESPACE)


@construct(FUNCTIONS, "functions from `exec`", (4,), (-4,))
def from_exec(x):
    return _NAMESPACE["made_by_exec"](x)


# Generators that the caller goes through.
YIELDED = "Generators to the caller (`@ag.jit`)"


@construct(YIELDED, "`yield` in loops and branches, until the end", (7,), (0,), of_jit=True)
def yielded(n):
    for i in range(n):
        if i % 3 == 1:
            continue
        j = 0
        while j < i:
            yield i, j
            j += 2
        print("passed", i)
    yield float(n)


@construct(YIELDED, "items of arrays, `enumerate`, `zip`", (floats(1, 2, 3),), of_jit=True)
def yielded_items(x):
    for i, (a, b) in enumerate(zip(x, x[1:].copy()), 1):
        x[i] += a
        yield i * b


@construct(YIELDED, "`yield from` generators, ranges, lists", (3,), (0,), of_jit=True)
def yielded_from(n):
    total = yield from _counted(n)
    yield from range(total)
    yield from [n, total]


def _counted(n):
    i = 0
    while i < n:
        yield i
        i += 1
    return i


@construct(YIELDED, "`try`, `except`, `finally`, `with` around `yield`", (3,), (1,), of_jit=True)
def yielded_in_try(n):
    try:
        with _Logged() as log:
            for i in range(n):
                yield 6 // (n - 1 - i)
                log.count += 1
    except ZeroDivisionError:
        yield "divided"
    finally:
        print("done")
    yield "after"


class _Logged:
    def __init__(self):
        self.count = 0

    def __enter__(self):
        print("enter")
        return self

    def __exit__(self, *_):
        print("exit")


@construct(
    YIELDED, "lists, dicts and sets that live across `yield`", ([3, 1, 3, 2, 1],), of_jit=True
)
def yielded_state(x):
    seen, places = set(), {}
    for i, v in enumerate(x):
        if v not in seen:
            seen.add(v)
            places[v] = i
            yield v, len(seen)
    for key in places.keys():
        yield places[key]


@construct(YIELDED, "a generator expression that is returned", (floats(1, 2), 3), of_jit=True)
def generator_returned(x, k):
    k = k + 1
    return (v * k for v in x if v > 1)


# Exceptions.
EXCEPTIONS = "Exceptions and contexts"


@construct(EXCEPTIONS, "`assert` with a message", (3,), (-3,))
def assertions(x):
    assert x > 0, f"{x} is not positive"
    return x


@construct(EXCEPTIONS, "`raise` under a condition", (3,), (-3,))
def raising(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    return x + 1


@construct(EXCEPTIONS, "`try` / `except` around a run-time `raise`", (3,), (1,))
def catching(n):
    try:
        if n > 2:
            raise ValueError
        r = 1
    except ValueError:
        r = 2
    return r


@construct(EXCEPTIONS, "`except` of a failed index or division", (0,), (2,), (9,))
def catching_errors(n):
    x = np.arange(5)
    r = 0
    try:
        r = 1
        r = r + 10 // n
        r = r + x[n]
    except ZeroDivisionError:
        r = r + 100
    except IndexError:
        r = r + 1000
    return r


@construct(EXCEPTIONS, "`try` / `finally` around a loop", (4,))
def finally_clause(n):
    s, done = 0, 0
    try:
        for i in range(n):
            if i > 2:
                break
            s += i
    finally:
        done = 1
    return s, done


@construct(EXCEPTIONS, "`break` and `return` in `finally`", (4,), (1,))
def jumps_in_finally(n):
    s = 0
    for i in range(n):
        try:
            s += 10 // (2 - i)
        finally:
            s += 1
            if i > 1:
                break
    try:
        s += 12 // (n - 4)
    finally:
        if n > 2:
            return s
    return -s


@construct(EXCEPTIONS, "`with` with `break` and `return` inside", (5,), (1,))
def contexts(n):
    s = 0
    for i in range(n):
        with contextlib.nullcontext(i) as k:
            if k > 3:
                break
            s += k
    with contextlib.nullcontext():
        if s > 3:
            return s
        s = -s
    return s


# Builtins.
BUILTINS = "Builtins and text"


@construct(BUILTINS, "`len abs min max sum` of arrays", (floats(3, -1, 2),))
def builtins_of_arrays(x):
    return len(x), sum(x), max(x), abs(min(x)), min(x[0], 2.0), max(x[0], x[1], 1.0)


@construct(BUILTINS, "`any all sorted map filter`", (ints(3, 1, 2),))
def builtins_of_iterables(x):
    s = 0
    for v in map(lambda u: u * 2, x):
        s += v
    for v in filter(lambda u: u > 1, x):
        s += v
    return any(x > 2), all(x > 2), sorted(x)[0], sorted(x, reverse=True)[0], s


@construct(
    BUILTINS, "`max(*items)`, `zip(*rows)`: as many as the run time says", (floats(1, 2, 5),)
)
def starred_items(x):
    items = [v for v in x if v > 1]
    found, squares = zip(*[(v, v * v) for v in items])
    return max(*items), list(found), list(squares)


@construct(BUILTINS, "`itertools.takewhile dropwhile`", (floats(1, 2, 5, 1),), (floats(2.5, 7, 1),))
def taken_and_dropped(x):
    s = 0.0
    for i, v in enumerate(itertools.takewhile(lambda u: u < 4, x)):
        if i > 1:
            break
        s += v
    rest = list(itertools.dropwhile(lambda u: u < 4, x))
    return s, rest, sum(itertools.takewhile(lambda u: u < 2, (v - 1 for v in x)))


@construct(BUILTINS, "`itertools`: `count islice accumulate product combinations` ...", (5,))
def iterator_tools(n):
    squares = itertools.takewhile(lambda v: v < n * n, (v * v for v in itertools.count(1)))
    pairs = [a * b for a, b in itertools.combinations(range(n), 2)]
    return list(squares), pairs, list(itertools.islice(itertools.accumulate(range(n)), 2, None))


@construct(BUILTINS, "`functools.reduce`, `heapq`, `bisect`", (5,))
def heaps_and_bisection(n):
    heap = []
    for v in range(n):
        heapq.heappush(heap, v * v % 7)
    found = [heapq.heappop(heap) for _ in range(n)]
    return found, bisect.bisect(found, 2), functools.reduce(lambda a, b: a * 2 + b, found)


@construct(BUILTINS, "`collections.deque`", (5,))
def queues(n):
    waiting, seen = collections.deque([1]), 0
    while waiting:
        v = waiting.popleft()
        seen += v
        if v < n:
            waiting.append(v * 2)
            waiting.appendleft(v * 3)
    return seen


@construct(
    BUILTINS, "`queue.Queue`, `LifoQueue`, `PriorityQueue` (`@ag.jit`)", (5,), (0,), of_jit=True
)
def queues_for_threads(n):
    first, least = queue.Queue(), queue.PriorityQueue(maxsize=n)
    for i in range(n):
        first.put(i)
        least.put((i * 3) % 5)
    found = []
    while not first.empty():
        found.append((first.get(), least.get_nowait()))
    return found, least.qsize()


@construct(BUILTINS, "`collections.deque` with a bound (`@ag.jit`)", (5,), (2,), of_jit=True)
def bounded_queues(n):
    last, most = collections.deque(maxlen=3), 0
    for v in range(n):
        last.append(v * v)
        most = max(most, sum(last))
    return len(last), last[0], most


@construct(BUILTINS, "`bytearray` (`@ag.jit`)", (5,), (3,), of_jit=True)
def byte_arrays(n):
    found = bytearray(n)
    for i in range(n):
        found[i] = i * 7
    found += b"ab"
    found.append(n)
    return sum(found), len(found), found[-2]


@construct(BUILTINS, "iterators that loops leave early", (3,))
def left_iterators(n):
    numbers = iter(range(10))
    for v in numbers:
        if v >= n:
            break
    return next(numbers), list(zip(numbers, range(n), strict=False)), list(numbers)


@construct(BUILTINS, "`int float bool round divmod pow isinstance`", (3.7,), (-2.5,))
def conversions(x):
    i = int(x)
    return i, float(i), bool(x), round(x), divmod(7, i), pow(x, 2), isinstance(x, str)


@construct(BUILTINS, "floor division and modulo of negative numbers", (-7, 2), (7, -2))
def floor_division(a, b):
    return a // b, a % b, divmod(a, b)


@construct(
    BUILTINS, "`print`, f-strings, `str.format`, `%`: when the program runs", (3.14159,), (-1.0,)
)
def printing(x):
    for i in range(2):
        print(f"{i}: {x:.2f}", "{}".format(x > 0), "%d" % i, sep=" | ")
    if x > 0:
        print("positive", [x, (1, x)])
    return x


@construct(BUILTINS, "builtins and generated names shadowed by the user's", (3,))
def shadowed_names(n):
    do_return, retval, break_, ag__ = 0, 1, 2, 3
    get_state = set_state = loop_body = 4
    sum = lambda values: 50
    for i in range(n):
        if i > 50:
            break
        do_return += 1
        retval += 1
        break_ += 1
        ag__ += 1
        loop_body += 1
    return do_return, retval, break_, ag__, loop_body, sum([n])


# Idioms.
IDIOMS = "Idioms"


class Pile:
    """A container whose truth is a run-time value."""

    def __init__(self):
        self.items = []

    def __bool__(self):
        return len(self.items) > 0


class Signed:
    """A number that is true where it is positive."""

    def __init__(self, value):
        self.value = value

    def __bool__(self):
        if self.value > 0:
            return True
        return False


@construct(IDIOMS, "conditions that ask a class for `__bool__`", (4,), (0,))
def objects_as_conditions(n):
    pile = Pile()
    for k in range(n):
        pile.items.append(k)
    total = 0
    while pile:
        total = total * 2 + pile.items.pop()
    number = Signed(n)
    assert not Signed(-n)
    return total, not number, 1 if number and n < 10 else 2, (number or Signed(7)).value


@construct(IDIOMS, "`sorted`, `max`, `min`, `sum` of a list of run-time values", (ints(3, -1, 2),))
def functions_of_lists(x):
    values = [v for v in x]
    values.sort(reverse=True)
    return values, sorted(values), max(values), min(values), sum(values), any([v > 2 for v in x])


@construct(IDIOMS, "`key` functions of run-time values", (ints(3, -1, 2),))
def key_functions(x):
    values = [v for v in x]
    nearest = min(range(len(x)), key=lambda k: abs(x[k] - 2))
    order = sorted(range(3), key=lambda k: x[k])
    return sorted(values, key=lambda v: v * v), nearest, order, max(x, key=lambda v: -v)


@construct(IDIOMS, "the sieve of Eratosthenes: `range` with a run-time step", (Python(30),))
def sieve(n):
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    k = 2
    while k * k <= n:
        if flags[k]:
            for j in range(k * k, n + 1, k):
                flags[j] = False
        k += 1
    return sum(flags)


@construct(IDIOMS, "`pattern % value` with the pattern in a variable", (3, 0.5))
def patterns(n, x):
    pattern = "%d items"
    line = pattern + " of %s" if n < 0 else pattern
    print(line % n)
    print(("%.2f " * 2) % (x, x), n % 2, (n + 4) % (n - 1))
    return n


@construct(
    IDIOMS,
    "`next(iterator)`, `next(iterator, default)`, at places known at run time",
    (ints(3, 4, 5), 2),
    (ints(3, 4, 5), -2),
    (ints(3), 2),
    (ints(3, -1, 2), 2),
)
def next_items(x, n):
    iterator = iter(x)
    first = next(iterator)
    if n > 0:
        first += next(iterator)
    total = 0
    while (v := next(iterator, -1)) >= 0:
        total += v
    return first, total


@construct(IDIOMS, "the first item that fits: `next` of a generator", (ints(3, 5), 4), (ints(), 4))
def first_that_fits(x, t):
    found = next((v for v in x if v >= t), -7)
    count = 0
    iterator = iter(x)
    try:
        while True:
            count += next(iterator)
    except StopIteration:
        pass
    return found, count, next(k for k in range(10) if k * k > t)


@construct(
    IDIOMS, "`StopIteration` of a generator that has none left", (ints(3, 5), 4), (ints(3), 4)
)
def nothing_fits(x, t):
    return next(v for v in x if v >= t)


@construct(IDIOMS, "`math` of floats", (0.5, 2.0), (0.25, 0.75))
def functions_of_math(x, y):
    waves = math.sin(x), math.cos(x), math.tan(x), math.atan2(x, y), math.hypot(x, y), math.asin(x)
    powers = math.sqrt(x), math.exp(x), math.pow(x, y), math.log(x), math.log(x, y), math.log1p(x)
    parts = math.fabs(-x), math.copysign(1, -x), math.fmod(-x, y), math.degrees(x), math.radians(y)
    tests = math.isnan(x), math.isinf(x), math.isfinite(x), math.isclose(x, 0.5)
    return waves, powers, parts, tests


@construct(IDIOMS, "`math.floor`, `ceil`, `trunc`", (5.5,), (-2.5,), (np.nan,), (np.inf,))
def whole_parts(x):
    return math.floor(x), math.ceil(x), math.trunc(x)


@construct(IDIOMS, "`int` of floats", (5.5,), (-2.5,), (np.nan,), (np.inf,))
def integer_of_a_float(x):
    return int(x)


@construct(IDIOMS, "`math` of integers", (6, 4), (0, 0), (-12, 18), (10**12 - 1, 3))
def math_of_integers(a, b):
    return math.gcd(a, b), math.gcd(a, b, 9), math.isqrt(abs(a)), math.floor(a), math.sqrt(abs(b))


@construct(IDIOMS, "`math.gamma`, `lgamma`", (4.0,), (0.3,), (-2.5,), (30.25,), (-3.0,), (200.0,))
def gamma_functions(x):
    return math.lgamma(x), math.gamma(x)


@construct(
    IDIOMS, "`math` of the parts of floats", (0.3, 2), (-1e300, 3), (5e-324, -1), (np.inf, 2)
)
def parts_of_floats(x, n):
    mantissa, exponent = math.frexp(x)
    steps = math.nextafter(x, 0.0), math.ulp(x), math.remainder(n, 0.7)
    return mantissa, exponent, steps, math.ldexp(mantissa, exponent - n)


@construct(IDIOMS, "`math.fsum`", (np.array([1e16, 1.0, 3.0, -1e16]), 0.1), (np.zeros(0), 0.3))
def exact_sum(x, y):
    return math.fsum(x), math.fsum([y] * 10), math.fsum(v * y for v in x)


@construct(IDIOMS, "`cmath`", (0.3 + 0.4j, 2.0), (-1.0, 0.5))
def functions_of_cmath(z, x):
    waves = cmath.sin(z), cmath.exp(1j * x), cmath.tanh(z), cmath.acos(z), cmath.atan(z)
    return waves, cmath.sqrt(z), cmath.log(z, x), cmath.polar(z), cmath.rect(x, x), cmath.phase(z)


@construct(IDIOMS, "bools as places: `(a, b)[x > 0]`", (1.0, True), (-1.0, False))
def places_by_bools(x, flag):
    return ("less", "more")[x > 0] == "more", [x, -x][not flag]


@construct(IDIOMS, "`math` raises: no root of a negative number", (-1.0,), (4.0,), (np.nan,))
def no_root(x):
    try:
        return math.sqrt(x)
    except ValueError:
        return -7.0


@construct(IDIOMS, "`math` raises: logarithms, poles, overflow", (0.0,), (1000.0,), (-2.5,), (2.0,))
def failures_of_math(x):
    if x > 100:
        return math.exp(x)
    if x < 0:
        return math.pow(x, -1.5)
    return math.log(x) + math.prod([x, 2.0])


@construct(IDIOMS, "dicts with run-time keys: `d[k]`, `d.get(k)`, `k in d`", (5,), (6,), (7,))
def looked_up(n):
    table = {5: 1, 6: 2}
    found = table.get(n)
    first = -1 if found is None else found
    try:
        second = table[n]
    except KeyError:
        second = -2
    return first, second, table.get(n, n * 2), n in table


@construct(IDIOMS, "counting in a dict whose keys are there", (ints(1, 2, 2, 7),), (ints(),))
def counted(x):
    counts = {k: k * 0 for k in range(3)}
    others = {"rest": {"n": 0}}
    for v in x:
        if v in counts:
            counts[v] += 1
        else:
            others["rest"]["n"] += 1
    return counts, others


class Clipped:
    """A descriptor whose methods decide by run-time values."""

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        value = getattr(instance, self.name)
        return value * 2 if value > 1 else value

    def __set__(self, instance, value):
        setattr(instance, self.name, value if value > 0 else 0)


class Gauge:
    level = Clipped()


@construct(IDIOMS, "descriptors", (4,), (-4,))
def descriptors(n):
    gauge = Gauge()
    gauge.level = n
    if n > 0:
        gauge.level += 3
    return gauge.level


@construct(IDIOMS, "`complex` of run-time numbers", (1.5, -2))
def complex_numbers(x, n):
    z = complex(x, n)
    for _ in range(n + 4):
        z = z * z + complex(n)
    return z, complex(x), abs(z)


@construct(IDIOMS, "`zeros_like`, `ones_like`, `full_like`, `empty_like`", (floats(1, 2, 3), 2.0))
def arrays_like_others(x, a):
    y = np.zeros_like(x)
    y[0] = x[0]
    for k in range(1, len(x)):
        y[k] = a * y[k - 1] + x[k]
    z = np.empty_like(x)
    z[:] = a
    return y, z + np.ones_like(x, dtype=np.int32), np.full_like(x, a)
