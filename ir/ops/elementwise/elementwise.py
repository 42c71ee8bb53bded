"""How elementwise operations are defined: promotion and broadcasting around one scalar emission.

Result dtypes are asked of NumPy's ufunc itself, so that they are NumPy's by construction.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from agir.ir import recording
from agir.ir.building.types import (
    DType,
    TensorType,
    as_dtype,
    bfloat16,
    float32,
    int64,
    promote,
    uint64,
)
from agir.ir.emission import broadcast, emit
from agir.ir.emission.python_numbers import fitted_int, is_run_time_int
from agir.ir.ops.core import chosen, layouts
from agir.ir.ops.core.operands import operand_type
from agir.ir.tensors import dispatch
from agir.ir.tensors.likes import TensorLike
from agir.ir.tensors.symbolic import Dims, SymbolicTensor
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace
from agir.ir.values.alternatives import mixed_numbers

Emitter = Callable[..., Any]
"""``(trace, dtype, dims, *ssa) -> ssa``: emission for operands of one dtype and dimensions."""


def simple(name: str, **attributes: Callable[[], Any]) -> Emitter:
    """The emitter that appends just this MLIR operation."""

    def emitter(trace: Trace, dtype: DType, dims: Dims, *operands: Any) -> Any:
        made = {key: make() for key, make in attributes.items()}
        return emit.elementwise(trace, name, dtype, dims, *operands, **made)

    return emitter


@lru_cache(maxsize=4096)
def _resolved(ufunc: np.ufunc, dtype: DType) -> tuple[DType, DType]:
    """The dtypes in which the ufunc computes on operands of the dtype, and that of its result."""
    if dtype == bfloat16:
        computed, result = _resolved(ufunc, float32)
        return (bfloat16, bfloat16 if result == computed else result)
    resolved = ufunc.resolve_dtypes((dtype.numpy,) * ufunc.nin + (None,) * ufunc.nout)
    return as_dtype(resolved[0]), as_dtype(resolved[-1])


@lru_cache(maxsize=4096)
def _resolved_pair(ufunc: np.ufunc, left: DType, right: DType) -> DType:
    """The dtype in which a ufunc of floats computes on two different dtypes of integers."""
    return as_dtype(ufunc.resolve_dtypes((left.numpy, right.numpy, None))[0])


Resolve = Callable[[DType], tuple[DType, DType]]
"""From the operands' common dtype to the one that is computed in, and that of the result."""


def as_ufunc(ufunc: np.ufunc) -> Resolve:
    """The dtypes that NumPy's ufunc would compute in and give."""
    return lambda dtype: _resolved(ufunc, dtype)


def computing_dtypes(
    name: str,
    resolve: Resolve,
    accepts: str,
    *types: TensorType,
    ufunc: np.ufunc | None = None,
) -> Any:
    """(dtype of the operands, dtype of the result, weakness); ``TypeError`` where undefined.

    A ``ufunc`` of floats is asked about integers of two dtypes: of int8 and uint8 it makes float16.
    """
    dtype, weak = promote(*types)
    if dtype.kind not in accepts:
        raise TypeError(f"{name}() is not defined for {dtype}")
    try:
        computed, result = resolve(dtype)
    except TypeError:
        raise TypeError(f"{name}() is not defined for {dtype}") from None
    differ = len({t.dtype for t in types if not t.weak}) == 2 and dtype.kind in "biu"
    if ufunc is not None and differ and computed == result and computed.is_floating:
        computed = result = _resolved_pair(ufunc, *(t.dtype for t in types))
    return computed, result, weak


Declared = Callable[[Callable[..., Any]], dispatch.Operation]
"""Makes an operation of a function that has its name and documentation."""


def elementwise_operation(
    evaluate: Callable[..., Any],
    emitters: Mapping[str, Emitter],
    *,
    name: str | None = None,
    resolve: Resolve | None = None,
    check: Callable[..., None] | None = None,
    shortcut: Callable[..., Any] | None = None,
    numpy: tuple[Any, ...] = (),
    only_numpy: str = "",
    exact: Callable[[Trace, SymbolicTensor], Any] | None = None,
) -> Declared:
    """Define an elementwise operation of one or two operands, which a function names and documents.

    ``evaluate`` is NumPy's ufunc, which then also knows the dtypes, or a function on arrays, whose
    dtypes ``resolve`` tells.  ``emitters`` gives the emission for each kind of dtype that the
    operation takes (``b i u f c``), half precision being computed in float32.  ``check`` refuses
    values in eager evaluation that compiled code guards against.  ``shortcut`` may emit special
    operands (a constant exponent) another way, or return None.  ``only_numpy`` names the kinds of
    dtype that it takes where a function has NumPy's conventions, and nowhere else.  ``exact`` checks
    the result where it is an int of Python's, which must not wrap around.
    """
    names = ("x", "y")[: _operands(evaluate)]
    dtypes = resolve or as_ufunc(evaluate)  # type: ignore[arg-type]

    def defined(declared: Callable[..., Any]) -> dispatch.Operation:
        called = name or declared.__name__.rstrip("_")
        made = _Elementwise(
            called, names, evaluate, emitters, dtypes, check, shortcut, only_numpy, exact
        )
        return dispatch.define(
            called,
            operands=names,
            rule=made.rule,
            emit=made.emit,
            doc=inspect.cleandoc(declared.__doc__ or "") + _sections(made.accepts, len(names)),
            signature=_unary_signature if len(names) == 1 else _binary_signature,
            numpy=(evaluate, *numpy) if isinstance(evaluate, np.ufunc) else numpy,
            accepts=made.accepts,
        )(made.evaluate)

    return defined


def emitted(kinds: str, evaluate: Callable[..., Any], **options: Any) -> Declared:
    """The same of the one emission that all kinds of dtype have, which names and documents it."""

    def defined(emitter: Emitter) -> dispatch.Operation:
        emitters = dict.fromkeys(kinds, emitter)
        return elementwise_operation(evaluate, emitters, **options)(emitter)

    return defined


@dataclass(frozen=True, eq=False)
class _Elementwise:
    """The type rule, evaluation and emission of an elementwise operation."""

    name: str
    names: tuple[str, ...]
    compute: Callable[..., Any]
    emitters: Mapping[str, Emitter]
    resolve: Resolve
    check: Callable[..., None] | None
    shortcut: Callable[..., Any] | None
    only_numpy: str
    exact: Callable[[Trace, SymbolicTensor], Any] | None

    @property
    def accepts(self) -> str:
        return "".join(kind for kind in self.emitters if kind not in self.only_numpy)

    def rule(self, **types: TensorType) -> TensorType:
        operands = [operand_type(types[n]) for n in self.names]
        are_numbers = not any(t.shape for t in operands)
        kinds = tuple([(t.dtype, t.weak) for t in operands])
        _, result, weak = self._dtypes(kinds, are_numbers)
        return TensorType(result, broadcast.shapes(*[t.shape for t in operands]), weak)

    def _dtypes(self, kinds: Kinds, are_numbers: bool) -> Any:
        ufunc = self.compute if isinstance(self.compute, np.ufunc) else None
        trace = recording.current()
        numpys = trace is not None and trace.convention.arrays_are_mutable
        if trace is not None and trace.convention.numbers_are_strong and len(kinds) > 1:
            kinds = _as_numba_has_them(kinds, are_numbers)
        return _computing_dtypes(self, ufunc, numpys, kinds)

    def evaluate(self, **values: Any) -> Any:
        operands = [values[n] for n in self.names]
        if self.check is not None:
            self.check(*operands)
        return self.compute(*operands)

    def emit(self, trace: Trace, result: TensorType, **values: Any) -> Any:
        operands = [values[n] for n in self.names]
        made = self._emitted(trace, result, operands)
        layouts.derive(made, operands)
        return mixed_numbers.result(trace, self.name, operands, made)

    def _emitted(self, trace: Trace, result: TensorType, operands: list[Any]) -> Any:
        found = chosen.elementwise(
            trace, operands, lambda whole: self._emitted(trace, result, whole)
        )
        if found is None and self.shortcut is not None:
            found = self.shortcut(trace, result, *operands)
        if found is not None:
            return found
        dtype, _, _ = self._dtypes(tuple([_kind(v) for v in operands]), not result.shape)
        made = emit_elementwise(trace, self.emitters, dtype, result, operands)
        if self.exact is not None and is_run_time_int(made) and trace.convention.arrays_are_mutable:
            self.exact(trace, made)
        return made


Kinds = tuple[tuple[DType, bool], ...]
"""The dtypes of operands, and whether they are weak."""


@lru_cache(maxsize=4096)
def _as_numba_has_them(kinds: Kinds, are_numbers: bool) -> Kinds:
    """The dtypes with which Numba computes: numbers of Python's are an int64, float64 or complex128.

    With numbers, integers are computed in 64 bits, with a sign where one has it; beside an array of
    floats an integer takes their dtype.
    """
    if all(weak for _, weak in kinds):
        return kinds
    dtypes = [dtype for dtype, _ in kinds]
    if are_numbers and all(dtype.kind in "iu" for dtype in dtypes):
        signed = any(dtype.kind == "i" for dtype in dtypes)
        return ((int64 if signed else uint64, False),) * len(kinds)
    inexact = not are_numbers and any(dtype.kind in "fc" for dtype in dtypes)
    return tuple((dtype, inexact and dtype.kind in "iu") for dtype in dtypes)


def _kind(value: Any) -> tuple[DType, bool]:
    """The dtype of an operand, and whether it is weak."""
    if isinstance(value, SymbolicTensor):
        return value.dtype, value.weak
    kind = operand_type(dispatch.type_of(value))
    return kind.dtype, kind.weak


@lru_cache(maxsize=4096)
def _computing_dtypes(
    operation: _Elementwise,
    ufunc: np.ufunc | None,
    numpys: bool,
    kinds: Kinds,
) -> Any:
    accepts = operation.accepts + operation.only_numpy * numpys
    types = (TensorType(dtype, (), weak) for dtype, weak in kinds)
    return computing_dtypes(operation.name, operation.resolve, accepts, *types, ufunc=ufunc)


_KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex"}
_SHAPES = {1: "x [...] -> [...]", 2: "x and y broadcast"}


def _sections(accepts: str, operands: int) -> str:
    """What the documentation of an elementwise operation says of shapes, dtypes and errors."""
    dtypes = ", ".join(word for kind, word in _KINDS.items() if kind in accepts)
    others = "" if len(accepts) == len(_KINDS) else "OperandTypeError for other dtypes"
    apart = "OperandValueError where the shapes do not broadcast" if operands > 1 else ""
    raises = "; ".join(filter(None, [others, apart])) or "OperandTypeError for what is no tensor"
    return f"\n\nShapes: {_SHAPES[operands]}\nDtypes: {dtypes}\nRaises: {raises}"


def _operands(function: Any) -> int:
    if isinstance(function, np.ufunc):
        return function.nin
    return len(inspect.signature(function).parameters)


def _unary_signature(x: TensorLike) -> Tensor:
    raise NotImplementedError  # only its parameters are looked at


def _binary_signature(x: TensorLike, y: TensorLike) -> Tensor:
    raise NotImplementedError


def emit_elementwise(
    trace: Trace,
    emitters: Mapping[str, Emitter],
    dtype: DType,
    result: TensorType,
    operands: list[Any],
) -> SymbolicTensor:
    """Bring the operands to the dtype and to common dimensions, emit, and convert the result."""
    if dtype.is_integer:
        operands = [fitted_int(v, dtype) if is_run_time_int(v) else v for v in operands]
    dims = broadcast.common_dims(trace, [broadcast.dims_of(trace, v) for v in operands])
    ssa = [broadcast.operand(trace, v, dtype, dims) for v in operands]
    computed = dtype
    if dtype.is_storage_only:
        computed = float32
        ssa = [emit.convert(trace, v, dtype, computed, dims) for v in ssa]
    out = emitters[dtype.kind](trace, computed, dims, *ssa)
    produced = computed if result.dtype == dtype else result.dtype
    out = emit.convert(trace, out, produced, result.dtype, dims)
    return trace.make(out, result.dtype, dims, result.weak)
