"""Dates and differences of such (``datetime64``, ``timedelta64``): whole numbers of a unit.

Which units operands come together in, and which operations there are, NumPy's ufuncs say.  ``NaT`` is
the least whole number: what is computed of it is NaT again, and no comparison with it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from agir.ir.plain.entering import (
    OfArrays,
    OfLayout,
    has_loop,
    known_ticks,
    one_of_equal,
    refused,
    refusing,
    resolved_dtypes,
    unhashable,
)
from agir.ir.table import TABLE
from agir.ir.tensors.staged import Keyed, Staged
from agir.ir.tensors.symbolic import SymbolicTensor, is_array
from agir.ir.tensors.tensor import Tensor

__ag_convert__ = True

NAT = int(np.iinfo(np.int64).min)

_SECOND = 10**18
_SIZES: dict[str, int] = {
    "W": 604800 * _SECOND, "D": 86400 * _SECOND, "h": 3600 * _SECOND, "m": 60 * _SECOND,
    "s": _SECOND, "ms": 10**15, "us": 10**12, "ns": 10**9, "ps": 10**6, "fs": 10**3, "as": 1,
}  # fmt: skip
_MONTHS = {"Y": 12, "M": 1}


def is_of_time(dtype: Any) -> bool:
    """Whether a dtype of NumPy's is one of dates or of differences."""
    return isinstance(dtype, np.dtype) and dtype.kind in "mM"


def made_of(dtype: Any, ticks: Any) -> Any:
    """What stands for an array or a number of that dtype, which is so many units."""
    dtype = one_of_equal(dtype.newbyteorder("="))
    if isinstance(ticks, np.ndarray) or is_array(ticks):
        return Times(dtype, ticks)
    return (Date if dtype.kind == "M" else Span)(dtype, ticks)


class OfTime(OfLayout):
    """Dates or differences: an array of them, or one."""

    __array_ufunc__ = None

    def __init__(self, dtype: Any, ticks: Any) -> None:
        self.dtype = dtype
        self.ticks = ticks

    def plain(self) -> Any:
        """What the caller gets."""
        found = np.asarray(self.ticks).view(self.dtype)
        return found if isinstance(self, Times) else found[()]

    def __array_function__(self, function: Any, kinds: Any, args: Any, kwargs: Any) -> Any:
        return FUNCTIONS.get(function, partial(refuse, function))(*args, **kwargs)

    __bool__ = refusing("the truth")
    __contains__ = refusing("membership")

    def layout_and_arrays(self) -> tuple[Any, list[Any]]:
        """The dtype, and how many units they are."""
        return self.dtype, [self.ticks]

    def astype(self, dtype: Any, copy: bool = True, casting: str = "unsafe") -> Any:
        """In another unit, or as numbers."""
        wanted = np.dtype(dtype)
        if not np.can_cast(self.dtype, wanted, casting):  # type: ignore[arg-type]
            raise TypeError(f"cannot cast {self.dtype} to {wanted} by the rule {casting!r}")
        if is_of_time(wanted):
            return made_of(wanted, copied(converted(self, wanted)))
        if wanted.kind not in "iuf":
            refused(f"{self.dtype} as {wanted}")
        return self.ticks.astype(wanted)

    def view(self, dtype: Any) -> Any:
        """The same memory as numbers, or in another unit."""
        wanted = np.dtype(dtype)
        if is_of_time(wanted):
            return made_of(wanted, self.ticks)
        return self.ticks if wanted == np.int64 else self.ticks.view(wanted)

    def __hash__(self) -> int:
        unhashable(self, "its elements can be keys")

    def __abs__(self) -> Any:
        return operate(np.absolute, self)

    def __neg__(self) -> Any:
        return operate(np.negative, self)

    def __pos__(self) -> Any:
        return operate(np.positive, self)

    def min(self, axis: Any = None) -> Any:
        """The least, or NaT if there is one."""
        return made_of(self.dtype, self.ticks.min(axis=axis))

    def max(self, axis: Any = None) -> Any:
        """The greatest, or NaT if there is one."""
        return made_of(self.dtype, (self.ticks - 1).max(axis=axis) + 1)  # NaT is the greatest then

    def item(self, *places: Any) -> Any:
        """Not recorded: what Python's `datetime` has."""
        refused(f"an object of Python's of {self.dtype}")

    tolist = item


def _operator(ufunc: Any, reflected: bool = False) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if not is_operand(other):
            return NotImplemented
        return operate(ufunc, other, self) if reflected else operate(ufunc, self, other)

    return method


def _in_place(ufunc: Any) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if not is_operand(other):
            return NotImplemented
        found = operate(ufunc, self, other)
        if not isinstance(found, OfTime) or not np.can_cast(found.dtype, self.dtype, "same_kind"):
            raise TypeError(f"{ufunc.__name__}() of {self.dtype} gives what is not, in place")
        self[...] = found
        return self

    return method


_not_hashed = refusing("the hash")


class Date(OfTime, Keyed):
    """A date."""

    __hash__ = _not_hashed

    stands_for: type = np.datetime64
    ndim = 0
    shape = ()


class Span(OfTime, Keyed):
    """A difference of dates."""

    __hash__ = _not_hashed

    stands_for: type = np.timedelta64
    ndim = 0
    shape = ()


class Times(OfTime, OfArrays):
    """An array of dates or of differences."""

    __called__ = "datetime64 or timedelta64 array"
    stands_for: type = np.ndarray

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self.ticks.ndim)

    @property
    def shape(self) -> Any:
        """The sizes."""
        return self.ticks.shape

    @property
    def size(self) -> Any:
        """The number of elements."""
        return self.ticks.size

    @property
    def T(self) -> Any:  # noqa: N802
        """The axes in reverse order."""
        return made_of(self.dtype, self.ticks.T)

    def __len__(self) -> Any:
        return self.ticks.shape[0]

    def __iter__(self) -> Iterator[Any]:
        for number in range(len(self)):
            yield self[number]

    def __getitem__(self, key: Any) -> Any:
        return made_of(self.dtype, self.ticks[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.ticks[key] = converted(as_time(value, self.dtype), self.dtype)

    def fill(self, value: Any) -> None:
        """Assign a value to all elements."""
        self[...] = value

    def sum(self, axis: Any = None) -> Any:
        """The sum of differences."""
        self.check_span("sum")
        total = self.ticks.sum(axis=axis)
        return made_of(self.dtype, where((self.ticks == NAT).any(axis=axis), NAT, total))

    def mean(self, axis: Any = None) -> Any:
        """The mean of differences."""
        count = self.ticks.size if axis is None else self.ticks.shape[axis]
        return self.sum(axis) / count

    def cumsum(self) -> Any:
        """The sums of the first differences."""
        self.check_span("cumsum")
        met = (self.ticks == NAT).cumsum() > 0
        return made_of(self.dtype, where(met, NAT, self.ticks.cumsum()))

    def check_span(self, name: str) -> None:
        """``TypeError`` for dates."""
        if self.dtype.kind == "M":
            raise TypeError(f"{name}() of dates: there is one of differences")

    def argmin(self, axis: Any = None) -> Any:
        """Where the least is, or the first NaT."""
        return self.ticks.argmin(axis=axis)

    def argmax(self, axis: Any = None) -> Any:
        """Where the greatest is, or the first NaT."""
        return (self.ticks - 1).argmax(axis=axis)

    def argsort(self, axis: Any = -1, kind: Any = None, stable: Any = None) -> Any:
        """The order of the elements, NaT at the end."""
        return (self.ticks - 1).argsort(axis=axis, kind="stable")

    def sort(self, axis: Any = -1, kind: Any = None, stable: Any = None) -> None:
        """Sort the array, NaT at the end."""
        self.ticks[...] = np.sort(self.ticks - 1, axis=axis) + 1

    def searchsorted(self, values: Any, side: str = "left") -> Any:
        """Where values would stand in the sorted array."""
        both = np.promote_types(self.dtype, as_time(values, self.dtype).dtype)
        wanted = converted(as_time(values, self.dtype), both)
        return np.searchsorted(converted(self, both) - 1, wanted - 1, side=side)  # type: ignore[call-overload]


def _of_ticks(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return made_of(self.dtype, getattr(self.ticks, name)(*args, **kwargs))

    return method


for _name in (
    "copy",
    "reshape",
    "ravel",
    "flatten",
    "transpose",
    "swapaxes",
    "repeat",
    "take",
    "squeeze",
):
    setattr(Times, _name, _of_ticks(_name))


for _name, _ufunc in (
    ("add", np.add), ("sub", np.subtract), ("mul", np.multiply), ("truediv", np.divide),
    ("floordiv", np.floor_divide), ("mod", np.remainder),
):  # fmt: skip
    setattr(OfTime, f"__{_name}__", _operator(_ufunc))
    setattr(OfTime, f"__r{_name}__", _operator(_ufunc, reflected=True))
    setattr(Times, f"__i{_name}__", _in_place(_ufunc))
_comparing: Any
for _name, _comparing in (
    ("lt", np.less), ("le", np.less_equal), ("gt", np.greater), ("ge", np.greater_equal),
):  # fmt: skip
    setattr(OfTime, f"__{_name}__", _operator(_comparing))


def _equality(ufunc: Any) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        if not is_operand(other):
            return NotImplemented
        if has_loop(ufunc, dtypes_of((_typed(self), _typed(other)))):
            return operate(ufunc, self, other)
        equal = self.ticks == getattr(other, "ticks", other)  # dates and numbers never are
        return equal & False if ufunc is np.equal else equal | True

    return method


OfTime.__eq__ = _equality(np.equal)  # type: ignore[method-assign]
OfTime.__ne__ = _equality(np.not_equal)  # type: ignore[method-assign]


def is_operand(value: Any) -> bool:
    """Whether NumPy's ufuncs take a value."""
    if isinstance(value, Staged) and value.is_staged:
        return False
    return isinstance(value, (OfTime, bool, int, float, np.generic, np.ndarray, Tensor))


def as_time(value: Any, like: Any) -> Any:
    """Dates or differences, of what NumPy makes such of: texts, numbers and None, of a dtype."""
    if isinstance(value, OfTime):
        return value
    if isinstance(value, SymbolicTensor):
        if value.dtype.kind not in "biu":
            raise TypeError(f"{value.dtype} is no {like}")
        return made_of(like, TABLE["cast"](value, "int64"))
    return made_of(*known_ticks(value, like))


def where(condition: Any, left: Any, right: Any) -> Any:
    """One number or the other; for arrays element by element."""
    if any(isinstance(each, SymbolicTensor) for each in (condition, left, right)):
        return TABLE["where"](condition, left, right)
    return np.where(condition, left, right)[()]


def copied(ticks: Any) -> Any:
    """A copy of an array; a number is one."""
    return ticks.copy() if isinstance(ticks, np.ndarray) or is_array(ticks) else ticks


def unless_nat(given: Any, found: Any) -> Any:
    """What has been found, and NaT where that has been given."""
    if isinstance(given, int) and given != NAT:
        return found
    return where(given == NAT, NAT, found)


def converted(value: Any, dtype: Any) -> Any:
    """So many units of a dtype: rounded down where these are longer."""
    (unit, count), (wanted, each) = map(np.datetime_data, (value.dtype, dtype))
    if (unit, count) == (wanted, each) or unit == "generic" or value.dtype == dtype:
        return value.ticks
    if wanted == "generic":
        raise TypeError(f"cannot cast {value.dtype} to {dtype}")
    ticks = value.ticks
    if isinstance(ticks, int) and ticks == NAT:
        return ticks
    by_month = unit in _MONTHS, wanted in _MONTHS
    if by_month == (True, True):
        return unless_nat(
            ticks, scaled(ticks, Fraction(_MONTHS[unit] * count, _MONTHS[wanted] * each))
        )
    if by_month == (False, False):
        return unless_nat(
            ticks, scaled(ticks, Fraction(_SIZES[unit] * count, _SIZES[wanted] * each))
        )
    if value.dtype.kind == "m":
        refused(f"{value.dtype} as {dtype}, of which NumPy takes means,")
    if by_month == (True, False):
        days = days_of(ticks * (_MONTHS[unit] * count))
        return unless_nat(ticks, scaled(days, Fraction(_SIZES["D"], _SIZES[wanted] * each)))
    days = scaled(ticks, Fraction(_SIZES[unit] * count, _SIZES["D"]))
    return unless_nat(ticks, scaled(months_of(days), Fraction(1, _MONTHS[wanted] * each)))


def as_key(value: Any) -> tuple[Any, Any]:
    """Whole numbers that equal dates, or differences, have in common, whatever their units.

    These are seconds and the rest of them; of differences in months, the months.
    """
    given = as_time(value, value.dtype)
    ticks, (unit, count) = given.ticks, np.datetime_data(given.dtype)
    if unit == "generic" or (isinstance(ticks, int) and ticks == NAT):
        return ticks, 0
    if unit in _MONTHS:
        months = ticks * (_MONTHS[unit] * count)
        return (days_of(months) * 86400 if given.dtype.kind == "M" else months), 0
    length = Fraction(_SIZES[unit] * count, _SECOND)
    seconds = scaled(ticks, length)
    rest = ticks * length.numerator - seconds * length.denominator
    return seconds, rest * (_SECOND // length.denominator)


def scaled(ticks: Any, ratio: Fraction) -> Any:
    """A multiple, rounded down."""
    more = ticks if ratio.numerator == 1 else ticks * ratio.numerator
    return more if ratio.denominator == 1 else more // ratio.denominator


def days_of(months: Any) -> Any:
    """The days from 1970 on to the first of a month."""
    month = months % 12 + 1
    year = months // 12 + 1970 - where(month <= 2, 1, 0)  # which begins with March
    era = year // 400
    of_era = year - era * 400
    day = (153 * (month + where(month > 2, -3, 9)) + 2) // 5
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + day - 719468


def months_of(days: Any) -> Any:
    """The months from 1970 on to that of a day."""
    day = days + 719468
    era = day // 146097
    day = day - era * 146097
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    of_year = day - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    return (year + era * 400 - 1970) * 12 + month + 2


def operate(ufunc: Any, *operands: Any) -> Any:
    """What a ufunc of NumPy's makes of dates, differences and numbers."""
    given = tuple(_typed(each) for each in operands)
    resolved = resolved_dtypes(ufunc, dtypes_of(given))
    values = [
        converted(as_time(each, dtype), dtype) if is_of_time(dtype) else as_number(each, dtype)
        for each, dtype in zip(given, resolved, strict=False)
    ]
    kind = "".join(each.kind for each in resolved[: len(given)])
    loop = _LOOPS.get((ufunc, kind)) or _LOOPS.get(
        (ufunc, "".join("t" if k in "mM" else k for k in kind))
    )
    if loop is None:
        refused(f"{ufunc.__name__}() of {' and '.join(map(str, resolved[: len(given)]))}")
    found = loop(*values)
    return made_of(resolved[-1], found) if is_of_time(resolved[-1]) else found


def dtypes_of(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a ufunc of NumPy's is asked with: the dtypes of operands, or classes of numbers."""
    kinds = [each.dtype if hasattr(each, "dtype") else type(each) for each in operands]
    return tuple(np.dtype(bool) if each is bool else getattr(each, "numpy", each) for each in kinds)


def as_number(value: Any, dtype: Any) -> Any:
    """A number, or an array of numbers, of a dtype."""
    if isinstance(value, SymbolicTensor):
        return TABLE["cast"](value, dtype)
    return np.asarray(value).astype(dtype)[()]


def _typed(value: Any) -> Any:
    """An operand that has a dtype, or is a number of Python's."""
    if isinstance(value, SymbolicTensor) and value.weak:
        return TABLE["cast"](value, "int64" if value.dtype.kind in "bi" else value.dtype)
    if isinstance(value, np.generic | np.ndarray) and is_of_time(value.dtype):
        return as_time(value, value.dtype)
    return value


def _spread(loop: Callable[..., Any]) -> Callable[..., Any]:
    """A loop whose result is NaT where an operand is."""

    def spread(*values: Any) -> Any:
        found = loop(*values)
        for each in values:
            found = unless_nat(each, found)
        return found

    return spread


def _product(span: Any, number: Any) -> Any:
    return unless_nat(span, span * number)


def _rounded(span: Any, number: Any) -> Any:
    """A float as a whole number; NaT where it is none."""
    fits = np.isfinite(number)
    return unless_nat(span, where(fits, TABLE["cast"](where(fits, number, 0.0), "int64"), NAT))


def _quotient(span: Any, number: Any) -> Any:
    """The quotient of whole numbers, rounded towards zero."""
    divisor = where(number == 0, 1, number)
    found = abs(span) // abs(divisor)
    found = where((span < 0) == (divisor < 0), found, -found)
    return unless_nat(span, where(number == 0, NAT, found))


def _ratio(one: Any, other: Any) -> Any:
    found = np.divide(_as_float(one), _as_float(other))
    return where((one == NAT) | (other == NAT), np.nan, found)


def _as_float(ticks: Any) -> Any:
    return np.multiply(ticks, np.float64(1.0))


def _whole_ratio(one: Any, other: Any) -> Any:
    fails = (one == NAT) | (other == NAT) | (other == 0)
    return where(fails, 0, one // where(fails, 1, other))


def _rest(one: Any, other: Any) -> Any:
    fails = (one == NAT) | (other == NAT) | (other == 0)
    return where(fails, NAT, one % where(fails, 1, other))


def _greater(one: Any, other: Any) -> Any:
    return np.maximum(np.subtract(one, 1), np.subtract(other, 1)) + 1  # NaT is the greatest then


def _lesser_number(one: Any, other: Any) -> Any:
    return np.minimum(np.subtract(one, 1), np.subtract(other, 1)) + 1


def _either_way(loop: Callable[..., Any]) -> Callable[..., Any]:
    return lambda number, span: loop(span, number)


def _by_number(loop: Callable[..., Any]) -> Callable[..., Any]:
    return lambda span, number: loop(span, np.int64(number) if isinstance(number, int) else number)


def _sum(one: Any, other: Any) -> Any:
    return one + other


def _by_float(compute: Callable[..., Any]) -> Callable[..., Any]:
    return lambda span, number: _rounded(span, compute(_as_float(span), number))


_add = _spread(_sum)
_LOOPS: dict[tuple[Any, str], Callable[..., Any]] = {
    (np.add, "tt"): _add,
    (np.subtract, "tt"): _spread(lambda one, other: one - other),
    (np.multiply, "mi"): _product,
    (np.multiply, "im"): _either_way(_product),
    (np.multiply, "mf"): _by_float(np.multiply),
    (np.multiply, "fm"): _either_way(_by_float(np.multiply)),
    (np.divide, "mi"): _quotient,
    (np.divide, "mf"): _by_float(np.divide),
    (np.divide, "mm"): _ratio,
    (np.floor_divide, "mi"): _quotient,
    (np.floor_divide, "mf"): _by_float(np.divide),
    (np.floor_divide, "mm"): _whole_ratio,
    (np.remainder, "mm"): _rest,
    (np.negative, "m"): _spread(lambda span: -span),
    (np.positive, "m"): lambda span: span,
    (np.absolute, "m"): _spread(abs),
    (np.equal, "tt"): lambda one, other: (one == other) & (one != NAT),
    (np.not_equal, "tt"): lambda one, other: (one != other) | (one == NAT),
    (np.less, "tt"): lambda one, other: (one < other) & (one != NAT),
    (np.less_equal, "tt"): lambda one, other: (one <= other) & (one != NAT),
    (np.greater, "tt"): lambda one, other: (one > other) & (other != NAT),
    (np.greater_equal, "tt"): lambda one, other: (one >= other) & (other != NAT),
    (np.minimum, "tt"): np.minimum,
    (np.maximum, "tt"): _greater,
    (np.fmin, "tt"): _lesser_number,
    (np.fmax, "tt"): np.maximum,
    (np.isnat, "t"): lambda ticks: ticks == NAT,
    (np.isfinite, "t"): lambda ticks: ticks != NAT,
}


def refuse(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Say that a function of NumPy's is not recorded."""
    refused(f"{function.__name__}() of dates or differences")


def _together(values: Any) -> tuple[Any, list[Any]]:
    """The dtype of several, and their units in it."""
    first = next(each for each in values if isinstance(each, OfTime))
    times = [as_time(each, first.dtype) for each in values]
    both = np.result_type(*(each.dtype for each in times))
    return both, [converted(each, both) for each in times]


def _joined(function: Any) -> Callable[..., Any]:
    def joined(values: Any, axis: int = 0) -> Any:
        dtype, ticks = _together(values)
        return made_of(dtype, function(ticks, axis=axis))

    return joined


def _where(condition: Any, left: Any, right: Any) -> Any:
    dtype, (one, other) = _together((left, right))
    return made_of(dtype, np.where(condition, one, other))


def _diff(values: Any, n: int = 1) -> Any:
    for _ in range(n):
        values = values[1:] - values[:-1]
    return values


def _sorted(values: Any, axis: Any = -1) -> Any:
    return made_of(values.dtype, np.sort(values.ticks - 1, axis=axis) + 1)


def _unique(values: Any, **options: Any) -> Any:
    found = np.unique(values.ticks - 1, **options)
    if not isinstance(found, tuple):
        return made_of(values.dtype, found + 1)
    return (made_of(values.dtype, found[0] + 1), *found[1:])


def _isin(values: Any, those: Any, **options: Any) -> Any:
    _, (one, other) = _together((values, those))
    if options.keys() - {"invert", "assume_unique"}:
        refused("isin() of dates or differences by a kind of search")
    found = np.isin(one, other) & (one != NAT)
    return ~found if options.get("invert", False) else found


def _nanmin(values: Any, axis: Any = None) -> Any:
    return made_of(values.dtype, (values.ticks - 1).min(axis=axis) + 1)  # NaT is the greatest then


def _nanmax(values: Any, axis: Any = None) -> Any:
    return made_of(values.dtype, values.ticks.max(axis=axis))


def _full_like(like: Any, value: Any) -> Any:
    made = made_of(like.dtype, np.zeros_like(like.ticks))
    made[...] = value
    return made


def _array_equal(one: Any, other: Any) -> Any:
    return one.shape == other.shape and (one == other).all()


def _array(value: Any, dtype: Any = None, copy: Any = True) -> Any:
    made = value if dtype is None else value.astype(dtype)
    return made.copy() if copy else made


def _method(name: str) -> Callable[..., Any]:
    return lambda value, *args, **kwargs: getattr(value, name)(*args, **kwargs)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{ufunc: partial(operate, ufunc) for ufunc, _ in _LOOPS},
    np.concatenate: _joined(np.concatenate),
    np.stack: _joined(np.stack),
    np.where: _where,
    np.diff: _diff,
    np.sort: _sorted,
    np.copy: lambda value: value.copy(),
    np.array: _array,
    np.asarray: partial(_array, copy=False),
    np.zeros_like: lambda like: _full_like(like, 0),
    np.empty_like: lambda like: _full_like(like, 0),
    np.full_like: _full_like,
    np.unique: _unique,
    np.isin: _isin,
    np.nanmin: _nanmin,
    np.nanmax: _nanmax,
    np.ptp: lambda value, axis=None: value.max(axis=axis) - value.min(axis=axis),
    np.clip: lambda value, least, most: operate(np.minimum, operate(np.maximum, value, least), most),
    np.array_equal: _array_equal,
    np.flip: lambda value, axis=None: made_of(value.dtype, np.flip(value.ticks, axis)),
    np.count_nonzero: lambda value: np.count_nonzero(value.ticks),
    np.abs: partial(operate, np.absolute),
    **{
        getattr(np, name): _method(name)
        for name in (
            "min", "max", "sum", "mean", "cumsum", "argmin", "argmax", "argsort", "searchsorted",
            "reshape", "ravel", "transpose", "repeat", "take",
        )
    },
    np.amin: _method("min"),
    np.amax: _method("max"),
    np.shape: lambda value: value.shape,
    np.ndim: lambda value: value.ndim,
    np.size: lambda value: value.size,
}  # fmt: skip
"""What stands for NumPy's functions that are given dates or differences."""
