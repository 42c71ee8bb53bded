"""Objects of library classes: what they hold is known while tracing, and changes then."""

import array
import collections
import io

import numpy as np
import pytest

import agir as ag


def an_array(n):
    a = array.array("d", [1, 2, 3])
    if n > 2:
        a[0] = 5
    return a[0]


def an_array_that_grows(n):
    a = array.array("d")
    for _ in range(n):
        a.append(5)
    return len(a)


def text(n):
    s = io.StringIO()
    for _ in range(n):
        s.write("x")
    return len(s.getvalue())


def memory(n):
    m = memoryview(array.array("B", b"abc"))
    if n > 2:
        m[0] = 1
    return m[0]


def a_chain(n):
    chain = collections.ChainMap({"a": 1}, {"b": 2})
    if n > 2:
        chain["a"] = 5
    return chain["a"]


def given_to_a_function(n):
    a = array.array("d", [1, 2, 3])
    if n > 2:
        memoryview(a).cast("B").release()
        io.BytesIO(b"abcdefgh").readinto(a)
    return a[0]


def records(n):
    r = np.recarray(2, dtype=[("a", int)])
    r["a"] = 0
    if n > 2:
        r.a[0] = 7
    return r.a.sum()


def a_masked_array(n):
    m = np.ma.masked_array([1, 2, 3], [0, 1, 0])
    if n > 2:
        m[0] = 7
    return m.sum()


@pytest.mark.parametrize(
    "f",
    [an_array, an_array_that_grows, text, memory, a_chain, given_to_a_function, records,
     a_masked_array],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_a_change_that_the_run_time_decides_about_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match=r"in a branch or loop|happens once") as caught:
        ag.jit(f)(1)
    assert f"{__file__}:" in str(caught.value)


def test_they_change_where_they_are_made():
    def f(n):
        a = array.array("d", [1, 2, 3])
        a[0] = 5
        a.append(4)
        s = io.StringIO()
        s.write("abc")
        total = 0.0
        for i in range(n):
            b = array.array("d", [1, 2])
            b.append(7)
            total += b[2] * i
        if n > 2:
            s.getvalue()
            a.tolist()
        return sum(a) + len(s.getvalue()) + total

    for n in (0, 4):
        assert ag.jit(f)(n) == f(n)


def test_counters_are_followed():
    def f(n):
        c = collections.Counter("abca")
        if n > 2:
            c.update("aa")
            c.subtract("b")
        return c["a"], c["b"], c.total()

    for n in (1, 3):
        assert ag.jit(f)(n) == f(n)


log = io.StringIO()


def test_what_lies_outside_changes_once():
    @ag.jit
    def f(n):
        log.write("x")
        return n

    with pytest.warns(ag.errors.SideEffectWarning, match="the StringIO changes once"):
        f(1)
    f(2)
    assert log.getvalue() == "x"
