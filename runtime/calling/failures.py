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
    message: str | Callable[[Site, int, int], str] = "{extra[0]}"
    """With ``{0}`` and ``{1}`` for the numbers of the error record, and ``{extra}`` of the site."""
    arguments: Callable[[Site], tuple[Any, ...]] | None = None
    """What ``args`` of the exception are, if not just the message with the user's line."""

    def said(self, site: Site, first: int, second: int) -> str:
        """The message of a check at a site."""
        if callable(self.message):
            return self.message(site, first, second)
        return self.message.format(first, second, extra=site.extra)


FAILURES: dict[str, Failure] = {
    "index": Failure(
        errors.RuntimeIndexError, "index {0} is out of bounds for axis {extra[0]} with size {1}"
    ),
    "mask": Failure(
        errors.RuntimeIndexError,
        "the boolean index does not match the array: along axis {extra[0]} the array has {0} "
        "elements, the index {1}",
    ),
    "division": Failure(errors.RuntimeZeroDivisionError),
    "broadcast": Failure(
        errors.RuntimeShapeError,
        "dimensions {0} and {1} do not broadcast: they differ and neither is 1",
    ),
    "broadcast_places": Failure(
        errors.RuntimeIndexError,
        "the arrays of a subscript do not broadcast: dimensions {0} and {1} differ and neither is 1",
    ),
    "recursion": Failure(errors.RuntimeRecursionError, "maximum recursion depth exceeded"),
    "shape": Failure(
        errors.RuntimeShapeError,
        lambda site, a, b: f"{site.extra[0] if site.extra else 'dimensions differ'}: {a} and {b}",
    ),
    "unbound": Failure(
        errors.RuntimeUnboundLocalError,
        "cannot access local variable '{extra[0]}' where it is not associated with a value",
    ),
    "deferred_division": Failure(errors.RuntimeZeroDivisionError),
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
        "not enough values to unpack (expected at least {extra[0]}, got {0})",
    ),
    "argument": Failure(errors.RuntimeValueError),
    "assert": Failure(
        errors.RuntimeAssertionError,
        lambda site, a, b: str(site.extra[0]) if site.extra else "",
        lambda site: site.extra[:1],
    ),
    "check": Failure(errors.InvalidArgumentError),
    "fits": Failure(errors.RuntimeOverflowError, "Python integer {0} out of bounds for {extra[0]}"),
    "overflow": Failure(errors.RuntimeOverflowError),
    EXCEEDS: Failure(
        errors.RuntimeOverflowError,
        lambda site, a, b: (
            f"{site.extra[0].format(a, b)} needs more than {site.extra[1]}: compute with floats, or "
            "with NumPy's integers if they are to wrap around"
        ),
    ),
    "negative_power": Failure(
        errors.RuntimeValueError,
        "integers to negative integer powers are not allowed; use a float",
    ),
    "complex_power": Failure(
        errors.RuntimeValueError,
        "a negative number to a fractional power is a complex number in Python, and not computed "
        "here: make the base complex, or take abs() of it",
    ),
    "negative_size": Failure(errors.RuntimeShapeError, "negative dimensions are not allowed: {0}"),
    "zero_step": Failure(errors.RuntimeValueError, "range() step must not be zero"),
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
        errors.RuntimeIndexError, "{extra[0]} index {0} is out of range for {1} items"
    ),
    "element": Failure(
        errors.RuntimeIndexError, "index {0} is out of range for {1} elements of a TensorArray"
    ),
    "growth": Failure(
        errors.RuntimeIndexError,
        lambda site, index, limit: (
            f"index {index} is out of range for a TensorArray that grows: 0 to {limit - 1}"
        ),
    ),
    "unwritten": Failure(
        errors.InvalidArgumentError,
        "an element of a TensorArray is read that has never been written, and whose shape is not "
        "known; write it first, or give element_shape",
    ),
    "no_items": Failure(errors.RuntimeShapeError, "{extra[0]}() arg is an empty sequence"),
    "pop": Failure(errors.RuntimeIndexError),
    "key": Failure(
        errors.RuntimeKeyError,
        lambda site, a, b: str(site.extra[0]) if site.extra else "the dict has no such key",
    ),
    "attribute": Failure(errors.RuntimeAttributeError),
    "type": Failure(errors.RuntimeTypeError),
    "no_item": Failure(errors.RuntimeIndexError),
    "empty_list": Failure(errors.RuntimeValueError, "{extra[0]} of an empty list"),
    "empty": Failure(errors.RuntimeValueError, "{extra[0]} of an empty array has no value"),
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
    message = failure.said(site, first, second)
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
