"""Attributes that a class of the program's sees to itself: cached properties, ``__setattr__``."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: float
    n: int

    @functools.cached_property
    def twice(self) -> float:
        if self.a > 2:
            return self.a * 2
        return self.a

    @functools.cached_property
    def known(self) -> int:
        return len("abc")


class Counting:
    def __init__(self, a: float) -> None:
        self.a = a
        self.asked = 0

    @functools.cached_property
    def twice(self) -> float:
        self.asked += 1
        return self.a * 2


class Closed:
    def __init__(self, a: float) -> None:
        self.a = a

    @functools.cached_property
    def twice(self) -> float:
        return self.a * 2

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "twice":
            raise RuntimeError("it is set")
        object.__setattr__(self, name, value)


class Noting:
    count = 0

    def __init__(self, a: float) -> None:
        self.a = a
        self.log = ["made"]

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "log" and value < 0:
            raise ValueError(f"{name} is {value}")
        super().__setattr__(name, value)
        super().__setattr__("count", self.count + 1)
        if name != "log" and "log" in self.__dict__:
            self.log.append(name)


def of_an_argument(o: Any) -> Any:
    return o.twice + o.twice


def of_one_made(a: float, n: int) -> Any:
    o = Frozen(a, n)
    total = 0.0
    for _ in range(n):
        total += o.twice + o.known
    return total, o.a


def of_many(a: float, n: int) -> Any:
    objects = [Frozen(a * i, i) for i in range(n)]
    return sum(o.twice + o.known for o in objects)


def asked_in_a_branch(o: Any, n: int) -> Any:
    total = 0.0
    if n > 2:
        total += o.twice
    o.a += 1
    total += o.twice
    return total, o.asked


def asked_of_some(n: int) -> Any:
    objects = [Counting(i) for i in range(n)]
    total = 0.0
    for i in range(0, n, 2):
        total += objects[i].twice
    for o in objects:
        o.a += 100
    for o in objects:
        total += o.twice
    return total, [o.asked for o in objects], objects[0].twice


def set_in_a_loop(o: Any, n: int) -> Any:
    for i in range(n):
        if i % 2:
            o.a = o.a - i
        else:
            o.b = i
    return o.a, o.b, o.count


def of_the_library(x: Any) -> Any:
    return x * 2 if ag.float64.is_floating and not ag.complex128.is_integer else x


def _outcome(f: Callable[..., Any], make: Callable[[], Any]) -> Any:
    arguments = make()
    try:
        found = f(*arguments)
    except Exception as error:
        return type(error).__mro__[-3], str(error).split("\n")[0]
    attributes = dict(vars(arguments[0])) if hasattr(arguments[0], "a") else None
    if isinstance(arguments[0], Frozen) and attributes is not None:
        attributes.pop("twice", None)  # which a frozen object of the caller's is not given
    return found, attributes


@pytest.mark.parametrize(
    ("f", "makes"),
    [
        (of_an_argument, [lambda: (Frozen(3.0, 3),), lambda: (Frozen(1.0, 3),)]),
        (of_an_argument, [lambda: (Closed(3.0),), lambda: (Closed(-1.0),)]),
        (of_one_made, [lambda: (3.0, 3), lambda: (1.5, 4), lambda: (1.5, 0)]),
        (of_many, [lambda: (3.0, 3), lambda: (1.5, 4)]),
        (asked_in_a_branch, [lambda: (Counting(3.0), 3), lambda: (Counting(3.0), 1)]),
        (asked_of_some, [lambda: (5,), lambda: (1,)]),
        (
            set_in_a_loop,
            [lambda: (Noting(7.0), 4), lambda: (Noting(2.0), 5), lambda: (Noting(1.0), 1)],
        ),
        (of_the_library, [lambda: (np.arange(3.0).sum(),)]),
    ],
)
def test_as_in_python(f: Callable[..., Any], makes: list[Callable[[], Any]]) -> None:
    decorated = ag.jit(f)
    for make in makes:
        assert _outcome(decorated, make) == _outcome(f, make)


def test_libraries_keep_their_own() -> None:
    """The first access to a cached property of a library's class is Python's."""
    kind = type(ag.float64)
    fresh = kind.__new__(kind)
    for name, value in vars(ag.float64).items():
        if not isinstance(getattr(kind, name, None), functools.cached_property):
            object.__setattr__(fresh, name, value)
    double = ag.jit(lambda x: x + 1 if fresh.is_complex else x * 2)
    assert double(3.0) == 6.0
    assert "is_complex" in vars(fresh)
