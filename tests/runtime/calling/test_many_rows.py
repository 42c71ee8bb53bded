"""Lists of many lists of numbers as arguments: one trace for all sizes, and the caller's own rows."""

import numpy as np
import pytest

import agir as ag


def matrix(rows, columns, kind=int):
    return [[kind(3 * i - 7 * j) for j in range(columns)] for i in range(rows)]


def ragged():
    return [[i + j for j in range(i % 9)] for i in range(64)]


def negative(grid):
    return sum(1 for row in grid for value in row if value < 0)


def raised(grid):
    for i in range(len(grid)):
        for j in range(len(grid[i])):
            grid[i][j] += i
    return grid[1]


def rearranged(grid):
    grid[0], grid[1] = grid[1], grid[0]
    grid.append([1, 2, 3])
    grid[3].append(7)
    return len(grid)


def sorted_rows(grid):
    for row in grid:
        row.sort()


def other_rows(grid):
    grid[2] = [9, 9]
    grid[3][1] = 5
    return grid


def chosen(grid):
    found = []
    for row in grid:
        if sum(row) > 0:
            found.append(row)
    return found


def transposed(grid):
    return [[grid[i][j] for i in range(len(grid))] for j in range(len(grid[0]))]


def by_columns(grid):
    return [sum(column) for column in zip(*grid, strict=True)]


def popped(grid):
    last = grid.pop()
    grid.insert(0, last)
    del grid[5]
    return last


def nothing(grid):
    return len(grid)


PROGRAMS = [
    negative, raised, rearranged, sorted_rows, other_rows, chosen, transposed, by_columns, popped,
    nothing,
]  # fmt: skip


@pytest.mark.parametrize("kind", [int, float, bool])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_plain_python_has_it(program, kind):
    if kind is bool and program in (raised, other_rows, rearranged):
        pytest.skip("it puts ints into a list of bools, which the other kinds show")
    agree(program, lambda: matrix(20, 12, kind))


@pytest.mark.parametrize("program", [negative, sorted_rows, chosen, popped, nothing])
def test_rows_of_any_length(program):
    agree(program, ragged)


def agree(program, make):
    found, wanted = make(), make()
    own, plain = list(found), list(wanted)
    result, expected = ag.jit(program)(found), program(wanted)
    assert repr(result) == repr(expected)
    assert repr(found) == repr(wanted)
    # each row is still where plain Python has it, also among the results
    assert places(found, own) == places(wanted, plain)
    if isinstance(result, list):
        assert places(result, own) == places(expected, plain)


def places(values, rows):
    return [next((n for n, row in enumerate(rows) if row is value), None) for value in values]


def test_one_trace_for_all_sizes():
    compiled = ag.jit(negative)
    for rows, columns in ((16, 8), (100, 3), (40, 40)):
        assert compiled(matrix(rows, columns)) == negative(matrix(rows, columns))
    assert compiled.experimental_get_tracing_count() == 1


def test_a_row_that_is_there_twice():
    def write(grid):
        grid[0][0] = 99
        return grid[5][0], grid[0] is grid[5], grid[0] is grid[1]

    def make():
        row, other = [0] * 20, [1] * 20
        return [row, other] * 10 + [row, row]

    for grid in (make(), [[0] * 20 for _ in range(20)]):
        compiled = ag.jit(lambda grid: (write(grid)[0], grid))
        plain = [grid[0] if row is grid[0] else list(row) for row in grid]
        number, result = compiled(grid)
        assert result is grid
        assert (number, grid) == (write(plain)[0], plain)


def shared(one, other):
    one[0][0] = 50
    other[1][1] += one[0][0]
    return one[0][0], other[0][0], len(one)


def the_same_list():
    grid = matrix(20, 12)
    return grid, grid


def with_a_row_of_the_other():
    grid = matrix(20, 12)
    return grid, [grid[0], *matrix(30, 5)]


def of_its_rows():
    grid = matrix(20, 12)
    return grid, [grid[0], grid[1]]


@pytest.mark.parametrize("make", [the_same_list, with_a_row_of_the_other, of_its_rows])
def test_rows_that_another_argument_has_too(make):
    found, wanted = make(), make()
    assert ag.jit(shared)(*found) == shared(*wanted)
    assert found == wanted


def test_a_call_that_fails_has_changed_nothing():
    def fails(grid):
        grid[0][0] = 1000
        grid.append([1])
        return grid[len(grid)]

    grid = matrix(20, 12)
    with pytest.raises(IndexError):
        ag.jit(fails)(grid)
    assert grid == matrix(20, 12)


def test_what_has_to_know_the_number_of_rows_is_traced_for_it():
    def unpacked(grid):
        first, *_, last = grid
        return first[0] + last[0]

    assert ag.jit(unpacked)(matrix(20, 12)) == unpacked(matrix(20, 12))


def test_as_an_array():
    def total(grid):
        return np.array(grid).sum(axis=0)

    np.testing.assert_array_equal(ag.jit(total)(matrix(20, 12)), total(matrix(20, 12)))
    with pytest.raises(ag.errors.AgirError):
        ag.jit(total)(ragged())


def test_a_concrete_function_takes_lists_of_other_sizes():
    concrete = ag.jit(raised).get_concrete_function(matrix(20, 12))
    grid, plain = matrix(3, 2), matrix(3, 2)
    assert concrete(grid) == raised(plain)
    assert grid == plain


def test_inside_of_other_structures():
    def first(record):
        record["grid"][2][0] = 7
        return record["grid"][1][1] + record["n"]

    def make():
        return {"grid": matrix(20, 12), "n": 3}

    found, wanted = make(), make()
    assert ag.jit(first)(found) == first(wanted)
    assert found == wanted


def test_what_has_to_know_each_of_very_many_numbers_is_refused_soon():
    def unpacked(grid):
        return [max(column) for column in zip(*grid, strict=True)]

    with pytest.raises(ag.errors.AgirError, match="known only at run time"):
        ag.jit(unpacked)(matrix(100, 100))
    assert ag.jit(unpacked)(matrix(20, 12)) == unpacked(matrix(20, 12))
