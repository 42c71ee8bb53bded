"""Callbacks in machine code: the host's functions under the addresses that the program calls.

MLIR calls an external function through its C interface (``_mlir_ciface_print_0``): scalars as they
are, and for each buffer the address of its descriptor, from which the array is copied.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from agir.backends.cpu.calling import threads
from agir.backends.cpu.calling.layout import Value, signature
from agir.backends.cpu.code.loading import placed, unavailable
from agir.errors import LoweringError
from agir.ir.building import bindings
from agir.ir.host import hosts
from agir.ir.host.foreign import ForeignFunction
from agir.ir.host.streams import Stream

TYPE = "agir.callback_type"
INTERFACE = "_mlir_ciface_"

_SCALARS: dict[str, Any] = {"q": ctypes.c_int64, "d": ctypes.c_double}


def remember_types(module_symbols: Mapping[str, Any]) -> None:
    """Keep the types of the callbacks, for the LLVM dialect has only their pieces."""
    for function in module_symbols.values():
        if function.name == "func.func" and hosts.is_callback(function):
            function.attributes[TYPE] = function.attributes["function_type"]


def export(function: Any) -> None:
    """Give the stub of a callback a symbol: MLIR's engine looks up every function."""
    function.attributes["linkage"] = bindings.ir.Attribute.parse("#llvm.linkage<external>")


def stand_in(engine: Any, module_symbols: Mapping[str, Any], elsewhere: Iterable[str] = ()) -> Any:
    """Something for the callbacks, and functions elsewhere, of code that an engine does not run."""
    nothing = ctypes.CFUNCTYPE(None)(lambda: None)
    for name in (*elsewhere, *({threads.RUN} & module_symbols.keys())):
        engine.raw_register_runtime(name, ctypes.cast(nothing, ctypes.c_void_p))
    for name, function in module_symbols.items():
        if hosts.is_callback(function) and not name.startswith(INTERFACE):
            engine.register_runtime(name, nothing)
    return nothing


def natives(
    module_symbols: Mapping[str, Any], given: Mapping[str, Any], *, draws: bool = False
) -> dict[str, Any]:
    """The host's functions that a program calls, as native code calls them, by their names.

    They have to live as long as the code.  With ``draws`` it draws random numbers without Python;
    the streams are to be reserved then.
    """
    found = {}
    for name, function in module_symbols.items():
        if hosts.is_callback(function) and not name.startswith(INTERFACE):
            known = given.get(name)
            if isinstance(known, ForeignFunction) and known.is_native:
                found[name] = known.function
            elif draws and isinstance(known, Stream) and not unavailable():
                found[name] = _drawing(known)
            else:
                found[name] = _native(name, function, given)
    return found


def register(engine: Any, functions: Mapping[str, Any]) -> None:
    """Make the host's functions known to an engine, before anything is looked up in it."""
    for name, native in functions.items():
        engine.register_runtime(name, native)


def _native(name: str, function: Any, given: Mapping[str, Any]) -> Any:
    if TYPE not in function.attributes:
        raise LoweringError(f"the callback {name!r} does not say its type in {TYPE!r}")
    try:
        kind = bindings.ir.FunctionType(function.attributes[TYPE].value)
    except (AttributeError, TypeError, ValueError):
        raise LoweringError(f"the {TYPE!r} of the callback {name!r} is no type") from None
    arguments = signature(kind).arguments
    results = [str(each) for each in kind.results]
    _check_declared(name, function, arguments, list(map(_result, kind.results)))
    inputs = [(value.shape is not None, value.dtype) for value in arguments]
    host = hosts.host_function(function, inputs, results, given)
    readers = [_reader(value) for value in arguments]
    types = [ctypes.c_void_p if v.shape is not None else _SCALARS[v.codes] for v in arguments]
    if hosts.gives_array(function):
        given_array = hosts.protected(_giving(host, readers), always=True)
        return ctypes.CFUNCTYPE(None, ctypes.c_void_p, *types)(given_array)
    call = hosts.protected(_calling(host, readers))
    result = _SCALARS["d" if results == ["f64"] else "q"] if results else None
    return ctypes.CFUNCTYPE(result, *types)(call)


_DRAW = bytes.fromhex("48 bf"), bytes.fromhex("48 8b 47 08  48 8b 3f  ff e0")
"""mov rdi, cell; mov rax, [rdi + 8]; mov rdi, [rdi]; jmp rax"""


def _drawing(stream: Stream) -> Any:
    """What calls the function of a stream with its state."""
    cell = ctypes.addressof(stream.cell).to_bytes(8, "little")
    address, memory = placed(_DRAW[0] + cell + _DRAW[1])
    function: Any = ctypes.CFUNCTYPE(ctypes.c_double)(address)
    function.memory, function.stream = memory, stream
    return function


def _check_declared(
    name: str, function: Any, arguments: Sequence[Value], results: Sequence[str]
) -> None:
    """Refuse a type that is not that of the function: the text of a stage may have been edited."""
    parts = ", ".join(part for value in arguments for part in _parts(name, value))
    result = ", ".join(results) or "void"
    if str(function.attributes["function_type"]) != f"!llvm.func<{result} ({parts})>":
        raise LoweringError(f"the callback {name!r} is not of the type that {TYPE!r} says")


_malloc = ctypes.PyDLL(None).malloc
_malloc.argtypes = [ctypes.c_size_t]
_malloc.restype = ctypes.c_void_p


def _result(kind: Any) -> str:
    """What a result is in the LLVM dialect: an array comes as the descriptor of its buffer."""
    if not isinstance(kind, bindings.ir.MemRefType):
        return str(kind)
    rank = kind.rank
    return f"struct<(ptr, ptr, i64, array<{rank} x i64>, array<{rank} x i64>)>"


def _giving(host: Callable[..., Any], readers: Sequence[Callable[[Any], Any]]) -> Any:
    """The host's array as a buffer of its own, which the program frees."""

    def call(address: int, *raw: Any) -> None:
        array = np.ascontiguousarray(
            host(*[read(value) for read, value in zip(readers, raw, strict=True)])
        )
        memory = _malloc(max(array.nbytes, 1))
        ctypes.memmove(memory, array.ctypes.data, array.nbytes)
        strides = [stride // array.itemsize for stride in array.strides]
        fields = (ctypes.c_int64 * (3 + 2 * array.ndim)).from_address(address)
        fields[:] = [memory, memory, 0, *array.shape, *strides]

    return call


def _calling(host: Callable[..., Any], readers: Sequence[Callable[[Any], Any]]) -> Any:
    def call(*raw: Any) -> Any:
        return host(*[read(value) for read, value in zip(readers, raw, strict=True)])

    return call


def _parts(name: str, value: Value) -> list[str]:
    """What a parameter is in the LLVM dialect."""
    if value.shape is not None:
        return ["ptr"] * 2 + ["i64"] * (1 + 2 * len(value.shape))
    if value.codes not in _SCALARS:
        raise LoweringError(
            f"the callback {name!r} takes {value.dtype}: scalars cross as i64 or f64"
        )
    return ["i64" if value.codes == "q" else "f64"]


def _reader(value: Value) -> Callable[[Any], Any]:
    """What makes a NumPy value of a parameter as native code passes it."""
    if value.shape is None:
        return lambda raw: raw
    rank, dtype = len(value.shape), value.dtype
    fields = ctypes.c_int64 * (3 + 2 * rank)
    return lambda address: _copied(fields.from_address(address), rank, dtype)


def _copied(fields: Any, rank: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The array of a buffer's descriptor: allocated, aligned, offset, sizes, strides."""
    shape, strides = tuple(fields[3 : 3 + rank]), fields[3 + rank :]
    if not all(shape):
        return np.empty(shape, dtype)
    if min(strides, default=0) < 0:
        raise ValueError("a callback takes no array that runs backwards in memory")
    size = 1 + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
    memory = (ctypes.c_char * (size * dtype.itemsize)).from_address(
        fields[1] + fields[2] * dtype.itemsize
    )
    steps = [stride * dtype.itemsize for stride in strides]
    return np.array(np.ndarray(shape, dtype, memory, 0, steps))
