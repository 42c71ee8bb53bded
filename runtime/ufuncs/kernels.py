"""What a ufunc made here is: the user's function, the types it is compiled for, and the compiled loops.

NumPy calls the functions at the end of this module (`backends.cpu.native.handing_over`): to choose a
loop for operands, to run one, and for what a reduction begins with.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from agir.backends.cpu.native.handing_over import Known
from agir.errors import OperandTypeError
from agir.ir.building.types import TensorSpec, as_dtype
from agir.ir.tensors import structure
from agir.runtime.decorators import jit
from agir.runtime.ufuncs import bodies, interface, kinds
from agir.runtime.ufuncs.kinds import Types
from agir.runtime.ufuncs.layouts import Layout


class _Array:
    """Memory, as NumPy is told of it."""

    __slots__ = ("__array_interface__",)


def _view(address: int, dtype: np.dtype[Any], shape: Any, strides: Any) -> Any:
    memory = _Array()
    memory.__array_interface__ = {
        "data": (address, False),
        "typestr": dtype.str,
        "shape": shape,
        "strides": strides,
        "version": 3,
    }
    return np.asarray(memory)


class Compiled(NamedTuple):
    """The loops for one tuple of types."""

    elements: Callable[..., None]
    fold: Callable[..., None]
    scan: Callable[..., None]


class Kernel:
    """One ufunc."""

    def __init__(
        self,
        function: Callable[..., Any],
        layout: Layout,
        types: Sequence[Types],
        identity: Any,
        returns: bool,
    ) -> None:
        """``returns``: whether the function returns results, or writes into its last arguments."""
        self.function = function
        self.layout = layout
        self.declared = tuple(types)
        self.identity = identity
        self.returns = returns
        self.loops: dict[Types, Compiled] = {}
        self._lock = threading.RLock()

    def add(self, ufunc: np.ufunc, types: Types) -> None:
        """Have a loop for these types."""
        with self._lock:
            if types in self.loops:
                return
            maker = bodies.writing if not self.returns else bodies.elementwise
            made = [
                jit(make(self.function, self.layout.inputs))
                for make in (maker, bodies.fold, bodies.scan)
            ]
            self.loops[types] = Compiled(*made)
            initial = None if self.identity in (None, "reorderable") else _addresses()[Known.INITIAL]
            interface.add_loop(
                ufunc,
                [type(each) for each in types],
                _addresses()[Known.LOOP],
                initial,
                self.identity is not None,
            )

    def chosen(self, ufunc: np.ufunc, given: Sequence[Any], fixed: Sequence[Any]) -> Types:
        """The types of the loop for operands of these DTypes, some of which the caller fixes."""
        inputs = [one if other is None else other for one, other in zip(given, fixed, strict=True)]
        inputs = inputs[: self.layout.inputs]
        if self.declared:
            outputs = [None] * self.layout.inputs + list(fixed[self.layout.inputs :])
            known = [
                each
                for each in self.declared
                if all(a is None or isinstance(b, a) for a, b in zip(outputs, each, strict=True))
            ]
            found = kinds.fitting(known, inputs)
            if found is None:
                raise OperandTypeError(
                    f"{ufunc.__name__}() is declared for {_written(self.declared)}: none takes "
                    f"{', '.join(_plain(each) for each in inputs)}"
                )
            return found
        out = next((each for each in fixed[self.layout.inputs :] if each is not None), None)
        if out is not None and not any(fixed[: self.layout.inputs]):  # ``dtype=`` is for all operands
            inputs = [out] * self.layout.inputs
        dtypes = kinds.concrete(inputs)
        for dtype in dtypes:
            _check(ufunc, dtype)
        if not self.returns:
            return (*dtypes, *self._written_types(dtypes, given))
        return (*dtypes, *self._result_types(ufunc, dtypes))

    def _written_types(self, dtypes: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        """The outputs that a function writes into have their own dtypes, or what the inputs have."""
        outputs = given[self.layout.inputs :]
        return [np.result_type(*dtypes) if o is None else np.dtype(o()) for o in outputs]

    def _result_types(self, ufunc: np.ufunc, dtypes: Sequence[np.dtype[Any]]) -> list[Any]:
        ranks = map(len, self.layout.dimensions[: self.layout.inputs])
        specs = [
            TensorSpec((None,) * rank, as_dtype(dtype))
            for rank, dtype in zip(ranks, dtypes, strict=True)
        ]
        traced = jit(self.function).get_concrete_function(*specs)
        found = traced.structured_outputs
        items = structure.flatten(found)[0] if self.layout.outputs > 1 else [found]
        if len(items) != self.layout.outputs:
            raise OperandTypeError(
                f"{ufunc.__name__}() is to give {self.layout.outputs} results, and returns {len(items)}"
            )
        return [each.dtype.numpy for each in items]

    def run(
        self, types: Types, data: Sequence[int], sizes: Sequence[int], strides: Sequence[int]
    ) -> None:
        """One loop of NumPy's: ``sizes`` and ``strides`` have those of the loop first."""
        count = sizes[0]
        if not count:
            return
        compiled = self.loops[types]
        if self.layout.is_fold and data[0] == data[2] and not (strides[0] or strides[2]):
            compiled.fold(
                _view(data[2], types[2], (1,), None), _view(data[1], types[1], (count,), strides[1:2])
            )
            return
        arrays = [
            _view(*each) for each in self.layout.parts(types, data, sizes, strides)
        ]
        if self.layout.is_fold and data[0] + strides[2] == data[2] and strides[0] == strides[2]:
            compiled.scan(arrays[0][:1], arrays[1], arrays[2])
            return
        written = data[self.layout.inputs :]
        for n in range(self.layout.inputs):
            if data[n] in written:  # NumPy lets only what is at the same place overlap
                arrays[n] = arrays[n].copy()
        compiled.elements(*arrays)


def _written(several: Sequence[Types]) -> str:
    return "; ".join(", ".join(map(str, each)) for each in several)


def _plain(kind: Any) -> str:
    names = {"_PyLongDType": "an int", "_PyFloatDType": "a float", "_PyComplexDType": "a complex"}
    return names.get(kind.__name__) or str(np.dtype(kind()))


def _check(ufunc: np.ufunc, dtype: np.dtype[Any]) -> None:
    if dtype.kind not in "biufc" or dtype.itemsize > 16 or dtype == np.longdouble:
        raise OperandTypeError(f"{ufunc.__name__}() takes numbers, no {dtype}")


KERNELS: dict[int, Kernel] = {}
"""By the identities of ufuncs, which live for ever."""


def _loop(context: int, data: int, dimensions: int, strides: int, _: int) -> int:
    found = interface.Context.from_address(context)
    kernel = KERNELS[id(found.caller)]
    count = kernel.layout.count
    types = tuple(found.descriptors[n] for n in range(count))
    kernel.run(
        types,
        interface.words_at(data, count),
        interface.words_at(dimensions, kernel.layout.sizes),
        interface.words_at(strides, kernel.layout.strides),
    )
    return 0


def _promote(ufunc: int, given: int, fixed: int, made: int) -> int:
    kernel = KERNELS[ufunc]
    count = kernel.layout.count
    found = interface.object_at(ufunc)
    types = kernel.chosen(
        found, interface.objects_at(given, count), interface.objects_at(fixed, count)
    )
    kernel.add(found, types)
    interface.put_objects(made, [type(each) for each in types])
    return 0


def _initial(context: int, _: int, value: int) -> int:
    found = interface.Context.from_address(context)
    kernel = KERNELS[id(found.caller)]
    dtype = found.descriptors[kernel.layout.inputs]
    _view(value, dtype, (), None)[...] = kernel.identity
    return 1


@cache
def _addresses() -> dict[Known, int]:
    from agir.backends.cpu import native_code

    functions = {Known.LOOP: _loop, Known.PROMOTE: _promote, Known.INITIAL: _initial}
    return native_code.handed_over(functions)


def promoting() -> int:
    """The address of what chooses loops."""
    return _addresses()[Known.PROMOTE]
