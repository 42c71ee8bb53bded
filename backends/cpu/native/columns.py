"""Machine code that takes the numbers of a list, dict or set, or the text of a string, into an array.

It reads objects of CPython where they lie (`objects.py`), allocates none, and runs no code of Python's.
What it does not find to be numbers of just one class it refuses; what is in the array then is of no use.
"""

from __future__ import annotations

from agir.backends.cpu.native import objects
from agir.backends.cpu.native.tables import Kind, State
from agir.backends.cpu.native.words import Code, Label, Word

BEGIN = "agir_begin_columns"
FUNCTIONS = ("agir_list", "agir_entries", "agir_text")


def text() -> str:
    """The module."""
    return "".join(each.text() for each in (_list(), _entries(), _text(), _addresses()))


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
    for name, one in _CLASSES.items():
        with code.when(kind.is_(code.load(state, name.offset))):
            with code.repeat(count) as n:
                one(code, state, code.load(items + n * 8), target, n, refused)
            code.give(1)
    code.put(refused)
    code.give(0)
    return code


def _entries() -> Code:
    """The same for the keys or values of a dict, or the items of a set."""
    code = Code("agir_entries", ("state", "container", "part", "count", "kind", "target"))
    state, container, part, count, kind, target = code.arguments
    refused = code.label()
    position, key, value = code.array(1), code.array(1), code.array(1)
    for name, one in _CLASSES.items():
        with code.when(kind.is_(code.load(state, name.offset))):
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
            code.give(1)
    code.put(refused)
    code.give(0)
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


_CLASSES = {
    State.INT: _int,
    State.FLOAT: _float,
    State.BOOL: _bool,
    State.COMPLEX: _complex,
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
