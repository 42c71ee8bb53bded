"""Numba's decorators: ``jit`` and its kin, ``vectorize``, ``guvectorize``, ``stencil``.

Options that say how Numba compiles are accepted: agir compiles whole programs without Python, runs
loops on threads where that pays, keeps its code on disk, and needs no leave for any of that.
"""

from __future__ import annotations

import functools
import inspect
import operator
import sys
import types as python_types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.ir.convention import NUMBA, NUMBA_LIKE_NUMPY
from agir.ir.emission.python_numbers import is_run_time_int
from agir.ir.plain import entering
from agir.ir.tensors.symbolic import SymbolicTensor
from agir.numba import types
from agir.numba.configuration import config
from agir.numba.conversions import converting
from agir.numba.dispatchers import Dispatcher, spec_of
from agir.numba.types import Signature
from agir.runtime.blame import at_caller
from agir.runtime.c_functions import making
from agir.runtime.declared.reading import arguments_of, read
from agir.runtime.decorators import engine
from agir.runtime.generator_functions import GeneratorFunction
from agir.runtime.recording.traced import Options
from agir.runtime.ufuncs import vectorizing
from agir.runtime.ufuncs.layouts import Layout


def jit(signature_or_function: Any = None, **options: Any) -> Any:
    """Compile a function; a decorator, with or without arguments (`numba.jit`).

    With signatures it is compiled for them at once, and arguments that are numbers are converted to
    the first that they fit.  ``error_model="numpy"`` lets divisions by zero be infinite or NaN,
    ``forceobj`` leaves the function to Python.  Numba's other options are accepted, see
    ``docs/from_numba.md``.
    """
    given = signature_or_function
    if isinstance(given, (str, Signature, list, tuple)):
        several = [given] if isinstance(given, (str, Signature)) or _is_types(given) else given
        return functools.partial(_decorated, signatures=list(several), options=options)
    if given is None:
        return engine(functools.partial(_decorated, signatures=[], options=options))
    return _decorated(given, [], options)


def njit(*args: Any, **kwargs: Any) -> Any:
    """``jit`` (`numba.njit`)."""
    return jit(*args, **kwargs)


engine(jit)
engine(njit)


def _is_types(given: Any) -> bool:
    return isinstance(given, tuple) and all(isinstance(each, types.Type) for each in given)


def _decorated(function: Any, signatures: Sequence[Any], options: dict[str, Any]) -> Any:
    unknown = options.keys() - _OPTIONS
    if unknown:
        raise TypeError(at_caller(f"jit has no option {', '.join(map(repr, sorted(unknown)))}"))
    if isinstance(function, Dispatcher) or options.get("forceobj") or config.DISABLE_JIT:
        return function
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(_decorated(function.__func__, signatures, options))
    like_numpy = options.get("error_model") == "numpy"
    convention = NUMBA_LIKE_NUMPY if like_numpy else NUMBA
    told = Options(convention=convention, reduce_retracing=True, fallback=None)
    if inspect.isgeneratorfunction(function):
        return GeneratorFunction(function, told)
    known = [read(each) if isinstance(each, str) else each for each in signatures]
    made = Dispatcher(converting(function, known) if known else function, told)
    made.targetoptions = dict(options)
    for each in known:
        if all(map(_has_spec, arguments_of(each))):
            made.compile(each)
    return made


_OPTIONS = frozenset((
    "boundscheck", "cache", "debug", "error_model", "fastmath", "forceinline", "forceobj", "inline",
    "locals", "looplift", "no_cfunc_wrapper", "no_cpython_wrapper", "no_rewrites", "nogil", "nopython",
    "parallel", "pipeline_class", "target_backend",
))  # fmt: skip
"""Numba's; of them ``error_model`` and ``forceobj`` have a meaning here."""


def _has_spec(kind: Any) -> bool:
    try:
        spec_of(kind)
    except TypeError:
        return False
    return True


def jit_module(**options: Any) -> None:
    """Compile all functions of the module that calls it (`numba.jit_module`)."""
    frame = sys._getframe(1)
    namespace, name = frame.f_globals, frame.f_globals["__name__"]
    for key, value in list(namespace.items()):
        if isinstance(value, python_types.FunctionType) and value.__module__ == name:
            namespace[key] = jit(value, **options)


def vectorize(ftylist_or_function: Any = None, *, identity: Any = None, **options: Any) -> Any:
    """Make a ufunc of NumPy's of a function of numbers (`numba.vectorize`): `agir.vectorize`."""
    _check_target(options)
    given = ftylist_or_function
    if given is None or isinstance(given, (str, list, tuple, Signature)):
        several = None if not given else ([given] if isinstance(given, Signature) else given)
        return lambda function: vectorizing.of_numbers(function, several, identity, 1, NUMBA)
    return vectorizing.of_numbers(given, None, identity, 1, NUMBA)


def guvectorize(
    ftylist: Any, signature: str | None = None, *, identity: Any = None, **options: Any
) -> Callable[..., Any]:
    """Make a generalized ufunc of a function that writes into its last arguments
    (`numba.guvectorize`): `agir.guvectorize`."""
    _check_target(options)
    written, several = (ftylist, None) if signature is None else (signature, ftylist)
    if several is not None and not isinstance(several, (list, tuple)):
        several = [several]
    layout = Layout.of(written)
    return lambda function: vectorizing.of_arrays(
        function, layout, written, several or None, identity, NUMBA
    )


def cfunc(sig: Any, locals: Any = None, cache: bool = False, **options: Any) -> Any:
    """Make a function that C calls (`numba.cfunc`): `agir.cfunc`."""
    like_numpy = options.get("error_model") == "numpy"
    convention = NUMBA_LIKE_NUMPY if like_numpy else NUMBA
    return lambda function: making.CFunction(function, sig, convention)


def _check_target(options: dict[str, Any]) -> None:
    target = options.get("target", "cpu")
    if target not in ("cpu", "parallel"):
        raise ValueError(f"agir compiles for the CPU: there is no target {target!r}")


def prepared(function: Any = None, **options: Any) -> Any:
    """A function that compiled code calls, as it is (`numba.extending.register_jitable`)."""
    return function if callable(function) else lambda found: found


def jitclass(class_or_spec: Any = None, spec: Any = None) -> Any:
    """A class whose instances compiled code takes: any class (`numba.experimental.jitclass`)."""
    if isinstance(class_or_spec, type):
        return class_or_spec
    return lambda cls: cls


def literally(value: Any) -> Any:
    """The value itself; of an int among the arguments it is known when a program is compiled.

    What else has to be known then is found out.
    """
    return operator.index(value) if _is_int_of_arguments(value) else value


def _is_int_of_arguments(value: Any) -> bool:
    if not isinstance(value, SymbolicTensor) or not is_run_time_int(value):
        return False
    return entering.may_be_known(value)


def typeof(value: Any) -> Any:
    """The type of a value (`numba.typeof`)."""
    return types.of_value(value)


def from_dtype(dtype: Any) -> Any:
    """The type of a dtype of NumPy's (`numba.from_dtype`)."""
    return types.of_dtype(np.dtype(dtype))
