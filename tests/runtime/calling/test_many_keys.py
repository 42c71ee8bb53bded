"""Dicts and sets of numbers as arguments: one trace for all keys."""

from collections import Counter, OrderedDict

import pytest

import agir as ag


def counted(d, x):
    d[x] = d.get(x, 0) + 1
    return len(d), sum(d.values())


def total(d, x):
    found = 0
    for key, value in d.items():
        found += key * value
    return found + d[x]


def taken(d, x):
    value = d.pop(x)
    return value, list(d), max(d.values(), default=0)


def other_kind(d, x):
    d[x] = 0.5
    return d[x] + d[0]


def added(s, x):
    s.add(x)
    return len(s), x + 1 in s


def common(s, x):
    return sorted(s & {0, 1, x}), max(s)


def of_ints(n):
    return {k: k * k for k in range(n)}


def of_floats(n):
    return OrderedDict((k, k / 2) for k in range(n))


def counter(n):
    return Counter({k: k + 1 for k in range(n)})


def by_floats(n):
    return {k * 1.0: k for k in range(n)}


def ints(n):
    return set(range(n))


def floats(n):
    return {k * 1.0 for k in range(n)}


CASES = [
    *[(f, make) for f in (counted, total, taken) for make in (of_ints, of_floats, counter, by_floats)],
    (other_kind, of_ints),
    (added, ints),
    (added, floats),
    (common, ints),
]  # fmt: skip


@pytest.mark.parametrize(("function", "make"), CASES)
def test_as_plain_python_has_it_in_two_traces(function, make):
    compiled = ag.jit(function)
    for n in (2, 5, 3, 9, 200):
        found, wanted = make(n), make(n)
        key = next(iter(wanted)) * 0 + n - 1  # of the class of the others
        result, expected = compiled(found, key), function(wanted, key)
        assert repr(result) == repr(expected)
        assert (type(found), found) == (type(wanted), wanted)
        assert list(map(type, found)) == list(map(type, wanted))
        if not isinstance(found, set):
            assert repr(found) == repr(wanted)
    assert compiled.experimental_get_tracing_count() <= 2


def test_a_key_that_is_not_there():
    compiled = ag.jit(total)
    for n in (2, 3, 150):
        with pytest.raises(KeyError):
            compiled(of_ints(n), 1000)


def test_a_concrete_function_takes_other_keys():
    concrete = ag.jit(counted).get_concrete_function(of_ints(200), 3)
    found, wanted = of_ints(2), of_ints(2)
    assert concrete(found, 7) == counted(wanted, 7)
    assert found == wanted


def test_results_that_are_kept_in_a_dict_of_the_module():
    known = {}

    def fibonacci(n):
        if n not in known:
            known[n] = n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        return known[n]

    compiled = ag.jit(fibonacci)
    assert [compiled(n) for n in (5, 10, 20, 30, 40)] == [5, 55, 6765, 832040, 102334155]
    assert len(known) == 41
    assert compiled.experimental_get_tracing_count() <= 3
