"""A Python function written for each compiled one: from arguments to results in a microsecond.

What its text does for ``(tensor<?xf64>) -> tensor<?xf64>``, leaving out the refusals::

    memory, pointers = pop_frame()
    a0, = arguments
    p0 = pointer_at(id(a0) + 16).value
    n0_0, = a0.shape
    pack(memory, 0, p0, n0_0)
    function(pointers)
    r0, r1, r2, r3, r4 = unpack(memory, 64)
    push_frame((memory, pointers))
    v0 = array(r3, …)
    return [v0]

Arguments that it refuses go the thorough way (`arguments.thorough`).
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from math import prod
from types import CodeType
from typing import Any

import numpy as np

from agir.backends.cpu.calling import leaving as leaves
from agir.backends.cpu.calling import results
from agir.backends.cpu.calling.arguments import accepted, bfloat_bits, thorough
from agir.backends.cpu.calling.layout import Signature, Value, static_strides
from agir.backends.cpu.calling.memory import Plan, new_frame
from agir.backends.entry import Run

_CONTIGUOUS_AND_ALIGNED = 0x101  # NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED
_ALIGNED = 0x100  # NPY_ARRAY_ALIGNED
_WRITABLE = 0x400  # NPY_ARRAY_WRITEABLE

# NumPy's arrays begin with CPython's object header, then the address of their data.  Reading it
# there takes a tenth of the time that the official ways take.
_DATA = object.__basicsize__


class _UnusualError(Exception):
    """An argument for the thorough way."""


_REFUSALS = (AttributeError, OverflowError, TypeError, ValueError, struct.error, _UnusualError)


def make_caller(
    signature: Signature,
    dtypes: Sequence[np.dtype[Any]],
    function: Callable[[int], None],
    elsewhere: Callable[[Sequence[Any]], Run | None] | None = None,
    leaving: Callable[[int, int, int], Any] | None = None,
) -> Run:
    """The function from a call's arguments to its results.

    `elsewhere` gives another such function for arguments that this one would have to copy, or None.
    `interrupts` raises what the last results say of a function that may end early.
    """
    plan = Plan(signature)
    if leaving is not None:
        signature = replace(signature, results=signature.results[: -leaves.COUNT])
    space = _names(signature, dtypes, function, plan)
    space["leaving"] = leaving
    space["elsewhere"] = elsewhere or (lambda arguments: None)
    exec(_compiled("\n".join(_lines(signature, dtypes, plan, space))), space)
    call: Run = space.pop("call")
    return call


@lru_cache
def _compiled(text: str) -> CodeType:
    """The text as code: signatures of one form have the same."""
    return compile(text, "<string>", "exec")


def _names(
    signature: Signature,
    dtypes: Sequence[np.dtype[Any]],
    function: Callable[[int], None],
    plan: Plan,
) -> dict[str, Any]:
    """What the text refers to by name."""
    frames: list[tuple[Any, int]] = []
    return {
        "ndarray": np.ndarray,
        "copyto": np.copyto,
        "free": results.free,
        "owned": results.owned,
        "bytes_at": results.bytes_at,
        "pop_frame": frames.pop,
        "push_frame": frames.append,
        "new_frame": lambda: new_frame(plan),
        "pack": plan.cells.pack_into,
        "unpack": plan.results.unpack_from,
        "function": function,
        "pointer_at": ctypes.c_void_p.from_address,
        "thorough": partial(thorough, signature),
        "read_shared": lambda fields: results.read_shared(fields, signature.results, dtypes),
        "Unusual": _UnusualError,
        "Refusals": _REFUSALS,
    }


def _lines(
    signature: Signature, dtypes: Sequence[np.dtype[Any]], plan: Plan, space: dict[str, Any]
) -> list[str]:
    """The text; what else it refers to is put into `space`."""
    writes = any(value.written for value in signature.arguments)
    return [
        "def call(arguments, ndarray=ndarray, free=free, bytes_at=bytes_at):",
        "    try:",
        "        memory, pointers = pop_frame()",
        "    except IndexError:",
        "        memory, pointers = new_frame()",
        "    try:",
        *_indented(_argument_lines(signature, space)),
        "        changed = ()",
        "    except Refusals:",
        "        other = elsewhere(arguments)",
        "        if other is not None:",
        "            push_frame((memory, pointers))",
        "            return other(arguments)",
        "        cells, alive, changed = thorough(arguments)",
        "        pack(memory, 0, *cells)",
        "    function(pointers)",
        *(["    for original, copy in changed: copyto(original, copy)"] if writes else []),
        f"    fields = unpack(memory, {plan.results_at})",
        "    push_frame((memory, pointers))",
        *_leaving_lines(space),
        *_result_lines(signature, dtypes, space),
    ]


def _leaving_lines(space: dict[str, Any]) -> list[str]:
    """What looks at the results that say whether the function came to its end."""
    if space["leaving"] is None:
        return []
    return [
        f"    if fields[-{leaves.COUNT}]: leaving(*fields[-{leaves.COUNT}:])",
        f"    fields = fields[:-{leaves.COUNT}]",
    ]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _argument_lines(signature: Signature, space: dict[str, Any]) -> list[str]:
    names = [f"a{i}" for i in range(len(signature.arguments))]
    lines = [f"    [{', '.join(names)}] = arguments"]
    cells: list[str] = []
    if not _addresses_can_be_read():
        lines.append("    raise Unusual")
    for i, value in enumerate(signature.arguments):
        if value.shape is not None:
            space[f"types{i}"] = accepted(value)
            lines += _array_lines(i, value)
            cells += [f"p{i}", *_unknown_sizes(i, value)]
        elif value.dtype.kind == "c":
            cells.append(f"a{i}.real, a{i}.imag")
        elif value.codes == "H":
            space["bits"] = bfloat_bits
            cells.append(f"bits(a{i})")
        else:
            cells.append(f"a{i}")
    lines.append(f"    pack({', '.join(['memory', '0', *cells])})")
    return lines


def _addresses_can_be_read() -> bool:
    probe = np.zeros(1)
    address = ctypes.c_void_p.from_address(id(probe) + _DATA).value
    return bool(address == probe.__array_interface__["data"][0])


def _array_lines(i: int, value: Value) -> list[str]:
    shape = value.shape or ()
    flags = _ALIGNED if value.strided else _CONTIGUOUS_AND_ALIGNED
    flags |= _WRITABLE if value.written else 0
    lines = [
        f"    if type(a{i}) is not ndarray or a{i}.dtype not in types{i}: raise Unusual",
        f"    if a{i}.flags.num & {flags} != {flags}: raise Unusual",
        f"    p{i} = pointer_at(id(a{i}) + {_DATA}).value",
        f"    [{', '.join(_sizes(i, shape))}] = a{i}.shape",
    ]
    wrong = [f"n{i}_{axis} != {n}" for axis, n in enumerate(shape) if n is not None]
    if value.strided:
        size = value.dtype.itemsize
        lines.append(f"    [{', '.join(_strides(i, shape))}] = a{i}.strides")
        wrong += [f"{name} % {size}" for name in _strides(i, shape)]
    if wrong:
        lines.append(f"    if {' or '.join(wrong)}: raise Unusual")
    return lines


def _sizes(i: int, shape: Sequence[int | None]) -> list[str]:
    return [f"n{i}_{axis}" for axis in range(len(shape))]


def _strides(i: int, shape: Sequence[int | None]) -> list[str]:
    return [f"s{i}_{axis}" for axis in range(len(shape))]


def _unknown_sizes(i: int, value: Value) -> list[str]:
    shape = value.shape or ()
    names = _sizes(i, shape)
    unknown = [name for name, n in zip(names, shape, strict=True) if n is None]
    if value.strided:
        return [*unknown, *(f"{s} // {value.dtype.itemsize}" for s in _strides(i, shape))]
    return unknown + [
        " * ".join(names[axis + 1 :]) for axis, n in enumerate(static_strides(shape)) if n is None
    ]


def _result_lines(
    signature: Signature, dtypes: Sequence[np.dtype[Any]], space: dict[str, Any]
) -> list[str]:
    lines: list[str] = []
    allocations: list[str] = []
    at = 0
    for i, (value, dtype) in enumerate(zip(signature.results, dtypes, strict=True)):
        if value.shape is None:
            parts = [f"r{at + k}" for k in range(len(value.codes))]
            space[f"scalar{i}"] = results.scalar_reader(value, dtype)
            lines.append(f"    v{i} = scalar{i}({', '.join(parts)})")
            at += len(parts)
        else:
            space[f"dtype{i}"] = dtype
            lines += _array_result_lines(i, at, value.shape, dtype, space)
            allocations.append(f"r{at}")
            at += 3 + 2 * len(value.shape)
    names = [f"r{k}" for k in range(at)]
    first = [f"    [{', '.join(names)}] = fields"]
    if len(allocations) > 1:
        first.append(f"    if len({{{', '.join(allocations)}}}) < {len(allocations)}:")
        first.append("        return read_shared(fields)")
    values = [f"v{i}" for i in range(len(signature.results))]
    return [*first, *lines, f"    return [{', '.join(values)}]"]


def _array_result_lines(
    i: int, at: int, known: tuple[int | None, ...], dtype: np.dtype[Any], space: dict[str, Any]
) -> list[str]:
    sizes = [str(n) if n is not None else f"r{at + 3 + k}" for k, n in enumerate(known)]
    shape = f"({''.join(dim_size + ', ' for dim_size in sizes)})"
    small = [
        f"v{i} = ndarray({shape}, dtype{i}, bytes_at(size)(r{at + 1})).copy()",
        f"free(r{at})",
    ]
    big = f"v{i} = owned(r{at}, r{at + 1}, size, dtype{i}, {shape})"
    if None not in known:
        size = prod(n or 0 for n in known) * dtype.itemsize
        space[f"bytes{i}"] = results.bytes_at(size)
        small[0] = small[0].replace("bytes_at(size)", f"bytes{i}")
        lines = small if size <= results.SMALL else [big.replace("size", str(size))]
        return ["    " + line for line in lines]
    return [
        f"    size = {' * '.join([*sizes, str(dtype.itemsize)])}",
        f"    if size > {results.SMALL}:",
        f"        {big}",
        "    else:",
        *_indented(_indented(small)),
    ]
