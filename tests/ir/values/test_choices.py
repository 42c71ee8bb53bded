"""Variables that are one of several strings, functions, classes or objects."""

import enum

import numpy as np
import pytest

import agir as ag


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def sq(v):
    return v * v


def neg(v):
    return -v


class A:
    k = 1

    def m(self, v):
        return v + 1


class B:
    k = 2

    def m(self, v):
        return v * 10


def strs(n):
    s = "a"
    if n > 3:
        s = "b"
    return s, s == "a", s != "a", s in ("b", "c"), s in "bcd"


def machine(n):
    state = "a"
    c = 0
    k = 0
    while k < n:
        if state == "a":
            state = "b"
        elif state == "b":
            state = "c"
            c += 1
        else:
            state = "a"
            c += 10
        k += 1
    return state, c


def machine2(n):
    state = "start"
    while state != "end":
        if state == "start":
            state = "mid"
        elif state == "mid":
            if n > 3:
                n -= 1
            else:
                state = "end"
    return n


def funcs(n):
    f = sq
    if n > 3:
        f = neg
    return f(n)


def lambdas(n):
    f = (lambda v: v + 1) if n > 3 else (lambda v: v - 1)
    return f(n)


def classes(n):
    K = A if n > 3 else B
    o = K()
    return o.m(n), o.k, K.k


def objs(n):
    a = A()
    b = B()
    o = a if n > 3 else b
    return o.m(n), o.k


def enums(n):
    c = Color.RED
    if n > 3:
        c = Color.GREEN
    return c is Color.RED, c == Color.GREEN, c.value, c.name


def enum_ret(n):
    c = Color.RED
    if n > 3:
        c = Color.GREEN
    return c


def enum_loop(n):
    c = Color.RED
    t = 0
    for i in range(n):
        if c is Color.RED:
            c = Color.GREEN
        else:
            c = Color.RED
            t += 1
    return t, c is Color.RED


def tups(n):
    t = (1, 2)
    if n > 3:
        t = (1, 2, n)
    return t, len(t), t[-1], t[0]


def dicts(n):
    d = {"a": n}
    if n > 3:
        d = {"b": n, "c": 2}
    return d, len(d), "a" in d


def tens_or_str(n):
    v = n
    if n > 3:
        v = "big"
    return v


def lookup(n):
    k = "a"
    if n > 3:
        k = "b"
    d = {"a": 10, "b": n}
    return d[k], d.get(k), d.get(k, 5)


def lookup_missing(n):
    k = "a"
    if n > 3:
        k = "zz"
    d = {"a": 10, "b": n}
    return d[k]


def store(n):
    k = "a"
    if n > 3:
        k = "b"
    d = {"a": 10, "b": 0}
    d[k] = n
    d[k] += 1
    return d


def truth(n):
    s = ""
    if n > 3:
        s = "x"
    r = 0
    if s:
        r = 1
    return r, not s


def concat(n):
    s = ""
    for i in range(3):
        if n > 3:
            s = s + "a"
        else:
            s = s + "b"
    return s


def idx(n):
    s = "abc"
    if n > 3:
        s = "xyz"
    return s[0], s[1:]


def methods(n):
    o = A()
    f = o.m
    if n > 3:
        f = B().m
    return f(n)


def dispatch_table(n):
    t = {"sq": sq, "neg": neg}
    k = "sq"
    if n > 3:
        k = "neg"
    return t[k](n)


def list_of_fns(n):
    fs = [sq, neg]
    return fs[n % 2](n)


def seq_fn(n):
    t = 0
    for i in range(n):
        f = [sq, neg][i % 2]
        t += f(i)
    return t


def eq_two(n):
    a = "x" if n > 3 else "y"
    b = "x" if n > 4 else "y"
    return a == b, a is b, a != b


def attr_write(n):
    a = A()
    b = B()
    o = a if n > 3 else b
    o.z = n
    return o.z


def attr_write2(n):
    a = A()
    b = B()
    a.z = 0
    b.z = 0
    o = a if n > 3 else b
    o.z += n
    return a.z, b.z


def cmp_lt(n):
    s = "a" if n > 3 else "c"
    return s < "b"


def tensor_or_none_or_str(n):
    v = None
    if n > 4:
        v = "s"
    elif n > 3:
        v = n
    return v is None, v


def bool_str(n):
    v = "s" if n > 3 else 0
    if v == "s":
        return 1
    return 2


def in_list(n):
    s = "a" if n > 3 else "b"
    names = ["b", "c"]
    return s in names, s not in names


def loop_target(n):
    r = 0
    for op in ("inc", "dbl"):
        for i in range(n):
            if op == "inc":
                r += 1
            else:
                r *= 2
    return r


def str_in_obj(n):
    o = A()
    o.state = "idle"
    o.n = 0
    for i in range(n):
        if o.state == "idle":
            o.state = "busy"
        else:
            o.state = "idle"
            o.n += 1
    return o.state, o.n


def chosen_iter(n):
    t = (1, 2) if n > 3 else (1, 2, 3)
    r = 0
    for v in t:
        r += v
    return r


def chosen_unpack(n):
    t = (1, "a") if n > 3 else (2, "b")
    a, b = t
    return a, b


def sum_chosen(n):
    t = (1, 2) if n > 3 else (1, 2, 3)
    return sum(t), max(t), len(t)


def range_choice(n):
    r = range(3) if n > 3 else range(5)
    t = 0
    for i in r:
        t += i
    return t


def key_loop(n):
    d = {"a": 0, "b": 0}
    k = "a"
    for i in range(n):
        d[k] += i
        k = "b" if k == "a" else "a"
    return d


def set_in(n):
    s = "a" if n > 3 else "b"
    return s in {"a", "c"}, s in {"a": 1}


NUMBERS = [
    strs,
    machine,
    machine2,
    funcs,
    lambdas,
    classes,
    objs,
    enums,
    enum_ret,
    enum_loop,
    tups,
    dicts,
    tens_or_str,
    lookup,
    lookup_missing,
    store,
    truth,
    concat,
    idx,
    methods,
    dispatch_table,
    list_of_fns,
    seq_fn,
    eq_two,
    attr_write,
    attr_write2,
    cmp_lt,
    tensor_or_none_or_str,
    bool_str,
    in_list,
    loop_target,
    str_in_obj,
    chosen_iter,
    chosen_unpack,
    sum_chosen,
    range_choice,
    key_loop,
    set_in,
]


@pytest.mark.parametrize("function", NUMBERS)
def test_of_a_number(agrees, function):
    agrees(function, (3,), (4,), (5,))


def call_of_what_may_be_no_function(n):
    f = sq if n > 3 else "abc"
    return f(n)


def test_alternatives_that_do_not_fit_fail_at_run_time(agrees):
    agrees(call_of_what_may_be_no_function, (4,), (3,))


def test_alternatives_of_which_none_fits_are_refused():
    def f(n):
        value = "a" if n > 3 else np.float64(2.0)
        return value.nothing

    with pytest.raises(ag.errors.StagingError, match="does not fit any of these"):
        ag.jit(f)(3)


def test_text_of_a_loop_grows():
    def f(n):
        s = ""
        for _ in range(n):
            s += "x"
        return len(s), s

    assert ag.jit(f)(3) == (3, "xxx")


class Number:
    def __init__(self, v):
        self.v = v

    def __neg__(self):
        return Number(-self.v)

    def __pos__(self):
        return Number(self.v + 1)

    def __invert__(self):
        return Number(~self.v)

    def __add__(self, other):
        return Number(self.v + (other.v if isinstance(other, Number) else other))

    def __radd__(self, other):
        return Number(self.v + other)

    def __and__(self, other):
        return Number(self.v & other)

    def __rxor__(self, other):
        return Number(self.v ^ other)

    def __iter__(self):
        yield self.v
        yield self.v + 1

    def __enter__(self):
        self.v = self.v * 2
        return self

    def __exit__(self, *details):
        self.v = self.v + 1


def last_of(n):
    p = Number(0)
    for i in range(n):
        p = Number(p.v + i)
    return p


def operators_of_objects(n):
    p = last_of(n)
    return (-p).v, (+p).v, (~p).v, (p + 1).v, (p + p).v, (1 + p).v, (p & 3).v, (5 ^ p).v


def classes_of_objects(n):
    p = last_of(n)
    return type(p) is Number, type(p).__name__, isinstance(p, Number)


def items_of_objects(n):
    p = last_of(n)
    a, b = p
    first, *rest = p
    return a * b, first + rest[0], [*p, 1], (lambda x, y: x * 10 + y)(*p)


def contexts_of_objects(n):
    p = last_of(n)
    with p as q:
        inside = q.v
    return inside, p.v


@pytest.mark.parametrize(
    "function", [operators_of_objects, classes_of_objects, items_of_objects, contexts_of_objects]
)
def test_objects_that_a_loop_makes_anew(agrees, function):
    agrees(function, (4,), (1,), (0,))


def test_objects_are_returned_with_their_values():
    @ag.jit
    def f(n):
        p = Number(n)
        if n > 3:
            return p
        return n

    @ag.jit
    def g(n):
        return n, last_of(n)

    assert f(4).v == 4
    assert f(3) == 3
    n, p = g(4)
    assert (n, type(p), p.v) == (4, Number, 6)


def endless(n):
    def count():
        while True:
            yield n

    p = count if n > 3 else last_of
    a, b = p()
    return a + b


def test_what_has_no_end_is_not_unpacked():
    with pytest.raises(
        (ag.errors.AgirError, ValueError)
    ):  # Python's own, where the number is known
        ag.jit(endless)(4)


class Slotted:
    __slots__ = ("__y", "x", "z")

    def __init__(self, x, y):
        self.x, self.__y = x, y

    def __add__(self, other):
        return Slotted(self.x + other.x, self.__y + other.__y)

    def bump(self, k):
        if k > 1:
            self.x += k
            self.z = k
        return self.x + self.__y


class Derived(Slotted):
    def __init__(self, x, y):
        super().__init__(x, y)
        self.w = x


def slotted_objects(n):
    p = Slotted(0, 1)
    q = Derived(n, 2)
    for i in range(n):
        p = p + Slotted(i, 1)
        q.bump(i)
        q.w += 1
    return p.x, p.bump(n), q.x, q.w


def test_objects_with_abstracts(agrees):
    agrees(slotted_objects, (4,), (1,), (0,))


def test_objects_with_abstracts_are_returned():
    made = ag.jit(lambda n: Slotted(n, 1) if n > 3 else Derived(n, 2))
    assert (type(made(4)), made(4).x) == (Slotted, 4)
    assert (type(made(3)), made(3).x, made(3).w) == (Derived, 3, 3)


def best_paths(n):
    weights = {("up", 0): n, ("up", 1): 2 * n, ("down", 0): 3, ("down", 1): 5}
    best = ""
    for name in ("up", "down"):
        if best == "" or weights[(name, 0)] > weights[(best, 0)]:
            best = name
    weights[(best, 1)] += 100
    return best, weights[(best, 0)], weights[(best, 1)], (best, 2) in weights, (best, 0) in weights


def test_one_of_several_in_a_key():
    for n in (1, 3, 4, 9):
        assert ag.jit(best_paths)(n) == best_paths(n)


def nested_choices(a, n):
    rows = [[a, 1], [a, n, 2], [3]]
    for k in range(n):
        row = rows[k % 3]
        if a > k:
            row = rows[(k + 1) % 3]
        a += row[0] + len(row)
    return a


def test_choices_of_choices_are_choices():
    for n in (0, 1, 5):
        assert ag.jit(nested_choices)(2, n) == nested_choices(2, n)


def of_array_or_list(x, n):
    values = [1.0, 2.0, 3.0]
    if n > 2:
        values = x * 2
    return np.take(values, [0, 2]), np.sum(values), np.asarray(values) + 1


def test_functions_of_numpys_take_an_array_or_a_list():
    for n in (1, 5):
        found, wanted = (f(np.arange(3.0), n) for f in (ag.jit(of_array_or_list), of_array_or_list))
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(one, other)
