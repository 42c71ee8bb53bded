"""``datetime64`` and ``timedelta64``: arguments, locals and results, compared with what NumPy does."""

import copy
from collections import Counter, defaultdict

import numpy as np
import pytest

import agir as ag
from agir.errors import StagingError

pytestmark = pytest.mark.filterwarnings(
    "ignore:invalid value:RuntimeWarning", "ignore:divide by zero", "ignore:All-NaN"
)

DAY = np.timedelta64(1, "D")
START = np.datetime64("2020-01-01")


def days(n=5, unit="D"):
    found = (np.datetime64("2019-12-28") + np.arange(n) * 37).astype(f"M8[{unit}]")
    if n > 3:
        found[2] = "NaT"
    return found


def spans(n=5, unit="h"):
    found = (np.arange(n) * 7 - 9).astype(f"m8[{unit}]")
    if n > 3:
        found[1] = "NaT"
    return found


def same(one, other):
    if isinstance(one, (tuple, list)):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return same(list(one.items()), list(other.items()))
    if isinstance(one, (np.ndarray, np.generic)):
        return (
            type(one) is type(other)
            and one.dtype.newbyteorder("=") == other.dtype
            and one.shape == other.shape
            and str(one) == str(other)
        )
    return type(one) is type(other) and repr(one) == repr(other)


def check(function, *args, decorated=None):
    decorated = decorated or ag.jit(function)
    ours = copy.deepcopy(args)
    try:
        expected = function(*args)
    except TypeError:
        with pytest.raises(TypeError):
            decorated(*ours)
        return
    found = decorated(*ours)
    assert same(expected, found), (expected, found)
    assert all(map(np.array_equal, *(map(str, each) for each in (args, ours))))


def views(t):
    return t[0], t[1:], t - t[0], len(t), t.shape, t.size, t.ndim, t.dtype, t[::-1], t[[0, 1]]


def compares(t):
    return t < t[1], t <= t[1], t > t[1], t >= t[1], t == t[1], t != t[1], t != t, t == t


def with_constants(t):
    one = t - START, START - t, t > np.datetime64("2020-02-01"), t != np.datetime64("NaT")
    return one, t + np.timedelta64("NaT", "D")


def divided(t):
    return (t - START) / np.timedelta64(1, "h"), (t - START) / DAY, (t - START) // DAY


def whole(t, n=4):
    return t + 1, t - n, t[0] + n, n + t, t[0] - True


def reduced(t):
    return (
        *(t.min(), t.max(), np.min(t[3:]), np.max(t[3:])),
        *(t.argmin(), t.argmax(), t[3:].argmax(), np.argmin(t[3:])),
    )


def in_order(t):
    s, u = np.sort(t), t[::-1].copy()
    u.sort()
    return s, u, np.argsort(t), t.argsort(), np.searchsorted(s, t[0]), np.searchsorted(s[:3], t[:2])


def not_a_time(t):
    return np.isnat(t), np.isnat(t[0]), np.isnat(t[2]), t[2] == t[2], t[2] != t[2], ~np.isnat(t)


def converted(t):
    units = t.astype("datetime64[D]"), t.astype("M8[M]"), t.astype("M8[Y]"), t.astype("M8[s]")
    back = t.astype("M8[M]").astype("M8[D]"), t.astype("M8[Y]").astype("M8[D]")
    return units, back, t.astype("M8[h]"), t.astype("M8[W]"), t.astype("i8"), t.view("i8")


def assigned(t):
    t[0] = t[1]
    t[1] = np.datetime64("1999-05-05")
    t[2] = "2000-01-01"
    t[3:] = np.datetime64("NaT")
    t[-1] = 5
    return t


def chosen(t):
    return (
        np.where(np.isnat(t), t[0], t), np.where(t > t[0], t, np.datetime64("NaT")),
        np.concatenate([t, t[:1]]), np.minimum(t, t[0]), np.maximum(t, t[0]), np.fmin(t, t[0]),
        np.fmax(t, t[0]), t[t > t[0]], np.unique(t), np.clip(t, t[0], t[1]), np.diff(t),
    )  # fmt: skip


@pytest.mark.parametrize("unit", ["Y", "M", "D", "h", "s", "ns", "3D"])
@pytest.mark.parametrize(
    "function", [views, compares, whole, reduced, in_order, not_a_time, converted, assigned, chosen]
)
def test_units_of_dates(function, unit):
    decorated = ag.jit(function)
    check(function, days(5, unit), decorated=decorated)
    check(function, days(5, unit)[::-1] - 3, decorated=decorated)


@pytest.mark.parametrize("unit", ["D", "h", "s", "ns"])
@pytest.mark.parametrize("function", [with_constants, divided])
def test_units_that_come_together(function, unit):
    check(function, days(5, unit))
    check(lambda t, u: (t < u, t == u, t - u), days(5, unit), days(5, "h"))
    check(lambda t, d: (t + d, t - d, d + d, d - d, -d, abs(d), d + t), days(5, unit), spans())


def products(d):
    return d * 2, 3 * d, d * 1.5, 1.5 * d, d * 0.0, d * np.inf


def quotients(d):
    return d / 2, d / 2.5, d // 2, d / 0, d / d[0], d // d[0], d % d[0], -d // d[4], -d % d[4]


def of_spans(d):
    return d.sum(), d[2:].sum(), d[2:].mean(), d.cumsum(), d.min(), d.max(), np.diff(d), -d, abs(d)


def converted_spans(d):
    return d.astype("m8[D]"), d.astype("m8[s]"), d.astype("m8[m]"), d.astype("i8"), d.astype("f8")


@pytest.mark.parametrize("unit", ["D", "h", "s", "us"])
@pytest.mark.parametrize(
    "function", [products, quotients, of_spans, converted_spans, not_a_time, in_order]
)
def test_differences(function, unit):
    check(function, spans(5, unit))


@pytest.mark.parametrize("n", [3, -3, 0, np.int32(2), np.uint8(5)])
@pytest.mark.parametrize("x", [2.5, -2.5, 0.0, np.float32(0.5)])
def test_numbers_of_the_run_time(n, x):
    check(lambda d, n, x: (d * n, d / n, d * x, d / x, n * d, d[0] * n, d[0] / x), spans(), n, x)
    check(lambda n, x: (n * DAY, DAY * n, START + n * DAY, x * np.timedelta64(1, "h")), n, x)
    check(lambda n: (np.timedelta64(n, "D"), np.datetime64(n, "D")), int(n))


def test_the_calendar():
    generator = np.random.default_rng(0)
    some = generator.integers(-2_000_000, 2_000_000, 20_000).astype("M8[D]")

    def parts(t):
        months = t.astype("M8[M]")
        years = t.astype("M8[Y]")
        day = (t - months).astype(int) + 1
        return years.astype(int) + 1970, months.astype(int) % 12 + 1, day, months.astype("M8[D]")

    check(parts, some)
    check(parts, np.array(["2000-02-29", "1900-03-01", "1969-12-31", "1600-02-29"], "M8[D]"))
    check(
        lambda t: (t.astype("M8[D]"), t.astype("M8[Y]"), t.astype("M8[W]")),
        some.astype("M8[s]") - 1,
    )


def sums_in_a_loop(t):
    best, total, count = t[0], np.timedelta64(0, "D"), 0
    for x in t:
        if x > best:
            best = x
        if not np.isnat(x):
            total += x - t[0]
            count += 1
    return best, total, count


def writes_in_a_loop(t):
    for i in range(len(t)):
        t[i] += DAY
        if t[i] > t[0]:
            t[i] -= DAY
    t += DAY
    t[1:] -= 2 * DAY
    return t


def counts_years(t):
    found = {}
    for x in t:
        year = x.astype("M8[Y]").astype(int) + 1970
        found[year] = found.get(year, 0) + 1
    return found


def finds(t):
    i = 0
    while i < len(t) and t[i] < np.datetime64("2020-02-15"):
        i += 1
    return i


def in_branches(t):
    return min(t[3:]), max(t[3:]), sorted(t[3:])[0], max(t[3], t[4])


def test_a_date_of_two_units_is_of_the_shorter_one():
    later = ag.jit(lambda t: t[0] if t[0] > START else START)
    assert same(later(days()), START)
    assert same(later(days(5, "s")), START.astype("M8[s]"))
    with pytest.raises(StagingError, match="timedelta64"):
        ag.jit(lambda d, n: np.timedelta64(1, "M") if n > 2 else d[0])(spans(), 1)


def in_lists(t):
    known = []
    for x in t:
        if not np.isnat(x):
            known.append(x)
    return known, [x - t[0] for x in t], (t[0], [t]), {"a": t[1]}


@pytest.mark.parametrize(
    "function", [sums_in_a_loop, writes_in_a_loop, counts_years, finds, in_branches, in_lists]
)
@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_loops_and_branches(function, unit):
    decorated = ag.jit(function)
    check(function, days(5, unit), decorated=decorated)
    check(function, days(5, unit) + np.timedelta64(400, "D"), decorated=decorated)


@pytest.mark.parametrize("n", [0, 1, 3, 5000])
def test_sizes(n):
    check(lambda t: (t[1:], t - t, t < t, np.sort(t), len(t), t + 1, t[::2]), days(n))
    check(lambda d: (d.sum(), d * 2), spans(n))


def test_arrays_that_the_function_makes():
    def makes(n):
        a, b = np.zeros(n, "M8[D]"), np.zeros(n, dtype="m8[s]")
        c, d = np.array(["2020-01-01", "NaT"], "M8[D]"), np.empty(2, "datetime64[ns]")
        e = np.arange("2020-01-01", "2020-02-01", dtype="M8[D]")
        for i in range(n):
            a[i] = np.datetime64("2020-01-01") + i * 7
            b[i] = np.timedelta64(i * 3, "m")
        d[:] = np.datetime64("2020-01-01")
        return a, b, c, d, e[n], np.arange(3) + e[0], np.zeros_like(a)

    check(makes, 4)


def test_arguments_are_returned_and_written_into():
    t = days()
    decorated = ag.jit(lambda t: (t, t[1:]))
    assert decorated(t)[0] is t

    @ag.jit
    def fails(t, n):
        t[0] = START
        if n > 2:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fails(t, 3)
    assert same(t, days())
    fails(t, 1)
    assert t[0] == START
    t.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        fails(t, 1)
    check(lambda a: a[()], np.array("2020-01-01", "M8[D]"))
    check(views, days(8)[::2])
    check(compares, days(5).astype(">M8[D]"))


def test_numbers_as_arguments():
    def both(x, y):
        return x - y, x < y, x + DAY, min(x, y), max(x, y)

    decorated = ag.jit(both)
    for one, other in (("2020-01-01", "2021-01-01"), ("2021-01-01", "2020-01-01")):
        check(both, np.datetime64(one), np.datetime64(other), decorated=decorated)
    assert decorated.experimental_get_tracing_count() == 1
    check(both, np.timedelta64(3, "h"), np.timedelta64(2, "h"))


def test_in_containers_and_objects():
    since = ag.jit(lambda given: [x - given[0] for x in given])
    for count in range(1, 8):
        given = [START + 2 * n for n in range(count)]
        assert since(given) == [np.timedelta64(2 * n, "D") for n in range(count)]

    @ag.jit
    def changes(items, entries, when):
        items.append(when + 1)
        entries["b"] = entries["a"] + 1
        return len(items)

    items, entries = [START], {"a": START}
    assert changes(items, entries, np.datetime64("2021-01-01")) == 2
    assert items == [START, np.datetime64("2021-01-02")]
    assert entries == {"a": START, "b": START + 1}

    class Event:
        def __init__(self, when):
            self.when = when

    move = ag.jit(lambda event, n: setattr(event, "when", event.when + n * DAY))
    for n in range(6):
        event = Event(START)
        move(event, n)
        assert event.when == START + n


def test_recursion_optional_values_and_handlers():
    def later(t, n):
        return t if n == 0 else later_jit(t + 1, n - 1)

    later_jit = ag.jit(later)
    assert later_jit(START, 3) == START + 3
    perhaps = ag.jit(lambda t, n: t[0] if n > 2 else None)
    assert perhaps(days(), 3) == days()[0]
    assert perhaps(days(), 1) is None

    @ag.jit
    def handled(t, i):
        try:
            return t[i]
        except IndexError:
            return np.datetime64("1970-01-01")

    assert (handled(days(), 0), handled(days(), 9)) == (days()[0], np.datetime64("1970-01-01"))


def counted(t):
    counts, places, seen = {}, defaultdict(list), set()
    for number, each in enumerate(t):
        counts[each] = counts.get(each, 0) + 1
        places[each, number % 2].append(number)
        seen.add(each)
    there = [each in counts for each in t[::2]]
    gone = counts.pop(t[0])
    return counts, dict(places), len(seen), there, gone, sorted(places), t[0] in counts


@pytest.mark.parametrize("make", [days, spans])
@pytest.mark.parametrize("unit", ["D", "ms", "M"])
def test_keys(make, unit):
    check(counted, np.tile(make(3, unit), 4)[1:])
    nat = [np.array(["NaT", 5, "NaT"], make(1, unit).dtype), make(2, unit)]
    check(lambda t: len(dict.fromkeys(np.concatenate(t), 1)), nat)


def test_keys_of_the_caller_and_of_two_units():
    def f(prices, holidays, t):
        found = [prices[each] for each in t if each not in holidays]
        for each in t.astype("M8[us]"):
            prices[each] = prices.get(each, 0.0) + 1.0
        return found, set(t) - holidays, Counter(t)

    t = np.array([START, START + 9 * DAY, START])
    prices, holidays = {START: 2.0, START + 9 * DAY: 3.0}, {START + 9 * DAY}
    expected, found = f(dict(prices), holidays, t), ag.jit(f)(mine := dict(prices), holidays, t)
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))
    assert mine == {START: 4.0, START + 9 * DAY: 4.0}


def test_keys_are_refused():
    with pytest.raises(StagingError, match="the hash of a datetime64 that only the run time knows"):
        ag.jit(lambda t: hash(t[0]))(days(2))
    with pytest.raises(TypeError, match="unhashable type: 'ndarray' of the run time"):
        ag.jit(lambda t: {t: 1})(days(2))
    with pytest.raises(TypeError, match="unhashable type: 'void' of the run time"):
        ag.jit(lambda a: {a[0]: 1})(np.zeros(2, [("x", "f8")]))


GLOBAL = days()


def test_names_of_the_module_and_fields_of_records(monkeypatch):
    @ag.jit
    def reads():
        GLOBAL[0] = np.datetime64("1980-01-01")
        return GLOBAL[1] - GLOBAL[0], GLOBAL.dtype

    for each in (days(), days(3), days(5, "s")):
        monkeypatch.setitem(globals(), "GLOBAL", each)
        span, dtype = reads()
        assert span == each[1] - each[0]
        assert dtype == each.dtype
        assert each[0] == np.datetime64("1980-01-01")

    def of_records(a):
        a[1]["when"] += DAY
        return a["when"] - a["when"][0], a[1]["when"], a[1:]

    layout = [("when", "M8[D]"), ("x", "i2")]
    check(of_records, np.array([("2020-01-01", 1), ("2021-01-01", 2)], layout))


def test_many_calls_with_other_contents():
    decorated = ag.jit(lambda t: t[-1] - t[0])
    for number in range(300):
        t = days(5 + number % 2)
        t[-1] += number
        assert decorated(t) == t[-1] - t[0]
    assert decorated.experimental_get_tracing_count() == 2


@pytest.mark.parametrize(
    "function",
    [
        lambda t: t + t,
        lambda t: t * 2,
        lambda t: t < 5,
        lambda t: t.sum(),
        lambda t: t + np.timedelta64(1, "M"),
        lambda t: t + 1.5,
    ],
)
def test_what_numpy_does_not_do(function):
    check(function, days())


TEXTS = {
    "numbers": lambda t: (str(t[0]), repr(t[1]), f"{t[2]}", "%s" % t[-1], f"{t[0]!s:>30}"),  # noqa: UP031
    "arrays": lambda t: (str(t), repr(t), f"{t[1:]}", f"{t[:0]!r}"),
    "in loops": lambda t: [f"{number}: {each}" for number, each in enumerate(t)],
    "looked into": lambda t: (
        str(t[0])[:4],
        str(t[0]) < str(t[1]),
        len(str(t)),
        str(t[0]).split("-"),
    ),
    "keys": lambda t: {str(each): number for number, each in enumerate(t)},
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("unit", ["Y", "M", "D", "h", "s", "ns"])
def test_text(name, unit):
    check(TEXTS[name], days(unit=unit))
    check(TEXTS[name], spans(unit=unit))


@pytest.mark.parametrize("make", [days, spans])
def test_sets_of_arrays_and_what_passes_over_nat(make):
    def f(t):
        other = t[1:4]
        return (
            np.unique(t, return_counts=True, return_inverse=True, return_index=True),
            np.isin(t, other), np.isin(other, t[:1], invert=True),
            np.nanmin(t), np.nanmax(t), np.ptp(t), np.ptp(t[:1]),
        )  # fmt: skip

    for n in (2, 5, 40):
        check(f, make(n))
    twice = np.concatenate([make(9), make(7)]).reshape(4, 4)
    check(lambda t: (np.nanmin(t, axis=0), np.nanmax(t, axis=1), np.ptp(t, axis=1)), twice)
    check(lambda t: (np.nanmin(t), np.nanmax(t)), np.array(["NaT", "NaT"], make(1).dtype))


def test_printing(capfd):
    decorated = ag.jit(lambda t: print(t, t[0] - t[1]))
    for n in (2, 5):
        decorated(days(n))
        ours = capfd.readouterr().out
        print(days(n), days(n)[0] - days(n)[1])
        assert ours == capfd.readouterr().out


def test_text_of_errors():
    @ag.jit
    def f(t, limit):
        for each in t:
            if each > limit:
                raise ValueError(f"{each} is after {limit}")
        return len(t)

    assert f(days(2), np.datetime64("2030-01-01")) == 2
    with pytest.raises(ValueError, match="2020-02-03 is after 2020-01-01"):
        f(days(2), START)


@pytest.mark.parametrize(
    "function",
    [
        lambda t: t[0].item(),
        lambda t: np.busday_count(t[0], t[1]),
        lambda t: np.isin(t, t, kind="sort"),
        lambda t: 1 if t[0] - t[1] else 2,
        lambda t: t[0] in t,
        lambda t: (t - t[0]).astype("m8[M]"),
    ],
)
def test_what_is_refused(function):
    with pytest.raises(StagingError, match="is not recorded"):
        ag.jit(function)(days())
