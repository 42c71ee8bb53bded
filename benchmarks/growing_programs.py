"""Programs of any size, one kind for each thing that there can be many of.

Each is the text of a function of two arrays of five elements and a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

HEAD = "def f(x, y, n):"


def _indented(depth: int, *lines: str) -> list[str]:
    return ["    " * depth + line for line in lines]


def _text(lines: Iterable[str]) -> str:
    return "\n".join([HEAD, *lines]) + "\n"


def nested_loops(depth: int) -> str:
    """Loops in loops, of which the innermost changes what all of them carry."""
    lines = _indented(1, "a = 1", "z = x.copy()")
    for level in range(depth):
        lines += _indented(level + 1, f"for i{level} in range(n):")
    lines += _indented(depth + 1, "a = a * 0.5", "z[0] = a")
    for level in reversed(range(depth)):
        lines += _indented(level + 2, f"z = y if a > {level} else z", f"z[{level % 5}] = a")
    return _text([*lines, *_indented(1, "return a, z")])


def left_loops(depth: int) -> str:
    """Loops in loops, each of which is left in the middle."""
    lines = _indented(1, "a = 1.5", "z = x.copy()")
    for level in range(depth):
        lines += _indented(level + 1, f"for i{level} in range(n):")
    lines += _indented(depth + 1, "z[0] = a")
    for level in reversed(range(depth)):
        leave = f"if z[{level % 5}] > a: break"
        lines += _indented(level + 2, "a = a * 0.5", leave, "z = y" if level % 2 else "z[1] = a")
    return _text([*lines, *_indented(1, "return a, z")])


def loops_in_a_row(count: int) -> str:
    """Loops after each other in a loop, that choose an array or write to one."""
    lines = _indented(1, "a = 1.5", "z = x.copy()", "for i in range(n):")
    for number in range(count):
        lines += _indented(2, f"for j{number} in range(n):")
        lines += _indented(3, f"z[j{number}] = a + x[{number % 5}]", f"a = a * 0.5 - {number}")
        lines += _indented(3, "z = y") * (number % 2)
    return _text([*lines, *_indented(1, "return a, z")])


def branches_in_a_row(count: int) -> str:
    """Branches each of which makes another array, or writes to one."""
    lines = _indented(1, "a = 1.5", "z = x.copy()", "for i in range(n):")
    for number in range(count):
        lines += _indented(2, f"if x[{number % 5}] > {number}:", "    z = y + a", "else:")
        lines += _indented(3, f"z[{(number + 1) % 5}] = a - {number}")
    return _text([*lines, *_indented(1, "return a, z")])


def nested_branches(depth: int) -> str:
    """Branches in branches."""
    lines = _indented(1, "a = 1.5", "z = x.copy()", "for i in range(n):")
    for level in range(depth):
        lines += _indented(level + 2, f"if x[{level % 5}] > {level}:")
    lines += _indented(depth + 2, "z[1] = a")
    for level in reversed(range(depth)):
        change = "z = y + a" if level % 2 else f"z[{level % 5}] = a"
        lines += _indented(level + 2, "else:", f"    a = a - {level}", f"    {change}")
    return _text([*lines, *_indented(1, "return a, z")])


def writes(count: int) -> str:
    """Writes to one array."""
    lines = _indented(1, "a = 1.5", "for i in range(n):")
    for number in range(count):
        lines += _indented(2, f"x[(i + {number}) % 5] = a + y[{number % 5}]")
    return _text([*lines, *_indented(1, "return a, x")])


def carried_arrays(count: int) -> str:
    """Arrays that a loop carries, each of which becomes another one or is written to."""
    names = [f"z{number}" for number in range(count)]
    lines = _indented(1, "a = 1.5", *(f"{name} = x.copy()" for name in names), "for i in range(n):")
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        lines += _indented(2, f"if {name}[0] > a:", f"    {name}[0] = {other}[1] + a", "else:")
        lines += _indented(3, f"{name} = {other} + 1")
    return _text([*lines, *_indented(1, "return a, " + ", ".join(names))])


def carried_ints(count: int) -> str:
    """Whole numbers that two loops carry, all of which are checked."""
    names = [f"s{number}" for number in range(count)]
    lines = _indented(1, *(f"{name} = 1" for name in names))
    lines += _indented(1, "for i in range(n):", "    for j in range(n):")
    for name, other in zip(names, [*names[1:], names[0]], strict=True):
        lines += _indented(3, f"{name} = {other} * 2 + {name} + j")
    return _text([*lines, *_indented(1, "return " + ", ".join(names))])


def doubled_numbers(count: int) -> str:
    """A number that is added to itself again and again, and then is a place in an array."""
    lines = _indented(1, "s = 0.0", "for i in range(n):", "    j = i")
    lines += _indented(2, "j = j + j") * count
    lines += _indented(2, "s += x[j % 5]", "if j < 5: s += x[j]")
    return _text([*lines, *_indented(1, "return s")])


def array_lines(count: int) -> str:
    """Computations with whole arrays."""
    lines = _indented(1, "a = x", "b = y")
    for number in range(count):
        name = "ab"[number % 2]
        lines += _indented(
            1, f"{name} = np.where(a > b[{number % 5}], np.tanh(a) - b, b + {number})"
        )
    return _text([*lines, *_indented(1, "return a, b")])


def parts_of_arrays(count: int) -> str:
    """Parts of an array that are computed of other parts of it."""
    lines = _indented(1, "z = x.copy()")
    for number in range(count):
        to, of = number % 3, number % 2
        lines += _indented(1, f"z[{to}:{to + 2}] = np.abs(z[{of}:{of + 2}]) - y[{number % 5}]")
    return _text([*lines, *_indented(1, "return z")])


def growing_lists(count: int) -> str:
    """Lists that a loop makes longer."""
    names = [f"s{number}" for number in range(count)]
    lines = _indented(1, *(f"{name} = []" for name in names), "for i in range(n):")
    lines += _indented(2, *(f"{name}.append(x[0] + i)" for name in names))
    return _text([*lines, *_indented(1, "return " + ", ".join(names))])


def _tables(made: str, line: str) -> Callable[[int], str]:
    def program(count: int) -> str:
        lines = _indented(1, f"s = {made}", "for i in range(n):")
        lines += _indented(2, *(line.format(number) for number in range(count)))
        return _text([*lines, *_indented(1, "return s")])

    return program


entries = _tables("{}", "s[i + {}] = s.get(i, 0) + 1")
"""Entries of a dict, whose keys are numbers."""
entries_of_text = _tables("{}", "s[str(i + {})] = None if i > 3 else i")
"""Entries whose keys are text, and whose values may be None."""
members = _tables("set()", "s.add(i + {})")
"""Items of a set."""


KINDS: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "loops in loops": (nested_loops, (3, 6, 12)),
    "loops that are left, in loops": (left_loops, (3, 6, 12)),
    "loops in a row": (loops_in_a_row, (6, 12, 24)),
    "branches in a row": (branches_in_a_row, (6, 12, 24)),
    "branches in branches": (nested_branches, (4, 8, 16)),
    "writes to one array": (writes, (24, 48, 96)),
    "arrays in flight": (carried_arrays, (4, 8, 16)),
    "ints in flight": (carried_ints, (12, 24, 48)),
    "doubled numbers": (doubled_numbers, (12, 24, 48)),
    "lines of array code": (array_lines, (24, 48, 96)),
    "parts of an array": (parts_of_arrays, (24, 48, 96)),
    "growing lists": (growing_lists, (12, 24, 48)),
    "entries of a dict": (entries, (24, 48, 96)),
    "entries of text": (entries_of_text, (24, 48, 96)),
    "items of a set": (members, (24, 48, 96)),
}
"""What there are many of, and sizes each twice the one before; the last are 101 lines or less."""
