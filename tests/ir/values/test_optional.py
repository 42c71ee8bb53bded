"""Values that are None on some paths."""

import numpy as np
import pytest

import agir as ag


def first_even(x, n):
    found = None
    for i in range(n):
        if x[i] % 2 == 0 and found is None:
            found = x[i]
    return found


def best(x):
    best = None
    for v in x:
        if best is None or v > best:
            best = v
    return best


def best_neg(x):
    best = None
    for v in x:
        if best is not None and v <= best:
            continue
        best = v
    return best


def eq_none(x, n):
    b = None
    if n > 3:
        b = x[0]
    return b is None, b is not None, b is None, b is not None


def truthy(x, n):
    b = None
    if n > 3:
        b = x[0]
    r = 0
    if b:
        r += 1
    if not b:
        r += 10
    return r, b or 7


def or_zero(x, n):
    b = None
    if n > 3:
        b = n
    return b or 0


def and_(x, n):
    b = None
    if n > 3:
        b = n
    return b and b + 1


def ternary(x, n):
    b = x[0] if n > 3 else None
    c = b + 1 if b is not None else -1.0
    return c


def ternary2(x, n):
    b = None if n > 3 else n
    return 0 if b is None else b * 2


def arr(x, n):
    b = None
    if n > 3:
        b = x * 2
    if b is None:
        b = x
    return b


def arr2(x, n):
    acc = None
    for i in range(n):
        y = x * i
        acc = y if acc is None else acc + y
    return acc


def tup(x, n):
    b = None
    for i in range(n):
        if b is None or b[1] < x[i]:
            b = (i, x[i])
    return b


def tup_unpack(x, n):
    b = None
    if n > 3:
        b = (n, x[0])
    if b is None:
        return -1.0
    i, v = b
    return i + v


def helper(b):
    if b is None:
        return -1
    return b + 1


def passed(x, n):
    b = None
    if n > 3:
        b = n
    return helper(b)


class Best:
    def __init__(self):
        self.best = None
        self.k = 0

    def see(self, v):
        if self.best is None or v > self.best:
            self.best = v
            self.k += 1


def attr(x, n):
    o = Best()
    for v in x:
        o.see(v)
    return o.best, o.k


def attr_empty(x, n):
    o = Best()
    for i in range(n - 4):
        o.see(x[i])
    return o.best, o.k


def entry(x, n):
    d = {"b": None}
    for v in x:
        if d["b"] is None or d["b"] < v:
            d["b"] = v
    return d


def items(x, n):
    a = [None, None]
    for v in x:
        if a[0] is None:
            a[0] = v
        else:
            a[1] = v
    return a


def append_none(x, n):
    a = []
    for i in range(n):
        if i % 2 == 0:
            a.append(i)
        else:
            a.append(None)
    return a


def again(x, n):
    b = None
    for i in range(n):
        if b is None:
            b = i
        else:
            b = None
    return b


def again2(x, n):
    b = 1.0
    for i in range(n):
        if i % 2 == 0:
            b = None
        else:
            b = x[0]
    return b


def use_none(x, n):
    b = None
    if n > 4:
        b = n
    return b + 1


def use_none2(x, n):
    b = None
    if n > 4:
        b = x
    return b[0]


def use_none3(x, n):
    b = None
    if n > 4:
        b = (1, 2)
    return b[0]


def use_none_cmp(x, n):
    b = None
    if n > 4:
        b = x[0]
    return b < 1


def use_none_call(x, n):
    b = None
    if n > 4:
        b = x[0]
    return np.sin(b)


def none_fn(x, n):
    f = None
    if n > 4:
        f = helper
    if f is not None:
        return f(n)
    return 0


def none_str(x, n):
    s = None
    if n > 4:
        s = "abc"
    if s is None:
        return 1
    return 2


def none_obj(x, n):
    s = None
    if n > 4:
        s = Best()
        s.k = n
    if s is None:
        return 1
    return s.k


def none_list(x, n):
    s = None
    if n > 4:
        s = [1, 2]
    if s is None:
        return 0
    return s[0] + len(s)


def none_list_append(x, n):
    s = None
    for i in range(n):
        if s is None:
            s = []
        s.append(i)
    return s


def eq_val(x, n):
    b = None
    if n > 4:
        b = n
    return b == 5, b != 5, b == 4


def early(x, n):
    for v in x:
        if v > n:
            return v
    return None


def early2(x, n):
    for v in x:
        if v > n:
            return v


def implicit(x, n):
    if n > 4:
        return n


def ret_tuple_none(x, n):
    if n > 4:
        return n, None
    return None, n


def while_none(x, n):
    b = None
    while b is None or b < 10:
        b = n if b is None else b + n
    return b


def fmt(x, n):
    b = None
    if n > 4:
        b = n
    return f"{b}"


def in_none(x, n):
    b = None
    if n > 4:
        b = n
    return b in (None, 1), b in (5, 6)


def linked(x, n):
    prev = None
    cnt = 0
    for v in x:
        if prev is not None and v < prev:
            cnt += 1
        prev = v
    return cnt


def default_arg(x, n, y=None):
    if y is None:
        y = x
    return y * 2


def nested_none(x, n):
    b = None
    for i in range(n):
        for j in range(i):
            if b is None or b < i * j:
                b = i * j
    return b


def maybe_unbound_none(x, n):
    if n > 3:
        b = None
    else:
        b = n
    if n > 4:
        c = b
    else:
        c = 2
    return c


def dictnone(x, n):
    d = None
    if n > 4:
        d = {"a": n}
    if d is not None:
        return d["a"]
    return 0


def none_attr_obj(x, n):
    o = Best()
    if n > 4:
        o.best = (n, x)
    if o.best is None:
        return x
    return o.best[1] + o.best[0]


def none_arg_max(x, n):
    b = None
    for v in x:
        b = v if b is None else max(b, v)
    return b


X = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
ARRAYS = [
    first_even,
    eq_none,
    truthy,
    or_zero,
    and_,
    ternary,
    ternary2,
    arr,
    arr2,
    tup,
    tup_unpack,
    passed,
    attr,
    attr_empty,
    entry,
    items,
    append_none,
    again,
    again2,
    use_none,
    use_none2,
    use_none3,
    use_none_cmp,
    use_none_call,
    none_fn,
    none_str,
    none_obj,
    none_list,
    none_list_append,
    eq_val,
    early,
    early2,
    implicit,
    ret_tuple_none,
    while_none,
    fmt,
    in_none,
    linked,
    default_arg,
    nested_none,
    maybe_unbound_none,
    dictnone,
    none_attr_obj,
    none_arg_max,
]


@pytest.mark.parametrize("function", ARRAYS)
def test_of_an_array_and_a_number(agrees, function):
    agrees(function, (X, 5), (X, 4))


@pytest.mark.parametrize("function", [best, best_neg])
def test_of_an_array(agrees, function):
    agrees(function, (X,), (X[:0],))


def test_none_on_the_path_taken_names_the_line():
    def f(n):
        b = None
        if n > 4:
            b = n
        return b + 1

    with pytest.raises(TypeError, match=r"'b' is None here\n  at .*test_optional.py"):
        ag.jit(f)(1)


def test_identity_of_two_optional_values_is_refused():
    def f(n):
        a = b = None
        if n > 4:
            a, b = n, n + 1
        return a is b

    with pytest.raises(ag.errors.StagingError, match="compare them with =="):
        ag.jit(f)(1)


@pytest.mark.parametrize("jit_compile", [None, False])
def test_a_number_that_may_be_none_is_updated(jit_compile):
    def remainder(a):
        found = None
        if a > 0:
            found = 7
        found %= 4
        return found

    decorated = ag.jit(remainder, jit_compile=jit_compile)
    assert decorated(3) == 3
    with pytest.raises(TypeError, match="'found' is None here"):
        decorated(-1)


class Basket:
    def __init__(self):
        self.items = [1]
        self.named = {"rows": [2, 3]}


def list_of_an_object(n):
    basket, found = Basket(), None
    if n > 3:
        found = basket
    if found is not None:
        found.items.append(n)
    return basket.items


def item_of_its_list(n):
    basket, found = Basket(), None
    for i in range(n):
        if i == 3:
            found = basket
    if found is not None:
        found.items[0] = n
    return basket.items[0], found is None


def by_another_name(n):
    basket, found = Basket(), None
    if n > 3:
        found = basket
    if found is not None:
        items = found.items
        if n > 4:
            items.extend([n, n])
    return len(basket.items), basket.items[-1]


def deep_inside(n):
    basket, found = Basket(), None
    if n > 3:
        found = basket
    if found is not None:
        found.named["rows"].append(n)
    return basket.named["rows"]


@pytest.mark.parametrize(
    "function", [list_of_an_object, item_of_its_list, by_another_name, deep_inside]
)
def test_lists_of_an_object_that_may_be_none_are_its_own(agrees, function):
    agrees(function, (2,), (4,), (5,), (0,))
