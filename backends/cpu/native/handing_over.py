"""Machine code that NumPy's ufuncs call: compiled loops, or else functions of Python's.

NumPy calls C functions, which say by their result whether there is an error.  A loop that there is a
recipe for is run at once; everything else is handed over to Python's functions, which get the same
words as ints, and give an int or raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import auto
from typing import Any

import numpy as np

from agir.backends.cpu.native import objects
from agir.backends.cpu.native.machine import keep, packed
from agir.backends.cpu.native.tables import Axis, Field, Node, Recipe
from agir.backends.cpu.native.words import Code, beginning

BEGIN = "agir_begin_handing_over"
_STATE = "agir_handing_over"
_MOST = 5
_FAILED = -1
"""What NumPy takes for an error."""
_UNFIT = 1
SINGLE = 2
"""So many operands may be one element for all iterations, by the last bits of the array method."""
_MANY = 1 << 14
"""Of more iterations a loop lets other threads run."""
_METHOD = 8
"""Where a context has its array method."""


class Known(Field):
    """What the code needs of the process."""

    NEW_INT, AS_INT, VECTORCALL, DECREF = (auto() for _ in range(4))
    SAVE_THREAD, RESTORE_THREAD = auto(), auto()
    LOOP, PROMOTE, INITIAL, SIZES = (auto() for _ in range(4))  # Python's functions
    RECIPES, MASK = auto(), auto()  # a table of array methods and recipes, and its size less one


FUNCTIONS = {Known.LOOP: 5, Known.PROMOTE: 4, Known.INITIAL: 3, Known.SIZES: 2}
"""How many words NumPy calls each with.

``LOOP`` is a strided loop: context, data, dimensions, strides, auxiliary data.  ``PROMOTE`` chooses
the loop: ufunc, DTypes, signature, the DTypes that it finds.  ``INITIAL`` is where a reduction
begins: context, whether it is empty, where the value goes.  ``SIZES`` gives the sizes of core
dimensions: ufunc, the sizes, -1 for those that no operand has.
"""


def text() -> str:
    """The module."""
    others = (Known.PROMOTE, Known.INITIAL, Known.SIZES)
    parts = (_python(), _raised(), _quick(), _loop(), *map(_entry, others))
    functions = beginning(BEGIN, _STATE, list(map(_name, FUNCTIONS)))
    return functions + "".join(each.text() for each in parts)


def _name(known: Known) -> str:
    return f"agir_{known.name.lower()}"


def _entry(known: Known) -> Code:
    """What NumPy calls."""
    code = Code(_name(known), [f"word{n}" for n in range(FUNCTIONS[known])])
    _hand_over(code, known)
    return code


def _hand_over(code: Code, known: Known) -> None:
    words = code.array(_MOST)
    for n, word in enumerate(code.arguments):
        is_flag = known is Known.INITIAL and n == 1  # of C's a byte, and the others are anything
        code.store(word & 0xFF if is_flag else word, words, 8 * n)
    function = code.load(code.static(_STATE), known.offset)
    code.give(code.call("agir_python", function, words, len(code.arguments)))


def _loop() -> Code:
    """A loop, by the recipe for its array method, and for such operands, where there is one."""
    code = Code(_name(Known.LOOP), ("context", "data", "dimensions", "strides", "auxiliary"))
    context, data, dimensions, strides, _ = code.arguments
    state = code.static(_STATE)
    method, mask = code.load(context, _METHOD), code.load(state, Known.MASK.offset)
    size = code.load(dimensions)
    python, again = code.label(), code.label()
    key = code.variable(method)
    for n in range(SINGLE):
        with code.when(size.is_not(1)), code.when(code.load(strides, 8 * n).is_(0)):
            key.add(1 << n)
    wanted = key.get()
    at = code.variable(code.op("lshr", method, 4) & mask)
    code.put(again)
    entry = code.load(state, Known.RECIPES.offset) + at.get() * 16
    known = code.load(entry)
    code.jump_if(known.is_(0), python)
    with code.when(known.is_(wanted)):
        recipe = code.load(entry, 8)
        result = code.call("agir_quick", recipe, data, size, strides)
        code.jump_if(result.is_(_UNFIT), python)
        code.give(result)
    at.set((at.get() + 1) & mask)
    code.jump(again)
    code.put(python)
    _hand_over(code, Known.LOOP)
    return code


def _quick() -> Code:
    """Run compiled code on contiguous operands that are apart; whether it has failed."""
    code = Code("agir_quick", ("recipe", "data", "size", "strides"))
    recipe, data, size, strides = code.arguments
    unfit = code.label()
    code.jump_if(code.load(recipe, Recipe.BUSY.offset).is_not(0), unfit)
    nodes = code.load(recipe, Recipe.NODES.offset)
    count = code.load(recipe, Recipe.NODE_COUNT.offset)
    with code.repeat(count) as n:
        node, address = nodes + n * (8 * len(Node)), code.load(data + n * 8)
        cell = code.load(code.load(node, Node.AXES.offset), Axis.EXTENT_CELL.offset)
        fits = code.label()
        code.jump_if(size.is_(1), fits)
        stride = code.variable(code.load(node, Node.ITEM_SIZE.offset))
        with code.when(cell.is_(0)):  # there is one element
            stride.set(0)
        code.jump_if(code.load(strides + n * 8).is_not(stride.get()), unfit)
        code.put(fits)
        with (
            code.when(code.load(node, Node.WRITTEN.offset).is_not(0)),
            code.repeat(n) as m,
        ):
            code.jump_if(code.load(data + m * 8).is_(address), unfit)
        code.store(address, code.load(node, Node.CELL.offset))
        with code.when(cell.is_not(0)):
            code.store(size, cell)
    code.store(1, recipe, Recipe.BUSY.offset)
    function, pointers = (code.load(recipe, f.offset) for f in (Recipe.FUNCTION, Recipe.POINTERS))
    state, thread = code.static(_STATE), code.variable(0)
    with code.when(size > _MANY):  # others may run meanwhile
        thread.set(code.call(code.load(state, Known.SAVE_THREAD.offset)))
    code.run(function, pointers)
    with code.when(thread.get().is_not(0)):
        code.run(code.load(state, Known.RESTORE_THREAD.offset), thread.get())
    code.store(0, recipe, Recipe.BUSY.offset)
    for record, raising in (Recipe.LEFT, Recipe.LEAVING), (Recipe.FAILURE, Recipe.RAISE):
        there = code.load(recipe, record.offset)
        with code.when(there.is_not(0)), code.when(code.load(there).is_not(0)):
            code.give(code.call("agir_raised", there, code.load(recipe, raising.offset)))
    code.give(0)
    code.put(unfit)
    code.give(_UNFIT)
    return code


def _raised() -> Code:
    """Has a function of Python's raise what three numbers say."""
    code = Code("agir_raised", ("record", "raising"))
    record, raising = code.arguments
    code.call("agir_python", raising, record, 3)
    code.give(_FAILED)
    return code


def _python() -> Code:
    """Calls a function of Python's with words as ints; gives its int, or -1 where it has raised."""
    code = Code("agir_python", ("function", "words", "count"))
    function, words, count = code.arguments
    state = code.static(_STATE)
    ints, made, result = code.array(_MOST), code.variable(0), code.variable(_FAILED)
    done = code.label()
    with code.repeat(count) as n:
        number = code.call(code.load(state, Known.NEW_INT.offset), code.load(words + n * 8))
        code.jump_if(number.is_(0), done)
        code.store(number, ints + n * 8)
        made.add(1)
    found = code.call(code.load(state, Known.VECTORCALL.offset), function, ints, count, 0)
    with code.when(found.is_not(0)):
        overflow = code.array(1)
        number = code.call(code.load(state, Known.AS_INT.offset), found, overflow)
        result.set(number)
        code.run(code.load(state, Known.DECREF.offset), found)
    code.put(done)
    with code.repeat(made.get()) as n:
        code.run(code.load(state, Known.DECREF.offset), code.load(ints + n * 8))
    code.give(result.get())
    return code


class HandingOver:
    """The code in memory, where it stays until the process ends."""

    def __init__(
        self, loaded: tuple[int, Any], functions: Mapping[Known, Callable[..., int]]
    ) -> None:
        """``loaded`` is the address of what begins, and what has the code in memory."""
        begin, code = loaded
        self._state = np.zeros(len(Known), np.uint64)
        self._recipes: dict[int, Any] = {}
        addresses = objects.functions()
        for known in Known:
            self._state[known] = addresses.get(known.name, 0)
        for known, function in functions.items():
            self._state[known] = id(function)
        self._put_table(_FEWEST)
        found = np.zeros(len(FUNCTIONS), np.uint64)
        packed(begin, self._state, found)
        for each in (self, code, functions):
            keep(each)
        self.addresses = dict(zip(FUNCTIONS, map(int, found), strict=True))
        """What NumPy calls."""

    def add(self, method: int, single: Sequence[int], recipe: Any) -> None:
        """Run the loops of an array method by a recipe (`recipes.Builder`).

        Of the operands with the numbers ``single``, all below `SINGLE`, there is one element.
        """
        key = method + sum(1 << n for n in single)
        self._recipes[key] = recipe
        if 2 * len(self._recipes) > self._size:
            self._put_table(2 * self._size)
        else:
            self._put(key, recipe)

    def _put_table(self, size: int) -> None:
        """Another table of that size, a power of two; the former one may be in use, and stays."""
        self._size = size
        self._table = np.zeros((size, 2), np.uint64)
        keep(self._table)
        for key, recipe in self._recipes.items():
            self._put(key, recipe)
        self._state[Known.RECIPES] = self._table.__array_interface__["data"][0]
        self._state[Known.MASK] = size - 1

    def _put(self, key: int, recipe: Any) -> None:
        at = (key >> 4) & (self._size - 1)
        while self._table[at, 0]:
            at = (at + 1) & (self._size - 1)
        self._table[at, 1] = recipe[0].__array_interface__["data"][0]
        self._table[at, 0] = key


_FEWEST = 64
