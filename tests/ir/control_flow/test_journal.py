"""What branches and loops write to: attributes, dict entries, lists, globals."""

import functools
from collections import deque, namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import agir as ag


class P:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def moved(self, d):
        return P(self.x + d, self.y)

    def __add__(self, o):
        return P(self.x + o.x, self.y + o.y)


class Acc:
    def __init__(self):
        self.t = 0
        self.n = 0

    def add(self, v):
        self.t += v
        self.n += 1

    def mean(self):
        return self.t / self.n


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a = 0
        self.b = 1.5


class Prop:
    def __init__(self):
        self._v = 0
        self.sets = 0

    @property
    def v(self):
        return self._v * 2

    @v.setter
    def v(self, x):
        self._v = x
        self.sets += 1


class KAttr:
    total = 0


@dataclass
class In:
    a: int
    b: float = 0.0


@dataclass
class Out:
    inner: In
    n: int = 0


@dataclass(frozen=True)
class Fro:
    a: int


G = 0


def self_attr(n):
    a = Acc()
    for i in range(n):
        a.add(i)
    return a.t, a.n, a.mean()


def branch_attr(n):
    a = Acc()
    if n > 3:
        a.t = 5
        a.extra = 1
    else:
        a.t = 7.5
        a.extra = 2
    return a.t, a.extra


def attr_one_branch(n):
    a = Acc()
    if n > 3:
        a.extra = n
    return a.extra


def attr_one_branch_ok(n):
    a = Acc()
    if n > 3:
        a.extra = n
    if n > 3:
        return a.extra
    return -1


def abstracts_(n):
    s = Slotted()
    for i in range(n):
        s.a += i
        s.b *= 2
    return s.a, s.b


def prop(n):
    p = Prop()
    for i in range(n):
        p.v = i + p.v
    return p.v, p.sets


def prop_branch(n):
    p = Prop()
    if n > 3:
        p.v = n
    return p.v


def class_attr(n):
    KAttr.total = 0
    for i in range(n):
        KAttr.total += i
    r = KAttr.total
    KAttr.total = 0
    return r


def glob(n):
    global G
    G = 0
    for i in range(n):
        G += i
    r = G
    G = 0
    return r


def make_counter():
    c = 0

    def inc(k):
        nonlocal c
        c += k
        return c

    return inc


def closure(n):
    inc = make_counter()
    for i in range(n):
        inc(i)
    return inc(0)


def nonlocal_branch(n):
    t = 0

    def up():
        nonlocal t
        t += n

    if n > 3:
        up()
    return t


def dict_one(n):
    d = {}
    if n > 3:
        d["a"] = n
    return d["a"]


def dict_one_ok(n):
    d = {}
    if n > 3:
        d["a"] = n
    if n > 3:
        return d["a"]
    return 0


def dict_in(n):
    d = {}
    if n > 3:
        d["a"] = n
    return "a" in d, len(d)


def dict_get(n):
    d = {}
    if n > 3:
        d["a"] = n
    return d.get("a", -1)


def dict_ret(n):
    d = {"z": 1}
    if n > 3:
        d["a"] = n
    return d


def dict_loop(n):
    d = {"a": 0, "b": 1.0}
    for i in range(n):
        d["a"] += i
        d["b"] *= 2
    return d


def dict_iter(n):
    d = {"a": 1, "b": 2}
    for i in range(n):
        for k in d:
            d[k] += i
    return d


def dict_items(n):
    d = {"a": 1, "b": 2}
    t = 0
    for i in range(n):
        for k, v in d.items():
            t += v
        d["a"] = t
    return t


def dict_new_in_loop(n):
    d = {}
    for i in range(n):
        d["a"] = i
    return d["a"]


def nested_dc(n):
    o = Out(In(1))
    for i in range(n):
        o.inner.a += i
        o.inner.b += 0.5
        o.n += 1
    return o


def dc_branch(n):
    o = Out(In(1))
    if n > 3:
        o.inner = In(5, 2.0)
    return o.inner.a, o.inner.b


def dc_rebind(n):
    o = In(1)
    for i in range(n):
        o = In(o.a + i, o.b + 1)
    return o


def frozen(n):
    f = Fro(1)
    for i in range(n):
        f = Fro(f.a + i)
    return f.a


def rebind(n):
    p = P(0, 1.0)
    for i in range(n):
        p = P(p.x + i, p.y * 2)
    return p.x, p.y


def rebind_method(n):
    p = P(0, 1.0)
    for i in range(n):
        p = p.moved(i)
    return p.x, p.y


def rebind_branch(n):
    p = P(0, 1)
    if n > 3:
        p = P(n, 2)
    return p.x, p.y


def rebind_swap(n):
    p = P(0, 1)
    q = P(5, 6)
    for i in range(n):
        p, q = q, p
    return p.x, q.x


def swap_objs_write(n):
    p = P(0, 1)
    q = P(5, 6)
    a = p
    for i in range(n):
        p, q = q, p
        p.x += 1
    return p.x, q.x, a.x


def list_elem(n):
    items = [0, 0.5]
    for i in range(n):
        items[0] += i
        items[1] *= 2
    return items


def list_elem_obj(n):
    items = [P(0, 1), P(2, 3)]
    for i in range(n):
        items[0].x += i
    for p in items:
        p.y += n
    return items[0].x, items[1].y


def counts(n):
    d = {"even": 0, "odd": 0}
    for i in range(n):
        if i % 2 == 0:
            d["even"] += 1
        else:
            d["odd"] += 1
    return d


def swap(x, n):
    i = 0
    j = len(x) - 1
    while i < j:
        x[i], x[j] = x[j], x[i]
        i += 1
        j -= 1
    return x


def swap_list(n):
    items = [1, 2, 3, 4]
    if n > 3:
        items[0], items[3] = items[3], items[0]
    return items


def del_key(n):
    d = {"a": 1, "b": 2}
    if n > 3:
        del d["a"]
    return d


def del_key2(n):
    d = {"a": 1, "b": 2}
    del d["a"]
    return d


def del_key_in(n):
    d = {"a": 1, "b": 2}
    if n > 3:
        del d["a"]
    return "a" in d


def setattr_(n):
    p = P(0, 0)
    for name in ("x", "y"):
        if n > 3:
            setattr(p, name, n)
    return p.x, p.y


def update(n):
    d = {"a": 1}
    if n > 3:
        d.update(a=n, b=2)
    else:
        d.update({"a": 0, "b": 1})
    return d


def pop_(n):
    d = {"a": 1, "b": 2}
    if n > 3:
        v = d.pop("a")
    else:
        v = d.pop("a")
        v += 1
    return d, v


def setdefault(n):
    d = {}
    if n > 3:
        d.setdefault("k", []).append(n)
    else:
        d.setdefault("k", []).append(1)
    return d


def setdefault_loop(n):
    d = {}
    for i in range(n):
        d["k"] = d.get("k", 0) + i
    return d


def deque_static(n):
    q = deque([n, 1, 2])
    q.rotate(1)
    return list(q)


def made_inside(n):
    t = 0
    for i in range(n):
        p = P(i, 1)
        p.x += 1
        t += p.x
    return t


def made_inside_dict(n):
    t = 0
    for i in range(n):
        d = {"a": i}
        d["b"] = i * 2
        d["a"] += d["b"]
        t += d["a"]
    return t


def made_escapes(n):
    last = P(-1, 0)
    for i in range(n):
        last = P(i, 0)
        last.y = i * 2
    return last.x, last.y


def made_in_branch(n):
    if n > 3:
        p = P(n, 1)
        p.z = 5
    else:
        p = P(0, 2)
        p.z = 6
    return p.x, p.y, p.z


def made_diff_attrs(n):
    if n > 3:
        p = P(n, 1)
        p.z = 5
    else:
        p = P(0, 2)
    return p.x


def linked(n):
    head = None
    for i in range(3):
        head = (i * n, head)
    t = 0
    while head is not None:
        v, head = head
        t += v
    return t


def obj_none(n):
    p = None
    for i in range(n):
        if p is None:
            p = P(i, 0)
        else:
            p = P(p.x + i, 1)
    return p.x, p.y


def attr_dtype(n):
    a = Acc()
    a.t = 0
    for i in range(n):
        a.t = a.t + 0.5
    return a.t


def attr_array(x, n):
    a = Acc()
    a.t = x * 0
    for i in range(n):
        a.t = a.t + x
    return a.t


def attr_array_set(x, n):
    a = Acc()
    a.t = x * 0
    for i in range(n):
        a.t[i] = i
    return a.t


def attr_shape(x, n):
    a = Acc()
    a.t = x[:0]
    for i in range(n):
        a.t = ag.concat([a.t, x], 0)
    return a.t


def while_attr(n):
    a = Acc()
    while a.t < n:
        a.add(2)
    return a.t, a.n


def break_attr(n):
    a = Acc()
    for i in range(10):
        a.add(i)
        if a.t > n:
            break
    return a.t, a.n


def return_in_method(n):
    class F:
        def __init__(self):
            self.hits = 0

        def find(self, k):
            for i in range(10):
                self.hits += 1
                if i * i > k:
                    return i
            return -1

    f = F()
    r = f.find(n)
    r2 = f.find(n * 2)
    return r, r2, f.hits


def two_objs(n):
    a = Acc()
    b = Acc()
    for i in range(n):
        (a if i % 2 == 0 else b).add(i)
    return a.t, b.t


def aliasd(n):
    a = Acc()
    b = a
    items = [a]
    for i in range(n):
        b.add(i)
    return a.t, items[0].n


def inherit(n):
    class Base:
        def __init__(self):
            self.v = 0

        def step(self, i):
            self.v += i

    class D(Base):
        def __init__(self):
            super().__init__()
            self.w = 0

        def step(self, i):
            super().step(i)
            self.w += 1

    d = D()
    for i in range(n):
        d.step(i)
    return d.v, d.w


def getitem_cls(n):
    class V:
        def __init__(self):
            self.d = [0, 0, 0]

        def __getitem__(self, i):
            return self.d[i]

        def __setitem__(self, i, v):
            self.d[i] = v

        def __len__(self):
            return 3

        def __contains__(self, x):
            return x in self.d

        def __eq__(self, o):
            return self.d[0] == o.d[0]

        def __bool__(self):
            return self.d[0] > 0

    v = V()
    for i in range(n):
        v[i % 3] += i
    return v[0], v[1], v[-1]


def matrix_list(n):
    m = [[0, 0], [0, 0]]
    for i in range(n):
        m[0][1] += i
        m[1][0] = m[0][1]
    return m


def matrix_dyn(n):
    m = [[0, 0], [0, 0]]
    for i in range(n):
        m[i % 2][1] += i
    return m


def tuple_state(n):
    s = (0, 1.0)
    for i in range(n):
        s = (s[0] + i, s[1] * 2)
    return s


def dict_rebind(n):
    s = {"a": 0}
    for i in range(n):
        s = {"a": s["a"] + i}
    return s


def dict_spread(n):
    s = {"a": 0, "b": 1}
    for i in range(n):
        s = {**s, "a": s["a"] + i}
    return s


def delattr_(n):
    p = P(1, 2)
    if n > 3:
        del p.x
    return hasattr(p, "x")


def delattr_read(n):
    p = P(1, 2)
    if n > 3:
        del p.x
    return p.x


def starred(n):
    items = [0, 0, 0]
    if n > 3:
        items[0], *items[1:] = n, 1, 2
    return items


def chain(n):
    p = P(0, 0)
    d = {}
    for i in range(n):
        p.x = d["k"] = i
    return p.x, d["k"]


def aug_order(n):
    items = [0, 0, 0]
    c = [0]

    def idx():
        c[0] += 1
        return c[0]

    if n > 3:
        items[idx()] += 5
    return items, c


def cached(n):

    class C:
        calls = 0

        @functools.cached_property
        def v(self):
            self.calls += 1
            return n * 2

    c = C()
    a = c.v
    b = c.v
    return a, b, c.calls


def enter_exit(n):
    class M:
        def __init__(self):
            self.d = 0

        def __enter__(self):
            self.d += 1
            return self

        def __exit__(self, *a):
            self.d -= 1

    m = M()
    t = 0
    for i in range(n):
        with m as k:
            t += k.d
    return t, m.d


def namedtup(n):

    T = namedtuple("T", "a b")
    t = T(0, 1)
    for i in range(n):
        t = t._replace(a=t.a + i)
    return t.a, t.b


def obj_list_dyn(n):
    items = []
    for i in range(n):
        items.append(P(i, 1))
    t = 0
    for p in items:
        t += p.x
    return t


def iadd_obj(n):
    class C:
        def __init__(self):
            self.v = 0

        def __iadd__(self, o):
            self.v += o
            return self

    c = C()
    d = c
    for i in range(n):
        c += i
    return c.v, d.v


X = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
NUMBERS = [
    self_attr,
    branch_attr,
    attr_one_branch,
    attr_one_branch_ok,
    abstracts_,
    prop,
    prop_branch,
    class_attr,
    glob,
    closure,
    nonlocal_branch,
    dict_one,
    dict_one_ok,
    dict_in,
    dict_get,
    dict_ret,
    dict_loop,
    dict_iter,
    dict_items,
    dict_new_in_loop,
    nested_dc,
    dc_branch,
    dc_rebind,
    frozen,
    rebind,
    rebind_method,
    rebind_branch,
    rebind_swap,
    swap_objs_write,
    list_elem,
    list_elem_obj,
    counts,
    swap_list,
    del_key,
    del_key2,
    del_key_in,
    setattr_,
    update,
    pop_,
    setdefault,
    setdefault_loop,
    deque_static,
    made_inside,
    made_inside_dict,
    made_escapes,
    made_in_branch,
    made_diff_attrs,
    linked,
    obj_none,
    attr_dtype,
    while_attr,
    break_attr,
    return_in_method,
    two_objs,
    aliasd,
    inherit,
    getitem_cls,
    matrix_list,
    matrix_dyn,
    tuple_state,
    dict_rebind,
    dict_spread,
    delattr_,
    delattr_read,
    starred,
    chain,
    aug_order,
    cached,
    enter_exit,
    namedtup,
    obj_list_dyn,
    iadd_obj,
]
ARRAYS = [swap, attr_array, attr_array_set, attr_shape]


@pytest.mark.parametrize("function", NUMBERS)
def test_of_a_number(agrees, function):
    agrees(function, (5,), (3,))


@pytest.mark.parametrize("function", ARRAYS)
def test_of_an_array_and_a_number(agrees, function):
    agrees(function, (X, 5), (X, 3))


def of_a_bounded_deque(n):
    q = deque(maxlen=2)
    if n > 1:
        q.append(n)
    return len(q)


def test_bounded_deques_of_run_time_contents():
    assert ag.jit(of_a_bounded_deque)(2) == of_a_bounded_deque(2)


@pytest.mark.parametrize("what", [list, dict, len])
def test_whole_dicts_with_entries_that_some_paths_make(what):
    def f(n):
        d = {"a": 1}
        if n > 3:
            d["b"] = n
        return what(d)

    assert (ag.jit(f)(4), ag.jit(f)(3)) == (f(4), f(3))
