"""Checks whose message holds run-time values: the text is made when the check fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agir.autograph.operators import State, if_stmt, skip
from agir.errors import OperandTypeError
from agir.ir.building.checks import Site
from agir.ir.building.types import DType, bool_, int64
from agir.ir.host import callbacks, hosts, template
from agir.ir.tensors import structure
from agir.ir.tensors.symbolic import Dim, Fixed, SymbolicTensor, is_run_time
from agir.ir.tracing.trace import Trace
from agir.ir.values import abstract_values
from agir.ir.values.text import StagedText, as_template, is_coded


def fail_with_text(trace: Trace, ok: Any, kind: str, message: object, *extra: Any) -> None:
    """Check ``ok`` (i1) at run time; where it is the first to fail, its site gets the message.

    ``message`` is any object: a text, a tensor, a structure that holds some.  It becomes
    ``site.extra[0]``, with the values of the failing moment, and ``extra`` what follows.
    """
    fail_with(trace, ok, kind, lambda: message, *extra)


def fail_with(trace: Trace, ok: Any, kind: str, make: Callable[[], object], *extra: Any) -> None:
    """The same for a message that is made only where the check fails.

    What ``make`` records is executed only then; a check that fails in it comes first.
    """
    place = trace.site(kind)
    number, message = _made_on_failure(trace, ok, make)
    deferred = number is not None
    site = Site(kind, place.place, place.text, (message, *extra), deferred)
    trace.guard(ok, site, number)


def kept_now(trace: Trace, message: object) -> Any:
    """The number under which the host keeps a message (i64); None if it holds no run-time values."""
    if not holds_run_time(message):
        return None
    return _made_on_failure(trace, trace.constant(bool_, False), lambda: message)[0]


def _made_on_failure(trace: Trace, ok: Any, make: Callable[[], object]) -> tuple[Any, Any]:
    """The number under which the host keeps the message (i64), or None and the message."""
    held: list[Any] = [0, None]

    def failing() -> None:
        held[1] = make()
        if holds_run_time(held[1]):
            held[0] = _kept(trace, held[1])

    def restore(values: tuple[Any, ...]) -> None:
        held[0] = values[0]

    state = State(lambda: (held[0],), restore, ("the message",))
    if_stmt(_fails_now(trace, ok), failing, skip, state)
    number = held[0]
    return (number.ssa, None) if isinstance(number, SymbolicTensor) else (None, held[1])


def _fails_now(trace: Trace, ok: Any) -> SymbolicTensor:
    """Whether the check is broken, and nothing was before."""
    i1 = bool_.mlir()
    now = trace.op("arith.xori", i1, ok, trace.constant(bool_, True))
    before = trace.failing()
    if before is not None:
        fine = trace.compare("eq", before, trace.constant(int64, 0))
        now = trace.op("arith.andi", i1, now, fine)
    return trace.make(now, bool_, ())


def holds_run_time(message: object) -> bool:
    """Whether a message is, or holds, what is known only when the program runs."""
    leaves, _ = structure.flatten(message)
    return any(is_run_time(leaf) or is_coded(leaf) for leaf in leaves)


def _kept(trace: Trace, message: object) -> SymbolicTensor:
    """Have the host make the message, and keep it under a number."""
    message = as_template(message)
    leaves, key = structure.flatten(message)
    leaves = list(map(as_template, leaves))
    parts = [Part(trace, leaf) for leaf in leaves]
    attributes = {}
    if isinstance(message, StagedText):
        attributes[hosts.TEXT] = template.encode(message.template.pieces)
    values = [value for part in parts for value in part.values]

    def build(given: Sequence[Any]) -> Any:
        supply = iter(given)
        return structure.unflatten(key, iter([part.known(supply) for part in parts]))

    i64 = int64.mlir()
    (number,) = callbacks.record(trace, "message", values, attributes, (i64,), build)
    for part in parts:
        part.forget()
    return trace.make(number, int64, ())


class Part:
    """A value for the host: what it needs of the run time, and what it is when that is known."""

    def __init__(self, trace: Trace, leaf: Any) -> None:
        self._leaf = leaf if not is_run_time(leaf) else None
        self._abstract: abstract_values.AbstractValue | None = None
        self._pieces: Any = None
        self._weak = False
        self._count = 0
        self.values: list[SymbolicTensor] = []
        if isinstance(leaf, StagedText):
            self._pieces, self.values = leaf.template.pieces, list(leaf.values)
        elif type(leaf) is SymbolicTensor:
            self._weak, self.values = bool(leaf.weak and not leaf.dims), [leaf]
        elif is_run_time(leaf):
            abstract = self._abstract = abstract_values.abstract_of(trace, leaf)
            pairs = zip(abstract.pack(trace, leaf), abstract.dtypes(), strict=True)
            self.values = [_tensor(trace, ssa, dtype) for ssa, dtype in pairs]

    def forget(self) -> None:
        """Let go of the tensors, and of all that they hold of the trace; their number matters."""
        self._count = len(self.values)
        self.values = []

    def known(self, supply: Iterator[Any]) -> Any:
        """The leaf, with its values taken from the supply."""
        if self._abstract is not None:
            return self._abstract.assemble(supply.__next__, abstract_values.as_it_is)
        values = [next(supply) for _ in range(self._count)]
        if self._pieces is not None:
            return template.render(self._pieces, values)
        if not values:
            return self._leaf
        return abstract_values.as_it_is(values[0], self._weak)


class Given:
    """A value of any structure that the host gets."""

    def __init__(self, trace: Trace, value: Any) -> None:
        leaves, self._key = structure.flatten(as_template(value), _parts)
        for leaf in leaves:
            if not is_run_time(leaf) and any(
                map(is_run_time, structure.flatten(leaf, structure.parts)[0])
            ):
                raise OperandTypeError(
                    "Python gets numbers, arrays, text, and lists, tuples, dicts "
                    f"and sets of them, and no {type(leaf).__name__}"
                )
        self._all = [Part(trace, as_template(leaf)) for leaf in leaves]
        self.values = [value for part in self._all for value in part.values]

    def holds(self, kind: type) -> bool:
        """Whether something that stands for an object of a class is in it."""
        return _holds(self._key, kind)

    def forget(self) -> None:
        """Let go of what it holds of the trace."""
        self.values = []
        for part in self._all:
            part.forget()

    def known(self, supply: Iterator[Any], make: Callable[..., Any] = structure.finished) -> Any:
        """The value, of what the program gives."""
        leaves = [part.known(supply) for part in self._all]
        return structure.unflatten(self._key, iter(leaves), make, {})


def _holds(key: Any, kind: type) -> bool:
    if key is None:
        return False
    (own, _), below = key
    return (isinstance(own, type) and issubclass(own, kind)) or any(_holds(k, kind) for k in below)


def _parts(value: Any) -> Any:
    """What a value consists of; what stands for a dict or set consists of its attributes."""
    stands_for = getattr(type(value), "is_users", False)
    return structure.parts(value) if stands_for else structure.children(value)


def _tensor(trace: Trace, ssa: Any, dtype: DType) -> SymbolicTensor:
    """What an abstract value packs, as a tensor again."""
    rank = getattr(ssa.type, "rank", 0)
    dims = tuple(Dim(source=ssa, axis=axis) for axis in range(rank))
    return SymbolicTensor(trace, Fixed(trace.scope, ssa), dtype, dims)
