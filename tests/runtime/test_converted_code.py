"""`to_code` and `to_graph` of decorated functions."""

import functools

import pytest

import agir as ag
from agir.autograph import to_code, to_graph


class Decorated:
    @ag.jit
    def method(self, x):
        if x > 0:
            return x
        return -x


@ag.function
def decorated(x, k=2):
    if x > 0:
        return x
    return -x * k


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (decorated, "decorated"),
        (functools.partial(decorated, 1), "decorated"),
        (Decorated().method, "method"),
        (Decorated.method, "method"),
    ],
)
def test_the_code_is_that_of_the_function(function, name):
    assert to_code(function).startswith(f"def {name}(")


def test_the_graph_is_that_of_the_function():
    assert to_graph(decorated)(-3) == 6
    assert to_graph(Decorated().method)(-3) == 3
