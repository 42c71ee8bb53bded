"""Attributes of objects as a dict, variables of a function, constructors with starred lists."""

import pytest

import agir as ag


class Thing:
    pass


class Reading:
    def __init__(self, x):
        if x > 0:
            self.value, self.kind = x, 1
        else:
            self.value, self.kind = -x, 2


class Turned:
    def __init__(self, x):
        if x > 0:
            self.value = x
            self.kind = 1
        else:
            self.kind = 2
            self.value = -x


def in_one_order(x):
    thing = Thing()
    if x > 0:
        thing.a = x
        thing.b = 1
    else:
        thing.a = -x
        thing.b = 2
    thing.c = 3
    thing.a += 1
    return list(vars(thing).items()), list(thing.__dict__)


def by_a_constructor(x):
    return [list(vars(Reading(each)).items()) for each in (x, -x)]


def written_again(x):
    thing = Thing()
    thing.a = thing.b = x
    if x > 0:
        thing.b = 1
        thing.a = 2
    else:
        thing.a = 3
    return list(vars(thing).items())


@pytest.mark.parametrize("program", [in_one_order, by_a_constructor, written_again])
def test_attributes_that_are_set_in_one_order(program):
    jitted = ag.jit(program)
    for x in (2, -3, 0, 1.5, -2.5):
        assert repr(jitted(x)) == repr(program(x))


def in_two_orders(x):
    thing = Thing()
    if x > 0:
        thing.a = x
        thing.b = 1
    else:
        thing.b = 2
        thing.a = -x
    return list(vars(thing))


def partly_before(x):
    thing = Thing()
    if x > 0:
        thing.a = 1
    thing.b = 2
    if x <= 0:
        thing.a = 3
    return thing.__dict__


def by_two_ways(x):
    return list(vars(Turned(x)))


def in_a_loop(x):
    total = 0
    for each in range(int(x) + 4):
        total += list(vars(Turned(each - 2))).index("kind")
    return total


def asked_before(x):
    thing = Thing()
    names = len(vars(thing))
    if x > 0:
        thing.a = x
        thing.b = 1
    else:
        thing.b = 2
        thing.a = -x
    return names + thing.a


@pytest.mark.filterwarnings("ignore::agir.errors.FallbackWarning")
@pytest.mark.parametrize(
    "program", [in_two_orders, partly_before, by_two_ways, in_a_loop, asked_before]
)
def test_attributes_that_are_set_in_two_orders(program):
    with pytest.raises(ag.errors.StagingError, match="are asked for as a dict"):
        ag.jit(program)(2)
    jitted = ag.jit(program, fallback=True)
    for x in (2, -3):
        assert repr(jitted(x)) == repr(program(x))


def two_orders_of_which_none_asks(x):
    thing = Thing()
    if x > 0:
        thing.a = x
        thing.b = 1
    else:
        thing.b = 2
        thing.a = -x
    return thing.a + thing.b, Turned(x).value


def test_orders_of_which_nobody_asks():
    jitted = ag.jit(two_orders_of_which_none_asks)
    for x in (2, -3):
        assert jitted(x) == two_orders_of_which_none_asks(x)


def variables(n):
    total = 0
    for i in range(3):
        total += i * n
    return list(locals()), sorted(vars()), dir(), sorted(locals().items())


def variables_around(n):
    more = n + 1

    def inner(m):
        both = more + m
        return sorted(locals()), dir(), both

    return inner(2), list(locals())


def variables_of_code(n):
    return eval("sorted(locals())"), eval("dir()"), eval("n + 1")


def one_dict(n):
    shown = locals()
    locals()
    return sorted(shown)


@pytest.mark.parametrize("program", [variables, variables_around, variables_of_code, one_dict])
def test_variables_of_a_function(program):
    jitted = ag.jit(program)
    for n in (2, 5):
        if program is variables_around:
            assert repr(jitted(n)[0]) == repr(program(n)[0])
        else:
            assert repr(jitted(n)) == repr(program(n))


class Poly:
    def __init__(self, *coefficients):
        self.coefficients = coefficients

    def at(self, x):
        total = 0.0
        for each in self.coefficients:
            total = total * x + each
        return total


class Sum:
    def __init__(self, *parts):
        self.parts = list(parts)

    def __add__(self, other):
        return Sum(*[a + b for a, b in zip(self.parts, other.parts, strict=True)])


def made_of_an_argument(numbers):
    return Poly(*numbers).at(2.0), len(Poly(1.0, *numbers, 2.0).coefficients)


def made_of_a_list(n):
    numbers = [i / 2 for i in range(n)]
    made = Sum(*numbers) + Sum(*numbers)
    return Poly(*numbers).at(2.0), made.parts


@pytest.mark.parametrize("many", [0, 1, 2, 5, 40])
def test_constructors_with_starred_lists(many):
    by_argument, by_list = ag.jit(made_of_an_argument), ag.jit(made_of_a_list)
    for count in (many, many + 1, many):
        numbers = [i * 1.5 for i in range(count)]
        assert by_argument(numbers) == made_of_an_argument(numbers)
        assert by_list(count) == made_of_a_list(count)
