"""Attributes that methods of the user's read and write: properties, ``__getattr__`` and its like."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable
from typing import Any

import pytest

import agir as ag
from agir.errors import FallbackWarning, StagingError


class Counting:
    def __init__(self) -> None:
        self._v = 1
        self.count = 0

    @property
    def v(self) -> Any:
        self.count += 1
        return self._v

    @v.setter
    def v(self, value: Any) -> None:
        self.count += 1
        self._v = value


class Doubling(Counting):
    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value * 2)


class Answering(Counting):
    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value + 1)

    def __delattr__(self, name: str) -> None:
        self.count += 10

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self.count += 100
        return len(name)


class Making:
    def __init__(self, v: Any) -> None:
        self.v = v

    @property
    def wrong(self) -> Any:
        return self.nowhere

    def __getattr__(self, name: str) -> Any:
        if name == "another":
            return Making(self.v + 1)
        return f"{name}!"


def by_names_as_text(n: int) -> Any:
    p = Counting()
    if n > 2:
        setattr(p, "v", n)  # noqa: B010
    x = getattr(p, "v")  # noqa: B009
    if n > 2:
        getattr(p, "v")  # noqa: B009
    return p.count, p._v, x, hasattr(p, "v"), getattr(p, "zz", 3), p.count


def doubled(n: int) -> Any:
    p = Doubling()
    if n > 2:
        p.v = n
    return p.count, p._v, p.v


def answered(n: int) -> Any:
    p = Answering()
    if n > 2:
        p.v = n
        del p.yy
        p.abc  # noqa: B018
        getattr(p, "dddd")  # noqa: B009
        hasattr(p, "k")
        delattr(p, "v")
        setattr(p, "v", 8)  # noqa: B010
    return p.count, p._v, p.v, p.abc, hasattr(p, "_w"), getattr(p, "_w", n)


def answered_in_a_loop(n: int) -> Any:
    p = Answering()
    for i in range(n):
        p.v += i
        if i % 2:
            del p.v
    return p.count, p.v


def made_by_attributes(n: int) -> Any:
    made = Making(n).another
    return made.v, made.wrong, made.another.v + n


@pytest.mark.parametrize(
    "function",
    [by_names_as_text, doubled, answered, answered_in_a_loop, made_by_attributes],
)
@pytest.mark.parametrize("n", [3, 0, 7])
def test_methods_of_attributes_are_called_as_often_as_in_plain_python(
    function: Callable[[int], Any], n: int
) -> None:
    assert ag.jit(function)(n) == function(n)


def test_an_object_that_such_a_method_makes_is_the_callers() -> None:
    made = ag.jit(lambda n: Making(n).another)(3)
    assert type(made) is Making
    assert (type(made.v), made.v) == (int, 4)


def test_what_python_has_remembered_is_not_told() -> None:
    def ways(n: int) -> Any:
        @functools.cache
        def count(a: int, b: int) -> int:
            return 1 if a == 0 or b == 0 else count(a - 1, b) + count(a, b - 1)

        return count(n, n), count.cache_info().misses

    with pytest.raises(StagingError, match="cache_info"):
        ag.jit(ways)(3)
    with pytest.warns(FallbackWarning, match="cache_info"):
        assert ag.jit(ways, fallback=True)(3) == ways(3)


def _queue(n: int) -> Any:
    made: Any = collections.deque(range(n))
    made.maxlen = 3
    return made


def _bounded_queue(n: int) -> Any:
    made: Any = collections.deque(range(n), 5)
    made.append(n)
    made.maxlen = n
    return made


def _list(n: int) -> Any:
    made: Any = [i for i in range(n)]  # noqa: C416
    made.name = n
    return made


def _method(n: int) -> Any:
    made: Any = [n]
    made.append = 3
    return made


def _dict(n: int) -> Any:
    made: Any = {i: n for i in range(n)}  # noqa: C420
    made.name = "a"
    return made


def _set(n: int) -> Any:
    made: Any = {i for i in range(n)}  # noqa: C416
    made.name = n
    return made


@pytest.mark.parametrize("function", [_queue, _bounded_queue, _list, _method, _dict, _set])
@pytest.mark.parametrize("n", [3, 0])
def test_containers_have_no_other_attributes(function: Callable[[int], Any], n: int) -> None:
    with pytest.raises(AttributeError) as plain:
        function(n)
    with pytest.raises(AttributeError) as raised:
        ag.jit(function)(n)
    assert str(raised.value).startswith(str(plain.value))


def test_text_takes_no_attributes():
    @ag.jit
    def f(n):
        text = str(n)
        text.size = 1
        return text

    with pytest.raises(AttributeError, match="'str' object has no attribute 'size'"):
        f(3)
