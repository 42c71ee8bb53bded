"""Machine code that takes the numbers of a list, dict or set, or the text of a string, into an array.

It reads objects of CPython where they lie (`objects.py`), allocates none, and runs no code of Python's.
What it does not find to be numbers of one class it refuses; what is in the array then is of no use.
The way back, from an array into a list of numbers, makes objects where it finds none to use again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agir.backends.cpu.native import objects
from agir.backends.cpu.native.tables import Kind, Node, Recipe, State
from agir.backends.cpu.native.words import Code, Label, Word

BEGIN = "agir_begin_columns"
FUNCTIONS = (
    "agir_list",
    "agir_entries",
    "agir_text",
    "agir_count",
    "agir_rows",
    "agir_column",
    "agir_apart",
    "agir_refill",
)


def text() -> str:
    """The module."""
    ways = (
        _list(),
        _entries(),
        _text(),
        _count(),
        _rows(),
        _column(),
        _apart(),
        _refill(),
        _addresses(),
    )
    return "".join(each.text() for each in ways)


def _addresses() -> Code:
    """Leaves the addresses of the functions in words."""
    code = Code(BEGIN, ("addresses",), result=False)
    for n, name in enumerate(FUNCTIONS):
        code.store(code.address(name), code.arguments[0], 8 * n)
    code.give()
    return code


def _list() -> Code:
    """Whether a list has so many items, all numbers of a class; they are in ``target`` then."""
    code = Code("agir_list", ("state", "list", "count", "kind", "target"))
    state, item, count, kind, target = code.arguments
    refused = code.label()
    code.jump_if(code.load(item, objects.SIZE).is_not(count), refused)
    items = code.load(item, objects.LIST_ITEMS)
    for one in _each_class(code, state, kind, refused):
        with code.repeat(count) as n:
            one(code, state, code.load(items + n * 8), target, n, refused)
    return code


def _entries() -> Code:
    """The same for the keys or values of a dict, or the items of a set."""
    code = Code("agir_entries", ("state", "container", "part", "count", "kind", "target"))
    state, container, part, count, kind, target = code.arguments
    refused = code.label()
    position, key, value = code.array(1), code.array(1), code.array(1)
    for one in _each_class(code, state, kind, refused):
        code.store(0, position)
        with code.repeat(count) as n:
            found = code.variable(key)
            next_of = code.variable(code.load(state, State.DICT_NEXT.offset))
            with code.when(part.is_(Kind.VALUES)):
                found.set(value)
            with code.when(part.is_(Kind.ITEMS)):  # it gives the hash where a dict gives a value
                next_of.set(code.load(state, State.SET_NEXT.offset))
            more = code.call(next_of.get(), container, position, key, value) & _INT
            code.jump_if(more.is_(0), refused)
            one(code, state, code.load(found.get()), target, n, refused)
    return code


_INT = 0xFFFFFFFF
"""The bits of what a function gives whose result is an ``int`` of C's."""


def _float(code: Code, state: Word, item: Word, target: Word, n: Word, refused: Label) -> None:
    _require(code, state, item, State.FLOAT, refused)
    code.store(code.load(item, objects.NUMBER), target + n * 8)


def _complex(code: Code, state: Word, item: Word, target: Word, n: Word, refused: Label) -> None:
    _require(code, state, item, State.COMPLEX, refused)
    for part in (0, 8):
        code.store(code.load(item, objects.NUMBER + part), target + n * 16, part)


def _bool(code: Code, state: Word, item: Word, target: Word, n: Word, refused: Label) -> None:
    _require(code, state, item, State.BOOL, refused)
    code.store(0, target + n, bits=8)
    with code.when(item.is_(code.load(state, State.TRUE.offset))):
        code.store(1, target + n, bits=8)


def _int(code: Code, state: Word, item: Word, target: Word, n: Word, refused: Label) -> None:
    """One of one digit is read where it lies; CPython knows the others."""
    _require(code, state, item, State.INT, refused)
    place = target + n * 8
    head, done = code.load(item, objects.SIZE), code.label()
    with code.when(head.is_(code.load(state, State.INT_POSITIVE.offset))):
        code.store(code.load(item, objects.DIGITS, bits=32), place)
        code.jump(done)
    with code.when(head.is_(code.load(state, State.INT_ZERO.offset))):
        code.store(0, place)
        code.jump(done)
    with code.when(head.is_(code.load(state, State.INT_NEGATIVE.offset))):
        code.store(code.op("sub", 0, code.load(item, objects.DIGITS, bits=32)), place)
        code.jump(done)
    overflow = code.array(1)
    code.store(code.call(code.load(state, State.AS_INT.offset), item, overflow), place)
    code.jump_if(code.load(overflow, bits=32).is_not(0), refused)
    code.put(done)


def _require(code: Code, state: Word, item: Word, kind: State, refused: Label) -> None:
    code.jump_if(code.load(item, objects.TYPE).is_not(code.load(state, kind.offset)), refused)


_One = Callable[[Code, Word, Word, Word, Word, Label], None]
_CLASSES: dict[State, _One] = {
    State.INT: _int,
    State.FLOAT: _float,
    State.BOOL: _bool,
    State.COMPLEX: _complex,
}


def _each_class(code: Code, state: Word, kind: Word, refused: Label) -> Iterator[_One]:
    """What takes one number of a class, for each of them: the function gives whether all were taken."""
    for name, one in _CLASSES.items():
        with code.when(kind.is_(code.load(state, name.offset))):
            yield one
            code.give(1)
    code.put(refused)
    code.give(0)


def _refill() -> Code:
    """Give a list of numbers of a class other ones: 1; 0 if it is no such list, -1 with an error set.

    An item that is to be what it is stays the same object.  A number that nobody but the list refers
    to would be freed, and its memory taken for the new one: it is given its value where it is.
    """
    code = Code("agir_refill", ("state", "list", "count", "kind", "source"))
    state, item, count, kind, source = code.arguments
    refused, failed = code.label(), code.label()
    code.jump_if(code.load(item, objects.SIZE).is_not(count), refused)
    items = code.load(item, objects.LIST_ITEMS)
    for name, number in _WAYS_BACK.items():
        with code.when(kind.is_(code.load(state, name.offset))):
            with code.repeat(count) as n:
                place, same = items + n * 8, code.label()
                old = code.load(place)
                _require(code, state, old, name, refused)
                new = number(code, state, old, source, n, same)
                code.jump_if(new.is_(0), failed)
                code.store(new, place)
                code.run(code.load(state, State.DECREF.offset), old)
                code.put(same)
            code.give(1)
    code.put(refused)
    code.give(0)
    code.put(failed)
    code.give(-1)
    return code


def _new_int(code: Code, state: Word, old: Word, source: Word, n: Word, same: Label) -> Word:
    """The object for a number, unless the old one is that, or has become it."""
    value, other, new = code.load(source + n * 8), code.label(), code.label()
    head = code.load(old, objects.SIZE)
    code.jump_if(head.is_not(code.load(state, State.INT_POSITIVE.offset)), other)
    code.jump_if(code.load(old, objects.DIGITS, bits=32).is_(value), same)
    code.jump_if(code.load(old, objects.REFERENCES).is_not(1), new)
    least, most = objects.SHARED_INTS, objects.LARGEST_DIGIT
    code.jump_if(code.compare("ugt", value - least, most - least), new)
    code.store(value, old, objects.DIGITS, bits=32)
    code.jump(same)
    code.put(other)
    overflow = code.array(1)
    before = code.call(code.load(state, State.AS_INT.offset), old, overflow)
    code.jump_if(code.load(overflow, bits=32).is_not(0), new)
    code.jump_if(before.is_(value), same)
    code.put(new)
    return code.call(code.load(state, State.NEW_INT.offset), value)


def _new_float(code: Code, state: Word, old: Word, source: Word, n: Word, same: Label) -> Word:
    value, new = code.load(source + n * 8), code.label()
    code.jump_if(code.load(old, objects.NUMBER).is_(value), same)
    code.jump_if(code.load(old, objects.REFERENCES).is_not(1), new)
    code.store(value, old, objects.NUMBER)
    code.jump(same)
    code.put(new)
    made = code.call(
        code.load(state, State.NEW_OBJECT.offset), code.load(state, State.FLOAT.offset), 0
    )
    with code.when(made.is_not(0)):
        code.store(value, made, objects.NUMBER)
    return made


def _new_bool(code: Code, state: Word, old: Word, source: Word, n: Word, same: Label) -> Word:
    value = code.load(source + n, bits=8)
    return code.call(code.load(state, State.NEW_BOOL.offset), value)


_WAYS_BACK: dict[State, Callable[[Code, Word, Word, Word, Word, Label], Word]] = {
    State.INT: _new_int,
    State.FLOAT: _new_float,
    State.BOOL: _new_bool,
}


def _text() -> Code:
    """The code points of a text, as 64-bit numbers; whether there was no error, which is left set.

    CPython writes them into the second half of the array, as 32-bit numbers.
    """
    code = Code("agir_text", ("state", "item", "count", "target"))
    state, item, count, target = code.arguments
    half = target + count * 4
    written = code.call(code.load(state, State.AS_CODES.offset), item, half, count, 0)
    with code.when(written.is_(0)):
        code.give(0)
    with code.repeat(count) as n:
        code.store(code.load(half + n * 4, bits=32), target + n * 8)
    code.give(1)
    return code


def _column() -> Code:
    """Whether a list has tuples of so many items only, one of which is a number of a class in each."""
    code = Code("agir_column", ("state", "list", "width", "part", "kind", "target"))
    state, item, width, part, kind, target = code.arguments
    refused = code.label()
    rows, tuples = code.load(item, objects.LIST_ITEMS), code.load(state, State.TUPLE.offset)
    for one in _each_class(code, state, kind, refused):
        with code.repeat(code.load(item, objects.SIZE)) as n:
            row = code.load(rows + n * 8)
            code.jump_if(code.load(row, objects.TYPE).is_not(tuples), refused)
            code.jump_if(code.load(row, objects.SIZE).is_not(width), refused)
            found = code.load(row + part * 8, objects.TUPLE_ITEMS)
            one(code, state, found, target, n, refused)
    return code


def _count() -> Code:
    """How many items there are in the lists of a list; -1 where there is anything else in it."""
    code = Code("agir_count", ("state", "list"))
    state, item = code.arguments
    rows, kind = code.load(item, objects.LIST_ITEMS), code.load(state, State.LIST.offset)
    total, refused = code.variable(0), code.label()
    with code.repeat(code.load(item, objects.SIZE)) as n:
        row = code.load(rows + n * 8)
        code.jump_if(code.load(row, objects.TYPE).is_not(kind), refused)
        total.set(total.get() + code.load(row, objects.SIZE))
    code.give(total.get())
    code.put(refused)
    code.give(-1)
    return code


def _rows() -> Code:
    """One of the four arrays of a list of lists, each of which is another one.

    These are the numbers, where each list begins, how many each has, and their order.
    """
    code = Code("agir_rows", ("state", "list", "part", "kind", "target"))
    state, item, part, kind, target = code.arguments
    refused = code.label()
    rows = code.load(item, objects.LIST_ITEMS)
    place, size = code.variable(0), code.variable(8)
    with code.when(kind.is_(code.load(state, State.BOOL.offset))):
        size.set(1)
    with code.when(kind.is_(code.load(state, State.COMPLEX.offset))):
        size.set(16)
    with code.repeat(code.load(item, objects.SIZE)) as n:
        row, following = code.load(rows + n * 8), code.label()
        count = code.load(row, objects.SIZE)
        with code.when(part.is_(Kind.ROWS)):
            begin = target + place.get() * size.get()
            filled = code.call("agir_list", state, row, count, kind, begin)
            code.jump_if(filled.is_(0), refused)
            code.jump(following)
        with code.when(part.is_(Kind.STARTS)):
            code.store(place.get(), target + n * 8)
            code.jump(following)
        with code.when(part.is_(Kind.LENGTHS)):
            code.store(count, target + n * 8)
            code.jump(following)
        code.store(n, target + n * 8)
        code.put(following)
        place.set(place.get() + count)
    code.give(1)
    code.put(refused)
    code.give(0)
    return code


def _apart() -> Code:
    """Whether the containers of a call, and the lists in its lists of such, are all distinct."""
    code = Code("agir_apart", ("state", "recipe", "objects"))
    state, recipe, given = code.arguments
    nodes = code.load(recipe, Recipe.NODES.offset)
    node_count = code.load(recipe, Recipe.NODE_COUNT.offset)
    total, size = code.variable(0), code.variable(16)
    with code.repeat(node_count) as n:
        rows = _row_count(code, nodes + n * (8 * len(Node)), code.load(given + n * 8))
        total.set(total.get() + rows + 1)
    grow, large = code.label(), code.label()
    code.put(grow)
    code.jump_if(size.get() > total.get() * 2, large)
    size.set(size.get() * 2)
    code.jump(grow)
    code.put(large)
    table = code.call(code.load(state, State.ALLOCATE.offset), size.get() * 8)
    with code.when(table.is_(0)):
        code.give(0)
    with code.repeat(size.get()) as n:
        code.store(0, table + n * 8)
    again = code.label()
    with code.repeat(node_count) as n:
        node, item, following = nodes + n * (8 * len(Node)), code.load(given + n * 8), code.label()
        code.jump_if(code.load(node, Node.IS_APART.offset).is_(0), following)
        _enter(code, table, size.get(), item, again)
        with code.repeat(_row_count(code, node, item)) as m:
            row = code.load(code.load(item, objects.LIST_ITEMS) + m * 8)
            _enter(code, table, size.get(), row, again)
        code.put(following)
    code.run(code.load(state, State.FREE.offset), table)
    code.give(1)
    code.put(again)
    code.run(code.load(state, State.FREE.offset), table)
    code.give(0)
    return code


def _row_count(code: Code, node: Word, item: Word) -> Word:
    """How many lists are to be told apart that are in the object of a node."""
    count = code.variable(0)
    with code.when(code.load(node, Node.KIND.offset).is_(Kind.ROWS)):
        count.set(code.load(item, objects.SIZE))
    return count.get()


def _enter(code: Code, table: Word, size: Word, item: Word, again: Label) -> None:
    """Put an address into a table; jump if it is there."""
    mixed = code.op("lshr", item, 4) * 0x9E3779B97F4A7C1
    place = code.variable(code.op("lshr", mixed, 20) & (size - 1))
    probe, free = code.label(), code.label()
    code.put(probe)
    held = code.load(table + place.get() * 8)
    code.jump_if(held.is_(0), free)
    code.jump_if(held.is_(item), again)
    place.set((place.get() + 1) & (size - 1))
    code.jump(probe)
    code.put(free)
    code.store(item, table + place.get() * 8)
