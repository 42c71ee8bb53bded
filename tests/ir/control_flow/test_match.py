"""`match` over run-time values: compiled and interpreted, as plain Python has it."""

import enum

import numpy as np
import pytest

import agir as ag


class K(enum.IntEnum):
    RED = 5
    BLUE = 6


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    @property
    def double(self):
        return self.x * 2


def values(v):
    match v:
        case 0 | 1:
            return 10
        case -1:
            return 20
        case K.RED | K.BLUE:
            return 30
        case int(n) if n < 0:
            return n * 2
        case n if n > 100:
            return n
        case _:
            return 60


def pairs(a, b):
    r = 0
    match (a, b):
        case (0, _):
            r = 1
        case (x, 0) if x > 3:
            r = x
        case (1, y) | (y, 1):
            r = 100 + y
        case [x, y]:
            r = x - y
    return r


def attributes(a, b):
    match Point(a, b):
        case Point(1, y):
            r = y
        case Point(x=2, double=d):
            r = d * 10
        case Point(3, y=1 | 2, double=d) if d > 0:
            r = d * 100
        case Point(x, y) as p:
            r = x - y + p.double
    return r


def keys(a, b):
    match {"kind": "pair", "items": [a, b], "more": a}:
        case {"kind": "one"}:
            return -1
        case {"items": [2, n], **rest}:
            return n + rest["more"]
        case {"items": [n, 1] | [1, n]}:
            return n * 10
        case {"items": [*both]}:
            return both[0] + both[1]


def bound_and_refused(a, b):
    x = 50
    match a:
        case x if x > b:
            return x
        case 0:
            x = x + 1
    return x + 1000


TWO = [values, pairs, attributes, keys, bound_and_refused]
GRID = [(a, b) for a in range(-2, 7) for b in range(3)]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("decorate", [ag.function, ag.jit])
@pytest.mark.parametrize("python", TWO[1:], ids=lambda f: f.__name__)
def test_matches_python(python, decorate, compiled):
    f = decorate(python, jit_compile=compiled)
    for a, b in GRID:
        assert int(f(ag.constant(a), ag.constant(b))) == python(a, b), (a, b)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("decorate", [ag.function, ag.jit])
def test_values(decorate, compiled):
    f = decorate(values, jit_compile=compiled)
    for v in (0, 1, -1, 5, 6, -7, 3, 200):
        given = ag.constant(v) if decorate is ag.function else v
        assert int(f(given)) == values(v)


@pytest.mark.parametrize("compiled", [True, False])
def test_in_a_loop_with_jumps(compiled):
    def f(x):
        t = 0
        for v in x:
            match v:
                case 0:
                    continue
                case 9:
                    break
                case n if n % 2:
                    t += n
                case _:
                    t -= v
        return t

    for x in ([1, 2, 0, 3], [5, 9, 1], [0]):
        assert int(ag.function(f, jit_compile=compiled)(ag.constant(x))) == f(x)
        assert int(ag.jit(f, jit_compile=compiled)(np.array(x))) == f(x)


def test_classes_of_numbers():
    def kind(v):
        match v:
            case bool():
                return 1
            case int():
                return 2
            case float(x):
                return 3 + 0 * int(x)
            case complex() | str():
                return 4
            case ag.Tensor(shape=(n, *_)):
                return 5 + n
        return 0

    f = ag.function(kind)
    given = {1: True, 2: np.int8(3), 3: np.float32(2), 4: 1j, 8: [1.0, 2, 3]}
    for expected, value in given.items():
        assert int(f(ag.constant(value))) == expected
    assert [int(ag.jit(kind)(v)) for v in (True, 2, 2.5, 1j)] == [1, 2, 3, 4]


def test_singletons():
    def f(flag, other):
        match flag:
            case None:
                r = 0
            case True:
                r = 1
            case False:
                r = 2
        match other:
            case True:
                r += 10
            case None | 0:
                r += 20
        return r

    for flag in (True, False):
        for other in (0, 1):
            assert ag.jit(f)(flag, other) == f(flag, other)


def test_a_name_that_no_case_has_bound():
    @ag.function
    def f(v):
        match v:
            case 1 as found:
                pass
            case 2:
                found = 7
        return found

    assert int(f(ag.constant(1))) == 1
    assert int(f(ag.constant(2))) == 7
    with pytest.raises(UnboundLocalError, match="'found'"):
        f(ag.constant(3))


def test_an_array_is_no_truth_value():
    @ag.function
    def f(x):
        match x:
            case 1:
                return 1
        return 0

    with pytest.raises(ValueError, match="ambiguous"):
        f(ag.constant([1, 2]))


def test_isinstance():
    classes = [int, float, np.ndarray, np.float64, np.int32, ag.Tensor, (str, complex), np.generic]

    def f(n, s, x):
        return tuple(isinstance(v, kind) for v in (n, s, x) for kind in classes[:5])

    arguments = (3, np.float64(2), np.ones(2))
    assert ag.jit(f)(*arguments) == f(*arguments)

    @ag.function
    def g(x):
        return isinstance(x, ag.Tensor), isinstance(x, (int, float)), isinstance(1, int)

    assert [bool(each) for each in g(ag.constant(1))] == [True, False, True]
