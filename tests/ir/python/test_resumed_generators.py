"""Generators that are gone on with where only the run time knows how far they have come."""

# ruff: noqa: B905, C417, UP028 (the constructs are what is tested)

import contextlib
import io
from itertools import count, islice

import pytest

import agir as ag


def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


def upto(n):
    for i in range(n):
        yield i


def powers(m):
    for n in count():
        yield n**m


def filtered(s1, s2):
    v, f = next(s1), next(s2)
    while True:
        if v > f:
            f = next(s2)
            continue
        elif v < f:
            yield v
        v = next(s1)


def merged(a, b):
    x, y = next(a, None), next(b, None)
    while x is not None or y is not None:
        if y is None or (x is not None and x <= y):
            yield x
            x = next(a, None)
        else:
            yield y
            y = next(b, None)


def noisy(n):
    print("begin")
    for i in range(n):
        print("before", i)
        yield i * i
        print("after", i)
    print("end")


def dividing(n):
    yield 1
    yield 10 // (n - 2)
    yield 3


def chained(a, b):
    yield from a
    yield from b


def words(text):
    word = ""
    for each in text:
        if each == " ":
            if word:
                yield word
            word = ""
        else:
            word += each
    if word:
        yield word


class Multiples:
    def __init__(self, n):
        self.n = n
        self.items = self.made()

    def made(self):
        k = self.n
        while True:
            yield k
            k += self.n

    def take(self):
        return next(self.items)


def of_generators(n):
    return list(islice(filtered(powers(2), powers(n + 1)), 4, 9))


def beside_each_other(n):
    return list(merged(iter([1, 4, n, 9]), iter([2, 3, n + 1])))


def under_two_names(n):
    g = fibonacci()
    h = (x + 1 for x in g)
    s = 0
    while s < n * 5:
        s += next(h) + next(g)
    return s, next(g)


def in_nested_loops(n):
    g, c = fibonacci(), 0
    for i in range(n):
        for _ in range(i):
            c += next(g)
    return c, next(g)


def in_branches(n):
    g, found = fibonacci(), {}
    for w in ["a", "b", "a", "c"][:n]:
        if w not in found:
            found[w] = next(g)
    return found


def until_it_ends(n):
    g, s = upto(n), 0
    try:
        while True:
            s += next(g)
    except StopIteration:
        s += 100
    return s


def by_functions_of_python(n):
    g, t = upto(n + 4), 0
    while t < 1:
        t += next(g)
    first = t in g, [(i, v) for i, v in zip(range(2), g)]
    return first, next(g, -1), sum(g), list(g)


def what_python_makes(n):
    m, f = map(lambda x: x + n, [1, 2, 3]), filter(lambda x: x % 2 == n % 2, range(100))
    e, s, k = enumerate(v * v for v in range(n)), 0, n
    while k > 0:
        i, v = next(e, (100, 100))
        s = 2 * s + next(m, 7) + next(f) + i * v
        k -= 1
    return s


def left_by_loops(n):
    g, rest = (k * k for k in range(4 * n)), 0
    for v in g:
        rest += v
        if rest > 10:
            break
    for v in g:
        rest += v
        if rest > 20 * n:
            break
    return rest, list(g)


def unpacked(n):
    g, t = upto(4 + n), 0
    while t < n - 1:
        t += next(g)
    a, *b = g
    return a, b


def one_after_the_other(n):
    g, s = chained(range(n), (x * x for x in range(n))), 0
    while True:
        v = next(g, -1)
        if v < 0:
            return s
        s = s * 2 + v


def of_texts(n):
    g, out = words("ab c def " + "x" * n), []
    t = next(g, None)
    while t is not None:
        out.append(t)
        t = next(g, None)
    return out


def of_objects(n):
    c, s = Multiples(n), 0
    while s < 20:
        s += c.take()
    return s


def in_a_list(n):
    generators, s = [upto(n), upto(n + 1)], 0
    while s < n:
        for g in generators:
            s += next(g, 10)
    return s


def that_fail(n):
    g, s = dividing(n), 0
    try:
        while s < 100:
            s += next(g)
    except (ZeroDivisionError, StopIteration):
        s += 1000
    return s, list(g)


def that_print(n):
    g, s = noisy(n), 0
    while s < 4:
        s += next(g)
    return s, list(g)


def that_are_closed(n):
    g, s = fibonacci(), 0
    while s < n:
        s += g.send(None)
    g.close()
    return s, next(g, -1), list(g)


def in_which_something_is_thrown(n):
    g, s = fibonacci(), 0
    while s < n:
        s += next(g)
    try:
        g.throw(ValueError)
    except ValueError:
        s += 100
    return s, next(g, -1)


PROGRAMS = [
    that_are_closed,
    in_which_something_is_thrown,
    of_generators,
    beside_each_other,
    under_two_names,
    in_nested_loops,
    in_branches,
    until_it_ends,
    by_functions_of_python,
    what_python_makes,
    left_by_loops,
    unpacked,
    one_after_the_other,
    of_texts,
    of_objects,
    in_a_list,
    that_fail,
    that_print,
]


def outcome(function, n):
    """What a call gives, or raises, and prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = function(n)
        except Exception as error:
            result = type(error)
    return result, printed.getvalue()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_generators_go_on_as_in_plain_python(program):
    compiled = ag.jit(program)
    for n in (3, 2, 5):
        assert outcome(compiled, n) == outcome(program, n)


def test_one_that_a_branch_has_chosen_is_refused():
    @ag.jit
    def chosen(n):
        g, s = upto(n) if n > 2 else upto(2 * n), 0
        while s < 3:
            s += next(g)
        return s

    with pytest.raises(ag.errors.StagingError, match="test_resumed_generators"):
        chosen(3)
