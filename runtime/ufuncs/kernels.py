"""What a ufunc made here is: the user's function, the types it is compiled for, and the compiled loops.

NumPy calls the functions at the end of this module (`backends.cpu.native.handing_over`): to choose a
loop for operands, to run one, and for what a reduction begins with.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from agir.backends.cpu import native_code
from agir.backends.cpu.native.handing_over import SINGLE, HandingOver, Known
from agir.errors import OperandTypeError, OperandValueError, StagingError
from agir.ir.building.types import TensorSpec, as_dtype
from agir.ir.convention import Convention
from agir.ir.tensors import structure
from agir.runtime.declared.memory import view
from agir.runtime.function import GenericFunction
from agir.runtime.recording.traced import Options
from agir.runtime.ufuncs import bodies, interface, kinds, recipes
from agir.runtime.ufuncs.kinds import PYTHON_INT, Types
from agir.runtime.ufuncs.layouts import Layout

Form = tuple[Any, tuple[int, ...]]
"""A maker of loops in `bodies`, and the inputs of which there is one element for all iterations."""


class Arguments(NamedTuple):
    """What a ufunc is made of."""

    function: Any
    layout: Layout
    declared: tuple[Types, ...]
    """The types that it is for; none where these are found out."""
    identity: Any
    returns: bool
    """Whether the function returns results, or writes into its last arguments."""
    convention: Convention
    boxed: tuple[int, ...]
    """The inputs that are numbers, and which the function gets as arrays of one element."""
    sizes: Any = None
    """What gives the sizes of core dimensions that no input has, of those that are known."""


class Kernel:
    """One ufunc."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.layout = arguments.layout
        self.identity = arguments.identity
        self._loops: dict[str, dict[Form, GenericFunction[..., None]]] = {}
        """By the characters of types: dtypes that are equal may mean different things here."""
        self._lock = threading.RLock()
        self._asked: set[Any] = set()
        """The array methods, and inputs with one element, that a recipe was asked for."""

    def add(self, ufunc: np.ufunc, types: Types) -> None:
        """Have a loop for these types."""
        with self._lock:
            if _characters(types) in self._loops:
                return
            self._loops[_characters(types)] = {}
            no_value = self.identity is None or self.identity == "reorderable"
            initial = None if no_value else _handing().addresses[Known.INITIAL]
            interface.add_loop(
                ufunc,
                [type(each) for each in types],
                _handing().addresses[Known.LOOP],
                initial,
                self.identity is not None,
            )

    def _loop(self, types: Types, form: Form) -> GenericFunction[..., None]:
        """A loop for these types, with one trace for any sizes."""
        with self._lock:
            known = self._loops[_characters(types)]
            found = known.get(form)
            if found is None:
                make, single = form
                function = self.arguments.function
                if self.arguments.boxed:
                    function = bodies.boxing(function, self.arguments.boxed)
                counts = [n for n, each in enumerate(types) if each.char == PYTHON_INT.char]
                if counts:
                    function = bodies.counting(function, counts)
                specs = [
                    TensorSpec(
                        (1 if n in single else None, *(None for _ in names)), as_dtype(dtype)
                    )
                    for n, (dtype, names) in enumerate(
                        zip(types, self.layout.dimensions, strict=True)
                    )
                ]
                specs = specs[-2:] if make is bodies.fold else specs
                made = make(function, self.layout.inputs, *([single] if single else []))
                found = known[form] = self._compiled(made, specs)
            return found

    def _compiled(self, function: Any, signature: Any = None) -> GenericFunction[..., Any]:
        return GenericFunction(
            function,
            Options(
                convention=self.arguments.convention, input_signature=signature, restores=False
            ),
        )

    def chosen(self, ufunc: np.ufunc, given: Sequence[Any], fixed: Sequence[Any]) -> Types:
        """The types of the loop for operands of these DTypes, some of which the caller fixes."""
        inputs = [one if other is None else other for one, other in zip(given, fixed, strict=True)]
        inputs = inputs[: self.layout.inputs]
        if self.arguments.declared:
            outputs = [None] * self.layout.inputs + list(fixed[self.layout.inputs :])
            known = [
                each
                for each in self.arguments.declared
                if all(a is None or isinstance(b, a) for a, b in zip(outputs, each, strict=True))
            ]
            found = kinds.fitting(known, inputs)
            if found is None:
                declared = "; ".join(", ".join(map(str, each)) for each in self.arguments.declared)
                raise OperandTypeError(
                    f"{ufunc.__name__}() is declared for {declared}: none takes "
                    f"{', '.join(map(kinds.described, inputs))}"
                )
            return found
        out = next((each for each in fixed[self.layout.inputs :] if each is not None), None)
        if out is not None and not any(fixed[: self.layout.inputs]):
            inputs = [out] * self.layout.inputs  # ``dtype=`` is for all operands
        for each in inputs:
            if not kinds.is_number(each):
                raise OperandTypeError(
                    f"{ufunc.__name__}() takes numbers, no {kinds.described(each)}"
                )
        dtypes = kinds.concrete(inputs)
        if not self.arguments.returns:
            return (*dtypes, *self._written_types(dtypes, given))
        try:
            return (*dtypes, *self._result_types(ufunc, dtypes))
        except StagingError:  # perhaps because it gives now the one and now the other
            common = np.result_type(*dtypes)
            if all(each == common for each in dtypes):
                raise
            dtypes = [common] * len(dtypes)
            return (*dtypes, *self._result_types(ufunc, dtypes))

    def _written_types(self, dtypes: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        """The outputs that a function writes into have their own dtypes, or what the inputs have."""
        outputs = given[self.layout.inputs :]
        return [np.result_type(*dtypes) if o is None else np.dtype(o.type) for o in outputs]

    def _result_types(self, ufunc: np.ufunc, dtypes: Sequence[np.dtype[Any]]) -> list[Any]:
        ranks = map(len, self.layout.dimensions[: self.layout.inputs])
        specs = [
            0 if dtype.char == PYTHON_INT.char else TensorSpec((None,) * rank, as_dtype(dtype))
            for rank, dtype in zip(ranks, dtypes, strict=True)
        ]
        made = bodies.as_arrays(self.arguments.function)
        traced = self._compiled(made).get_concrete_function(*specs)
        items = structure.flatten(traced.structured_outputs)[0]
        if len(items) != self.layout.outputs:
            raise OperandTypeError(
                f"{ufunc.__name__}() is to give {self.layout.outputs} results, and returns {len(items)}"
            )
        return [each.dtype.numpy for each in items]

    def run(
        self,
        types: Types,
        data: Sequence[int],
        sizes: Sequence[int],
        strides: Sequence[int],
        method: int,
    ) -> None:
        """One loop of NumPy's: ``sizes`` and ``strides`` have those of the loop first."""
        count = sizes[0]
        if not count:
            return
        folds = self.layout.is_fold
        if folds and data[0] == data[2] and not (strides[0] or strides[2]):
            total = view(data[2], types[2], (1,))
            items = view(data[1], types[1], (count,), strides[1:2])
            self._loop(types, (bodies.fold, ()))(total, items)
            return
        arrays = [view(*each) for each in self.layout.parts(types, data, sizes, strides)]
        if folds and data[0] + strides[2] == data[2] and strides[0] == strides[2]:
            self._loop(types, (bodies.scan, ()))(arrays[0][:1], arrays[1], arrays[2])
            return
        written = data[self.layout.inputs :]
        for n in range(self.layout.inputs):
            if data[n] in written:  # NumPy lets only what is at the same place overlap
                arrays[n] = arrays[n].copy()
        self._run_elements(types, arrays, strides, method)

    def _run_elements(
        self, types: Types, arrays: list[Any], strides: Sequence[int], method: int
    ) -> None:
        inputs = self.layout.inputs
        single: tuple[int, ...] = ()
        if self.arguments.returns and not self.layout.names and len(arrays[0]) > 1:
            single = tuple(n for n in range(min(inputs, SINGLE)) if not strides[n])
        for n in single:
            arrays[n] = arrays[n][:1]
        loop = self._loop(
            types, (bodies.elementwise if self.arguments.returns else bodies.writing, single)
        )
        loop(*arrays)
        if not self.layout.names and (method, single) not in self._asked:
            self._asked.add((method, single))
            recipe = recipes.of_loop(loop.get_concrete_function(), arrays, inputs)
            if recipe is not None:
                _handing().add(method, single, recipe)


def _characters(types: Types) -> str:
    return "".join(each.char for each in types)


KERNELS: dict[int, Kernel] = {}
"""By the identities of ufuncs, which live for ever."""


def _loop(context: int, data: int, dimensions: int, strides: int, _: int) -> int:
    found = interface.Context.from_address(context)
    kernel = KERNELS[id(found.caller)]
    count = kernel.layout.operands
    types = tuple(found.descriptors[n] for n in range(count))
    kernel.run(
        types,
        interface.words_at(data, count),
        interface.words_at(dimensions, kernel.layout.sizes),
        interface.words_at(strides, kernel.layout.strides),
        found.method,
    )
    return 0


def _promote(ufunc: int, given: int, fixed: int, made: int) -> int:
    kernel = KERNELS[ufunc]
    count = kernel.layout.operands
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
    view(value, dtype, ())[...] = kernel.identity
    return 1


def _sizes(ufunc: int, sizes: int) -> int:
    kernel = KERNELS[ufunc]
    given, names = kernel.arguments.sizes, kernel.layout.names
    known = dict(zip(names, interface.words_at(sizes, len(names)), strict=True))
    wanted = inspect.signature(given).parameters
    found = given(**{name: known[name] for name in wanted})
    for name, size in found.items():
        if name not in known or (known[name] >= 0 and known[name] != size):
            raise OperandValueError(
                f"{interface.object_at(ufunc).__name__}(): the core dimension {name} is to be {size}"
                + (f", and is {known[name]}" if name in known else ", and there is none")
            )
        known[name] = size
    interface.put_words(sizes, [known[name] for name in names])
    return 0


@cache
def _handing() -> HandingOver:
    functions: dict[Known, Callable[..., int]] = {
        Known.LOOP: _loop, Known.PROMOTE: _promote, Known.INITIAL: _initial,
        Known.SIZES: _sizes,
    }  # fmt: skip
    return native_code.handing(functions)


def sizing() -> int:
    """The address of what says how large core dimensions are."""
    return _handing().addresses[Known.SIZES]


def promoting() -> int:
    """The address of what chooses loops."""
    return _handing().addresses[Known.PROMOTE]
