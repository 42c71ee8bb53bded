"""From the error record of a call to the Python exception, at the user's line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from agir import errors
from agir.ir import failing
from agir.ir.trace import Site
from agir.runtime import raised


class Failure(NamedTuple):
    """How a kind of check is reported: the exception and its message."""

    error: type[errors.InvalidArgumentError]
    message: Callable[[Site, int, int], str]


FAILURES: dict[str, Failure] = {
    "index": Failure(
        errors.RuntimeIndexError,
        lambda site, index, size: (
            f"index {index} is out of bounds for axis {site.extra[0]} with size {size}"
        ),
    ),
    "division": Failure(
        errors.RuntimeZeroDivisionError, lambda site, a, b: "integer division or remainder by zero"
    ),
    "broadcast": Failure(
        errors.RuntimeShapeError,
        lambda site, a, b: f"dimensions {a} and {b} do not broadcast: they differ and neither is 1",
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
    "assert": Failure(
        errors.RuntimeAssertionError,
        lambda site, a, b: "" if site.extra[0] is None else str(site.extra[0]),
    ),
    "negative_power": Failure(
        errors.InvalidArgumentError,
        lambda site, a, b: "integers to negative integer powers are not allowed; use a float",
    ),
    "negative_extent": Failure(
        errors.RuntimeShapeError,
        lambda site, extent, b: f"negative dimensions are not allowed: {extent}",
    ),
    "zero_step": Failure(
        errors.InvalidArgumentError, lambda site, a, b: "range() step must not be zero"
    ),
    "empty": Failure(
        errors.InvalidArgumentError,
        lambda site, a, b: f"{site.extra[0]} of an empty array has no value",
    ),
}


def exception(sites: Sequence[Site], code: int, first: int, second: int) -> BaseException:
    """The exception that the check number ``code`` (from 1) stands for."""
    site = sites[code - 1]
    if site.kind == failing.RAISE:
        return raised.again(site)
    failure = FAILURES[site.kind]
    message = failure.message(site, first, second)
    if site.place is not None:
        message += f"\n  at {site.place}, in {site.place.function}: {site.text}"
    error = failure.error(message)
    error.place = site.place
    return error


failing.CLASSES.update({kind: failure.error for kind, failure in FAILURES.items()})
