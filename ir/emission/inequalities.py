"""Inequalities that loops and conditions imply: whether a subscript is inside of an array.

In ``for i in range(n - 1, -1, -1): for j in range(i + 1, n)`` the iteration of a loop is a number
from 0 on, of which each loop says that it does not go beyond its end.  Subscripts are linear forms
of iterations and of other values; such a form is not negative if something that is known not to be
can be taken off it until nothing negative is left.

Forms are equal to what the program computes up to multiples of 2^64, for sums wrap around.  So a form
that is proven to be from 0 to below a size is the subscript itself; where a form is to stand for
anything else, it has to be proven that it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from agir.ir.building import bindings
from agir.ir.tracing import ranges
from agir.ir.tracing.trace import Trace

Form = dict[Any, int]
"""SSA values with their coefficients, none of which is zero; of None the constant."""


@dataclass(frozen=True)
class Wrapped:
    """The integer of 64 bits, with a sign, that a sum is which may have wrapped around.

    However often the program computes the sum, it is the same integer.
    """

    form: frozenset[tuple[Any, int]]
    ssa: Any = field(compare=False)


_FACTS = "inequalities"
_HALF = 2**63
_STEPS = 64
"""So many forms are looked at in one proof."""

_MOST = 16
"""So many inequalities are noted at most of conditions."""

_EXTENT = "tensor.dim"


def note_iteration(trace: Trace, iteration: Any, low: Any, high: Any, step: int) -> None:
    """Note that ``low + step * iteration`` is less than ``high``, SSA values of type ``index``.

    The iteration is one of a loop that goes on for ``high - low`` numbers, which has wrapped around
    to no positive number where it did.
    """
    facts = [plus(_exact(trace, high), _exact(trace, low), -1)]
    span = plus(_form(high), _form(low), -1)
    if _fits(trace, span, _is_not_negative):
        facts.append(span)
    found = [plus(fact, {None: 1, iteration: step}, -1) for fact in facts]
    trace.scope.memo[_FACTS] = (*found, *_known(trace))


def note_less(trace: Trace, left: Any, right: Any, more: int) -> None:
    """Note that ``left < right + more`` in the current scope, of integers with signs."""
    known = _known(trace)
    if not (_is_wide(left) and _is_wide(right)) or len(known) >= _MOST:
        return
    fact = plus(plus(_exact(trace, right), _exact(trace, left), -1), {None: more - 1})
    if len(fact) > 1 and fact not in known:
        trace.scope.memo[_FACTS] = (fact, *known)


def is_inside(trace: Trace, ssa: Any, bound: Any) -> bool:
    """True where ``ssa`` is known to be from 0 to ``bound - 1``."""
    if not _known(trace):
        return False
    form = _form(ssa)
    rest = plus(plus(_exact(trace, bound), form, -1), {None: 1}, -1)
    return _is_not_negative(trace, form) and _is_not_negative(trace, rest)


def is_exact(trace: Trace, ssa: Any) -> bool:
    """True where a sum of exact integers is known to fit 64 bits."""
    form = _form(ssa)
    return ssa not in form and bool(_known(trace)) and _fits(trace, form, _is_not_negative)


def _known(trace: Trace) -> tuple[Form, ...]:
    """The forms that are not negative here."""
    return trace.scope.recall("memo", _FACTS) or ()


def plus(one: Form, other: Form, factor: int = 1) -> Form:
    """The one form, and so many times the other."""
    total = dict(one)
    for value, coefficient in other.items():
        total[value] = total.get(value, 0) + factor * coefficient
    return {value: coefficient for value, coefficient in total.items() if coefficient}


_DEPTH = 64
"""So far back it is looked what an integer has been computed of: a sum may be of thousands of terms."""


def _form(ssa: Any, found: dict[Any, Form] | None = None, depth: int = _DEPTH) -> Form:
    """An integer as a form, equal to it up to multiples of 2^64.

    What several of its parts are made of is looked at once (``found``).
    """
    found = {} if found is None else found
    if ssa not in found:
        found[ssa] = _composed(ssa, found, depth - 1) if depth else {ssa: 1}
    return found[ssa]


def _composed(ssa: Any, found: dict[Any, Form], depth: int) -> Form:
    operation = ssa.maker
    name = "" if operation is None or not _is_wide(ssa) else operation.name
    if name == "arith.constant":
        number = operation.attributes["value"].value
        return {None: number} if number else {}
    if name == "arith.index_cast" and _is_wide(operation.operands[0]):
        return _form(operation.operands[0], found, depth)
    if name in ("arith.addi", "arith.subi"):
        one, other = (_form(value, found, depth) for value in operation.operands)
        return plus(one, other, 1 if name == "arith.addi" else -1)
    if name == "arith.muli":
        forms = [_form(value, found, depth) for value in operation.operands]
        for one, other in (forms, forms[::-1]):
            if set(one) <= {None}:
                return plus({}, other, one.get(None, 0))
    return {ssa: 1}


def _is_wide(ssa: Any) -> bool:
    kind, ir = ssa.type, bindings.ir
    return isinstance(kind, ir.IndexType) or (isinstance(kind, ir.IntegerType) and kind.width == 64)


def _exact(trace: Trace, ssa: Any, found: ranges.Found | None = None) -> Form:
    """A form that is the integer; itself, where its form might have wrapped around.

    In the middle of a proof intervals decide that alone, of which so much has been ``found``.
    """
    form = _form(ssa)
    is_certain = _is_not_negative if found is None else partial(_is_never_negative, found=found)
    return form if _fits(trace, form, is_certain) else {Wrapped(frozenset(form.items()), ssa): 1}


def _fits(trace: Trace, form: Form, is_certain: Callable[[Trace, Form], bool]) -> bool:
    """Whether a form is a number of 64 bits, with a sign."""
    rests = plus(form, {None: _HALF}), plus({None: _HALF - 1}, form, -1)
    return all(is_certain(trace, rest) for rest in rests)


def _is_not_negative(trace: Trace, form: Form) -> bool:
    """Whether a form can be made of what is known not to be negative."""
    seen: list[Form] = []
    found: ranges.Found = {}
    waiting = [form]
    while waiting and len(seen) < _STEPS:
        form = waiting.pop(0)
        if _is_never_negative(trace, form, found):
            return True
        if form not in seen:
            seen.append(form)
            waiting += _without(trace, form, found)
    return False


def _without(trace: Trace, form: Form, found: ranges.Found) -> Iterator[Form]:
    """The form less something that is not negative, so that one of its values is gone."""
    for value, coefficient in form.items():
        if value is None:
            continue
        for fact in (*_known(trace), *_of_extrema(trace, value, found)):
            divisor = fact.get(value)
            if divisor and coefficient % divisor == 0 and coefficient // divisor > 0:
                yield plus(form, fact, -(coefficient // divisor))


def _of_extrema(trace: Trace, value: Any, found: ranges.Found) -> Iterator[Form]:
    """What the greater or the lesser of two numbers says of them."""
    operation = None if isinstance(value, Wrapped) else value.maker
    if operation is None or operation.name not in ("arith.maxsi", "arith.minsi"):
        return
    sign = 1 if operation.name == "arith.maxsi" else -1
    for operand in operation.operands:
        yield plus({value: sign}, _exact(trace, operand, found), -sign)


def _is_never_negative(trace: Trace, form: Form, found: ranges.Found) -> bool:
    return _least(trace, form, found) >= 0


def _least(trace: Trace, form: Form, found: ranges.Found) -> int:
    """A number that a form is never less than, as far as intervals say."""
    total = form.get(None, 0)
    for value, coefficient in form.items():
        if value is not None:
            low, high = _interval(trace, value, found)
            total += coefficient * (low if coefficient > 0 else high)
    return total


def _interval(trace: Trace, value: Any, found: ranges.Found) -> ranges.Interval:
    ssa = value.ssa if isinstance(value, Wrapped) else value
    known = ranges.interval(trace, ssa, found)
    operation = ssa.maker
    least = 0 if operation is not None and operation.name == _EXTENT else -_HALF
    return known or (least, _HALF - 1)
