"""What an exception holds that the program raises in a ``try``: cells keep it for the handlers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from agir.autograph.operators import if_exp
from agir.ir.building import bindings
from agir.ir.building.cells import Cell
from agir.ir.building.checks import Site
from agir.ir.building.types import bool_
from agir.ir.control_flow import messages
from agir.ir.emission import emit, failing
from agir.ir.tracing.trace import Trace
from agir.ir.values.abstract_values import AbstractValue, abstract_of
from agir.ir.values.alternatives.optional import presence, unchecked
from agir.ir.values.heap.pools import Beginnings
from agir.records import dataclass

Known = TypeVar("Known")


class Details(NamedTuple):
    """What an exception holds."""

    kind: type[BaseException]
    args: tuple[Any, ...]
    attributes: dict[str, Any]
    """Those that the program has given it."""


@dataclass(frozen=True)
class Held:
    """Where the details of the exception of a site are."""

    abstract: AbstractValue
    cells: list[Cell]


def hold(trace: Trace, error: BaseException) -> None:
    """Keep what the next site's exception holds, if that is numbers and text made of them."""
    if not trace.tries or trace.outlining:
        return
    args, attributes = failing.details_of(error)
    # what its constructor has set is there, whatever the paths around tell of the places
    details = args, {name: _there(value) for name, value in attributes.items()}
    if not messages.holds_run_time(details):
        return
    abstract = abstract_of(trace, details)
    if not all(map(_is_number, abstract.types())):
        return
    begin = Beginnings(trace)
    held = Held(abstract, [Cell(trace.root, _zero(begin, each)) for each in abstract.types()])
    before = trace.failing()
    for cell, value in zip(held.cells, abstract.pack(trace, details), strict=True):
        kept = value
        if before is not None:  # what failed first is what handlers are for
            fine = failing.succeeded(trace)
            kept = emit.select(trace, fine, value, trace.scope.read(cell))
        trace.scope.write(cell, kept)
    trace.held[len(trace.sites) + 1] = held


def _there(value: Any) -> Any:
    return value if presence(value) is None else unchecked(value)


def _is_number(kind: Any) -> bool:
    ir = bindings.ir
    return isinstance(kind, ir.IntegerType | ir.F64Type | ir.F32Type)


def _zero(begin: Beginnings, kind: Any) -> Any:
    ir = bindings.ir
    if isinstance(kind, ir.IntegerType):
        return begin.number(kind, 0)
    return begin.make("arith.constant", kind, value=ir.FloatAttr.get(kind, 0.0))


def details(trace: Trace, numbers: Sequence[int]) -> dict[int, Details] | None:
    """What the exceptions of some sites hold, by the numbers of these; None where one is not known."""
    found = {}
    for number in numbers:
        if (known := _details(trace, number, trace.sites[number - 1])) is None:
            return None
        found[number] = known
    return found


def _details(trace: Trace, number: int, site: Site) -> Details | None:
    kind = failing.public_class(site)
    if (held := trace.held.get(number)) is not None:
        args, attributes = held.abstract.unpack(trace, list(map(trace.scope.read, held.cells)))
        return Details(kind, args, attributes)
    if site.deferred:
        return None
    if site.kind == failing.RAISE:
        return Details(kind, *failing.details_of(site.extra[0]))
    said = _SAID.get(site.kind)
    return None if said is None else Details(kind, said(site), {})


_SAID: dict[str, Callable[[Site], tuple[Any, ...]]] = {
    "assert": lambda site: site.extra,
    "no_items": lambda site: (f"{site.extra[0]}() arg is an empty sequence",),
    "empty_list": lambda site: (f"{site.extra[0]} arg is an empty sequence",),
    "pop": lambda site: site.extra,
    "list_index": lambda site: (f"{site.extra[0]} index out of range",),
    "division": lambda site: site.extra,
    "deferred_division": lambda site: site.extra,
}
"""The arguments of exceptions of Python's own, where the kind of check tells them."""


def of_the_failed(
    trace: Trace, caught: failing.Caught, known: Mapping[int, Known], get: Callable[[Known], Any]
) -> Any:
    """What is asked of what is known of a site, for the one that has failed."""
    numbers = list(known)

    def at(position: int) -> Any:
        number = numbers[position]
        if position + 1 == len(numbers):
            return get(known[number])
        with trace.at_user_line():
            here = trace.make(failing.is_any(trace, [number], caught.record[0]), bool_, ())
        return if_exp(here, lambda: get(known[number]), lambda: at(position + 1))

    return at(0)
