"""Numbers whose class depends on the path: an int on one, a float or one of NumPy's on the other.

Such a number is carried in a dtype that holds all of its classes, which operations take as they take
any other number, and beside it goes its *class*, a number that exists at run time.  Arithmetic says of
which class its result is, lists keep the class of each item, and the caller gets a number of it.  An
int of Python's stays exact: one that the dtype does not hold is an error of the call.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from agir.errors import StagingError
from agir.ir import hooks, recording
from agir.ir.building.cells import Scope
from agir.ir.building.types import (
    DType,
    as_dtype,
    bool_,
    complex128,
    float64,
    int64,
    is_python_number,
    mlir_type,
    python_dtype,
)
from agir.ir.emission import broadcast, emit, exact_integers, python_floats
from agir.ir.tensors.staged import known_as
from agir.ir.tensors.symbolic import Fixed, SymbolicTensor, is_array
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing.trace import Trace
from agir.ir.values import text
from agir.ir.values.abstract_values import FIRST, KINDS, AbstractValue, Take, Typed, Wrap, join

TOWER = (bool_, int64, float64, complex128)
"""The dtypes of Python's numbers, each of which holds those before it."""
CLASSES: tuple[type, ...] = (
    bool, int, float, complex, np.bool_, np.int64, np.float64, np.complex128,
)  # fmt: skip
"""The classes, in the order of ``TOWER``: Python's, then NumPy's."""
BOOL, INT, FLOAT, COMPLEX, NUMPY = range(5)
_EXACT = 2**53
"""Ints of at most this size are exact as floats."""
_LIMIT = "the 53 bits that ints have in a variable that is a float on another path"


def _in_tower(number: int) -> int:
    """Which of ``TOWER`` a class is of."""
    return number % NUMPY


class _OfClass(Fixed):
    """Storage of such a number: its value, its class, and the classes that it can be of."""

    __slots__ = ("classes", "number")

    def __init__(self, home: Scope, ssa: Any, number: Any, classes: tuple[int, ...]) -> None:
        super().__init__(home, ssa)
        self.number = number
        self.classes = classes


@known_as("Tensor")
class MixedNumber(SymbolicTensor):
    """A number whose class exists at run time."""

    __slots__ = ()

    @property
    def classes(self) -> tuple[int, ...]:
        """The numbers of the classes that it can be of."""
        classes: tuple[int, ...] = self.storage.classes
        return classes

    @property
    def number(self) -> SymbolicTensor:
        """The number of its class, as an int scalar."""
        trace: Trace = self.recorder
        return trace.make(self.storage.number, int64, ())

    def where(self, fits: Callable[[type], bool]) -> Any:
        """Whether it is of a class that fits: a bool, or a bool scalar."""
        found = [n for n in self.classes if fits(CLASSES[n])]
        if len(found) in (0, len(self.classes)):
            return bool(found)
        trace = self.recorder
        truth = reduce(operator.or_, (self.number == n for n in found))
        return trace.make(truth.ssa, bool_, (), weak=True)

    def as_class(self, number: int) -> SymbolicTensor:
        """The number where it is of that class."""
        trace: Trace = self.recorder
        dtype = TOWER[_in_tower(number)]
        ssa = emit.convert(trace, self.ssa, self.dtype, dtype, ())
        return trace.make(ssa, dtype, (), weak=number < NUMPY)

    def as_integer(self, what: str) -> SymbolicTensor:
        """The int that it is, or else a ``TypeError`` when the program runs."""
        trace = self.recorder
        if not self.dtype.is_integer:
            rest = trace.op("arith.andi", int64.mlir(), self.storage.number, _number(trace, 3))
            ok = trace.compare("sle", rest, _number(trace, INT))
            with trace.at_user_line():
                trace.guard(ok, trace.site("type", what))
        return self.as_class(INT)

    def place(self) -> SymbolicTensor:
        """Which of ``classes`` it is of."""
        trace: Trace = self.recorder
        found = _number(trace, len(self.classes) - 1)
        for place, number in enumerate(self.classes[:-1]):
            here = trace.compare("eq", self.storage.number, _number(trace, number))
            found = emit.select(trace, here, _number(trace, place), found)
        return trace.make(found, int64, ())

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        options = [text.field(self.as_class(n), conversion, spec) for n in self.classes]
        return text.chosen(self.place(), options)


def _of_integers(name: str) -> Any:
    def method(self: MixedNumber, *others: Any) -> Any:
        plain = self.dtype.kind in "bi"
        number = self if plain else self.as_integer(f"unsupported operand of {name}: a float")
        return getattr(SymbolicTensor, name)(number, *others)

    return method


for _name in ("lshift", "rshift", "and", "or", "xor"):
    for _each in (f"__{_name}__", f"__r{_name}__"):
        setattr(MixedNumber, _each, _of_integers(_each))
MixedNumber.__invert__ = _of_integers("__invert__")


def as_index(value: Any, what: str) -> Any:
    """What is used as a place or a count: of a number of several classes the int that it is."""
    if not isinstance(value, SymbolicTensor) or not isinstance(value.unchecked, MixedNumber):
        return value
    value.ssa  # noqa: B018 - what may be None is checked
    return value.unchecked.as_integer(what)


def _number(trace: Trace, number: int) -> Any:
    return trace.constant(int64, number)


def _made(trace: Trace, ssa: Any, number: Any, classes: tuple[int, ...]) -> MixedNumber:
    storage = _OfClass(trace.scope, ssa, number, classes)
    return MixedNumber(trace, storage, _dtype(classes), (), weak=_are_pythons(classes))


def _dtype(classes: tuple[int, ...]) -> DType:
    """The dtype that holds numbers of all these classes."""
    return TOWER[max(map(_in_tower, classes))]


def _are_pythons(classes: tuple[int, ...]) -> bool:
    return max(classes) < NUMPY


def _class(dtype: DType, weak: bool) -> tuple[int, ...]:
    return (TOWER.index(dtype) + (0 if weak else NUMPY),) if dtype in TOWER else ()


def classes_of(value: Any) -> tuple[int, ...]:
    """The numbers of the classes that a number can be of if it is one; none for anything else."""
    value = hooks.values.unchecked(value)
    if isinstance(value, MixedNumber):
        return value.classes
    if is_python_number(value):
        return _class(python_dtype(value), True)
    if isinstance(value, SymbolicTensor):
        is_one = not value.dims and (value.weak or not is_array(value))
        return _class(value.dtype, value.weak) if is_one else ()
    if isinstance(value, Tensor):  # its value is known
        return _class(value.dtype, value.type.weak) if value.type.shape == () else ()
    if isinstance(value, np.generic | np.ndarray) and value.ndim == 0:
        return _class(as_dtype(value.dtype), False)
    return ()


def _united(*given: Iterable[int]) -> tuple[int, ...]:
    """The classes that one number can be of, which is one of these: a float or complex number of
    NumPy's is Python's, too, unless some have been told apart."""
    found, apart = set[int](), set[int]()
    for classes in map(frozenset, given):
        found |= classes
        apart |= {n for n in classes if n + NUMPY in classes}
    return tuple(
        sorted(n for n in found if n < FLOAT or n >= NUMPY or n in apart or n + NUMPY not in found)
    )


def told_apart(trace: Trace, values: Sequence[Any]) -> list[Any]:
    """Values of which the run time chooses, so that each number keeps its class, floats as well."""
    if len({len(each) if type(each) is tuple else -1 for each in values}) != 1:
        return list(values)
    if type(values[0]) is tuple:
        columns = [told_apart(trace, column) for column in zip(*values, strict=True)]
        return list(zip(*columns, strict=True)) if columns else list(values)
    given = [classes_of(each) for each in values]
    together = tuple(sorted(set().union(*given)))
    if not all(given) or together == _united(*given):
        return list(values)
    abstract = Mixed(together)
    packed = [abstract.pack(trace, each) for each in values]
    return [_made(trace, ssa, number, together) for ssa, number in packed]


def _among(trace: Trace, number: Any, of: Iterable[int], classes: Iterable[int]) -> Any:
    """The number of a class as one of these, of which a float of Python's may be one of NumPy's."""
    for each in set(of) - set(classes):
        here = trace.compare("eq", number, _number(trace, each))
        number = emit.select(trace, here, _number(trace, each + NUMPY), number)
    return number


def _classes_of_abstract(abstract: AbstractValue) -> tuple[int, ...]:
    if isinstance(abstract, Mixed):
        return abstract.classes
    if isinstance(abstract, Typed) and not abstract.dims:
        return (
            _class(abstract.dtype, abstract.weak)
            if abstract.weak or not (abstract.array or abstract.shared)
            else ()
        )
    return ()


@dataclass(frozen=True)
class Mixed(AbstractValue):
    """A number of one of several classes: its value in a dtype that holds all, and its class."""

    classes: tuple[int, ...]
    family = Typed
    has_fixed_size = True

    @property
    def value(self) -> Typed:
        """The abstract value of the value alone."""
        return Typed(_dtype(self.classes), (), weak=_are_pythons(self.classes))

    def types(self) -> list[Any]:
        """The MLIR types that carry the abstract value."""
        return [mlir_type(_dtype(self.classes), ()), int64.mlir()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the abstract value."""
        return [_dtype(self.classes), int64]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        dtype, found = _dtype(self.classes), classes_of(value)
        assert found, "a value joined into a number is one"
        if type(value) is int:
            value = exact_integers.fitting(trace, value)
            if not dtype.is_integer and abs(value) > _EXACT:
                exact_integers.require(
                    trace, trace.constant(bool_, False), str(value), limit=_LIMIT
                )
        ssa = broadcast.operand(trace, value, dtype, ())
        number = value.storage.number if len(found) > 1 else _number(trace, found[0])
        number = _among(trace, number, found, self.classes)
        if isinstance(value, SymbolicTensor) and value.dtype == int64 and not dtype.is_integer:
            _check_exact(trace, ssa, dtype, number)
        return [ssa, number]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        ssa, number = carried[:2]
        del carried[:2]
        known = emit.constant_value(number)
        if known is not None:
            ssa = emit.convert(trace, ssa, _dtype(self.classes), TOWER[_in_tower(known)], ())
            return trace.make(ssa, TOWER[_in_tower(known)], (), weak=known < NUMPY)
        return _made(trace, ssa, number, self.classes)

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [trace.constant(_dtype(self.classes), 0), _number(trace, self.classes[-1])]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        value = wrap(take(), True)
        number = int(take())
        if isinstance(value, complex) and _in_tower(number) < COMPLEX:
            value = value.real
        return CLASSES[number](value)

    def describe(self) -> str:
        """The abstract value in the words of an error message."""
        return f"a number ({' or '.join(CLASSES[n].__name__ for n in self.classes)})"

    def as_array(self, items: Any) -> Any:
        """What items of this type are as an array: their values."""
        return items.array(0)

    def join(self, name: str, other: AbstractValue, strict: bool) -> AbstractValue | None:
        """The least abstract value that holds this one and the other.

        Or None if it is not this kind's.
        """
        classes = _classes_of_abstract(other)
        together = _united(self.classes, classes)
        if classes and len(together) > 1:
            return Mixed(together)
        return join(name, self.value, other, strict) if isinstance(other, Typed) else None


def _of_two_classes(
    name: str, left: AbstractValue, right: AbstractValue, strict: bool
) -> AbstractValue | None:
    """Numbers of two classes; under TensorFlow's conventions they are tensors, Numba unifies them."""
    if not (isinstance(left, Typed) and isinstance(right, Typed)):
        return None
    one, other = _classes_of_abstract(left), _classes_of_abstract(right)
    trace = recording.current()
    if not (one and other) or one == other or trace is None:
        return None
    classes = _united(one, other)
    mixes = trace.convention.arrays_are_mutable and not trace.convention.numbers_are_strong
    return Mixed(classes) if mixes and len(classes) > 1 else None


def _abstract_of_mixed(trace: Trace, value: MixedNumber, around: Scope | None) -> AbstractValue:
    return Mixed(value.classes)


def is_number(abstract: AbstractValue) -> bool:
    """Whether an abstract value is that of one number."""
    return isinstance(abstract, Mixed) or (isinstance(abstract, Typed) and not abstract.dims)


KINDS[MixedNumber] = _abstract_of_mixed
FIRST["numbers of two classes"] = _of_two_classes


# What class the result of an operation is of.


@dataclass(frozen=True)
class _Rule:
    """The class of a result: the widest of its operands', within bounds, NumPy's if one is."""

    least: int = INT
    most: int = COMPLEX
    grows: bool = False
    """Whether the result of ints may need more bits than they have."""

    def known(self, numbers: Sequence[int]) -> int:
        """The class, where those of the operands are known."""
        widest = max(map(_in_tower, numbers))
        return min(max(widest, self.least), self.most) + (NUMPY if max(numbers) >= NUMPY else 0)

    def recorded(self, trace: Trace, numbers: Sequence[Any]) -> Any:
        """The same of SSA values."""

        def op(name: str, left: Any, right: Any) -> Any:
            return trace.op(name, left.type, left, right)

        mask, numpy = _number(trace, NUMPY - 1), _number(trace, NUMPY)
        towers = [op("arith.andi", each, mask) for each in numbers]
        widest = reduce(lambda a, b: op("arith.maxsi", a, b), towers)
        widest = op("arith.maxsi", widest, _number(trace, self.least))
        widest = op("arith.minsi", widest, _number(trace, self.most))
        numpys = op("arith.andi", reduce(lambda a, b: op("arith.ori", a, b), numbers), numpy)
        return op("arith.ori", widest, numpys)


_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
RULES = {
    **dict.fromkeys(("add", "subtract", "multiply", "power"), _Rule(grows=True)),
    **dict.fromkeys(("floor_divide", "remainder", "negative", "positive"), _Rule()),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), _Rule()),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), _Rule(least=BOOL)),
    "divide": _Rule(least=FLOAT),
    "abs": _Rule(most=FLOAT),
    **dict.fromkeys(_COMPARISONS, _Rule(least=BOOL, most=BOOL)),
}
"""By operation, the class of its result; others give what their dtype says."""


_OF_ONE_CLASS = frozenset((SymbolicTensor, bool, int, float, complex))


def result(trace: Trace, name: str, operands: Sequence[Any], made: Any) -> Any:
    """What an operation has made of numbers of several classes, with its class."""
    rule = RULES.get(name)
    if rule is None or _OF_ONE_CLASS.issuperset(map(type, operands)):
        return made
    operands = [x.unchecked if isinstance(x, SymbolicTensor) else x for x in operands]
    if not any(isinstance(each, MixedNumber) for each in operands):
        return made
    given = [classes_of(each) for each in operands]
    if not all(given) or not classes_of(made):
        return made
    numbers = [_class_number(trace, each) for each in operands]
    if name in _DIVIDE:
        _check_divisor(trace, name, operands[1], given, numbers)
    known = {rule.known(possible) for possible in itertools.product(*given)}
    is_apart = any(n >= FLOAT and n + NUMPY in each for each in given for n in each)
    classes = _united(known) if is_apart else _united(*((n,) for n in known))
    if len(classes) == 1:
        return trace.make(made.ssa, made.dtype, (), weak=classes[0] < NUMPY)
    if made.dtype == bool_ and rule.least == INT:
        raise StagingError(
            trace.explain(
                f"{name}() of a number that is a bool of Python's on one path and one of NumPy's on "
                "another; convert it with int() or bool()"
            )
        )
    number = _among(trace, rule.recorded(trace, numbers), known, classes)
    if name == "power":
        number, classes = _of_power(trace, number, classes, operands[1])
    if rule.grows and min(classes) <= INT:
        _check_grown(trace, name, made, number)
    return _made(trace, made.ssa, number, classes)


def _class_number(trace: Trace, value: Any) -> Any:
    """The number of the class of a number, as an SSA value."""
    if isinstance(value, MixedNumber):
        return value.storage.number
    return _number(trace, classes_of(value)[0])


def _of_power(
    trace: Trace, number: Any, classes: tuple[int, ...], exponent: Any
) -> tuple[Any, tuple[int, ...]]:
    """The class of a power: a float where an int has a negative exponent."""
    y = emit.lift(trace, exponent)
    if INT not in classes or y.dtype.is_complex or _dtype(classes).is_integer:
        return number, classes
    is_int = trace.compare("eq", number, _number(trace, INT))
    both = trace.op("arith.andi", is_int.type, is_int, (y < 0).ssa)
    number = emit.select(trace, both, _number(trace, FLOAT), number)
    return number, tuple(sorted({*classes, FLOAT}))


def _check_grown(trace: Trace, name: str, made: SymbolicTensor, number: Any) -> None:
    """Check that the sum, product ... of ints of Python's is exact."""
    if not made.dtype.is_integer:
        _check_exact(trace, made.ssa, made.dtype, number)
        return
    fits = _power_fits(trace, made) if name == "power" else exact_integers.fits(trace, made)
    if fits is None:
        return
    numpys = trace.compare("sge", number, _number(trace, NUMPY))
    ok = trace.op("arith.ori", fits.type, fits, numpys)
    exact_integers.require(trace, ok, f"{name}() of ints")


_DIVIDE = {"divide": "/", "floor_divide": "//", "remainder": "%"}


def _check_divisor(
    trace: Trace,
    name: str,
    divisor: Any,
    given: Sequence[Sequence[int]],
    numbers: Sequence[Any],
) -> None:
    """Check that numbers of Python's are not divided by zero, which NumPy's may be."""
    y = emit.lift(trace, divisor)
    nonzero = emit.convert(trace, y.ssa, y.dtype, bool_, ())
    widest = reduce(lambda a, b: trace.op("arith.maxsi", a.type, a, b), numbers)
    wide = {max(possible) for possible in itertools.product(*given)}
    of_python = {max(each, INT) for each in wide if each < NUMPY}
    for number in sorted(of_python):
        message = python_floats.MESSAGES[_DIVIDE[name]][TOWER[number].kind]
        order = "sgt" if number == INT else "ne"
        others = trace.compare(order, widest, _number(trace, number))
        ok = trace.op("arith.ori", nonzero.type, nonzero, others)
        with trace.at_user_line():
            trace.guard(ok, trace.site("deferred_division", message))


def _power_fits(trace: Trace, made: SymbolicTensor) -> Any:
    """Whether a power of ints surely fits (i1), by computing it in floats."""
    maker = made.ssa.maker
    if maker is None or maker.name != "math.ipowi":
        return None
    base, exponent = (emit.convert(trace, x, int64, float64, ()) for x in maker.operands)
    size = trace.op("math.powf", base.type, trace.op("math.absf", base.type, base), exponent)
    return emit.compare_floats(trace, "ult", (), size, trace.constant(float64, 2.0**62))


def _check_exact(trace: Trace, ssa: Any, dtype: DType, number: Any) -> None:
    """Check that a number carried as a float is exact where it is an int."""
    real = emit.convert(trace, ssa, dtype, float64, ())
    size = trace.op("math.absf", real.type, real)
    small = emit.compare_floats(trace, "ule", (), size, trace.constant(float64, float(_EXACT)))
    tower = trace.op("arith.andi", number.type, number, _number(trace, NUMPY - 1))
    wide = trace.compare("sgt", tower, _number(trace, INT))
    ok = trace.op("arith.ori", small.type, small, wide)
    exact_integers.require(trace, ok, "an int", limit=_LIMIT)
