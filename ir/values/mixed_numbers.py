"""Numbers of Python's whose class depends on the path: an int on one, a float on the other.

Such a number is carried in the widest of its classes, which operations take as they take any other
number, and beside it goes its *class*, a place in ``TOWER`` that exists at run time.  Arithmetic says
of which class its result is, lists keep the class of each item, and the caller gets a number of it.
An int that is carried as a float is exact: one of more than 53 bits is an error of the call.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from agir.ir import broadcast, emit, exact_integers, hooks
from agir.ir.cells import Scope
from agir.ir.staged import known_as
from agir.ir.symbolic import Fixed, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.types import (
    DType,
    bool_,
    complex128,
    float64,
    int64,
    is_python_number,
    mlir_type,
    python_dtype,
)
from agir.ir.values import text
from agir.ir.values.slots import (
    FIRST,
    KINDS,
    Slot,
    Take,
    Typed,
    Wrap,
    join,
    slot_of_tensor,
)

TOWER = (bool_, int64, float64, complex128)
"""The dtypes of Python's numbers, each of which holds those before it."""
CLASSES: tuple[type, ...] = (bool, int, float, complex)
"""Python's classes of these."""
BOOL, INT, FLOAT, COMPLEX = range(4)
_EXACT = 2**53
"""Ints of at most this size are exact as floats."""
_LIMIT = "the 53 bits that ints have in a variable that is a float on another path"


class _OfClass(Fixed):
    """Storage of such a number: its value, its class, and the classes that it can be of."""

    __slots__ = ("level", "levels")

    def __init__(self, home: Scope, ssa: Any, level: Any, levels: tuple[int, ...]) -> None:
        super().__init__(home, ssa)
        self.level = level
        self.levels = levels


@known_as("Tensor")
class MixedNumber(SymbolicTensor):
    """A number whose class exists at run time."""

    __slots__ = ()

    @property
    def levels(self) -> tuple[int, ...]:
        """The classes that it can be of."""
        levels: tuple[int, ...] = self.storage.levels
        return levels

    @property
    def level(self) -> SymbolicTensor:
        """Its class, as an int scalar."""
        return self.recorder.make(self.storage.level, int64, ())

    def is_of(self, classes: Any) -> Any:
        """``isinstance(number, classes)``: a bool, or a bool scalar."""
        found = [n for n in self.levels if issubclass(CLASSES[n], classes)]
        if len(found) in (0, len(self.levels)):
            return bool(found)
        trace = self.recorder
        truth = reduce(operator.or_, (self.level == n for n in found))
        return trace.make(truth.ssa, bool_, (), weak=True)

    def as_class(self, level: int) -> SymbolicTensor:
        """The number where it is of that class."""
        trace = self.recorder
        ssa = emit.convert(trace, self.ssa, self.dtype, TOWER[level], ())
        return trace.make(ssa, TOWER[level], (), weak=True)

    def as_integer(self, what: str) -> SymbolicTensor:
        """The int that it is, or else a ``TypeError`` when the program runs."""
        trace = self.recorder
        if self.levels[-1] > INT:
            ok = trace.compare("sle", self.storage.level, trace.constant(int64, INT))
            with trace.at_user_line():
                trace.guard(ok, trace.site("type", what))
        return self.as_class(INT)

    def place(self) -> SymbolicTensor:
        """Which of ``levels`` its class is."""
        found = [self.level > n for n in self.levels[:-1]]
        numbers = [emit.convert(self.recorder, each.ssa, bool_, int64, ()) for each in found]
        total = reduce(lambda a, b: self.recorder.op("arith.addi", a.type, a, b), numbers)
        return self.recorder.make(total, int64, ())

    def __staged_text__(self, conversion: str, spec: str) -> Any:
        options = [text.field(self.as_class(n), conversion, spec) for n in self.levels]
        return text.chosen(self.place(), options)


def _of_integers(name: str) -> Any:
    def method(self: MixedNumber, *others: Any) -> Any:
        if self.levels[-1] <= INT:
            return getattr(SymbolicTensor, name)(self, *others)
        return getattr(self.as_integer(f"unsupported operand of {name}: a float"), name)(*others)

    return method


for _name in ("lshift", "rshift", "and", "or", "xor"):
    for _each in (f"__{_name}__", f"__r{_name}__"):
        setattr(MixedNumber, _each, _of_integers(_each))
MixedNumber.__invert__ = _of_integers("__invert__")  # type: ignore[method-assign]


def as_index(value: Any, what: str) -> Any:
    """What is used as a place or a count: of a number of several classes the int that it is."""
    return value.as_integer(what) if isinstance(value, MixedNumber) else value


def _made(trace: Trace, ssa: Any, level: Any, levels: tuple[int, ...]) -> MixedNumber:
    storage = _OfClass(trace.scope, ssa, level, levels)
    return MixedNumber(trace, storage, TOWER[levels[-1]], (), weak=True)


def levels_of(value: Any) -> tuple[int, ...]:
    """The classes that a number of Python's can be of; none for anything else."""
    if isinstance(value, MixedNumber):
        return value.levels
    if is_python_number(value):
        return (TOWER.index(python_dtype(value)),)
    if isinstance(value, SymbolicTensor) and value.weak and not value.dims:
        return (TOWER.index(value.dtype),) if value.dtype in TOWER else ()
    return ()


def _level(trace: Trace, value: Any) -> Any:
    """The class of a number of Python's, as an SSA value."""
    if isinstance(value, MixedNumber):
        return value.storage.level
    return trace.constant(int64, levels_of(value)[0])


@dataclass(frozen=True)
class Mixed(Slot):
    """A number of one of several classes: its value in the widest of them, and its class."""

    levels: tuple[int, ...]
    family = Typed
    has_fixed_size = True

    @property
    def dtype(self) -> DType:
        """The dtype of the widest class."""
        return TOWER[self.levels[-1]]

    @property
    def value(self) -> Typed:
        """The slot of the value alone."""
        return Typed(self.dtype, (), weak=True)

    def types(self) -> list[Any]:
        """The MLIR types that carry the slot."""
        return [mlir_type(self.dtype, ()), int64.mlir()]

    def dtypes(self) -> list[DType]:
        """The element types of what carries the slot."""
        return [self.dtype, int64]

    def pack(self, trace: Trace, value: Any) -> list[Any]:
        """The SSA values that carry the Python value."""
        if type(value) is int and self.levels[-1] > INT and abs(value) > _EXACT:
            exact_integers.require(trace, trace.constant(bool_, False), str(value), limit=_LIMIT)
            value = 0
        ssa = broadcast.operand(trace, value, self.dtype, ())
        level = _level(trace, value)
        if levels_of(value) == (INT,) and not is_python_number(value):
            _check_exact(trace, self.levels, ssa, level)
        return [ssa, level]

    def unpack(self, trace: Trace, carried: list[Any]) -> Any:
        """The Python value, from SSA values taken off the front of ``carried``."""
        ssa, level = carried[:2]
        del carried[:2]
        return _made(trace, ssa, level, self.levels)

    def placeholder(self, trace: Trace) -> list[Any]:
        """Values that stand where there is none."""
        return [trace.constant(self.dtype, 0), trace.constant(int64, self.levels[-1])]

    def assemble(self, take: Take, wrap: Wrap) -> Any:
        """The value for the caller."""
        value = wrap(take(), True)
        level = int(take())
        if self.levels[-1] == COMPLEX and level < COMPLEX:
            value = value.real
        return CLASSES[level](value)

    def describe(self) -> str:
        """The slot in the words of an error message."""
        return f"a number ({' or '.join(CLASSES[n].__name__ for n in self.levels)})"

    def as_array(self, items: Any) -> Any:
        """What items of this type are as an array: their values."""
        return items.array(0)

    def absorb(self, name: str, other: Slot, strict: bool) -> Slot | None:
        """The least slot that holds this one and the other, or None if it is not this kind's."""
        levels = _levels_of_slot(other)
        if levels:
            return Mixed(tuple(sorted({*self.levels, *levels})))
        return join(name, self.value, other, strict) if isinstance(other, Typed) else None


def _levels_of_slot(slot: Slot) -> tuple[int, ...]:
    if isinstance(slot, Mixed):
        return slot.levels
    if isinstance(slot, Typed) and slot.weak and not slot.dims and slot.dtype in TOWER:
        return (TOWER.index(slot.dtype),)
    return ()


def _of_two_classes(name: str, left: Slot, right: Slot, strict: bool) -> Slot | None:
    """Numbers of Python's of two classes; under TensorFlow's conventions they are tensors."""
    levels = {*_levels_of_slot(left), *_levels_of_slot(right)}
    if not (isinstance(left, Typed) and isinstance(right, Typed)) or len(levels) < 2:
        return None
    if not (_levels_of_slot(left) and _levels_of_slot(right)):
        return None
    trace = hooks.current()
    if trace is None or not trace.convention.arrays_are_mutable:
        return None
    return Mixed(tuple(sorted(levels)))


def _slot_of_mixed(trace: Trace, value: MixedNumber, around: Scope | None) -> Slot:
    return Mixed(value.levels)


def is_number(slot: Slot) -> bool:
    """Whether a slot is that of one number."""
    return isinstance(slot, Mixed) or (isinstance(slot, Typed) and not slot.dims)


def value_slot(trace: Trace, value: Any) -> Slot:
    """The slot of the value of a number, of whatever class it is."""
    return slot_of_tensor(trace, value)


KINDS[MixedNumber] = _slot_of_mixed
FIRST.append(_of_two_classes)


# What class the result of an operation is of.

Levels = tuple[Any, ...]
"""The classes of the operands, as SSA values."""


def _widest(trace: Trace, levels: Levels, operands: Sequence[Any]) -> Any:
    """The widest of the classes of the operands; of bools, ints."""
    least = trace.constant(int64, INT)
    return reduce(lambda a, b: trace.op("arith.maxsi", a.type, a, b), levels, least)


def _of_quotient(trace: Trace, levels: Levels, operands: Sequence[Any]) -> Any:
    """The class of a quotient: a float of ints."""
    found = _widest(trace, levels, operands)
    return trace.op("arith.maxsi", found.type, found, trace.constant(int64, FLOAT))


def _no_complex(trace: Trace, levels: Levels, operands: Sequence[Any]) -> Any:
    """The class of an absolute value."""
    found = _widest(trace, levels, operands)
    return trace.op("arith.minsi", found.type, found, trace.constant(int64, FLOAT))


def _of_power(trace: Trace, levels: Levels, operands: Sequence[Any]) -> Any:
    """The class of a power, which is a float where an int has a negative exponent."""
    found = _widest(trace, levels, operands)
    exponent = emit.lift(trace, operands[1])
    if exponent.dtype.is_complex:
        return found
    negative = (exponent < 0).ssa
    least = emit.select(
        trace, negative, trace.constant(int64, FLOAT), trace.constant(int64, INT)
    )
    return trace.op("arith.maxsi", found.type, found, least)


RULES: dict[str, Callable[[Trace, Levels, Sequence[Any]], Any]] = {
    **dict.fromkeys(("add", "subtract", "multiply", "floor_divide", "remainder"), _widest),
    **dict.fromkeys(("negative", "positive"), _widest),
    "divide": _of_quotient,
    "abs": _no_complex,
    "power": _of_power,
}
"""By operation, the class of its result; others give what their dtype says."""
_GROWING = frozenset(("add", "subtract", "multiply", "power"))
"""Operations on ints whose result may be of more bits."""


def result(trace: Trace, name: str, operands: Sequence[Any], made: Any) -> Any:
    """What an operation has made of numbers of several classes, with its class."""
    rule = RULES.get(name)
    if rule is None or not any(isinstance(each, MixedNumber) for each in operands):
        return made
    if not levels_of(made) or made.dtype == int64 or not all(map(levels_of, operands)):
        return made
    if name == "divide" and not made.dtype.is_complex:
        return made
    if any(levels_of(each)[0] == levels_of(made)[0] for each in operands):
        return made  # an operand is of the widest class on all paths
    level = rule(trace, tuple(_level(trace, each) for each in operands), operands)
    levels = tuple(range(INT, levels_of(made)[0] + 1))
    if name in _GROWING:
        _check_exact(trace, levels, made.ssa, level)
    return _made(trace, made.ssa, level, levels)


def of_class_of(trace: Trace, value: Any, made: Any) -> Any:
    """What has been computed of a number, as one of its class."""
    if not isinstance(value, MixedNumber) or made.dtype != value.dtype:
        return made
    return _made(trace, made.ssa, value.storage.level, value.levels)


def _check_exact(trace: Trace, levels: tuple[int, ...], ssa: Any, level: Any) -> None:
    """Check that a number is exact where it is an int."""
    if levels[-1] <= INT:
        return
    real = emit.convert(trace, ssa, TOWER[levels[-1]], float64, ())
    size = trace.op("math.absf", real.type, real)
    small = emit.compare_floats(trace, "ule", (), size, trace.constant(float64, float(_EXACT)))
    wide = trace.compare("sgt", level, trace.constant(int64, INT))
    ok = trace.op("arith.ori", small.type, small, wide)
    exact_integers.require(trace, ok, "an int", limit=_LIMIT)
