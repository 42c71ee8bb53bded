"""Python's containers met by run-time values."""

import numpy as np
import pytest

import agir as ag

TABLE = {1: 10, 2: 20, 5: 50}


def members(n):
    return n in (1, 3), n not in [2, 3], n in {3, 4}, n in TABLE, n in range(0, 9, 2)


def nested_members(n):
    return (n, 1) in [(3, 1), (4, 2)], [n] == [3]


def looked_up(n):
    return TABLE[n]


def from_list(n):
    return [5, 6, 7, 8][n], [5, 6, 7, 8][-n], (1.5, 2.5, 3.5, 4.5)[n]


def from_range(n):
    return range(10, 20, 2)[n], range(10, 20, 2)[-n]


def from_rows(n):
    rows = [[0, 1], [2, 3]]
    for i in range(n):
        rows[i % 2][1] += i
        rows[i % 2].append(i)
    return rows, len(rows[n % 2])


@pytest.mark.parametrize(
    "function", [members, nested_members, looked_up, from_list, from_range, from_rows]
)
def test_python_containers(agrees, function):
    agrees(function, (1,), (2,), (3,), (9,))


def test_members_of_arrays(agrees):
    agrees(lambda x, n: (n in x, n not in x), (np.arange(4), 3), (np.arange(4), 7))


def test_long_lists_of_objects_are_refused():
    def f(n):
        rows = [{"x": i} for i in range(100)]
        return rows[n]["x"]

    with pytest.raises(ag.errors.StagingError, match="a list of 100 objects"):
        ag.jit(f)(3)


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("convention", [ag.function, ag.jit])
def test_membership_has_one_truth(convention, jit_compile):
    @convention(jit_compile=jit_compile)
    def among(x, members):
        return x in members

    one, two = np.array([1.0, 2.0]), np.array([[3.0]])
    with pytest.raises(ValueError, match=r"shape \[2\] is ambiguous") as info:
        among(np.float64(1.0), [one])
    assert "return x in members" in str(info.value)
    assert bool(among(np.float64(3.0), [two]))
    assert not bool(among(np.float64(2.0), [two]))


def test_a_new_key_known_only_at_run_time_is_an_error_of_run_time():
    @ag.function
    def f(n):
        table = {1: 10, 2: 20}
        table[n] = 5
        return table[1]

    assert f(ag.constant(1)) == 5
    with pytest.raises(ag.errors.InvalidArgumentError, match=r"(?s)new key.*use an array"):
        f(ag.constant(3))


@pytest.mark.parametrize("name", ["pop", "setdefault"])
def test_methods_that_cannot_have_run_time_keys_say_so(name):
    @ag.function
    def f(n):
        return getattr({1: 10}, name)(n, 0)

    with pytest.raises(ag.errors.StagingError, match=rf"(?s){name}\(\).*use get\(\).*getattr"):
        f(ag.constant(1))


def test_sets_hold_no_run_time_values():
    @ag.function
    def f(x):
        return len({v + 1 for v in x})

    with pytest.raises(TypeError, match=r"(?s)sets.*use a list.*len\(\{v"):
        f(np.arange(3))


def test_a_slice_of_a_tuple_may_have_a_run_time_length():
    @ag.jit
    def f(n):
        items = (1, 2, 3)
        return items[n:], list(items)[n:]

    assert f(1) == ((2, 3), [2, 3])


def test_a_set_takes_no_run_time_values():
    @ag.function
    def distinct(x):
        found = set()
        for v in x:
            found.add(v)
        return len(found)

    with pytest.raises(TypeError, match="not hashable"):
        distinct(np.array([1, 2, 2]))


QUARTERS = {k / 4: k for k in range(40)}
SQUARES = {k * k - 5: k / 2 for k in range(40)}
NAMES = {k: f"no. {k}" for k in range(30)}
LARGE = {k: 3**k for k in range(45)}


MIXED = {
    **{k * k: k for k in range(20)}, **{k + 0.5: k for k in range(9)}, 2**53 + 1: 3, 2.0**60: 4,
    2**80: 6, float("inf"): 9, float("nan"): 1, -0.0: 5,
}  # fmt: skip
HALVES = [k + 0.5 for k in range(20)]


def among_others(number):
    inside = number in MIXED, number not in MIXED.values(), number in HALVES
    return inside, MIXED.get(number), MIXED.get(number, 2.5), MIXED[number] if inside[0] else -1


def among_many_ints(n):
    said = NAMES[n] if n in NAMES else ""
    inside = n in list(SQUARES), n not in tuple(SQUARES), n in set(SQUARES), n in SQUARES.keys()
    large = LARGE[n] if 0 <= n < 20 else 0
    return inside, SQUARES.get(n), SQUARES.get(n, -1.0), n in QUARTERS, n in LARGE, said, large


def among_many_floats(x):
    values = x in QUARTERS.values(), x in [2.5, float("nan"), *QUARTERS]
    return x in QUARTERS, QUARTERS.get(x), QUARTERS[x] if x in QUARTERS else 7, x in SQUARES, values


@pytest.mark.parametrize(
    ("program", "asked"),
    [
        (among_many_ints, [-5, -4, 0, 4, 20, 29, 30, 44, 1516, 1600, -100, 2**62]),
        (among_others, [0, 4, 20, 361, 2**53, 2**53 + 1, 2**60, 2**62, -1]),
        (among_others, [0.0, 16.0, 0.5, 9.5, 2.0**53, 2.0**60, 2.0**80, np.inf, np.nan, -0.5]),
        (among_many_floats, [0.0, -0.0, 0.25, 9.75, 9.7, 10.0, 1e300, -2.5, np.inf, np.nan]),
    ],
)
def test_numbers_are_searched_for_among_many(program, asked):
    compiled = ag.jit(program)
    for number in asked:
        assert repr(compiled(number)) == repr(program(number))
    with pytest.raises(KeyError):
        ag.jit(lambda n: SQUARES[n])(7)


def numbers_found(values):
    total, found = 0, []
    for value in values:
        if value in SQUARES:
            total += SQUARES[value]
            found.append(value in NAMES)
    return total, found


@pytest.mark.parametrize("dtype", ["int64", "int32", "float64", "uint8"])
def test_elements_are_searched_for_among_many(dtype):
    for values in (np.arange(60, dtype=dtype), np.zeros(0, dtype)):
        assert ag.jit(numbers_found)(values) == numbers_found(values)


def test_searching_among_thousands_records_little():
    known = {k * k for k in range(3000)}
    program = ag.jit(lambda n: n in known)
    text = program.experimental_get_compiler_ir(1)("hlo")
    assert text.count("\n") < 100
    assert [program(n) for n in (4, 5, 2999**2)] == [True, False, True]
