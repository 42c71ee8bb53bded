"""What a compiled function gives that is left at a `yield`: flat results, and how to read them.

Several ways out of a function give values of several kinds.  The results are all of them, side by
side, with the number of the way; a function written for them makes of these what is asked for.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

from agir.autograph.operators.undefined import Undefined
from agir.ir.building.types import shape_of
from agir.ir.plain.hashed.tables import Table
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import Dim
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.alternatives.choices import Choice
from agir.ir.values.alternatives.mixed_numbers import Mixed
from agir.ir.values.alternatives.optional import Nullable
from agir.ir.values.sequences.abstract_lists import Listed
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
    abstract = abstract_values.returned(trace, returned)
    if _is_flat(abstract):
        symbols = _symbols(trace, abstract, abstract.pack(trace, returned))
    else:
        abstract, symbols = abstract_values.Static(None), [returned]
    marks = list(
        _marks(
            abstract
            if abstract != abstract_values.Static(None)
            else abstract_values.returned(trace, returned)
        )
    )
    places = {id(each): 1 + len(symbols) + n for n, each in enumerate(marks)}
    is_flat = abstract != abstract_values.Static(None)
    read = _reader(trace, abstract, places) if is_flat else _slow_reader(places)
    arguments = [each.value for each in marks]
    for each in marks:
        each.value = None  # a layout outlives the trace
    return (Layout(read), *symbols, *arguments)


def _is_flat(abstract: abstract_values.AbstractValue) -> bool:
    if isinstance(abstract, abstract_values.Structure):
        return all(map(_is_flat, abstract.items))
    if isinstance(abstract, Choice):
        return all(map(_is_flat, abstract.alternatives))
    if isinstance(abstract, (abstract_values.Maybe, Nullable)):
        return _is_flat(abstract.inner)
    if type(abstract) is Listed:
        return _is_flat(abstract.element)
    return (
        isinstance(abstract, (abstract_values.Static, Mixed))
        or type(abstract) is abstract_values.Typed
    )


def _symbols(
    trace: Trace, abstract: abstract_values.AbstractValue, carried: list[Any]
) -> list[Any]:
    made = []
    for ssa, dtype, weak in zip(carried, abstract.dtypes(), _weak(abstract), strict=True):
        shape = shape_of(ssa.type) or ()
        dims = tuple(Dim(source=ssa, axis=n) if d is None else d for n, d in enumerate(shape))
        made.append(trace.make(ssa, dtype, dims, weak))
    return made


def _weak(abstract: abstract_values.AbstractValue) -> Iterator[bool]:
    """For each value that carries an abstract value, whether it is a number of Python's."""
    if isinstance(abstract, abstract_values.Typed):
        yield abstract.weak and not abstract.dims
    elif isinstance(abstract, abstract_values.Structure):
        for each in abstract.items:
            yield from _weak(each)
    elif isinstance(abstract, Choice):
        yield True
        for each in abstract.alternatives:
            yield from _weak(each)
    elif isinstance(abstract, (abstract_values.Maybe, Nullable)):
        yield True
        yield from _weak(abstract.inner)
    else:
        yield from (False for _ in abstract.types())


def _marks(abstract: abstract_values.AbstractValue) -> list[Given]:
    """The arguments that are in an abstract value, each once."""
    found: dict[int, Given] = {}

    def visit(each: Any) -> None:
        if isinstance(each, abstract_values.Static) and isinstance(each.value, Given):
            found[id(each.value)] = each.value
        for field in ("items", "alternatives"):
            for below in getattr(each, field, None) or ():
                visit(below)
        if isinstance(each, (abstract_values.Maybe, Nullable)):
            visit(each.inner)

    visit(abstract)
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


def _reader(trace: Trace, abstract: abstract_values.AbstractValue, places: dict[int, int]) -> Read:
    """The function that reads the results of an abstract value, compiled for it."""
    text = _Text(places, trace.journal.is_made_here)
    body = text.ways(abstract)
    space = text.space
    exec(f"def read(o):\n{body}", space)
    made: Read = space["read"]
    return made


class _Text:
    """Writes expressions that read an abstract value; ``o`` are the results."""

    def __init__(self, places: dict[int, int], is_made_here: Callable[[Any], bool]) -> None:
        self.places = places
        self.is_made_here = is_made_here
        self.space: dict[str, Any] = {
            "MISSING": structure.MISSING,
            "new": tuple.__new__,
            "rebuild": structure.finished,
        }
        self.next = 1

    def ways(self, abstract: abstract_values.AbstractValue) -> str:
        """The statements for all ways out of the function."""
        if not isinstance(abstract, Choice):
            return f"    return {self.way(abstract)}"
        number, lines = self.next, []
        self.next += 1
        for index, each in enumerate(abstract.alternatives):
            lines.append(f"    if o[{number}] == {index}: return {self.way(each)}")
        return "\n".join(lines)

    def way(self, abstract: abstract_values.AbstractValue) -> str:
        """One way out: the number, the state and the item."""
        assert isinstance(abstract, abstract_values.Structure), "it is a state and an item"
        self.wanted = _wanted(abstract.items[1])
        self.in_state = True
        state = self.part(abstract.items[0], (0,))
        self.in_state = False
        value = self.part(abstract.items[1], (1,))
        return f"({abstract.key[0].number!r}, {state}, {value})"

    def part(self, abstract: abstract_values.AbstractValue, path: tuple[int, ...]) -> str:
        lives = path[0] == 0 and len(path) == 2  # a variable, and not a part of one
        if lives and path not in self.wanted and (text := self.unseen(abstract, path)):
            return text
        text = self.plain(abstract, path)
        return f"({_named(path)} := {text})" if path in self.wanted else text

    def unseen(self, abstract: abstract_values.AbstractValue, path: tuple[int, ...]) -> str | None:
        """A container that only the generator knows."""
        if _is_of_numbers(abstract):
            return f"new({self.kept(kept.Kept)}, ({self.kept(kept.LIST)}, ({self.column()},)))"
        if not isinstance(abstract, abstract_values.Structure) or not issubclass(
            abstract.key[0], Table
        ):
            return None
        parts = [
            self.column() if _is_of_numbers(each) else self.plain(each, path)
            for each in abstract.items
        ]
        kind = self.kept(kept.kind_of(abstract.key))
        return f"new({self.kept(kept.Kept)}, ({kind}, {_tuple(parts)}))"

    def column(self) -> str:
        first = self.next
        self.next += 2
        return f"{self.kept(kept.column)}(o[{first}], o[{first + 1}])"

    def plain(self, abstract: abstract_values.AbstractValue, path: tuple[int, ...]) -> str:
        if isinstance(abstract, abstract_values.Static):
            return self.constant(abstract.value)
        if isinstance(abstract, abstract_values.Structure):
            items = [self.part(each, (*path, n)) for n, each in enumerate(abstract.items)]
            if abstract.key[0] is tuple:
                return _tuple(items)
            if isinstance(abstract.key[0], type) and issubclass(abstract.key[0], tuple):
                return f"new({self.kept(abstract.key[0])}, {_tuple(items)})"
            return f"rebuild({self.kept(abstract.key)}, [{', '.join(items)}])"
        first = self.next
        if isinstance(abstract, Choice):
            return self.choice(abstract, path)
        if isinstance(abstract, (abstract_values.Maybe, Nullable)):
            self.next += 1
            other = "MISSING" if isinstance(abstract, abstract_values.Maybe) else "None"
            return f"({self.plain(abstract.inner, path)} if o[{first}] else {other})"
        self.next += len(abstract.types())
        if type(abstract) is abstract_values.Typed and not abstract.array:
            return f"o[{first}]"
        return f"{self.kept(_assembled(abstract))}(o, {first})"

    def choice(self, abstract: Choice, path: tuple[int, ...]) -> str:
        number = self.next
        self.next += 1
        *most, last = [self.plain(each, path) for each in abstract.alternatives]
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


def _is_of_numbers(abstract: abstract_values.AbstractValue) -> bool:
    """Whether it is a list of numbers of Python's."""
    element = abstract.element if type(abstract) is Listed and abstract.kind is list else None
    return type(element) is abstract_values.Typed and element.weak and not element.dims


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


def _wanted(abstract: abstract_values.AbstractValue) -> set[tuple[int, ...]]:
    """The places that others refer to."""
    if isinstance(abstract, abstract_values.Static) and isinstance(abstract.value, Same):
        return {abstract.value.path}
    below = (_wanted(each) for each in getattr(abstract, "items", None) or ())
    return set().union(*below) if isinstance(abstract, abstract_values.Structure) else set()


def _assembled(abstract: abstract_values.AbstractValue) -> Callable[[Any, int], Any]:
    def wrap(value: Any, is_number: bool) -> Any:
        return value.item() if is_number and hasattr(value, "dtype") else value

    return lambda results, first: abstract.assemble(iter(results[first:]).__next__, wrap)
