"""Numbers come back of the classes that plain Python gives, whatever path a call takes."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agir as ag

CALLS = 200
"""After so many calls, machine code makes them."""


def on_either_path(n):
    return n if n > 0 else 2.5


def assigned_in_a_branch(n):
    x = 0
    if n:
        x = 0.5
    return x, x + 1, -x, x * 2, x // 2, x % 2, x / 2, abs(-x), x**2


def bool_or_int(n):
    x = n > 2 if n % 2 else n
    return x, x + 1, -x, not x, x & 1, x == n, max(x, n), [x, 1.5]


def int_or_complex(n):
    z = n if n > 2 else 1j
    return z, z * 2, abs(z), z + 1.5, z / 2


def loop_that_may_not_run(n):
    total = 0
    for i in range(n):
        total += i * 0.5
    return total


def loop_over_an_array(x):
    total, count, best = 0, 0, None
    for v in x:
        total += v
        if v > 1:
            count += 1
            best = v
    return total, count, best


def while_that_may_not_run(n):
    x = 0.0
    while n > 0:
        x = n
        n -= 1
    return x


def items_of_a_list(n):
    found = []
    for i in range(2 * n):
        if i % 3 == 0:
            found.append(i)
        elif i % 3 == 1:
            found.append(i / 2)
        else:
            found.append(i > 2)
    return found, sum(found), max(found, default=None), found.count(2), sorted(found), 2.0 in found


def sorted_argument(a):
    b = sorted(a)
    return b, min(a), max(a), sum(a), a[0] + a[-1]


def extrema(a, b):
    return max(a, b), min(a, b), (a if a > b else b) * 2


def asked_for_its_class(n):
    x = n if n > 1 else 0.25
    y = x << 2 if isinstance(x, int) else x
    return isinstance(x, int), isinstance(x, float), type(x) is int, y


def text_of_it(n):
    x = n if n > 1 else 0.25
    print(x, [x], f"{x!r:>8}")
    return str(x), f"{x:.2f}", f"{x}"


def matched(n):
    x = n if n > 1 else 0.25
    match x:
        case int():
            return "int", x
        case float():
            return "float", x


def place_in_a_list(n):
    x = n if n > 1 else float(n)
    try:
        return [10, 20, 30, 40][x]
    except TypeError:
        return "no int"


def bound_of_a_range(n):
    x = n if n > 1 else 2.5
    try:
        return [i * i for i in range(x)]
    except TypeError:
        return "no int"


def none_or_a_number(n):
    x = None
    if n == 1:
        x = 3
    if n == 2:
        x = 2.5
    if isinstance(x, int):
        return "int", x
    return x, type(x) is float, isinstance(x, (int, float)), (x or 0) + 1


def numpys_or_pythons(x, n):
    y = x[0] if n > 1 else n
    z = 7
    if n == 3:
        z = x[1]
    return y, y + 1, y < 2, z, z * 2, [y, z], isinstance(y, np.float64)


def ints_of_both(x, n):
    y = x[0] if n > 1 else n
    return y, y + 1, y // 2, y % 2, -y, y & 1, y**2, y == 1


def dtypes_of_both(x, y, n):
    z = x[0] if n > 1 else y[0]
    return z, z + 1, z * 2.0


def given_back_as_they_came(n, x):
    return n, n + 1, n > 0, n / 2, n * 1j, np.sqrt(n), float(n), len(x), x.shape, x.size, x[0]


def made_by_numpy(x):
    return np.allclose(x, x), np.array_equal(x, x), np.size(x), np.ndim(x), x.sum(), x.argmax()


def recursive(n):
    if n <= 0:
        return 0.5 if n < 0 else 0
    return recursive(n - 2) + 1


ARRAY, INTS = np.array([0.5, 2.0, 3.5]), np.array([5, -3, 2])
PROGRAMS: list[tuple[Callable[..., Any], list[tuple[Any, ...]]]] = [
    (on_either_path, [(1,), (0,), (-2,)]),
    (assigned_in_a_branch, [(1,), (0,)]),
    (bool_or_int, [(0,), (1,), (2,), (3,)]),
    (int_or_complex, [(3,), (0,)]),
    (loop_that_may_not_run, [(4,), (0,)]),
    (loop_over_an_array, [(ARRAY,), (ARRAY[:0],), (INTS,), (INTS.astype(np.float32),)]),
    (while_that_may_not_run, [(3,), (0,)]),
    (items_of_a_list, [(3,), (0,), (1,)]),
    (sorted_argument, [([1, 3.3, 5],), ([2.5, 2],), ([True, 0, 0.5],), ([3, 1, 2],)]),
    (extrema, [(1, 2.5), (3, 2.5), (True, 0), (2.0, 2), (2, 2.0)]),
    (asked_for_its_class, [(3,), (0,)]),
    (text_of_it, [(3,), (0,)]),
    (matched, [(3,), (0,)]),
    (place_in_a_list, [(3,), (0,)]),
    (bound_of_a_range, [(3,), (0,)]),
    (none_or_a_number, [(0,), (1,), (2,)]),
    (numpys_or_pythons, [(ARRAY, 1), (ARRAY, 2), (ARRAY, 3)]),
    (ints_of_both, [(INTS, 1), (INTS, 2)]),
    (dtypes_of_both, [(INTS, ARRAY, 1), (INTS, ARRAY, 2)]),
    (given_back_as_they_came, [(3, ARRAY), (2.5, ARRAY), (True, INTS)]),
    (made_by_numpy, [(ARRAY,), (INTS,)]),
    (recursive, [(5,), (4,), (-1,)]),
]


def outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> tuple[str, str]:
    """What a call gives and prints; ``repr`` tells the classes of numbers."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = function(*copy.deepcopy(given))
    return repr(result), printed.getvalue()


@pytest.mark.parametrize("compiled", [None, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    ("function", "calls"), PROGRAMS, ids=lambda each: getattr(each, "__name__", "")
)
def test_numbers_are_of_the_class_of_plain_python(
    function: Callable[..., Any], calls: list[tuple[Any, ...]], compiled: bool | None
) -> None:
    decorated = ag.jit(function, jit_compile=compiled)
    for given in calls:
        assert outcome(decorated, given) == outcome(function, given)


@pytest.mark.parametrize(
    "value", [3, 2.5, True, 1 + 2j, np.float32(2), np.int64(3), np.bool_(True)]
)
def test_machine_code_makes_numbers_of_the_same_classes(value: Any) -> None:
    def numbers(a):
        return a, a + a, a == a, (a, 1, 2.5)

    decorated = ag.jit(numbers)
    for _ in range(CALLS):
        assert repr(decorated(value)) == repr(numbers(value))


def test_an_int_that_is_a_float_elsewhere_is_exact_or_an_error() -> None:
    def grown(n):
        x = 1
        for i in range(n):
            x = x * 3 if i < 100 else 0.5
        return x

    decorated = ag.jit(grown)
    assert repr(decorated(33)) == repr(3**33)
    with pytest.raises(OverflowError, match="53 bits"):
        decorated(34)


def test_ints_of_python_stay_exact_where_numpys_wrap_around() -> None:
    def added(x, n):
        y = x[0] if n < 0 else n
        return y + 2**62

    decorated = ag.jit(added)
    large = np.array([2**62])
    with np.errstate(all="ignore"):
        assert repr(decorated(large, -1)) == repr(added(large, -1))
    assert repr(decorated(large, 5)) == repr(5 + 2**62)
    with pytest.raises(OverflowError):
        decorated(large, 2**62)


def test_loops_do_not_carry_a_class_that_no_iteration_looks_at() -> None:
    def total(x):
        s = 0.0
        for v in x:
            s += v
        return s

    text = ag.jit(total).experimental_get_compiler_ir(ARRAY)("hlo")
    (loop,) = (line for line in text.splitlines() if "scf.for" in line)
    assert "-> (f64)" in loop


def test_ints_of_python_are_not_divided_by_zero_where_numpys_may_be() -> None:
    def divided(x, n, by):
        y = x[0] if n > 1 else n
        return y // by, y % by

    decorated = ag.jit(divided)
    with pytest.raises(ZeroDivisionError):
        decorated(INTS, 1, 0)
    assert decorated(INTS, 1, 2) == divided(INTS, 1, 2)
    with np.errstate(all="ignore"):
        assert decorated(INTS, 2, 0) == divided(INTS, 2, 0)


def test_items_of_long_lists_stay_pythons():
    def parts(items):
        last = items.pop()
        first, *rest = items
        return last, first, rest[0], items[1:3], items

    for found in (parts([1] * 200), ag.jit(parts)([1] * 200)):
        *numbers, some, items = found
        assert {type(each) for each in (*numbers, *some, *items)} == {int}


def beside_sequences(n):
    pairs = [(1, 2), n, [n]]
    return n == (1, 2), n != [n], (n,) == n, n in pairs, n in [(n, n)], pairs.index([n])


def less_than_a_tuple(n):
    return n < (1, 2)


@pytest.mark.parametrize("n", [3, 2.5, True])
def test_a_number_is_no_list_and_no_tuple(n):
    assert repr(ag.jit(beside_sequences)(n)) == repr(beside_sequences(n))
    with pytest.raises(TypeError, match="not supported between"):
        ag.jit(less_than_a_tuple)(n)


def as_fractions(n):
    return n.numerator, n.denominator, n.real, n.imag, n.conjugate()


def test_numbers_as_fractions():
    compiled = ag.jit(as_fractions)
    for n in (3, -7, True, False, np.int32(4), np.uint8(200), 0):
        assert repr(compiled(n)) == repr(as_fractions(n))
    with pytest.raises(AttributeError, match="'float' object has no attribute 'numerator'"):
        compiled(2.5)


def test_slices_come_back_with_numbers():
    def slices(n, x):
        return [slice(n), {"a": slice(x[0], None, n)}]

    compiled = ag.jit(slices)
    for n in range(1, CALLS):
        assert compiled(n, [n + 1]) == slices(n, [n + 1])
    assert all(
        type(each) is int for each in (compiled(2, [1])[0].stop, compiled(2, [1])[1]["a"].start)
    )


def test_the_sum_of_no_floats_is_an_int():
    def sums(values, least):
        large = [each for each in values if each > least]
        total = sum(large)
        return total, total / 2, total + 1, sum(large, 0.0), sum([each > 1 for each in large])

    def known(values):
        return sum(values), sum([each * 2 for each in values])

    compiled = ag.jit(sums)
    for values, least in (([1.5, 2.5], 0.0), ([1.5, 2.5], 9.0), ([], 0.0), ([3.0], 2.0)):
        assert repr(compiled(values, least)) == repr(sums(values, least))
    for values in ([1.5], [1.5, 2.0], [2.0, 3.0, 4.0], []):
        assert repr(ag.jit(known)(values)) == repr(known(values))
