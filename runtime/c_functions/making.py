"""``cfunc``: functions that C calls, made of compiled code."""

from __future__ import annotations

import _thread
import ctypes
import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from agir.backends.cpu import native_code
from agir.backends.cpu.calling.memory import address_of
from agir.backends.cpu.native import c_functions, compiled
from agir.backends.cpu.native.c_functions import Interface, Parameter
from agir.backends.cpu.native.machine import ImpossibleError
from agir.errors import OperandTypeError, OverlappingArgumentsError
from agir.ir.building.types import TensorSpec, as_dtype
from agir.ir.convention import NUMPY, Convention
from agir.runtime.blame import at_caller
from agir.runtime.c_functions.extents import Extent, largest
from agir.runtime.c_functions.pointers import AnyPointer, AsWritten, Pointer, body
from agir.runtime.calling import failures
from agir.runtime.concrete import ConcreteFunction
from agir.runtime.declared import memory, reading, types
from agir.runtime.declared.types import Signature
from agir.runtime.function import GenericFunction
from agir.runtime.recording.traced import Options
from agir.runtime.signatures.given import Values
from agir.runtime.state.captures import Captured, array_of


def cfunc(signature: Any) -> Callable[[Callable[..., Any]], CFunction]:
    """Make a function that C calls of a Python function; a decorator.

    ``signature``: the types as C writes them, ``"double(double)"``, ``"int(double *, long, void *)"``,
    or what ``agir.numba.types`` makes.  The function gets numbers, and for a pointer something that
    :func:`carray` makes an array of, and that has items.  It is compiled at once, and runs without
    Python's lock, on any thread.  What it reads of outside is what was there when it was made.

    It has ``address``, ``ctypes`` (what ``scipy.LowLevelCallable`` and ``ctypes`` take) and ``cffi``.
    Where it fails it returns 0: the first error is told by ``sys.unraisablehook``, and raised by
    ``raise_pending()``.

    >>> @ag.cfunc("double(double)")
    ... def square(x):
    ...     return x * x
    >>> square.ctypes(1.5)
    2.25

    Shapes: numbers
    Dtypes: bool, int, uint, float
    Raises: OperandTypeError for a signature that is not understood, and for other types
    """
    return lambda func: CFunction(func, signature, NUMPY)


class CFunction(AsWritten):
    """A function that C calls; called by Python it is the function as it was written."""

    def __init__(self, func: Any, signature: Any, convention: Convention) -> None:
        self.python_function = getattr(func, "python_function", func)
        functools.update_wrapper(self, self.python_function)
        self.signature = _signature(signature)
        self._pending: BaseException | None = None
        self._lock = threading.Lock()
        self._concrete, self._any = self._traced(convention)
        self._made = self._native() or self._by_python()

    __name__: str
    __wrapped__: Any

    @property
    def address(self) -> int:
        """Where the machine code is; it stays as long as this object, or its `ctypes`, does."""
        return self._made.address

    @property
    def is_native(self) -> bool:
        """Whether calls run without Python: not where the function calls Python's functions."""
        return isinstance(self._made, c_functions.CFunction)

    @cached_property
    def ctypes(self) -> Any:
        """The function for ``ctypes``, with its types."""
        parts = (*reading.results_of(self.signature), *self.signature.args)
        if not reading.results_of(self.signature):
            parts = (None, *parts)
        found: Any = ctypes.CFUNCTYPE(*map(_for_ctypes, parts))(self.address)
        found.function = self
        return found

    @cached_property
    def cffi(self) -> Any:
        """The address as a ``void *`` of ``cffi``, which has to be installed."""
        import cffi  # type: ignore[import-not-found, import-untyped, unused-ignore]

        return cffi.FFI().cast("void *", self.address)

    @property
    def native_name(self) -> str:
        """The name of the compiled function."""
        return self._concrete.name

    def inspect_llvm(self) -> str:
        """The LLVM IR of the compiled function."""
        return str(self._concrete.compilation.text("llvm_ir"))

    def raise_pending(self) -> None:
        """Raise the first error of the calls since this was called last, where there was one."""
        with self._lock:
            error, self._pending = self._pending, None
        if error is not None:
            raise error

    def __repr__(self) -> str:
        return f"<agir.cfunc {self.__name__}{self.signature}>"

    def _fail(self, reason: int, *numbers: int) -> None:
        """Note the error that machine code tells of."""
        try:
            self._raise(reason, *numbers)
        except BaseException as error:
            self._note(error)

    def _note(self, error: BaseException) -> None:
        """Keep an error, and tell of the first one as Python does where nobody gets it."""
        if isinstance(error, KeyboardInterrupt):
            _thread.interrupt_main()  # whoever has called C gets it
            return
        with self._lock:
            is_first = self._pending is None
            self._pending = self._pending or error
        if is_first:
            _tell(error)

    def _raise(self, reason: int, *numbers: int) -> None:
        if reason == c_functions.SAME_MEMORY:
            raise OverlappingArgumentsError(
                f"{self.__name__} writes where a pointer points to: parameters {numbers[0]} and "
                f"{numbers[1]} are the same address"
            )
        found = compiled.of(self._concrete._executable)
        if reason == c_functions.LEFT and found is not None and found.leaving is not None:
            found.leaving(*numbers)
        raise failures.exception(self._concrete._recorded.sites, *numbers)

    # How it is made.

    def _traced(self, convention: Convention) -> tuple[ConcreteFunction, dict[int, np.dtype[Any]]]:
        """The trace, and the dtypes of what the parameters without a type point to."""
        given = self.signature.args
        count = len(inspect.signature(self.python_function).parameters)
        if count != len(given):
            raise OperandTypeError(
                at_caller(
                    f"{self.__name__} has {count} parameters, and its signature {len(given)}: "
                    f"{self.signature}"
                )
            )
        known: dict[int, np.dtype[Any]] = {}
        while True:
            asked = dict(known)
            try:
                found = self._trace(convention, known, asked)
            except Exception:
                if len(asked) == len(known):
                    raise
            if len(asked) == len(known):
                return found, known
            known = asked

    def _trace(
        self,
        convention: Convention,
        known: dict[int, np.dtype[Any]],
        asked: dict[int, np.dtype[Any]],
    ) -> ConcreteFunction:
        """One trace; dtypes that are not known are ``asked`` for."""
        makers: list[Callable[[Any], Any]] = []
        self._extents = [Extent() for _ in self.signature.args]
        positions: list[int | None] = []
        specs: list[Any] = []
        for n, kind in enumerate(self.signature.args):
            dtype = _dtype(kind)
            if kind == types.voidptr:
                makers.append(functools.partial(_any_pointer, n, self._extents[n], known, asked))
                dtype = known.get(n)
            elif isinstance(kind, types.CPointer):
                makers.append(functools.partial(_pointer, dtype, self._extents[n]))
            else:
                makers.append(_number)
            positions.append(None if dtype is None else len(specs))
            if dtype is not None:
                is_number = isinstance(kind, types.Number)
                specs.append(_number_spec(dtype) if is_number else _array_spec(dtype, None))
        results = reading.results_of(self.signature)
        specs += [_array_spec(reading.dtype_of(each), 1) for each in results]
        run = body(self.python_function, makers, positions, bool(results))
        run.__name__ = self.__name__
        told = Options(convention=convention, restores=False, fallback=False)
        made: GenericFunction[..., None] = GenericFunction(run, told)
        return made.get_concrete_function(*specs)

    def _native(self) -> c_functions.CFunction | None:
        """Machine code around the compiled function; None where that has to be called by Python."""
        concrete = self._concrete
        recorded = concrete._recorded
        if concrete._executable is None:
            concrete._compile()
        found = compiled.of(concrete._executable)
        changes = recorded.updated or recorded.assigned or recorded.changed or recorded.updates
        captures = recorded.captures
        if found is None or changes or any(isinstance(each, Captured) for each in captures):
            return None
        outside = [array_of(each) for each in captures]
        if not all(np.asarray(each).flags.c_contiguous for each in outside):
            return None
        arguments = [*self._examples(), *outside]
        if len(arguments) != len(found.signature.arguments):
            return None
        try:
            made = native_code.c_function(found, self._interface(), arguments, self._fail)
        except ImpossibleError:
            return None
        self._outside = outside
        return made

    def _kinds(self) -> list[tuple[np.dtype[Any] | None, bool]]:
        """For each parameter the dtype of what it is or points to, and whether it points."""
        return [
            (self._any.get(n) if kind == types.voidptr else _dtype(kind), _points(kind))
            for n, kind in enumerate(self.signature.args)
        ]

    def _result(self) -> np.dtype[Any] | None:
        found = reading.results_of(self.signature)
        return reading.dtype_of(found[0]) if found else None

    def _examples(self) -> list[Any]:
        """The arguments of one call of the compiled function."""
        given = self._given([0] * len(self.signature.args))
        result = self._result()
        return given if result is None else [*given, np.zeros(1, result)]

    def _given(self, words: Sequence[Any]) -> list[Any]:
        """The arguments for what C gives: numbers, and addresses of memory."""
        given = []
        parameters = self._interface().parameters
        numbers = [w for w, each in zip(words, parameters, strict=True) if each.positions]
        for word, (dtype, points), parameter in zip(words, self._kinds(), parameters, strict=True):
            if dtype is None:
                continue
            if not points:
                given.append(dtype.type(word))
            else:
                sizes = parameter.sizes
                size = memory.UNKNOWN if sizes is None else largest(sizes, numbers)
                given.append(memory.view(word or _NOWHERE, dtype, (size,)))
        return given

    def _interface(self) -> Interface:
        parameters, at = [], 0
        for (dtype, points), extent in zip(self._kinds(), self._extents, strict=True):
            positions = () if dtype is None else (at,)
            sizes = extent.known() if points else None
            parameters.append(Parameter(None if points else dtype, positions, sizes))
            at += len(positions)
        written = {position for position, _ in self._concrete._recorded.mutated}
        told_apart = [
            (one, other)
            for one, other in combinations(range(len(parameters)), 2)
            if parameters[one].dtype is None and parameters[other].dtype is None
            if written & {*parameters[one].positions, *parameters[other].positions}
        ]
        return Interface(tuple(parameters), self._result(), at, tuple(told_apart))

    def _by_python(self) -> _ByPython:
        return _ByPython(self)


def _tell(error: BaseException) -> None:
    """Have ctypes tell of an error, as of any that a function of Python's raises under C."""

    def failing() -> None:
        raise error

    ctypes.CFUNCTYPE(None)(failing)()


class _ByPython:
    """A C function that has Python call the compiled one: that calls Python's functions itself."""

    def __init__(self, owner: CFunction) -> None:
        result = reading.results_of(owner.signature)
        parts = [_word(each) for each in (*(result or (None,)), *owner.signature.args)]
        self._function = ctypes.CFUNCTYPE(*parts)(functools.partial(self._call, owner))
        self.address = address_of(self._function)

    @staticmethod
    def _call(owner: CFunction, *words: Any) -> Any:
        kind, concrete = owner._result(), owner._concrete
        result = [] if kind is None else [np.zeros(1, kind)]
        try:
            for one, other in owner._interface().told_apart:
                if words[one] == words[other]:
                    owner._raise(c_functions.SAME_MEMORY, one, other)
            values = Values([*owner._given([each or 0 for each in words]), *result])
            run = concrete._executable or concrete._compile()
            outputs = concrete._state.call(run, values, concrete._check)
            concrete.result(values, outputs)
        except BaseException as error:
            for each in result:
                each[0] = 0
            owner._note(error)
        return result[0][0].item() if result else None


_NOWHERE = 64
"""An address where there is nothing, for pointers to nothing."""


def _number(value: Any) -> Any:
    return value


def _pointer(dtype: Any, extent: Extent, items: Any) -> Pointer:
    return Pointer(items, dtype.name, extent)


def _any_pointer(
    number: int,
    extent: Extent,
    known: dict[int, np.dtype[Any]],
    asked: dict[int, np.dtype[Any]],
    items: Any,
) -> AnyPointer:
    def want(dtype: Any) -> None:
        if dtype is None:
            raise OperandTypeError("carray needs a dtype for a void pointer")
        wanted = reading.dtype_of(dtype)
        if asked.setdefault(number, wanted) != wanted:
            raise OperandTypeError(
                f"carray: a pointer to {asked[number]} does not point to {wanted}"
            )
        if number not in known:
            raise OperandTypeError(f"what is at a void pointer is {wanted}")

    return AnyPointer(items, extent, want)


def _signature(written: Any) -> Signature:
    """The signature that a program gives."""
    found = reading.read_for_c(written) if isinstance(written, str) else written
    if not isinstance(found, Signature):
        raise OperandTypeError(at_caller(f"{written!r} is not like 'double(double)'"))
    results = reading.results_of(found)
    for each in (*results, *found.args):
        dtype = _dtype(each)
        is_known = dtype is None if each == types.voidptr else dtype is not None
        is_passed = _points(each) or (dtype is not None and c_functions.can_be_passed(dtype))
        if not (is_known and is_passed):
            raise OperandTypeError(at_caller(f"functions of C take and give no {each}: {written}"))
    if len(results) > 1 or any(map(_points, results)):
        raise OperandTypeError(at_caller(f"functions of C give one number, or void: {written}"))
    return found


def _dtype(kind: Any) -> np.dtype[Any] | None:
    """The dtype of numbers, or of those that are pointed to; None for any."""
    if isinstance(kind, types.CPointer):
        kind = kind.parts[0]
    return kind.dtype if isinstance(kind, types.Number) else None


def _points(kind: Any) -> bool:
    return kind == types.voidptr or isinstance(kind, types.CPointer)


def _number_spec(dtype: np.dtype[Any]) -> Any:
    """What stands for a number: those of Python's sizes are Python's."""
    python = types.OF_PYTHON.get(dtype.name)
    return TensorSpec((), as_dtype(dtype)) if python is None else python()


def _array_spec(dtype: np.dtype[Any], size: int | None) -> TensorSpec:
    return TensorSpec((size,), as_dtype(dtype))


def _for_ctypes(kind: Any) -> Any:
    """The type of ctypes for a type."""
    if isinstance(kind, types.CPointer):
        return ctypes.POINTER(_word(kind.parts[0]))
    return _word(kind)


def _word(kind: Any) -> Any:
    """The same with addresses as numbers."""
    if kind is None:
        return None
    return ctypes.c_void_p if _points(kind) else np.ctypeslib.as_ctypes_type(kind.dtype)
