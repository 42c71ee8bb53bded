"""Structured arrays: arguments, locals and results, compared with what NumPy does."""

import copy

import numpy as np
import pytest

import agir as ag
import agir.numba as nb
from agir.errors import FallbackWarning, OverlappingArgumentsError, StagingError

PLAIN = np.dtype([("x", "f8"), ("y", "i4")])
LAYOUTS = {
    "packed": PLAIN,
    "aligned": np.dtype(PLAIN.descr, align=True),
    "other byte order": np.dtype([("x", ">f8"), ("y", ">i4")]),
    "with gaps": np.dtype(
        {"names": ["y", "x"], "formats": ["i4", "f8"], "offsets": [12, 2], "itemsize": 24}
    ),
    "small": np.dtype([("y", "u1"), ("x", "f8"), ("flag", "?"), ("z", "c8")]),
}
NESTED = np.dtype(
    [
        ("p", [("u", "f4"), ("v", "i2")]),
        ("m", "f8", (2, 3)),
        ("q", [("w", "f8")], (2,)),
        ("k", "u1"),
    ]
)


def table(n=5, layout=PLAIN):
    a = np.zeros(n, layout)
    a["x"] = np.arange(n) * 1.5
    a["y"] = np.arange(n)[::-1] % 250
    return a


def nested(n=4, layout=NESTED):
    a = np.zeros(n, layout)
    a["p"]["u"], a["p"]["v"] = np.arange(n), 5
    a["m"] = np.arange(n * 6).reshape(n, 2, 3)
    a["q"]["w"] = np.arange(2 * n).reshape(n, 2)
    return a


def same(one, other):
    if isinstance(one, (tuple, list)):
        return type(one) is type(other) and all(map(same, one, other))
    if isinstance(one, (np.ndarray, np.void)):
        return (
            type(one) is type(other)
            and one.dtype == other.dtype
            and one.shape == other.shape
            and one.tolist().__repr__() == other.tolist().__repr__()
        )
    return type(one) is type(other) and repr(one) == repr(other)


def check(function, *args, decorated=None):
    """The decorated function gives, raises and writes what Python does."""
    decorated = decorated or ag.jit(function)
    ours = copy.deepcopy(args)
    try:
        expected = function(*args)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            decorated(*ours)
        bases = (IndexError, ValueError, TypeError, AttributeError)
        kind = next(each for each in bases if isinstance(error, each))
        assert isinstance(caught.value, kind)
        return
    assert same(expected, decorated(*ours))
    assert same(list(args), list(ours))


def field_sum(a):
    return a["x"].sum(), len(a), a.size, a.ndim, a.shape, a.itemsize, a.nbytes


def writes_through_views(a):
    if len(a) > 1:
        a["x"][1] = 7
        column = a["y"][1:]
        column[0] = 3
        return a[1]["x"], a[1]["y"]
    return None


def record_by_record(a):
    total = 0.0
    for r in a:
        total += r["x"] * r["y"]
        r["y"] = 3
    for i in range(len(a)):
        a[i]["x"] += a[i]["y"]
    return total


def whole_fields(a):
    a["x"] += 1
    a["y"][1:] *= 2
    for name in a.dtype.names:
        a[name][:1] = 1
    return len(a.dtype), "x" in a.dtype.names


def masks(a):
    a[a["y"] > 2]["x"]  # a copy
    found = a[a["y"] > 2]
    found["x"] = 1
    return found, a[::-1], a[1:][::2]


def copies(a):
    b = np.zeros_like(a)
    b[...] = a
    b["x"][:1] = 100
    return b, a.copy(), b == a, b != a, a.ravel(), np.empty_like(a).shape


@pytest.mark.parametrize("n", [0, 1, 5, 6000])
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize(
    "function", [field_sum, writes_through_views, record_by_record, whole_fields, masks, copies]
)
def test_layouts_and_sizes(function, layout, n):
    decorated = ag.jit(function)
    check(function, table(n, layout), decorated=decorated)
    check(function, table(2 * n, layout)[::-2], decorated=decorated)
    other = table(n, layout)
    other["x"] += 2
    check(function, other, decorated=decorated)


def assigns_records(a):
    a[0] = a[1]
    a[2:4] = a[0]
    a[4] = (1, 2)
    return a[1:3]


def assigns_many(a):
    a[[0, 2]] = (5, 6)
    a[a["y"] > 2] = (1, 1)
    a[-1:] = [(8, 9)]
    return a[[1, 1]], a[np.array([0, 1])]


def fills(a):
    a[...] = 3


def swaps(a):
    a[0], a[1] = a[1], a[0]  # a[1] is a view: both are the same after it


def greatest(a):
    best = a[0]
    for i in range(len(a)):
        if a[i]["x"] > best["x"]:
            best = a[i]
    return best["x"], best["y"]


def returns_record(a):
    return a[2]


def unpacks(a):
    x, y = a[1]
    return x + y, list(a[1]), tuple(a[0]), a[1].item(), len(a[0]), a[0][1], a[1][-1]


def compares_records(a):
    return a[0] == a[1], a[0] == a[0], a[-1] == a[2]


def records_in_lists(a):
    rows = []
    for r in a:
        if r["y"] > 1:
            rows.append(r)
    return len(rows), rows[1]["x"], [r["x"] for r in a]


def ordered(a):
    first = sorted(a, key=lambda r: r["y"])[0]
    return first["x"], max(a, key=lambda r: r["x"])["y"]


def while_loop(a):
    i = 0
    while a[i]["y"] > 2:
        i += 1
    return i


def fields_of(a):
    return a[["y", "x"]], {name: a[name].sum() for name in ("x", "y")}["x"]


def no_such_field(a):
    return a["z"]


def too_many_values(a):
    a[0] = (1, 2, 3)


def adds(a):
    return a + 1


def copies_one(a):
    r = a[1].copy()
    r["x"] = 50
    a[1]["y"] = 60
    return r["x"], r["y"], a[1]["x"]


@pytest.mark.parametrize(
    "function",
    [
        assigns_records, assigns_many, fills, swaps, greatest, returns_record, unpacks,
        compares_records, records_in_lists, ordered, while_loop, fields_of, no_such_field,
        too_many_values, adds, copies_one,
    ],
)  # fmt: skip
def test_records(function):
    decorated = ag.jit(function)
    check(function, table(), decorated=decorated)
    other = table()
    other["x"] = other["x"][::-1]
    check(function, other, decorated=decorated)


@pytest.mark.parametrize("index", [0, 2, -1, -5, 5, -6])
def test_places_of_the_run_time(index):
    check(lambda a, i: a[i]["x"], table(), index)
    check(lambda a, i: a[i].copy(), table(), index)
    check(lambda a, i: a[i, -1].copy(), table(12).reshape(6, 2)[:5], index)
    check(lambda a, i: (a[i]["x"], a["y"][i]), table(), np.int32(index))


def test_a_record_out_of_bounds_fails_where_it_is_taken():
    @ag.jit
    def taken(a, i):
        a[0]["x"] = 9
        r = a[i]
        return 1 if i > 100 else r["x"]

    a = table()
    with pytest.raises(IndexError):
        taken(a, 101)
    assert a[0]["x"] == 0.0


def test_two_dimensions():
    def function(a):
        a[1, 0]["y"] = 7
        return a[1, 2], a[0], a[:, 1], a[..., 2]["y"], a[1, -1]["x"], a.reshape(3, 2)["x"]

    check(function, table(6).reshape(2, 3))
    check(lambda a: a[1, 2, 3], table(6).reshape(2, 3))


def test_nested_fields_and_arrays_in_fields():
    def writes(a):
        a["p"]["u"][0] = 9
        a[1]["p"]["v"] = 3
        a[2]["m"][0, 1] = 100
        a[3]["q"][1]["w"] = 8
        a["q"][0]["w"][1] = 77
        return a[0]["p"]["u"] + a[1]["m"].sum(), a["m"].shape, a["q"].shape

    def assigns(a):
        a[0]["p"] = a[3]["p"]
        a[1]["m"] = 7
        a[2] = a[1]
        return a[1]["p"], a == a

    for layout in (NESTED, np.dtype(NESTED.descr, align=True)):
        check(writes, nested(4, layout))
        check(assigns, nested(4, layout))
        check(lambda a: (a["p"], a["q"], a["m"], a[1:3], a[0]["q"]), nested(4, layout))


def test_recarrays():
    def writes(a):
        a.x[1] = 3
        a[2].y = 8
        for r in a:
            r.x += 1
        a.y = a.y * 2
        return a.x.sum() + a[1].y, a[1:], a[1]

    check(writes, table().view(np.recarray))
    check(lambda a: a.zz, table().view(np.recarray))
    check(lambda a: a[0].zz, table().view(np.recarray))
    assert type(ag.jit(lambda a: a[0])(table().view(np.recarray))) is np.record
    with pytest.raises(AttributeError):
        ag.jit(lambda a: a.x)(table())


def test_arrays_that_the_function_makes():
    local = np.dtype([("a", "f4"), ("b", "i2", (2,))])

    def makes(n):
        b = np.zeros(n, PLAIN)
        for i in range(n):
            b[i] = (i * 2.0, i)
        c = np.zeros((n, 2), local)
        c["b"][:, 1, 0] = 4
        return b, c, np.ones(2, dtype=PLAIN), np.zeros(n, [("k", "u1")]), np.zeros(2, "f4,i2")

    decorated = ag.jit(makes)
    for n in (3, 0, 100):
        check(makes, n, decorated=decorated)
    check(lambda: np.array([(1, 2), (3, 4)], dtype=PLAIN))
    decorated = ag.jit(lambda x: np.array([(x, 2), (3, x)], dtype=PLAIN))
    assert same(decorated(2.5), np.array([(2.5, 2), (3, 2.5)], dtype=PLAIN))


def test_one_of_several_arrays():
    def chosen(a, b, n):
        c = a if n > 2 else b
        c["x"] += 1
        return c["x"].sum(), len(c), c.dtype.names, c.shape, c[0]["y"]

    decorated = ag.jit(chosen)
    for n in (1, 5):
        check(chosen, table(), table(3), n, decorated=decorated)
        check(chosen, table(), table(5), n, decorated=decorated)

    def replaced(a, n):
        for i in range(n):
            b = np.zeros(len(a), PLAIN)
            b["x"] = a["x"] + i
            a = b
        return a

    check(replaced, table(), 3)


def test_arguments_are_returned_themselves():
    a, b = table(), table()
    decorated = ag.jit(lambda a, b: (b, a, [a]))
    first, second, (third,) = decorated(a, b)
    assert first is b
    assert second is a
    assert third is a
    row = ag.jit(lambda a: a[1])(a)
    row["x"] = 42
    assert a["x"][1] == 42


def test_one_record_as_an_argument():
    @ag.jit
    def writes(r):
        r["x"] += 5
        return r["y"], len(r)

    a = table()
    assert writes(a[1]) == (3, 2)
    assert a["x"][1] == 6.5
    alone = a[2].copy()
    writes(alone)
    assert (alone["x"], a["x"][2]) == (8.0, 3.0)
    assert ag.jit(lambda r: r.y)(a.view(np.recarray)[1]) == 3
    a.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        writes(a[1])


def test_in_containers_and_objects():
    @ag.jit
    def of_dict(d):
        d["t"]["x"] += d["n"]
        return d["t"]

    given = {"t": table(), "n": 2}
    assert of_dict(given) is given["t"]
    assert given["t"]["x"][0] == 2

    class Owner:
        def __init__(self):
            self.table = table()
            self.made = None

        @ag.jit
        def step(self, d):
            self.table["x"] += d
            for r in self.table:
                r["y"] -= 1
            self.made = np.zeros(2, PLAIN)
            self.made["x"] = d
            return self.table[0]["y"]

    owner = Owner()
    assert (owner.step(2.0), owner.step(1.0)) == (3, 2)
    assert owner.table["x"][0] == 3
    assert same(owner.made, np.array([(1, 0), (1, 0)], PLAIN))


GLOBAL = table()


def test_names_of_the_module(monkeypatch):
    @ag.jit
    def reads(n):
        GLOBAL["x"][0] += n
        return GLOBAL["x"].sum(), len(GLOBAL), GLOBAL[1]["y"], GLOBAL.dtype.names

    for each in (table(), table(3), np.zeros(4, [("x", "f8"), ("y", "i4"), ("z", "i1")])):
        monkeypatch.setitem(globals(), "GLOBAL", each)
        before = each["x"].sum()
        for n in (1, 2):
            before += n
            assert reads(n) == (before, len(each), each[1]["y"], each.dtype.names)
    with pytest.raises(StagingError, match="return a copy"):
        ag.jit(lambda: GLOBAL)()


def test_functions_that_call_each_other():
    @ag.jit
    def inner(a, i):
        a[i]["x"] += 1
        return a[i]

    def outer(a):
        r = inner(a, 1)
        inner(a, 1)
        return r["x"], a

    a = table()
    x, back = ag.jit(outer)(a)
    assert x == a[1]["x"] == 3.5
    assert back is a


def test_generators():
    def each(a):
        for r in a:
            yield r["x"] + 1
            r["y"] = 0

    a = table()
    assert list(ag.jit(each)(a)) == [1.0, 2.5, 4.0, 5.5, 7.0]
    assert not a["y"].any()


def test_a_call_that_raises_has_written_nothing():
    @ag.jit
    def fails(a, n):
        for r in a:
            r["x"] = 100
        a[0] = (1, 1)
        if n > 2:
            raise ValueError("no")

    for n in (5, 6000):
        a = table(n)
        with pytest.raises(ValueError, match="no"):
            fails(a, 3)
        assert same(a, table(n))


def test_many_calls_with_other_contents():
    decorated = ag.jit(lambda a: (a["x"].sum(), a[0]["y"]))
    for number in range(300):
        a = table(5 + number % 2)
        a["x"][0] = number
        assert decorated(a) == (a["x"].sum(), a[0]["y"])
    assert decorated.experimental_get_tracing_count() == 2


def test_memory_that_is_shared():
    reads = ag.jit(lambda a, b: (a["x"] + b["x"]).sum())
    a = table()
    assert reads(a[1:], a[:-1]) == 24.0

    @ag.jit
    def writes(a, b):
        for i in range(len(a)):
            a[i]["x"] = b[i]["x"] + 1

    with pytest.raises(OverlappingArgumentsError):
        writes(a[1:], a[:-1])
    assert same(a, table())
    b = table()
    writes(a, b)
    check(lambda a: a["x"].sum(), a)


def test_one_array_under_two_names():
    def writes(a, b, pair):
        for i in range(len(a)):
            a[i]["x"] = b[i]["x"] + i
            pair[1]["y"][i] += a["y"][i]
        return b["x"].sum(), a

    for layout in (PLAIN, LAYOUTS["aligned"], LAYOUTS["with gaps"]):
        ours, plain, others = table(layout=layout), table(layout=layout), table(3)
        decorated = ag.jit(writes)
        for _ in range(2):
            found, same_one = decorated(ours, ours, (others, ours))
            assert (found, same_one) == (writes(plain, plain, (others, plain))[0], ours)
            assert same(ours, plain)
    a = table(2)
    assert ag.jit(lambda a, b: (a, b))(a, a)[1] is a
    record = nested(1)[0]
    assert ag.jit(lambda a, b: b["k"])(record, record) == record["k"]


def test_fields_without_a_dtype_of_agirs():
    layout = np.dtype([("name", "S4"), ("x", "f8"), ("o", "O")])

    @ag.jit
    def uses(a):
        a["x"] = 1
        a[0]["x"] += 1
        return a["x"].sum(), a

    a = np.zeros(3, layout)
    total, back = uses(a)
    assert total == 4.0
    assert back is a
    for refused in (lambda a: a["name"], lambda a: a[1:], lambda a: a.copy()):
        with pytest.raises(StagingError, match="the field 'name'"):
            ag.jit(refused)(a)


@pytest.mark.parametrize(
    "function",
    [
        lambda a: np.unique(a),
        lambda a: a[0] in a,
        lambda a: a.astype(PLAIN),
        lambda a: a.view("u1"),
        lambda a: 1 if a[0] else 2,
        lambda a: [r for r in a if r["y"] > 2],
    ],
)
def test_what_is_refused(function):
    with pytest.raises(StagingError):
        ag.jit(function)(table())
    with pytest.warns(FallbackWarning):
        given = ag.jit(function, fallback=True)(table())
    assert repr(given) == repr(function(table()))


TEXTS = {
    "records": lambda a: (str(a[0]), repr(a[1]), f"{a[-1]}", "%s" % a[0]),  # noqa: UP031
    "arrays": lambda a: (str(a), repr(a), f"{a[1:]}", f"{a[:0]!r}"),
    "in loops": lambda a: [f"{number}: {each}" for number, each in enumerate(a)],
    "looked into": lambda a: (str(a[0])[1:3], len(repr(a)), str(a[0]) == str(a[1])),
    "put together": lambda a: ", ".join(str(each) for each in a),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(name):
    for layout in (PLAIN, LAYOUTS["aligned"], LAYOUTS["with gaps"], LAYOUTS["small"]):
        check(TEXTS[name], table(layout=layout))
        check(TEXTS[name], table(layout=layout).view(np.recarray))
    check(TEXTS[name], nested())
    check(TEXTS[name], np.array([("2020-01-01", 1), ("NaT", 2)], [("when", "M8[D]"), ("x", "i2")]))


def test_printing(capfd):
    decorated = ag.jit(lambda a: print(a[1], a))
    for number in range(3):
        a = table(2 + number)
        decorated(a)
        ours = capfd.readouterr().out
        print(a[1], a)
        assert ours == capfd.readouterr().out


def ties(n):
    rng = np.random.default_rng(n)
    a = np.zeros(n, [("x", "f8"), ("y", "i4"), ("when", "M8[D]"), ("flag", "?")])
    a["x"], a["y"] = rng.integers(0, 3, n), rng.integers(0, 3, n)
    a["when"], a["flag"] = rng.integers(0, 2, n), rng.integers(0, 2, n)
    if n > 3:
        a["x"][1], a["when"][3] = np.nan, "NaT"
    return a


@pytest.mark.parametrize("order", [None, "y", "when", ["flag", "y"]])
def test_sorting(order):
    def ordered(a):
        places = np.argsort(a, order=order)
        copy_ = np.sort(a, order=order)
        a.sort(order=order)
        return copy_, a[::-1], a["y"].sum(), len(places)

    decorated = ag.jit(ordered)
    for n in (0, 1, 2, 7, 300):
        ours, plain = ties(n), ties(n)
        assert same(decorated(ours), ordered(plain))
        assert same(ours, plain)
    check(lambda a: (a.argsort(order=order), np.argsort(a, order=order)), np.unique(ties(30)))


def test_joining_and_taking():
    def f(a, b, n):
        c = np.concatenate([a, b[:n], a[::-1]])
        return c, c.take([0, -1]), np.take(a, np.array([1, 1])), a.tolist(), [*b.tolist()]

    for n in (0, 2):
        check(f, table(), table(3), n)
    check(lambda a: a.tolist(), table(0))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_comparing(layout):
    def f(a, b):
        return a == b, a != b, a == a[1], a[1] != a, a[0] == b[0], a[0] != b[1], a[0] == None  # noqa: E711

    a, b = table(layout=LAYOUTS[layout]), table(layout=LAYOUTS[layout])
    b["x"][1] += 1
    check(f, a, b)
    check(lambda a, b: [each for each in range(len(a)) if a[each] == b[each]], a, b)
    for other in (1, (0.0, 4), "x", None):
        with pytest.raises(TypeError, match="Cannot compare"):
            ag.jit(lambda a, other=other: a == other)(a)
    with pytest.raises(TypeError, match="Cannot compare"):
        ag.jit(lambda a: a[0] == (0.0, 4))(a)


def test_comparing_nested_records():
    def f(a, b):
        return a == b, a == b[2], a[1] == b[1]

    b = nested()
    b["m"][2, 1, 1] += 1
    check(f, nested(), b)


def test_arrays_without_dimensions_and_other_conventions():
    for decorated in (ag.jit(lambda a: a["x"]), ag.function(lambda a: a["x"])):
        with pytest.raises(TypeError, match="cannot be compiled"):
            decorated(np.zeros((), PLAIN))
    with pytest.raises(TypeError, match="cannot be compiled"):
        ag.function(lambda a: a["x"])(table())


def test_fields_as_attributes_as_numba_has_it():
    @nb.njit
    def total(a):
        s = 0.0
        for i in range(len(a)):
            s += a[i].x * a[i]["y"] + a.x[i]
            a[i].y = i
        return s

    a = table()
    expected = (a["x"] * a["y"] + a["x"]).sum()
    assert total(a) == expected
    assert a["y"].tolist() == [0, 1, 2, 3, 4]
