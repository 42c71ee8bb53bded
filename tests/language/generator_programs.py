"""Generator functions, and arguments to call them with."""

# ruff: noqa: UP028

from __future__ import annotations

import collections
import heapq
import itertools

import numpy as np

TOTAL = 0


def counted(n):
    i = 0
    while i < n:
        yield i * 2
        i += 1


def fibonacci(a, b):
    while True:
        yield a
        a, b = b, a + b


def squares(n):
    print("begins", n)
    for i in range(n):
        print("at", i)
        yield i * i
        print("after", i)
    print("ends")


def ranges(n):
    for i in range(2, n):
        yield i
    for i in range(n, 0, -2):
        yield -i
    for i in reversed([n, n + 1]):
        yield i


def branches(n):
    for i in range(n):
        if i % 3 == 0:
            yield "three", i
        elif i % 3 == 1:
            yield i / 2
            yield i
        else:
            continue
        print("passed", i)
        if i > 5:
            break
    else:
        yield "no break"
    return n


def nested(n, m):
    for i in range(n):
        total = 0
        for j in range(m):
            if j > i:
                break
            total += j
            yield i, j
        yield total


def of_arrays(a, b):
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        yield i + x * y
    for x in a:
        yield float(x)


def rows(m):
    for row in m:
        yield row.sum()


def returns(n):
    for i in range(n):
        if i == 3:
            return "three", i
        yield i
    return n


def kinds(n):
    x = 1
    for i in range(n):
        yield x
        if i == 1:
            x = x / 2
        elif i == 2:
            x = x > 0.3
        elif i == 3:
            x = None


def unbound(n):
    if n > 1:
        x = n
    yield 1
    yield x


def deleted(n):
    x = n
    yield x
    if n > 1:
        del x
    yield 2
    yield x


def failing(a):
    for i in range(10):
        yield a[i]


def divided(n):
    while True:
        yield 10 // n
        n -= 1


def finally_clauses(n):
    try:
        for i in range(n):
            yield i
            print("went on", i)
    finally:
        print("finally")
    yield "after"


def nested_finally(n):
    try:
        yield 1
        try:
            yield 2
            if n > 2:
                raise ValueError("big")
        finally:
            print("inner")
        yield 3
    except ValueError:
        print("caught")
        yield 4
        print("still caught")
    else:
        yield 5
    finally:
        print("outer")
    yield 6


def catching(n):
    for i in range(n):
        try:
            yield i
        except ValueError as error:
            print("caught", error)
            yield -1
        except KeyError:
            return "key"
        else:
            print("fine")


class Managed:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, error, traceback):
        print("exit", self.name, kind is None)
        return kind is KeyError


def managers(n):
    with Managed("a") as outer, Managed("b"):
        for i in range(n):
            yield i
            print(outer.name)
    yield "after"


def averaging():
    total, count, mean = 0.0, 0, None
    while True:
        value = yield mean
        if value is None:
            return total
        total += value
        count += 1
        mean = total / count


def echo(n):
    print((yield n), (yield n + 1))
    x = (yield 1) + (yield 2) * 2
    y = n if (yield x) else (yield "else")
    x += yield y
    if (yield x) and (yield "and"):
        return "both"
    return [x, (yield)]


def walrus():
    total = 0
    while (x := (yield total)) is not None:
        total += x
    return total


def changed_arrays(a):
    for i in range(len(a)):
        a[i] += 10
        yield i
        a[i] += 100


def reading(a):
    for i in range(len(a)):
        yield a[0] + i


def own_array(n):
    u = np.zeros(3)
    for i in range(n):
        u[i % 3] += i
        yield u
        u[0] += 1


def swapped(u, n):
    v = u.copy()
    for i in range(n):
        v[1:-1] = u[1:-1] + (u[2:] + u[:-2]) / 2
        u, v = v, u
        yield u
    return v


def over_lists(items):
    for item in items:
        yield item * 2


def growing(items):
    for item in items:
        if item < 5:
            items.append(item + 2)
        yield item


def collected(n):
    found = []
    for i in range(n):
        found.append(i * i)
        yield found
    yield len(found)


def primes():
    known = []
    n = 2
    while True:
        if all(n % p for p in known):
            known.append(n)
            yield n
        n += 1


def over_text(text):
    for letter in text:
        yield "_" + letter


def over_dicts(n):
    d = {"a": n, "b": n + 1}
    for key in d:
        yield key * 2
    for key, value in d.items():
        yield value
        d["b"] += 1
    yield d


def inner(n):
    print("inner begins")
    for i in range(n):
        got = yield i
        if got is not None:
            print("inner got", got)
    return n * 10


def outer(n):
    result = yield from inner(n)
    print("result", result)
    yield from [1, 2]
    yield from range(n)
    yield from (i * i for i in range(n) if i != 1)
    return result


def over_generators(n):
    for x in inner(n):
        yield x * 2
    for x in (i + 1 for i in range(n)):
        if x == 2:
            continue
        yield x


def recursive(n):
    if n > 0:
        yield from recursive(n - 1)
        yield n
        yield from recursive(n - 2)


def tools(n):
    for x in itertools.islice(itertools.count(5), n):
        yield x
    for i, x in enumerate(map(abs, range(-n, 0)), 1):
        yield i, x
    for x in itertools.chain([1], (2,), range(n)):
        yield x


def over_iterators(it):
    for x in it:
        yield x + 1


def with_functions(n):
    def scaled(x):
        return x * n

    square = lambda x: x * x  # noqa: E731
    for i in range(3):
        yield scaled(i) + square(i)
        n += 1


def defaults(a, b=2, *others, c=3, **named):
    yield a
    yield b
    yield others
    yield c
    yield named["d"]


def matched(n):
    for i in range(n):
        match i:
            case 0:
                yield "zero"
            case 1 | 2:
                yield "few"
                print("few")
            case _:
                yield i


def no_items():
    return
    yield


def first_of_all():
    yield


CASES = {
    counted: [(3,), (0,)],
    squares: [(3,), (0,)],
    ranges: [(5,), (0,)],
    branches: [(3,), (9,)],
    nested: [(3, 2)],
    of_arrays: [(np.arange(3.0), np.ones(3))],
    rows: [(np.arange(6.0).reshape(3, 2),)],
    returns: [(2,), (7,)],
    kinds: [(6,)],
    unbound: [(2,), (1,)],
    deleted: [(1,), (2,)],
    failing: [([1, 2],), (np.arange(2),)],
    divided: [(2,)],
    finally_clauses: [(2,)],
    nested_finally: [(1,), (3,)],
    catching: [(2,)],
    managers: [(2,)],
    changed_arrays: [(np.arange(3),)],
    reading: [(np.arange(3),)],
    own_array: [(4,)],
    swapped: [(np.arange(5.0), 3)],
    over_lists: [([1, 2, 3],), ([1, 2.5],)],
    growing: [([1, 4],)],
    collected: [(3,)],
    over_text: [("abc",)],
    over_dicts: [(3,)],
    outer: [(3,)],
    over_generators: [(3,)],
    recursive: [(4,)],
    tools: [(3,)],
    with_functions: [(2,)],
    defaults: [(1,)],
    matched: [(5,)],
    no_items: [()],
    first_of_all: [()],
}


def broken_and_full(n):
    for i in range(n):
        for j in range(n):
            if i * j == 2:
                break
            if (i + j) % 2:
                continue
            yield i, j
        else:
            yield "full"
            continue
        yield "broken"
    else:
        yield "end"


def jumps_in_try(n):
    i = 0
    while i < n:
        try:
            if i == 1:
                i += 1
                continue
            if i == 3:
                break
            yield i
        finally:
            print("fin", i)
        i += 1
    else:
        yield "else"
    yield "x"


def assigned_global(n):
    global TOTAL
    TOTAL = n
    yield TOTAL
    TOTAL += 1
    yield TOTAL


def unpacked(a):
    first, *rest = a
    yield first
    for x in rest:
        yield x
    yield rest


def assigned_in_condition(n):
    while (n := n - 1) > 0:
        if n % 2:
            yield n
        elif n % 3 == 0:
            yield -n


def shared_total(n):
    def add(x):
        nonlocal total
        total += x
        return total

    total = 0
    for i in range(n):
        yield add(i)
        total *= 2


def greatest_so_far(a):
    best = None
    for x in a:
        if best is None or x > best:
            best = x
            yield best
    return best


def collatz(n):
    x = n
    while x != 1:
        yield x
        x = x // 2 if x % 2 == 0 else 3 * x + 1
    yield 1


def words(text):
    word = ""
    for c in text:
        if c == " ":
            if word:
                yield word
            word = ""
        else:
            word += c
    if word:
        yield word


def stack(items):
    it = items
    while it:
        x = it.pop()
        yield x
        if x > 2:
            it.append(x - 2)


def two_lists(n):
    a, b = [], []
    for i in range(n):
        (a if i % 2 else b).append(i)
        yield len(a), len(b)
    yield a
    yield b


def places(m):
    h, w = m.shape
    for i in range(h):
        for j in range(w):
            if m[i, j]:
                yield i, j, m[i, j]


def newton(x, tol):
    while True:
        nx = 0.5 * (x + 2 / x)
        yield nx
        if abs(nx - x) < tol:
            return nx
        x = nx


def primes_and_sum(n):
    s = 0
    for i in range(1, n):
        if all(i % d for d in range(2, i)):
            s += i
            yield i, s


def grouped(n):
    d = {}
    for i in range(n):
        d.setdefault(i % 3, []).append(i)
        yield len(d)


def queue(n):
    q = collections.deque([n])
    while q:
        x = q.popleft()
        yield x
        if x > 1:
            q.append(x // 2)
            q.append(x // 3)


def asserted(n):
    assert n < 5, "small"
    yield n
    assert n < 3, f"smaller {n}"
    yield n


def heap(n):
    heap = [5, 3, 8]
    heapq.heapify(heap)
    while heap:
        yield heapq.heappop(heap)


def negated(u):
    k = len(u)
    while k:
        k -= 1
        u[k] = -u[k]
        yield u[k], u.sum()


def sent_or_list(n):
    yield from (yield n) or [0]


def merged(a, b):
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            yield a[i]
            i += 1
        else:
            yield b[j]
            j += 1
    yield from a[i:]
    yield from b[j:]


def doubled(n):
    if n == 0:
        return
    yield n
    for x in doubled(n - 1):
        yield x * 2


def rebound(n):
    x: int = n
    yield x
    x = x + 0.5
    yield x
    del x
    x = "s"
    yield x


def pairs(n):
    t = (n, n + 1)
    for _ in range(3):
        yield t
        t = (t[1], t[0] + t[1])


def of_all_kinds(n):
    yield
    yield n and None
    yield [n, [n]]
    yield {"a": n}
    yield (n,) * 2
    yield f"{n}"
    yield np.ones(2) * n
    yield n > 2
    yield n + 1j


def products(n):
    with np.errstate(all="ignore"):
        yield n
    for a, b in itertools.product(range(2), range(n)):
        yield a, b


CASES |= {
    broken_and_full: [(4,)],
    jumps_in_try: [(2,), (6,)],
    assigned_global: [(1,)],
    unpacked: [([1, 2, 3],)],
    assigned_in_condition: [(9,)],
    shared_total: [(4,)],
    greatest_so_far: [([1, 3, 2, 5],), (np.array([1.0, 3, 2]),)],
    collatz: [(6,)],
    words: [("ab c  d",)],
    stack: [([1, 5],)],
    two_lists: [(4,)],
    places: [(np.eye(3),)],
    newton: [(1.0, 1e-6)],
    primes_and_sum: [(12,)],
    grouped: [(5,)],
    queue: [(9,)],
    asserted: [(2,), (4,), (7,)],
    heap: [(1,)],
    negated: [(np.arange(4.0),)],
    sent_or_list: [(3,)],
    merged: [([1, 4, 6], [2, 3, 9]), (np.array([1, 4]), np.array([2, 3, 9]))],
    doubled: [(3,)],
    rebound: [(2,)],
    pairs: [(2,)],
    of_all_kinds: [(3,)],
    products: [(2,)],
}
