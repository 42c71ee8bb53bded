"""From the error record of a call to the Python exception, at the user's line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agir import errors
from agir.ir.building.checks import EXCEEDS, Site
from agir.ir.emission import failing
from agir.ir.host import hosts
from agir.ir.values.abstract_values import called
from agir.runtime.recording import raised

if TYPE_CHECKING:
    from agir.backends.cpu.explaining.report import Check
    from agir.runtime.recording.recorded import Recorded


class Failure(NamedTuple):
    """How a kind of check is reported: the exception and its message."""

    error: type[errors.InvalidArgumentError]
    message: Callable[[Site, int, int], str]
    arguments: Callable[[Site], tuple[Any, ...]] | None = None
    """What ``args`` of the exception are, if not just the message with the user's line."""


FAILURES: dict[str, Failure] = {
    "index": Failure(
        errors.RuntimeIndexError,
        lambda site, index, size: (
            f"index {index} is out of bounds for axis {site.extra[0]} with size {size}"
        ),
    ),
    "mask": Failure(
        errors.RuntimeIndexError,
        lambda site, size, given: (
            f"the boolean index does not match the array: along axis {site.extra[0]} the array has "
            f"{size} elements, the index {given}"
        ),
    ),
    "division": Failure(errors.RuntimeZeroDivisionError, lambda site, a, b: str(site.extra[0])),
    "broadcast": Failure(
        errors.RuntimeShapeError,
        lambda site, a, b: f"dimensions {a} and {b} do not broadcast: they differ and neither is 1",
    ),
    "broadcast_places": Failure(
        errors.RuntimeIndexError,
        lambda site, a, b: (
            f"the arrays of a subscript do not broadcast: dimensions {a} and {b} differ and neither "
            "is 1"
        ),
    ),
    "recursion": Failure(
        errors.RuntimeRecursionError, lambda site, a, b: "maximum recursion depth exceeded"
    ),
    "shape": Failure(
        errors.RuntimeShapeError,
        lambda site, a, b: f"{site.extra[0] if site.extra else 'dimensions differ'}: {a} and {b}",
    ),
    "unbound": Failure(
        errors.RuntimeUnboundLocalError,
        lambda site, a, b: (
            f"cannot access local variable '{site.extra[0]}' where it is not associated with a value"
        ),
    ),
    "deferred_division": Failure(
        errors.RuntimeZeroDivisionError, lambda site, a, b: str(site.extra[0])
    ),
    "unpack": Failure(
        errors.RuntimeValueError,
        lambda site, count, b: (
            f"too many values to unpack (expected {site.extra[0]})"
            if count > site.extra[0]
            else f"not enough values to unpack (expected {site.extra[0]}, got {count})"
        ),
    ),
    "unpack_starred": Failure(
        errors.RuntimeValueError,
        lambda site, count, b: (
            f"not enough values to unpack (expected at least {site.extra[0]}, got {count})"
        ),
    ),
    "argument": Failure(errors.RuntimeValueError, lambda site, a, b: str(site.extra[0])),
    "assert": Failure(
        errors.RuntimeAssertionError,
        lambda site, a, b: str(site.extra[0]) if site.extra else "",
        lambda site: site.extra[:1],
    ),
    "check": Failure(errors.InvalidArgumentError, lambda site, a, b: str(site.extra[0])),
    "fits": Failure(
        errors.RuntimeOverflowError,
        lambda site, number, b: f"Python integer {number} out of bounds for {site.extra[0]}",
    ),
    "overflow": Failure(errors.RuntimeOverflowError, lambda site, a, b: str(site.extra[0])),
    EXCEEDS: Failure(
        errors.RuntimeOverflowError,
        lambda site, a, b: (
            f"{site.extra[0].format(a, b)} needs more than {site.extra[1]}: compute with floats, or "
            "with NumPy's integers if they are to wrap around"
        ),
    ),
    "negative_power": Failure(
        errors.RuntimeValueError,
        lambda site, a, b: "integers to negative integer powers are not allowed; use a float",
    ),
    "complex_power": Failure(
        errors.RuntimeValueError,
        lambda site, a, b: (
            "a negative number to a fractional power is a complex number in Python, and not computed "
            "here: make the base complex, or take abs() of it"
        ),
    ),
    "negative_size": Failure(
        errors.RuntimeShapeError,
        lambda site, size, b: f"negative dimensions are not allowed: {size}",
    ),
    "zero_step": Failure(
        errors.RuntimeValueError, lambda site, a, b: "range() step must not be zero"
    ),
    "none": Failure(
        errors.RuntimeTypeError, lambda site, a, b: f"{called(site.extra[0])} is None here"
    ),
    "attribute_of_none": Failure(
        errors.RuntimeAttributeError,
        lambda site, a, b: (
            f"'NoneType' object has no attribute '{site.extra[1]}': {called(site.extra[0])} is None "
            "here"
        ),
    ),
    "list_index": Failure(
        errors.RuntimeIndexError,
        lambda site, index, size: f"{site.extra[0]} index {index} is out of range for {size} items",
    ),
    "element": Failure(
        errors.RuntimeIndexError,
        lambda site, index, size: (
            f"index {index} is out of range for {size} elements of a TensorArray"
        ),
    ),
    "growth": Failure(
        errors.RuntimeIndexError,
        lambda site, index, limit: (
            f"index {index} is out of range for a TensorArray that grows: 0 to {limit - 1}"
        ),
    ),
    "unwritten": Failure(
        errors.InvalidArgumentError,
        lambda site, a, b: (
            "an element of a TensorArray is read that has never been written, and whose shape is "
            "not known; write it first, or give element_shape"
        ),
    ),
    "no_items": Failure(
        errors.RuntimeShapeError,
        lambda site, a, b: f"{site.extra[0]}() arg is an empty sequence",
    ),
    "pop": Failure(errors.RuntimeIndexError, lambda site, a, b: str(site.extra[0])),
    "key": Failure(
        errors.RuntimeKeyError,
        lambda site, a, b: str(site.extra[0]) if site.extra else "the dict has no such key",
    ),
    "attribute": Failure(errors.RuntimeAttributeError, lambda site, a, b: str(site.extra[0])),
    "type": Failure(errors.RuntimeTypeError, lambda site, a, b: str(site.extra[0])),
    "no_item": Failure(errors.RuntimeIndexError, lambda site, a, b: str(site.extra[0])),
    "empty_list": Failure(
        errors.RuntimeValueError, lambda site, a, b: f"{site.extra[0]} of an empty list"
    ),
    "empty": Failure(
        errors.RuntimeValueError,
        lambda site, a, b: f"{site.extra[0]} of an empty array has no value",
    ),
}


def check(recorded: Recorded, outputs: Sequence[Any]) -> None:
    """Raise what a compiled function has noted in its error record, the last three results."""
    if outputs[-3]:
        code, first, second = map(int, outputs[-3:])
        raise _told(recorded, code, exception(recorded.sites, code, first, second))


def _told(recorded: Recorded, code: int, error: Any) -> BaseException:
    """The exception, which says what there is to know for whoever may run plain Python instead."""
    site = recorded.sites[code - 1]
    if may_be_of_agir(recorded, code):
        error.is_refusal, error.is_deferred = site.is_refusal, site.is_deferred
        error.place, error.kind = site.place, site.kind
    if recorded.draws or (recorded.may_act and hosts.has_acted()):
        error.has_acted = True
    return error  # type: ignore[no-any-return]


def may_be_of_agir(recorded: Recorded, code: int) -> bool:
    """Whether a check is one that plain Python has none of, or perhaps has none of."""
    site = recorded.sites[code - 1]
    return site.is_refusal or site.is_deferred


def exception(sites: Sequence[Site], code: int, first: int, second: int) -> BaseException:
    """The exception that the check number ``code`` (from 1) stands for."""
    site = sites[code - 1]
    if site.kind == failing.RAISE:
        return raised.again(site, hosts.redeem(first) if site.deferred else None)
    if site.kind == failing.HOST:
        error: BaseException | None = hosts.redeem(first)
        return error or _lost(site)
    if site.deferred:
        site = replace(site, extra=(hosts.redeem(first), *site.extra[1:]), deferred=False)
    failure = FAILURES[site.kind]
    message = failure.message(site, first, second)
    if site.place is not None:
        message += f"\n  at {site.place}, in {site.place.function}: {site.text}"
    made = failure.error(message)
    if failure.arguments is not None:
        made.report, made.args = message, failure.arguments(site)
    made.place = site.place
    return made


def describe(checks: Sequence[Check], sites: Sequence[Site]) -> None:
    """Say of the checks of an explanation what each would raise."""
    kinds = {(s.place.file, s.place.line, s.place.column): s.kind for s in sites if s.place}
    for check in checks:
        place = check.place
        kind = kinds.get((place.file, place.line, place.column))
        check.what = FAILURES[kind].error.__name__ if kind in FAILURES else ""


def _lost(site: Site) -> errors.InvalidArgumentError:
    """What stands for an exception that the host has kept until too many others came."""
    return errors.InvalidArgumentError(
        f"a Python function has raised an exception\n  at {site.place}: {site.text}"
    )


failing.CLASSES.update({kind: failure.error for kind, failure in FAILURES.items()})
failing.CLASSES[failing.HOST] = Exception
