"""Long lists of numbers as arguments: one array, for lists of any length."""

import math

import numpy as np
import pytest

import agir as ag
from agir.runtime.state.passed_lists import MANY


def total(numbers, factor):
    found = 0
    for each in numbers:
        found += each * factor
    return found


def sorted_by_swaps(given):
    numbers = list(given)
    for last in range(len(numbers) - 1, 0, -1):
        for place in range(last):
            if numbers[place] > numbers[place + 1]:
                numbers[place], numbers[place + 1] = numbers[place + 1], numbers[place]
    return numbers


@pytest.mark.parametrize("kind", [bool, int, float, complex])
def test_a_trace_is_for_lists_of_any_length(kind):
    compiled = ag.jit(total)
    for count in (MANY.numbers, MANY.numbers + 1, 3 * MANY.numbers):
        numbers = [kind(each % 7) for each in range(count)]
        assert compiled(numbers, 3) == total(numbers, 3)
    assert compiled.experimental_get_tracing_count() == 1


def pairs_in_order(numbers):
    return [(a, b) for a in numbers for b in numbers if a < b]


def nearest(points):
    best = math.inf
    for a, b in points:
        for c, d in points:
            if (a, b) != (c, d):
                best = min(best, math.hypot(a - c, b - d))
    return best


def crossing(rows):
    total = 0
    for row in rows:
        for x in row:
            for y in row:
                if x < y:
                    total += x * y
    return total


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (pairs_in_order, lambda count: [each * 37 % 101 for each in range(count)]),
        (nearest, lambda count: [(each * 0.5, each * each % 17.0) for each in range(count)]),
        (crossing, lambda count: [[i * j % 7 for i in range(count)] for j in range(count)]),
    ],
)
def test_nested_loops_over_short_lists_are_loops(function, given):
    compiled = ag.jit(function)
    for count in (12, 40):
        assert compiled(given(count)) == function(given(count))
    assert compiled.experimental_get_tracing_count() == 1
    text = compiled.experimental_get_compiler_ir(given(12))(stage="hlo")
    assert len(text.splitlines()) < 1000


def test_the_size_of_a_trace_does_not_depend_on_the_length():
    compiled = ag.jit(total)
    texts = []
    for count in (MANY.numbers, 5000):
        numbers = [float(each) for each in range(count)]
        texts.append(compiled.experimental_get_compiler_ir(numbers, 2)(stage="hlo"))
    assert texts[0] == texts[1]


def test_what_is_done_to_a_list_is_done():
    numbers = [float(each * 7919 % 200) for each in range(200)]
    assert ag.jit(sorted_by_swaps)(list(numbers)) == sorted(numbers)

    def made(numbers):
        longer = [each + 1 for each in numbers]
        longer.append(numbers[-1])
        return longer[::-1], max(numbers), 3.0 in numbers, np.array(numbers).mean(), len(numbers)

    for found, wanted in zip(ag.jit(made)(numbers), made(numbers), strict=True):
        np.testing.assert_array_equal(found, wanted)


def test_lists_in_containers():
    def product(weights, pairs):
        found = 0.0
        for place in range(len(weights["w"])):
            found += weights["w"][place] * pairs[0][place]
        return found

    assert ag.jit(product)({"w": [0.5] * 300}, ([2.0] * 300, 1)) == 300.0


def test_a_list_that_has_to_be_known_is_an_argument_for_each_number():
    def spread(numbers):
        first, *others = numbers
        return first + len(set(others))

    compiled = ag.jit(spread)
    assert compiled([5] * 200) == 6
    assert compiled([5] * 200) == 6
    assert compiled.experimental_get_tracing_count() == 1


def test_an_error_of_the_program_stays_one():
    calls = []

    def raises(numbers):
        calls.append(1)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        ag.jit(raises)([1.0] * 200)
    assert len(calls) <= 2  # once more, with an argument for each number


def test_few_and_very_large_numbers_are_arguments_of_their_own():
    compiled = ag.jit(lambda numbers: numbers[0])
    numbers = [1.0] * (MANY.numbers - 1)
    assert len(compiled.get_concrete_function(numbers).inputs) == len(numbers)
    mixed = compiled.get_concrete_function([1.0, 2] * MANY.numbers)
    assert len(mixed.inputs) == 3  # how many there are, the numbers, and of which class each is
    with pytest.raises(OverflowError):
        compiled([2**70] * MANY.numbers)


def test_a_concrete_function_takes_lists_of_other_lengths():
    concrete = ag.jit(total).get_concrete_function([1.0] * 200, 2.0)
    assert concrete([1.0, 2.0], 2.0) == 6.0
    with pytest.raises(TypeError):
        concrete([1, 2], 2.0)


def test_a_change_of_the_list_is_the_callers():
    def written(numbers, at):
        numbers[at] = 2.0
        numbers.append(3.0)
        return numbers

    numbers = [1.0] * 200
    assert ag.jit(written)(numbers, 7) is numbers
    assert numbers == [*[1.0] * 7, 2.0, *[1.0] * 192, 3.0]


OF_LISTS = {
    "a part": lambda a: a[1:5],
    "every other item": lambda a: a[::2],
    "turned round": lambda a: a[::-1],
    "joined": lambda a: a + a[:1],
    "repeated": lambda a: a * 2,
    "sorted": lambda a: sorted(a),
    "copied": lambda a: a.copy(),
    "chosen": lambda a: [v for v in a if v > 0],
    "inserted": lambda a: (a.insert(2, a[5]), a)[1],
    "removed": lambda a: (a.pop(3), a.remove(a[0]), a)[2],
    "assigned": lambda a: (a.__setitem__(slice(1, 3), [a[0], a[5]]), a)[1],
}


@pytest.mark.parametrize("kind", [int, float, bool])
@pytest.mark.parametrize("name", OF_LISTS)
def test_items_stay_numbers_of_python(name, kind):
    function = OF_LISTS[name]
    found, wanted = ([kind(n % 7) for n in range(200)] for _ in range(2))
    result, expected = ag.jit(function)(found), function(wanted)
    assert repr(result) == repr(expected)
    assert repr(found) == repr(wanted)
