"""What searches a table or a text is a function of the module, which the program calls."""

from __future__ import annotations

import numpy as np
import pytest

import agir as ag


def counted(values):
    found = {}
    for value in values:
        if value in found:
            found[value] += 1
        else:
            found[value] = 1
    best = -1
    for value in found:
        if best < 0 or found[value] > found[best]:
            best = value
    return found, best


def searched(n):
    whole = ""
    for k in range(n):
        whole += chr(97 + k % 5)
    return whole.find("cd"), whole.find("ea"), whole.find("xy"), whole.replace("a", "xy")


def functions(text, name):
    return sum(f"func.func private @{name}" in line for line in text.splitlines())


def calls(text, name):
    return sum(f"call @{name}" in line for line in text.splitlines())


@pytest.mark.parametrize("stage", ["hlo", "optimized_hlo"])
def test_one_function_for_arguments_of_the_same_types(stage):
    text = ag.jit(counted).experimental_get_compiler_ir([1, 2])(stage=stage)
    assert functions(text, "find_place") == 1
    assert calls(text, "find_place") > 3
    text = ag.jit(searched).experimental_get_compiler_ir(9)(stage=stage)
    assert (functions(text, "find"), calls(text, "find")) == (1, 3)
    assert functions(text, "replace") == (stage == "hlo")  # called once, it is put there then


@pytest.mark.parametrize("compiled", [None, False], ids=["compiled", "interpreted"])
def test_the_result_is_pythons(compiled):
    for values in ([1, 2, 1, 5, 9, 12, 3, 1], [7], [k * k % 31 for k in range(200)]):
        assert ag.jit(counted, jit_compile=compiled)(values) == counted(values)
    for n in (0, 7, 12):
        assert ag.jit(searched, jit_compile=compiled)(n) == searched(n)


def test_a_key_of_a_text_has_no_such_function():
    """The entries lie in pools, which a function of numbers does not get."""

    def f(n):
        found = {}
        for k in range(n):
            found[str(k % 3)] = k
        return found

    assert ag.jit(f)(7) == f(7)


def test_gradients_go_through_tables():
    @ag.jit
    def weighted(x, keys):
        sums = {}
        for place in range(len(keys)):
            sums[keys[place]] = sums.get(keys[place], 0.0) + x[place] * x[place]
        total = 0.0
        for key in sums:
            total += sums[key] * key
        return total

    x = np.array([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(ag.grad(weighted)(x, np.array([1, 2, 1])), [2.0, 8.0, 6.0])


def test_integers_that_are_too_large_are_still_told():
    with pytest.raises(OverflowError):
        ag.jit(lambda n: int(str(n) + "0000000000"))(1234567890123)
