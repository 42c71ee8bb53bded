"""Objects of abstract classes and others with a metaclass, copies of objects, and their order."""

from __future__ import annotations

import copy
import functools
from abc import ABC, abstractmethod
from collections import namedtuple
from dataclasses import dataclass

import pytest

import agir as ag

pytestmark = pytest.mark.filterwarnings("error")


class Shape(ABC):
    def __init__(self, n):
        self.n = n if n > 1 else 1

    @abstractmethod
    def area(self): ...


class Square(Shape):
    def area(self):
        return self.n * self.n

    def grow(self):
        self.n += 1


class Kind(type):
    pass


class WithKind(metaclass=Kind):
    def __init__(self, n):
        self.n = n


class Made:
    def __new__(cls, *args):
        return super().__new__(cls)

    def __init__(self, n):
        self.n = n


class Pair(tuple):
    def total(self):
        return sum(self)


class Job:
    def __init__(self, rank, name):
        self.rank = rank
        self.name = name

    def __lt__(self, other):
        return self.rank < other.rank


@dataclass(order=True)
class Mark:
    a: int
    b: float = 0.5


Point = namedtuple("Point", "x y")


class Node:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after
        self.tags = [value]


class Copied:
    def __init__(self, a):
        self.a = a

    def __deepcopy__(self, memo):
        return Copied(copy.deepcopy(self.a, memo) * 10)


@functools.singledispatch
def kind(x):
    return "other"


@kind.register
def _(x: int):
    return x + 1


@kind.register
def _(x: list):
    return len(x)


class Dispatching:
    @functools.singledispatchmethod
    def of(self, x):
        return "other"

    @of.register
    def _(self, x: int):
        return x * 2


def abstract_classes(n):
    shape = Square(n)
    for i in range(n):
        if i % 2:
            shape.grow()
    shapes = [Square(i) for i in range(n)]
    return shape.n, sum(each.area() for each in shapes), [each.n for each in shapes]


def metaclasses(n):
    one, other = WithKind(n), Made(n)
    for i in range(n):
        if i > 1:
            one.n += i
            other.n -= i
    return one.n, other.n


def extended_tuples(n):
    best = Pair((0, 0))
    for i in range(n):
        if i % 3 == 2:
            best = Pair((i, n))
    return best, best.total(), type(best) is Pair


def sorted_objects(n):
    jobs = [Job(i * 7 % 5, i) for i in range(n)]
    down = sorted(jobs, reverse=True)
    jobs.sort()
    return [each.name for each in jobs], [each.name for each in down]


def sorted_records(n):
    marks, points = [], []
    for i in range(n):
        marks.append(Mark(i * 7 % 5, -i))
        points.append(Point(i * 3 % 4, i))
    return sorted(marks), sorted(points, reverse=True), max(points, default=None)


def compared_by_a_function(n):
    items = [i * 7 % 11 for i in range(n)]
    key = functools.cmp_to_key(lambda a, b: a % 3 - b % 3 or b - a)
    return sorted(items, key=key), max(items, key=key, default=None), key(n) < key(3)


def deep_copies(n):
    a = Node(n, Node(n + 1))
    b, shared = copy.deepcopy(a), [n]
    twice = copy.deepcopy([shared, shared, (shared, {"a": shared})])
    a.after.value = 100
    twice[0].append(1)
    rows = copy.deepcopy({"n": [n], "of": {n, 3}})
    return (
        b.value,
        b.after.value,
        b.tags,
        twice,
        twice[1] is twice[2][0],
        rows,
        copy.deepcopy(Copied(n)).a,
    )


def dispatched(n):
    return kind(n), kind([n, 2]), kind(n / 2), Dispatching().of(n), Dispatching().of("a")


def ranges(n):
    return range(n), [range(1, n, 2)], slice(0, n)


PROGRAMS = (
    abstract_classes, metaclasses, extended_tuples, sorted_objects, sorted_records,
    compared_by_a_function, deep_copies, dispatched, ranges,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_objects_are_pythons(program):
    jitted = ag.jit(program)
    for n in (0, 1, 4, 7, 40):
        assert repr(jitted(n)) == repr(program(n)), n


def test_an_object_of_an_abstract_class_is_a_result():
    made = ag.jit(lambda n: Square(n))(3)
    assert type(made) is Square
    assert type(made.n) is int
    assert made.area() == 9


class Stack(list):
    def push(self, x):
        self.append(x)


class Table(dict):
    pass


@pytest.mark.parametrize("make", [Stack, Table, ValueError, lambda n: lambda: n])
def test_what_holds_symbols_is_no_result(make):
    @ag.jit
    def f(n):
        made = make() if make in (Stack, Table) else make(n)
        if make is Stack:
            made.push(n)
        elif make is Table:
            made["a"] = n
        return made

    with pytest.raises(ag.errors.StagingError, match="that holds a value of the run time"):
        f(3)


@pytest.mark.parametrize(("given", "change"), [(Stack([1]), "append"), (Table(a=1), "pop")])
def test_extended_containers_of_the_caller_are_not_changed(given, change):
    @ag.jit
    def f(given, n):
        if n > 1:
            getattr(given, change)("a")
        return n

    with pytest.raises(ag.errors.StagingError, match="of the program's own"):
        f(given, 3)
    assert given in ([1], {"a": 1})
