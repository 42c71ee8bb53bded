"""What a compiled function gives that is left at a `yield`: flat results, and how to read them.

Several ways out of a function give values of several kinds.  The results are all of them, side by
side, with the number of the way; a function written for them makes of these what is asked for.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

from agir.autograph.operators.undefined import Undefined
from agir.ir import structure
from agir.ir.plain.tables import Table
from agir.ir.symbolic import Dim
from agir.ir.trace import Trace
from agir.ir.types import shape_of
from agir.ir.values import slots
from agir.ir.values.choices import Choice
from agir.ir.values.list_slots import Listed
from agir.ir.values.mixed_numbers import Mixed
from agir.ir.values.optional import Nullable
from agir.runtime.yielding import kept
from agir.runtime.yielding.marks import Given, Outside, Same

Read = Callable[[Any], tuple[int | None, tuple[Any, ...], Any]]
"""From the results to the number of the `yield`, the state and the item; None at the end."""


class Layout:
    """A constant among the results of a trace, which reads the others."""

    __slots__ = ("read",)

    def __init__(self, read: Read) -> None:
        self.read = read


def packed(trace: Trace, returned: Any) -> Any:
    """What a trace returns in the place of a state: a layout, and what that reads."""
    slot = slots.returned(trace, returned)
    if _is_flat(slot):
        symbols = _symbols(trace, slot, slot.pack(trace, returned))
    else:
        slot, symbols = slots.Static(None), [returned]
    marks = list(_marks(slot if slot != slots.Static(None) else slots.returned(trace, returned)))
    places = {id(each): 1 + len(symbols) + n for n, each in enumerate(marks)}
    is_flat = slot != slots.Static(None)
    read = _reader(trace, slot, places) if is_flat else _slow_reader(places)
    arguments = [each.value for each in marks]
    for each in marks:
        each.value = None  # a layout outlives the trace
    return (Layout(read), *symbols, *arguments)


def _is_flat(slot: slots.Slot) -> bool:
    if isinstance(slot, slots.Structure):
        return all(map(_is_flat, slot.items))
    if isinstance(slot, Choice):
        return all(map(_is_flat, slot.alternatives))
    if isinstance(slot, (slots.Maybe, Nullable)):
        return _is_flat(slot.inner)
    if type(slot) is Listed:
        return _is_flat(slot.element)
    return isinstance(slot, (slots.Static, Mixed)) or type(slot) is slots.Typed


def _symbols(trace: Trace, slot: slots.Slot, carried: list[Any]) -> list[Any]:
    made = []
    for ssa, dtype, weak in zip(carried, slot.dtypes(), _weak(slot), strict=True):
        shape = shape_of(ssa.type) or ()
        dims = tuple(Dim(source=ssa, axis=n) if d is None else d for n, d in enumerate(shape))
        made.append(trace.make(ssa, dtype, dims, weak))
    return made


def _weak(slot: slots.Slot) -> Iterator[bool]:
    """For each value that carries a slot, whether it is a number of Python's."""
    if isinstance(slot, slots.Typed):
        yield slot.weak and not slot.dims
    elif isinstance(slot, slots.Structure):
        for each in slot.items:
            yield from _weak(each)
    elif isinstance(slot, Choice):
        yield True
        for each in slot.alternatives:
            yield from _weak(each)
    elif isinstance(slot, (slots.Maybe, Nullable)):
        yield True
        yield from _weak(slot.inner)
    else:
        yield from (False for _ in slot.types())


def _marks(slot: slots.Slot) -> list[Given]:
    """The arguments that are in a slot, each once."""
    found: dict[int, Given] = {}

    def visit(each: Any) -> None:
        if isinstance(each, slots.Static) and isinstance(each.value, Given):
            found[id(each.value)] = each.value
        for field in ("items", "alternatives"):
            for below in getattr(each, field, None) or ():
                visit(below)
        if isinstance(each, (slots.Maybe, Nullable)):
            visit(each.inner)

    visit(slot)
    return list(found.values())


# Reading.


def _slow_reader(places: dict[int, int]) -> Read:
    """For what only `structure` can take apart."""

    def read(results: Any) -> tuple[int | None, tuple[Any, ...], Any]:
        whole = results[1]

        def filled(part: Any) -> Any:
            if isinstance(part, Given):
                return results[places[id(part)]]
            if isinstance(part, Same):
                return filled(_at(whole, part.path))
            if isinstance(part, Outside):
                return part.get()
            return part

        state = structure.transform(lambda part: part if _is_same(part) else filled(part), whole[0])
        return whole.number, state, structure.transform(filled, whole[1])

    return read


def _is_same(part: Any) -> bool:
    return isinstance(part, Same)


def _at(whole: Any, path: tuple[int, ...]) -> Any:
    for each in path:
        whole = whole[each]
    return whole


def _reader(trace: Trace, slot: slots.Slot, places: dict[int, int]) -> Read:
    """The function that reads the results of a slot, compiled for it."""
    text = _Text(places, trace.journal.is_made_here)
    body = text.ways(slot)
    space = text.space
    exec(f"def read(o):\n{body}", space)
    made: Read = space["read"]
    return made


class _Text:
    """Writes expressions that read a slot; ``o`` are the results."""

    def __init__(self, places: dict[int, int], is_made_here: Callable[[Any], bool]) -> None:
        self.places = places
        self.is_made_here = is_made_here
        self.space: dict[str, Any] = {
            "MISSING": structure.MISSING,
            "new": tuple.__new__,
            "rebuild": structure.finished,
        }
        self.next = 1

    def ways(self, slot: slots.Slot) -> str:
        """The statements for all ways out of the function."""
        if not isinstance(slot, Choice):
            return f"    return {self.way(slot)}"
        number, lines = self.next, []
        self.next += 1
        for index, each in enumerate(slot.alternatives):
            lines.append(f"    if o[{number}] == {index}: return {self.way(each)}")
        return "\n".join(lines)

    def way(self, slot: slots.Slot) -> str:
        """One way out: the number, the state and the item."""
        assert isinstance(slot, slots.Structure), "it is a state and an item"
        self.wanted = _wanted(slot.items[1])
        self.in_state = True
        state = self.part(slot.items[0], (0,))
        self.in_state = False
        value = self.part(slot.items[1], (1,))
        return f"({slot.key[0].number!r}, {state}, {value})"

    def part(self, slot: slots.Slot, path: tuple[int, ...]) -> str:
        lives = path[0] == 0 and len(path) == 2  # a variable, and not a part of one
        if lives and path not in self.wanted and (text := self.unseen(slot, path)):
            return text
        text = self.plain(slot, path)
        return f"({_named(path)} := {text})" if path in self.wanted else text

    def unseen(self, slot: slots.Slot, path: tuple[int, ...]) -> str | None:
        """A container that only the generator knows."""
        if _is_of_numbers(slot):
            return f"new({self.kept(kept.Kept)}, ({self.kept(kept.LIST)}, ({self.column()},)))"
        if not isinstance(slot, slots.Structure) or not issubclass(slot.key[0], Table):
            return None
        parts = [
            self.column() if _is_of_numbers(each) else self.plain(each, path) for each in slot.items
        ]
        kind = self.kept(kept.kind_of(slot.key))
        return f"new({self.kept(kept.Kept)}, ({kind}, {_tuple(parts)}))"

    def column(self) -> str:
        first = self.next
        self.next += 2
        return f"{self.kept(kept.column)}(o[{first}], o[{first + 1}])"

    def plain(self, slot: slots.Slot, path: tuple[int, ...]) -> str:
        if isinstance(slot, slots.Static):
            return self.constant(slot.value)
        if isinstance(slot, slots.Structure):
            items = [self.part(each, (*path, n)) for n, each in enumerate(slot.items)]
            if slot.key[0] is tuple:
                return _tuple(items)
            if isinstance(slot.key[0], type) and issubclass(slot.key[0], tuple):
                return f"new({self.kept(slot.key[0])}, {_tuple(items)})"
            return f"rebuild({self.kept(slot.key)}, [{', '.join(items)}])"
        first = self.next
        if isinstance(slot, Choice):
            return self.choice(slot, path)
        if isinstance(slot, (slots.Maybe, Nullable)):
            self.next += 1
            other = "MISSING" if isinstance(slot, slots.Maybe) else "None"
            return f"({self.plain(slot.inner, path)} if o[{first}] else {other})"
        self.next += len(slot.types())
        if type(slot) is slots.Typed and not slot.array:
            return f"o[{first}]"
        return f"{self.kept(_assembled(slot))}(o, {first})"

    def choice(self, slot: Choice, path: tuple[int, ...]) -> str:
        number = self.next
        self.next += 1
        *most, last = [self.plain(each, path) for each in slot.alternatives]
        tests = [f"{each} if o[{number}] == {n} else " for n, each in enumerate(most)]
        return f"({''.join(tests)}{last})"

    def constant(self, value: Any) -> str:
        if isinstance(value, Undefined):
            return "MISSING"
        if isinstance(value, Given):
            return f"o[{self.places[id(value)]}]"
        if isinstance(value, Same):
            return self.kept(value) if self.in_state else _named(value.path)
        if isinstance(value, Outside):
            return f"{self.kept(value.get)}()"
        if structure.attributes(value) is not None and not self.is_made_here(value):
            return (
                f"{self.kept(_reference(value))}()"  # a trace keeps no object of the user's alive
            )
        return repr(value) if value is None or type(value) is bool else self.kept(value)

    def kept(self, value: Any) -> str:
        name = f"k{len(self.space)}"
        self.space[name] = value
        return name


def _is_of_numbers(slot: slots.Slot) -> bool:
    """Whether it is a list of numbers of Python's."""
    element = slot.element if type(slot) is Listed and slot.kind is list else None
    return type(element) is slots.Typed and element.weak and not element.dims


def _reference(value: Any) -> Callable[[], Any]:
    """What gives an object of the user's, which a trace does not keep alive if it can be helped."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


def _tuple(items: list[str]) -> str:
    return f"({' '.join(f'{each},' for each in items)})"


def _named(path: tuple[int, ...]) -> str:
    return "s" + "_".join(map(str, path))


def _wanted(slot: slots.Slot) -> set[tuple[int, ...]]:
    """The places that others refer to."""
    if isinstance(slot, slots.Static) and isinstance(slot.value, Same):
        return {slot.value.path}
    below = (_wanted(each) for each in getattr(slot, "items", None) or ())
    return set().union(*below) if isinstance(slot, slots.Structure) else set()


def _assembled(slot: slots.Slot) -> Callable[[Any, int], Any]:
    def wrap(value: Any, is_number: bool) -> Any:
        return value.item() if is_number and hasattr(value, "dtype") else value

    return lambda results, first: slot.assemble(iter(results[first:]).__next__, wrap)
