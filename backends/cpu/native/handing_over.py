"""Machine code between NumPy's ufuncs and Python: it hands what NumPy calls over to functions of Python's.

NumPy calls C functions, which say by their result whether there is an error.  Python's functions get
the same words as ints, and give an int or raise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import auto
from typing import Any

import numpy as np

from agir.backends.cpu.native import objects
from agir.backends.cpu.native.machine import keep, packed
from agir.backends.cpu.native.tables import Field
from agir.backends.cpu.native.words import Code

BEGIN = "agir_begin_handing_over"
_STATE = "agir_handing_over"
_MOST = 5
_FAILED = -1
"""What NumPy takes for an error."""


class Known(Field):
    """What the code needs of the process."""

    NEW_INT, AS_INT, VECTORCALL, DECREF = (auto() for _ in range(4))
    LOOP, PROMOTE, INITIAL = (auto() for _ in range(3))  # Python's functions


FUNCTIONS = {Known.LOOP: 5, Known.PROMOTE: 4, Known.INITIAL: 3}
"""How many words NumPy calls each with.

``LOOP`` is a strided loop: context, data, dimensions, strides, auxiliary data.  ``PROMOTE`` chooses
the loop: ufunc, DTypes, signature, the DTypes that it finds.  ``INITIAL`` is where a reduction
begins: context, whether it is empty, where the value goes.
"""


def text() -> str:
    """The module."""
    state = f"llvm.mlir.global internal @{_STATE}(0 : i64) {{addr_space = 0 : i32}} : i64\n"
    parts = (_python(), *map(_entry, FUNCTIONS), _addresses())
    return state + "".join(each.text() for each in parts)


def _name(known: Known) -> str:
    return f"agir_{known.name.lower()}"


def _addresses() -> Code:
    """Takes the state's address; leaves those of the functions in the words behind it."""
    code = Code(BEGIN, ("state", "addresses"), result=False)
    code.line(f"%here = llvm.mlir.addressof @{_STATE} : !llvm.ptr")
    code.line(f"llvm.store {code.arguments[0].name}, %here : i64, !llvm.ptr")
    for n, known in enumerate(FUNCTIONS):
        code.store(code.address(_name(known)), code.arguments[1], 8 * n)
    code.give()
    return code


def _entry(known: Known) -> Code:
    """What NumPy calls."""
    code = Code(_name(known), [f"word{n}" for n in range(FUNCTIONS[known])])
    words = code.array(_MOST)
    for n, word in enumerate(code.arguments):
        is_flag = known is Known.INITIAL and n == 1  # of C's a byte, and the others are anything
        code.store(word & 0xFF if is_flag else word, words, 8 * n)
    function = code.load(code.static(_STATE), known.offset)
    code.give(code.call("agir_python", function, words, len(code.arguments)))
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


def handed_over(
    loaded: tuple[int, Any], functions: Mapping[Known, Callable[..., int]]
) -> dict[Known, int]:
    """The addresses of what NumPy calls, once it hands over to these functions.

    ``loaded`` is the address of what begins, and what has the code in memory; all of it stays there.
    """
    begin, code = loaded
    state = np.zeros(len(Known), np.uint64)
    addresses = objects.functions()
    for known in Known:
        function = functions.get(known)
        state[known] = addresses[known.name] if function is None else id(function)
    found = np.zeros(len(FUNCTIONS), np.uint64)
    packed(begin, state, found)
    for each in (state, code, functions):
        keep(each)
    return dict(zip(FUNCTIONS, map(int, found), strict=True))


