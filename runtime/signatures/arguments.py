"""From the arguments of a call to its trace type: the key of a trace, and the run-time values."""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, MethodType, WrapperDescriptorType
from typing import TYPE_CHECKING, Any

import numpy as np

from agir.errors import OperandTypeError, StagingError, message
from agir.ir.building.types import TensorSpec, is_python_number, python_dtype
from agir.ir.convention import Convention
from agir.ir.tensors import structure
from agir.ir.tensors.tensor import Tensor
from agir.runtime.blame import at_caller
from agir.runtime.signatures import pattern
from agir.runtime.signatures.conforming import (
    Conformed,
    as_tensor,
    checked_signature,
    conform,
    dtype_of_array,
    has_receiver,
    hinted,
)
from agir.runtime.signatures.given import Values, rows_are_apart, shared
from agir.runtime.signatures.pattern import PLACEHOLDER, Made
from agir.runtime.signatures.pattern import Placeholder as Placeholder
from agir.runtime.signatures.trace_types import (
    PROTOCOL,
    CallType,
    Leaf,
    TraceType,
    TracingContext,
    static_key,
)
from agir.runtime.state.columns import Column, Numbers
from agir.runtime.state.data import (
    Data,
    Memory,
    PassedObjects,
    PassedRoot,
    UndescribedError,
)
from agir.runtime.state.passed_lists import ANY, LARGE, MANY, NONE, Least
from agir.runtime.tensor import EagerTensor

if TYPE_CHECKING:
    from agir.runtime.signatures.opened import Found, Opened
    from agir.runtime.state.passed_objects import Alike

_NUMBERS = frozenset((bool, int, float, complex))
_QUICK_CONSTANTS = frozenset((bool, int, float, str, type(None)))


class LeftOut:
    """In the place of a default of a function that is an operation, such as ``np.sort``.

    What the default stands for is the function's own affair: it is no number of the run time.
    """

    def __init__(self, default: Any) -> None:
        self._default = default

    def __repr__(self) -> str:
        return repr(self._default)


class Arguments(dict[str, Any]):
    """Bound arguments as they are passed; ``given`` are the caller's own."""

    given: dict[str, Any]
    layout: Any = None
    """What the data among them are like (`runtime/state/object_columns.py`)."""
    alike: Alike | None = None
    """What they are like as a whole, where that is known to be as in another call."""


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The parameters of a function; defaults that only it knows how to read are left out."""
    try:
        found = inspect.signature(function)
    except ValueError:
        raise OperandTypeError(
            at_caller(
                f"{function!r} cannot be decorated, for Python does not know its parameters: decorate "
                "a function that calls it"
            )
        ) from None
    if _is_of_python(function):
        return found
    parameters = [
        p if p.default is p.empty else p.replace(default=LeftOut(p.default))
        for p in found.parameters.values()
    ]
    return found.replace(parameters=parameters)


def _is_of_python(function: Callable[..., Any]) -> bool:
    """Whether calling it runs Python code, as it does not for NumPy's and SciPy's functions."""
    module = str(getattr(function, "__module__", ""))
    if isinstance(function, FunctionType) and module.partition(".")[0] in _OPERATIONS:
        return False
    if isinstance(function, (FunctionType, MethodType, type, functools.partial)):
        return True
    return not isinstance(type(function).__call__, WrapperDescriptorType)


_OPERATIONS = ("numpy", "scipy")
"""Packages whose functions are operations, and are not converted."""
_KINDS = 64
"""Of so many calls with data that are alike the type is known."""
_TEXTS = 2
"""So many texts of a parameter have a trace each, ..."""
_LONG = 32
"""... unless one of them has so many characters: it is no flag."""
_SEVERAL = 3
"""So many objects of a class, or groups of such, have a trace each."""


def _texts_in(value: Any) -> tuple[str, ...]:
    """The texts in an argument."""
    if type(value) is str:
        return (value,)
    try:
        leaves = structure.flatten(value)[0]
    except (RecursionError, ValueError):
        return ()  # objects in it refer to each other in a circle
    return tuple(each for each in leaves if type(each) is str)


class Signature:
    """How a function's parameters become keys: its Python signature and the convention."""

    def __init__(
        self,
        function: Callable[..., Any],
        convention: Convention,
        static: Sequence[str] = (),
        input_signature: Any = None,
        follow_type_hints: bool = False,
    ) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self.python = _signature(function)
        self.convention = convention
        self.static = frozenset((static,) if isinstance(static, str) else static)
        unknown = self.static - set(self.python.parameters)
        if unknown:
            raise ValueError(
                at_caller(f"static names no parameter of {self.name}: {sorted(unknown)}")
            )
        self._has_receiver = has_receiver(function, self.python, input_signature)
        self.input_signature = checked_signature(
            input_signature, self.name, [self.python.parameters[n] for n in self.covered()]
        )
        self.hinted = hinted(function, self.python) if follow_type_hints else frozenset()
        kinds = {p.kind for p in self.python.parameters.values()}
        self._simple = kinds <= {inspect.Parameter.POSITIONAL_OR_KEYWORD}
        self._plain = self._simple and not self.static and not self.hinted
        self._arity = len(self.python.parameters)
        self._names = tuple(self.python.parameters)
        self.has_required = any(
            p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
            for p in self.python.parameters.values()
        )
        """Whether a call needs arguments."""
        self.numbers_run = not convention.numbers_are_constants and input_signature is None
        self.layouts = False
        """Whether how an array lies in memory makes a difference to what the function does."""
        self.known: frozenset[str] = frozenset()
        """Parameters whose whole numbers and flags are constants, as tracing has turned out to need."""
        self.knowable: frozenset[str] = frozenset()
        """Those that may become so by the call that is being traced."""
        self.apart = False
        """Whether each number of a long list is an argument, as tracing has turned out to need."""
        self.lengths_vary = False
        """Whether short lists are passed as long ones are: there have been some of other lengths, or
        what loops do with each number is much."""
        self.texts: frozenset[str] = frozenset()
        """Parameters whose text is passed as an array: there have been several others."""
        self.data = Data()
        """What is passed as tables (`passed_objects`)."""
        self.data_are_apart = False
        """Whether tracing has turned out to need what such data are."""
        self.refused: set[Any] = set()
        """What data were like that tracing has turned out to need."""
        self._memory = Memory()
        self._alike: Alike | None = None
        """What data have been like in the last call."""
        self._met: dict[Any, set[object]] = {}
        """For which objects of a class, or for what in a parameter, there have been traces."""
        self.texts_are_known = False
        """Whether tracing has turned out to need what all texts are."""
        self._texts: dict[str, set[Any]] = {}
        self.opened: list[Opened] = []
        """The containers of outside that are passed beside the arguments, as tracing has turned out."""
        self.originals: dict[str, Found] = {}
        """What these are in the call that is being traced."""
        self.knows_identities = False
        """Whether it makes a difference which arguments are one object."""
        self.permissions = False
        """Whether it makes a difference that an array is read-only."""
        self._boxes = convention.arrays_are_mutable and input_signature is None
        self._constants = _QUICK_CONSTANTS if input_signature is None else frozenset()

    @property
    def lists_are_short(self) -> bool:
        """Whether the numbers of short lists are arguments of their own, as far as is known."""
        return self.numbers_run and not self.apart and not self.lengths_vary

    def quick_key(self, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """A cheap key of positional arrays, numbers and text; None for any other call.

        Calls with equal quick keys have equal keys; the converse does not matter.
        """
        learnt = self.known or self.opened or self.texts or any(self.data) or self.knows_identities
        if not self._plain or learnt or len(args) != self._arity:
            return None
        parts: list[Any] = []
        for value in args:
            kind = type(value)
            if kind is np.ndarray:
                if self._boxes and (not value.shape or value.dtype.kind in "VMm"):
                    return None
                if self.layouts and not value.flags.c_contiguous:
                    return None
                if self.permissions and not value.flags.writeable:
                    return None
                parts += (value.dtype, value.shape)
            elif kind is EagerTensor:
                parts += (kind, value.array.dtype, value.array.shape)
            elif self.numbers_run and kind in _NUMBERS:
                parts.append(kind)
            elif kind in self._constants and (kind is not float or (value and value == value)):
                parts += (kind, value)
            else:
                return None
        return tuple(parts)

    def run_time_positions(self, args: tuple[Any, ...]) -> list[int] | None:
        """Which arguments with a quick key are run-time values; None if all are."""
        positions = [
            number
            for number, value in enumerate(args)
            if isinstance(value, (np.ndarray, Tensor))
            or (self.numbers_run and type(value) in _NUMBERS)
        ]
        return None if len(positions) == len(args) else positions

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, defaults filled in; ``TypeError`` as Python raises it.

        Those that the input signature covers are checked against it.
        """
        return self.prepared(self.bind_python(args, kwargs))

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any], boxes: bool = True) -> Arguments:
        """The same for a call from outside a trace: TensorArrays and foreign arrays are tensors.

        Without ``boxes`` an array without dimensions is a number, which cannot be written into.
        """
        boxes = boxes and self._boxes
        lists = self._lists()
        try:
            given = self.bind(args, kwargs)
            for each in self.opened:
                given[each.parameter] = each.find(given).container
            while True:
                found = self._with_data(given, boxes, lists) if any(self.data) else None
                bound = found or Arguments(
                    (
                        name,
                        value if name in self.static else self._packed(value, name, boxes, lists),
                    )
                    for name, value in given.items()
                )
                bound.given = given
                if lists is None or rows_are_apart(given, bound):
                    return bound
                lists = None
        except RecursionError:
            if self.learn_data(given, None):
                return self.bound(args, kwargs, boxes)
            raise self._endless() from None

    def _lists(self) -> Least | None:
        """From how many numbers on containers of such are passed as arrays; None for never."""
        if not self.numbers_run:
            return None
        return LARGE if self.apart else ANY if self.lengths_vary else MANY

    def least(self, name: str) -> tuple[int, int]:
        """How many numbers a container among the arguments has at least that is passed as an array.

        And how many lists a list of such.
        """
        lists = None if name in self.known else self._lists()
        limits = (math.inf, math.inf) if lists is None else (lists.numbers, lists.rows)
        return tuple(sys.maxsize if math.isinf(n) else int(n) for n in limits)  # type: ignore[return-value]

    def _with_data(
        self, given: dict[str, Any], boxes: bool, lists: Least | None
    ) -> Arguments | None:
        """The arguments with tables of the data in them; None where they have none that fits."""

        def pack(name: str, value: Any) -> Any:
            return self._packed(value, name, boxes, lists)

        from agir.runtime.state import passed_objects

        alike = self._alike
        if alike is not None and alike.data is self.data and alike.layout not in self.refused:
            whole = alike.passed(given, pack)
            if whole is not None:
                bound = Arguments(whole)
                bound.layout, bound.alike = alike.layout, alike
                return bound
        self._alike = None
        try:
            found = passed_objects.passed(given, self.data, self.static, self._memory, pack)
        except UndescribedError:
            self._memory = Memory()  # what it has met keeps nothing alive
            return None
        if found is None or found[1] in self.refused:
            return None
        whole, layout = found
        bound = Arguments(whole)
        bound.layout = layout
        self._alike = passed_objects.alike(whole, given, self.data, self._memory, layout)
        return bound

    def _can_pass(self, given: dict[str, Any], data: Data) -> bool:
        """Whether tables can hold the data in arguments."""
        from agir.runtime.state import passed_objects

        try:
            passed_objects.passed(given, data, self.static, Memory(), lambda _, value: value)
        except UndescribedError:
            return False
        return True

    def learn_data(
        self,
        given: dict[str, Any],
        trace: object,
        *,
        all_of_it: bool = False,
        numbered: bool = False,
    ) -> bool:
        """Take note of what a trace is about to be made for; whether some is data from now on.

        That are objects of classes that nest in each other, and objects and containers for which there
        have been several traces, or which hold much: one trace is for all of them.  ``trace`` tells
        traces apart.
        """
        mutable = self.numbers_run and self.convention.arrays_are_mutable
        if self.data_are_apart or not mutable:
            return False
        own = {name: value for name, value in given.items() if name not in self.static}
        numbered = numbered or self.data.numbered
        data = Data(
            self.data.classes | self._classes_of_data(own, trace, all_of_it),
            self.data.names | self._names_of_data(own, trace, all_of_it, numbered),
            numbered,
            self.data.tuples | self._varied_tuples(own),
        )
        is_news = data != self.data and self._can_pass(given, data)
        if is_news:
            self.data = data
        return is_news

    def _classes_of_data(
        self, given: dict[str, Any], trace: object, all_of_them: bool
    ) -> frozenset[type]:
        from agir.runtime.state import passed_objects

        news: set[type] = set()
        for cls, reached in passed_objects.classes_in(given.values()).items():
            known = self._met.setdefault(cls, set())
            if len(known) <= _SEVERAL:  # of what tables cannot hold there may be any number
                known.add((reached.objects, trace))
            if all_of_them or reached.nests or len(known) > _SEVERAL:
                news |= {cls, *reached.around}
        return frozenset(news)

    def _names_of_data(
        self, given: dict[str, Any], trace: object, all_of_them: bool, numbered: bool
    ) -> frozenset[str]:
        from agir.runtime.state import passed_objects

        news = set()
        for name, value in given.items():
            if name in self.data.names or not passed_objects.has_data(value, numbered):
                continue
            try:
                leaves, key = structure.flatten(value)
            except (RecursionError, ValueError):
                continue  # objects in it refer to each other in a circle
            sets = tuple(frozenset(each) for each in leaves if type(each) is set)
            known = self._met.setdefault(name, set())
            if len(known) <= _SEVERAL:
                known.add(hash((key, _texts_in(value), sets)))
            is_much = len(leaves) >= MANY.numbers or passed_objects.is_of_containers(value)
            if all_of_them or len(known) > _SEVERAL or is_much:
                news.add(name)
        return frozenset(news)

    def _varied_tuples(self, given: dict[str, Any]) -> frozenset[str]:
        """The parameters that have been tuples of several lengths."""
        news = set()
        for name, value in given.items():
            parameter = self.python.parameters.get(name)
            is_one = parameter is not None and parameter.kind is not parameter.VAR_POSITIONAL
            if type(value) is tuple and is_one:
                known = self._met.setdefault((name, tuple), set())
                known.add(min(len(value), MANY.numbers))
                if len(known) > _SEVERAL or len(value) >= MANY.numbers:
                    news.add(name)
        return frozenset(news)

    def know_data(self, layout: Any) -> bool:
        """Let data that are like this be known while tracing from now on; whether they were not.

        If there are several that have to be, all are.
        """
        if layout is None or layout in self.refused:
            return False
        self.refused.add(layout)
        if len(self.refused) >= _SEVERAL:
            self.data, self.data_are_apart = Data(), True
        return True

    def _packed(self, value: Any, name: str, boxes: bool, lists: Least | None) -> Any:
        from agir.runtime.state.array_arguments import packed

        least = None if name in self.known else lists
        if name in self.texts:
            least = (NONE if least is None else least)._replace(texts=True)
        return packed(value, name, boxes, least)

    def learn_texts(self, arguments: dict[str, Any]) -> bool:
        """Take note of text that a trace is about to be made for; whether any is data from now on.

        A text is known while tracing, as a flag has to be.  Where a parameter has had several, or a
        long one, it is data: one trace is for all of them.
        """
        if self.texts_are_known or not self.numbers_run:
            return False
        for name, value in arguments.items():
            if name not in self.static | self.texts | self.data.names and (
                found := _texts_in(value)
            ):
                self._texts.setdefault(name, set()).add(found)
        data = {
            name
            for name, found in self._texts.items()
            if len(found) > _TEXTS or any(len(text) >= _LONG for texts in found for text in texts)
        }
        is_news = not data <= self.texts
        self.texts |= data
        return is_news

    def know_texts(self) -> bool:
        """Let text be known while tracing from now on; whether any was not."""
        had, self.texts, self.texts_are_known = bool(self.texts), frozenset(), True
        return had

    def _endless(self) -> StagingError:
        return StagingError(
            at_caller(
                f"{self.name}(): an argument contains itself, or nests too deeply: objects that "
                "refer to each other in a circle cannot be passed; pass lists of what is in them, "
                "with positions in the place of references"
            )
        )

    def bind_python(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, defaults filled in, and nothing more."""
        if self._simple and not kwargs and len(args) == self._arity:
            return dict(zip(self._names, args, strict=True))
        try:
            bound = self.python.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(at_caller(f"{self.name}(): {error}")) from None
        bound.apply_defaults()
        return bound.arguments

    def prepared(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Bound arguments as the type hints and the input signature want them."""
        if self.hinted:
            arguments = {
                name: self._as_hinted(name, value) if name in self.hinted else value
                for name, value in arguments.items()
            }
        if self.input_signature is None:
            return arguments
        try:
            return self._conformed(arguments, self.input_signature)
        except TypeError as error:
            raise TypeError(at_caller(f"{self.name}(): {message(error)}")) from None

    def _as_hinted(self, name: str, value: Any) -> Any:
        kind = self.python.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            return tuple(as_tensor(each, name) for each in value)
        if kind is inspect.Parameter.VAR_KEYWORD:
            return {key: as_tensor(each, name) for key, each in value.items()}
        return as_tensor(value, name)

    def _conformed(self, arguments: dict[str, Any], specs: tuple[Any, ...]) -> dict[str, Any]:
        result = dict(arguments)
        rest = list(specs)
        for name in self.covered():
            if self.python.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                values = arguments.get(name, ())
                if len(values) != len(rest):
                    raise TypeError(f"*{name} takes {len(rest)} arguments, got {len(values)}")
                pairs = zip(values, rest, strict=True)
                result[name] = tuple(
                    conform(v, s, f"{name}[{i}]") for i, (v, s) in enumerate(pairs)
                )
                return result
            if not rest:
                break
            result[name] = conform(arguments[name], rest.pop(0), name)
        return result

    def covered(self) -> Iterator[str]:
        """The parameters that an input signature is about, in its order."""
        for number, (name, parameter) in enumerate(self.python.parameters.items()):
            is_receiver = number == 0 and self._has_receiver
            if not is_receiver and parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                yield name

    def open(self, owner: Any, name: str, given: dict[str, Any]) -> bool:
        """Pass a container of outside at each call; False where it is passed already."""
        if any(each.is_at(owner, name, given) for each in self.opened):
            return False
        known = sum(each.parameter.startswith(f"<{name}") for each in self.opened)
        parameter = f"<{name}>" if not known else f"<{name} {known + 1}>"
        from agir.runtime.signatures.opened import Opened

        self.opened.append(Opened(parameter, owner, name, given))
        return True

    def names(self) -> list[str]:
        """What is passed at a call: the parameters, and the containers of outside."""
        return [*self._names, *(each.parameter for each in self.opened)]

    def numbers(self, arguments: dict[str, Any]) -> frozenset[str]:
        """The parameters whose numbers could be constants: they are small and whole, flags perhaps."""
        if not self.numbers_run:
            return frozenset()
        fixed = self.static | self.known | self.hinted
        return frozenset(
            name for name, value in arguments.items() if name not in fixed and may_be_known(value)
        )

    def split(self, arguments: dict[str, Any]) -> tuple[CallType, Values]:
        """(the type of the call, its run-time values) of bound arguments."""
        if not isinstance(arguments, Arguments):
            return self._split(arguments, arguments)
        if (alike := arguments.alike) is None:
            return self._split(arguments, arguments.given)
        key = self._key_beside_data(arguments)
        if key in alike.kinds:
            return alike.kinds[key], _values(arguments)
        kind, values = self._split(arguments, arguments.given)
        if key is not None and len(alike.kinds) < _KINDS:
            alike.kinds[key] = kind
        return kind, values

    def _split(self, arguments: dict[str, Any], given: dict[str, Any]) -> tuple[CallType, Values]:
        splitter = _Splitter(self, given)
        try:
            keys = tuple(
                splitter.key(value, name, static=name in self.static)
                for name, value in arguments.items()
            )
            mutable = self.convention.arrays_are_mutable
            same = shared(given, arguments, self.knows_identities) if mutable else ()
        except RecursionError:
            raise self._endless() from None
        kind = CallType(keys, tuple(splitter.parts), tuple(splitter.leaves), same)
        return kind, splitter.values

    def _key_beside_data(self, arguments: Arguments) -> tuple[Any, ...] | None:
        """What the type of a call depends on whose data are like those of another call.

        None where it is not known to depend on nothing else.
        """
        told_apart = self.layouts or self.permissions or self.knows_identities
        if self.static or self.known or told_apart or self.hinted:
            return None
        key: list[Any] = []
        for name, value in arguments.given.items():
            kind, passed = type(value), arguments[name]
            if type(passed) in (PassedObjects, PassedRoot):
                key.append(type(passed))
            elif kind is np.ndarray and passed is value:
                key += (value.dtype, value.shape)
            elif self.numbers_run and kind in _NUMBERS:
                key.append(kind)
            else:
                return None
        return tuple(key)

    def pattern(self, arguments: dict[str, Any], call_type: CallType) -> dict[str, Any]:
        """The bound arguments with placeholders wherever a run-time value goes."""
        parts = iter(call_type.parts)
        return {
            name: self._pattern(value, name, parts, static=name in self.static)
            for name, value in arguments.items()
        }

    def _pattern(self, value: Any, name: str, parts: Iterator[Any], static: bool) -> Any:
        if not static and (isinstance(value, TraceType) or hasattr(type(value), PROTOCOL)):
            return Made(next(parts), name)
        if not static and self.leaf(value, name) is not None:
            return PLACEHOLDER
        found = structure.children(value)
        if found is None:
            return pattern.constant(value, next(parts))
        items = [self._pattern(item, name, parts, static) for item in found[1]]
        return structure.rebuild(found[0], items)

    def apply(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """Call the function with bound arguments: positional, ``*args`` and ``**kwargs`` apart."""
        args, kwargs = self.as_given(arguments)
        return function(*args, **kwargs)

    def as_given(self, arguments: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Bound arguments as they are given to the function."""
        beside = {each.parameter for each in self.opened}
        given = {
            name: v
            for name, v in arguments.items()
            if name not in beside and not isinstance(v, LeftOut)
        }
        bound = inspect.BoundArguments(self.python, given)
        return bound.args, bound.kwargs

    def leaf(self, value: Any, name: str) -> Leaf | None:
        """The type of a run-time value; None for any other."""
        if isinstance(value, Conformed):
            spec, steps = value.spec, self._steps(value.value)
            shape = spec.shape if steps is None else value.value.shape
            fixed = self._is_fixed(value.value)
            return Leaf(spec.dtype, shape, name=spec.name or name, steps=steps, read_only=fixed)
        if isinstance(value, Column):
            return Leaf(dtype_of_array(value, name), value.traced_shape, name=name)
        if isinstance(value, Numbers):
            return Leaf(dtype_of_array(value, name), (None,), weak=True, name=name)
        if isinstance(value, (str, bytes)):
            return None  # NumPy's text is Python's
        if name in self.known and _is_whole_number(value):
            return None
        if isinstance(value, (np.ndarray, np.generic)):
            dtype, steps = dtype_of_array(value, name), self._steps(value)
            fixed = self._is_fixed(value)
            shape = getattr(value, "traced_shape", value.shape)
            return Leaf(dtype, shape, name=name, steps=steps, read_only=fixed)
        if isinstance(value, Tensor):
            return None if value.outlives_traces else Leaf(value.dtype, value.shape, name=name)
        if isinstance(value, TensorSpec):
            return Leaf(value.dtype, value.shape, name=value.name or name)
        if is_python_number(value) and not self.convention.numbers_are_constants:
            return Leaf(python_dtype(value), (), weak=True, name=name)
        return None

    def _steps(self, value: Any) -> tuple[int, ...] | None:
        """How far apart the elements lie, where that matters."""
        if not (self.layouts and is_strided(value)):
            return None
        return tuple(step // value.itemsize for step in value.strides)

    def _is_fixed(self, value: Any) -> bool:
        """Whether an array is read-only, where that matters."""
        return self.permissions and is_read_only(value)


def _values(arguments: Arguments) -> Values:
    """The run-time values of arguments that are data, arrays and numbers."""
    values = Values()
    values.given = arguments.given
    for passed in arguments.values():
        if type(passed) is PassedObjects:
            values += passed.columns
        elif type(passed) is not PassedRoot:
            values.append(passed)
    return values


_MOST = 1000
"""No number beyond says what is recorded, but how often something is done."""


def may_be_known(value: Any) -> bool:
    """Whether there are whole numbers and flags in an argument, and all of them are small."""
    numbers = [leaf for leaf in structure.flatten(value)[0] if _is_whole_number(leaf)]
    return all(abs(int(each)) <= _MOST for each in numbers) and bool(numbers)


def _is_whole_number(value: Any) -> bool:
    return type(value) in (int, bool) or isinstance(value, (np.integer, np.bool_))


def is_read_only(value: Any) -> bool:
    """Whether it is an array that nothing may be written into."""
    return isinstance(value, np.ndarray) and not value.flags.writeable


def is_strided(value: Any) -> bool:
    """Whether it is an array that lies otherwise than row by row."""
    return isinstance(value, np.ndarray) and not value.flags.c_contiguous


class _Splitter:
    """Takes arguments apart into the parts of a :class:`CallType` and the run-time values."""

    def __init__(self, signature: Signature, given: dict[str, Any]) -> None:
        self.signature = signature
        self.values = Values()
        self.values.given = given
        self.leaves: list[Leaf] = []
        self.parts: list[Any] = []

    def key(self, value: Any, name: str, static: bool) -> Any:
        """What stands for the value in the structure of the call."""
        if not static and (isinstance(value, TraceType) or hasattr(type(value), PROTOCOL)):
            return self._users(value, name)
        leaf = None if static else self.signature.leaf(value, name)
        if leaf is not None:
            self.values.append(value.value if isinstance(value, Conformed) else value)
            self.leaves.append(leaf)
            return "*"
        found = structure.children(value)
        if found is None:
            return self._part(value, name)
        return (found[0], tuple(self.key(item, name, static) for item in found[1]))

    def _part(self, value: Any, name: str) -> str:
        try:
            self.parts.append(static_key(value))
        except TypeError:
            raise TypeError(
                at_caller(
                    f"argument {name!r}: a {type(value).__name__} can be neither hashed nor referred "
                    "to weakly, so no trace can be found by it"
                )
            ) from None
        return "."

    def _users(self, value: Any, name: str) -> str:
        if isinstance(value, TraceType):
            kind, tensors = value, None
        else:
            kind = getattr(value, PROTOCOL)(TracingContext(name))
            if not isinstance(kind, TraceType):
                raise TypeError(
                    at_caller(
                        f"argument {name!r}: {type(value).__name__}.{PROTOCOL} must give an "
                        f"ag.types.TraceType, not {kind!r}"
                    )
                )
            tensors = list(kind.to_tensors(value))
        specs = list(kind.flatten())
        if tensors is not None and len(tensors) != len(specs):
            raise TypeError(
                at_caller(
                    f"argument {name!r}: {type(kind).__name__} says that it has {len(specs)} "
                    f"tensors, and to_tensors gives {len(tensors)}"
                )
            )
        self.parts.append(kind)
        for number, spec in enumerate(specs):
            given = conform(spec if tensors is None else tensors[number], spec, name)
            self.values.append(given.value)
            self.leaves.append(Leaf(spec.dtype, spec.shape, name=spec.name or name))
        return "."
