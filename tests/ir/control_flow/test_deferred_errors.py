"""Errors that are certain where they stand are raised only where control gets there."""

# ruff: noqa: F821, F841 (names without a value are what this is about)

import traceback

import numpy as np
import pytest

import agir as ag


def reads_an_unbound_name(n):
    if n > 2:
        r = late
    late = n
    return late


def deletes_an_unbound_name(n):
    if n > 2:
        del late
    late = n
    return late


def binds_in_the_first_iteration(n):
    total = 0
    for k in range(n):
        if k:
            total += last
        last = k
    return total + last


def behind_and(n):
    late = 1
    del late
    return n > 2 and late > 3


def in_a_nested_function(n):
    def inner():
        return late

    if n > 2:
        return inner()
    late = n
    return inner()


def beyond_a_tuple(n):
    if n > 2:
        return (1, 2)[2]
    return n


def beyond_an_array(n):
    x = np.zeros(3)
    for k in range(n):
        x = x + x[5]
    return x.sum()


def no_such_key(n):
    return {"a": 1}["b"] if n > 2 else n


def divides_by_zero(n):
    return n > 2 and 1 // 0 > n


def the_length_of_a_number(n):
    number = n
    while n > 2:
        number[len(number)] = n
    return n


def a_number_of_a_list(n):
    values = [n]
    for _ in range(n):
        values = int(values)
    return n


def no_such_attribute(n):
    return (1).real_part if n > 2 else n


def on_every_path(n):
    if n > 2:
        return [][0]
    return (1 // 0) * n


FUNCTIONS = [
    reads_an_unbound_name, deletes_an_unbound_name, binds_in_the_first_iteration, behind_and,
    in_a_nested_function, beyond_a_tuple, beyond_an_array, no_such_key, divides_by_zero,
    on_every_path, the_length_of_a_number, a_number_of_a_list, no_such_attribute,
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_raised_only_where_control_gets_there(function, jit_compile):
    traced = ag.jit(function, jit_compile=jit_compile)
    for n in (0, 1, 3):
        try:
            expected = function(n)
        except Exception as error:
            kind = NameError if isinstance(error, NameError) else type(error)
            with pytest.raises(kind, match=r"test_deferred_errors\.py:\d+"):
                traced(n)
        else:
            assert traced(n) == expected


def assigned_in_operands(n):
    b = 1
    x = n if n else (b := 5)
    y = n and (b := b + n)
    z = n > 3 or (n > 1 and (b := b * 3) > 0) or (b := -1)
    return x, b, y, z


def a_list_of_a_branch(n):
    items = [n, 2]
    if n > 1:
        r = [5, 6]
    else:
        items[n] = 7
        r = items
    return r


def a_list_that_becomes_staged_while_it_is_iterated_over(n):
    items, total = [1, 2, 7], 0
    for k in items:
        items[n % 3] = 8
        total = total * 10 + k
        if total > 100 + n:
            break
    return total, items


def assigned_here_and_in_a_nested_function(n):
    c = 1

    def other():
        nonlocal c
        c = 2

    if n > 1:
        c = 5
    else:
        other()
    for k in range(n):
        if k > 1:
            c += k
        else:
            other()
    return c


@pytest.mark.parametrize("jit_compile", [None, False])
@pytest.mark.parametrize(
    "function",
    [
        assigned_in_operands, a_list_of_a_branch, assigned_here_and_in_a_nested_function,
        a_list_that_becomes_staged_while_it_is_iterated_over,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_what_branches_leave(function, jit_compile):
    traced = ag.jit(function, jit_compile=jit_compile)
    for n in (0, 1, 2, 5):
        assert traced(n) == function(n)


def test_taking_back_an_operation_whose_result_is_used_twice():
    @ag.jit
    def f(x, n):
        out = []
        for i in range(8):
            y = x[0] * n
            z = y * y + y
            out.append(z)
        return out

    assert f(np.array([2, 3]), 3) == [42] * 8


def test_what_is_printed_before_a_certain_error(capfd):
    @ag.jit
    def f(x):
        print("first", x[0])
        return x[2 + 4]

    with pytest.raises(IndexError, match=r"index 6 is out of bounds(.|\n)*:\d+: return x"):
        f(np.arange(3))
    assert capfd.readouterr().out == "first 0\n"


def test_shapes_that_do_not_fit_in_a_loop():
    """TensorFlow's error comes with the trace, the line in its traceback; NumPy's when it runs."""

    def f(x, w):
        s = w[:, :1] * 0
        for v in x:
            s = s + w @ w + v
        return s

    x, w = np.ones(1), np.ones((1, 2))
    with pytest.raises(ValueError, match="the inner dimensions of") as raised:
        ag.function(f)(ag.constant(x), ag.constant(w))
    assert any("w @ w" in str(each.line) for each in traceback.extract_tb(raised.tb))
    decorated = ag.jit(f)
    with pytest.raises(ValueError, match="the inner dimensions of"):
        decorated(x, w)
    assert decorated(x[:0], w) == [[0]]
