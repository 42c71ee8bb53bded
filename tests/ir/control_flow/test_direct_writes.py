"""What is written by special methods and by functions of `operator`, on some paths only."""

import operator

import numpy as np
import pytest

import agir as ag


class Box:
    pass


def boxed():
    made = Box()
    made.v = 1.0
    return made


def entry(x):
    made = {"k": 0.0}
    if x[0] > 2:
        made.__setitem__("k", x[1])
    return made


def item(x):
    made = [0.0]
    if x[0] > 2:
        made.__setitem__(0, x[1])
    return made


def longer(x):
    made = [0.0]
    if x[0] > 2:
        made.__iadd__([x[1]])
    return made


def merged(x):
    made = {"k": 0.0, "l": 1.0}
    if x[0] > 2:
        made.__ior__({"l": 3.0})
    return made


def by_operator(x):
    made, more = {"k": 0.0}, [1.0]
    if x[0] > 2:
        operator.setitem(made, "k", 3.0)
        operator.iadd(more, [2.0])
    return made, more


def in_dict(x):
    made = boxed()
    if x[0] > 2:
        made.__dict__["v"] = 3.0
    return made.v


def in_vars(x):
    made = boxed()
    for i in range(int(x[0])):
        vars(made)["v"] += i
    return made.v


def updated(x):
    made = boxed()
    if x[0] > 2:
        made.__dict__.update(v=3.0)
    return made.v


def set_by_method(x):
    made = boxed()
    if x[0] > 2:
        made.__setattr__("v", 3.0)
    return made.v


def in_array(x):
    made = np.zeros(2)
    if x[0] > 2:
        operator.setitem(made, 0, 3.0)
        operator.iadd(made, 1.0)
    return made.tolist()


@pytest.mark.parametrize(
    "program",
    [entry, item, longer, merged, by_operator, in_dict, in_vars, updated, set_by_method, in_array],
)
def test_writes_on_some_paths(program):
    decorated = ag.jit(program)
    for first in (3.0, 1.0):
        assert decorated([first, 5.0]) == program([first, 5.0])


class Counting:
    def __init__(self):
        self.n = 0.0

    def counted(self, x):
        if x > 2:
            self.__dict__["n"] += x
        vars(self)["last"] = x
        return self.n


class Decorated(Counting):
    counted = ag.jit(Counting.counted)


def test_writes_into_the_dict_of_an_object_of_outside():
    one, other = Counting(), Decorated()
    for x in (3.0, 1.0, 4.0):
        assert one.counted(x) == other.counted(x)
        assert vars(one) == vars(other)
