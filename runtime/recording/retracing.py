"""Why a function is traced again: for the log, for :meth:`explain_retracing`, for a warning."""

from __future__ import annotations

import logging
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from agir.config import config
from agir.errors import RetraceWarning, UnrollWarning
from agir.records import dataclass
from agir.runtime.blame import caller
from agir.runtime.signatures.trace_types import CallType, Constant, Leaf, TraceType

_log = logging.getLogger("agir.retrace")
_KEPT = 100
_SHOWN = 8
_MANY = 1000
"""So many values of the run time are traced and compiled in about a second."""


class History:
    """What is known of the traces that a function has had: text only, so nothing is kept alive."""

    def __init__(self, name: str, names: Callable[[], Sequence[str]]) -> None:
        self.count = 0
        self._name = name
        self._names = names
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._differences: dict[tuple[str, str], list[str]] = {}
        self._warned = False

    @property
    def has_warned(self) -> bool:
        """Whether it has warned of how many traces there are."""
        return self._warned and bool(self._differences) and self.count >= config.retrace_warning > 0

    def be_silent(self) -> None:
        """Warn of nothing: who uses the function expects a trace for each type."""
        self._warned = True

    def note(self, kind: CallType, general: CallType, others: Sequence[CallType]) -> None:
        """A trace was made for a call of a type, or for a more general one; others were there."""
        self.count += 1
        reason = self._reason(kind, others)
        line = f"trace {self.count}, for {self.shown(general)}: {reason}"
        self._lines.append(line)
        _log.info("%s: %s", self._name, line)
        limit = config.retrace_warning
        if limit and self.count >= limit and not self._warned and self._differences:
            self._warned = True
            self._warn()

    def check_size(self, kind: CallType) -> None:
        """Warn before a trace is made of so many values that it takes long."""
        if len(kind.leaves) <= _MANY:
            return
        found = Counter(path.partition("[")[0].partition(".")[0] for path, _ in self.parts(kind))
        ((name, count),) = found.most_common(1)
        warnings.warn_explicit(
            f"{self._name} is traced for {count} values in argument {name!r}: each of them is an "
            "argument of its own, which takes long to compile, and so is another number of them; pass "
            f"numpy.array({name})",
            UnrollWarning,
            *_called_from(),
        )

    def shown(self, kind: CallType) -> str:
        """A type in the words of messages: ``(x: float32[3], k: 2)``."""
        return "(" + ", ".join(f"{path}: {_show(part)}" for path, part in self.parts(kind)) + ")"

    def parts(self, kind: CallType) -> list[tuple[str, Any]]:
        """What a type consists of, each with its place in the arguments: ``x[0]['a']``."""
        leaves, parts = iter(kind.leaves), iter(kind.parts)
        found: list[tuple[str, Any]] = []
        for name, key in zip(self._names(), kind.structure, strict=False):
            found += _walk(name, key, leaves, parts)
        return found

    def _containers(self, kind: CallType) -> dict[str, str]:
        """The places of the containers in a type, each with what it is: ``x[0]``, ``list``."""
        found: dict[str, str] = {}
        for name, key in zip(self._names(), kind.structure, strict=False):
            found.update(_containers(name, key))
        return found

    def explain(self) -> str:
        """Every trace that there was, and why."""
        if not self.count:
            return f"{self._name} has not been traced yet"
        lines = [f"{self._name} has been traced {_times(self.count)}"]
        if self.count > len(self._lines):
            lines.append(f"  (the first {self.count - len(self._lines)} are not kept)")
        return "\n".join([*lines, *(f"  {line}" for line in self._lines)])

    def _reason(self, kind: CallType, others: Sequence[CallType]) -> str:
        if not others:
            return "the first call" if self.count == 1 else "no trace is kept"
        mine = dict(self.parts(kind))
        kinds = self._containers(kind)
        options = [
            list(_differences(mine, dict(self.parts(other))))
            or list(_other_kinds(kinds, self._containers(other)))
            for other in others
        ]
        nearest = min(reversed(options), key=len)
        for place, what, new, old in nearest:
            values = self._differences.setdefault((place, what), [old])
            if new not in values and len(values) <= max(_SHOWN, config.retrace_warning):
                values.append(new)
        if not nearest:  # such a trace was there, and is not any more
            return "such a trace is not kept"
        said = [f"argument {p!r} has another {w}, {n} and not {o}" for p, w, n, o in nearest]
        return "; ".join(said)

    def _warn(self) -> None:
        (place, what), values = max(self._differences.items(), key=lambda item: len(item[1]))
        shown = ", ".join(values[:_SHOWN]) + (", ..." if len(values) > _SHOWN else "")
        message = (
            f"{self._name} has been traced {_times(self.count)}, and each trace is compiled anew. "
            f"Argument {place!r} had another {what} each time: {shown}. {_ADVICE[what]}; "
            "explain_retracing() lists every trace with its reason"
        )
        warnings.warn_explicit(message, RetraceWarning, *_called_from())


def _called_from() -> tuple[str, int]:
    """The user's file and line."""
    line = caller()
    return ("unknown", 0) if line is None else (line.file, line.line)


_ADVICE = {
    "value": "A Python value is a constant of its trace: pass a tensor, such as ag.constant(value), "
    "where it changes from call to call",
    "shape": "Leave the sizes that change open, with input_signature or reduce_retracing=True",
    "dtype": "Convert the argument to one dtype before the call",
    "memory layout": "Views and copies differ with it: pass numpy.ascontiguousarray(x)",
    "permission": "Pass arrays that can all be written into, or none",
    "structure": "Pass the same structure each time",
    "object": "An object is a constant of its trace: pass the tensors in it, or give its class "
    "__ag_tracing_type__",
    "type": "Let more values share a type, by its is_subtype_of",
}


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _walk(path: str, key: Any, leaves: Iterator[Leaf], parts: Iterator[Any]) -> Any:
    if key == "*":
        return [(path, next(leaves))]
    if key == ".":
        part = next(parts)
        if isinstance(part, TraceType):
            for _ in part.flatten():
                next(leaves)
        return [(path, part)]
    (kind, names), items = key
    found: list[tuple[str, Any]] = []
    for number, item in enumerate(items):
        found += _walk(_place(path, kind, names, number), item, leaves, parts)
    return found or [(path, _Empty(kind))]


def _containers(path: str, key: Any) -> Iterator[tuple[str, str]]:
    if key in ("*", "."):
        return
    (kind, names), items = key
    yield path, kind.__name__
    for number, item in enumerate(items):
        yield from _containers(_place(path, kind, names, number), item)


@dataclass(frozen=True)
class _Empty:
    """A container that holds nothing, as a part of a type."""

    kind: type

    def __repr__(self) -> str:
        return f"empty {self.kind.__name__}"


def _place(path: str, kind: Any, names: Any, number: int) -> str:
    if isinstance(names, int):
        return f"{path}[{number}]"
    if issubclass(kind, dict):
        return f"{path}[{names[number]!r}]"
    return f"{path}.{names[number]}"


def _differences(
    mine: dict[str, Any], other: dict[str, Any]
) -> Iterator[tuple[str, str, str, str]]:
    """(place, what differs there, how it is, how it was)."""
    if mine.keys() != other.keys():
        place = next(iter(mine.keys() ^ other.keys())).partition("[")[0].partition(".")[0]
        shapes = [
            "{" + ", ".join(k for k in each if k.startswith(place)) + "}" for each in (mine, other)
        ]
        yield place, "structure", shapes[0], shapes[1]
        return
    for place, part in mine.items():
        was = other[place]
        if part != was:
            yield place, *_difference(part, was)


def _other_kinds(
    mine: dict[str, str], other: dict[str, str]
) -> Iterator[tuple[str, str, str, str]]:
    """The same for containers that hold the same and are not of one kind."""
    for place, kind in mine.items():
        if kind != other.get(place, kind):
            yield place, "structure", kind, other[place]


def _difference(part: Any, was: Any) -> tuple[str, str, str]:
    if isinstance(part, _Empty) or isinstance(was, _Empty):
        return "structure", _show(part), _show(was)
    if isinstance(part, Leaf) and isinstance(was, Leaf):
        if part.dtype == was.dtype and part.shape != was.shape:
            return "shape", _shape(part), _shape(was)
        if (part.dtype, part.shape, part.weak) == (was.dtype, was.shape, was.weak):
            if part.steps != was.steps:
                return "memory layout", _layout(part), _layout(was)
            return "permission", _permission(part), _permission(was)
        return "dtype", _show(part), _show(was)
    if isinstance(part, TraceType) and isinstance(was, TraceType):
        return "type", _show(part), _show(was)
    if isinstance(part, Constant) or isinstance(was, Constant):
        return "value", _show(part), _show(was)
    return "object", _show(part), _show(was)


def _layout(leaf: Leaf) -> str:
    return "by rows" if leaf.steps is None else f"steps {leaf.steps}"


def _permission(leaf: Leaf) -> str:
    return "read-only" if leaf.read_only else "writeable"


def _shape(leaf: Leaf) -> str:
    return "unknown" if leaf.shape is None else str(leaf.shape).replace("None", "?")


def _show(part: Any) -> str:
    text = str(part) if isinstance(part, Leaf) else repr(part)
    return text if len(text) <= 60 else text[:57] + "..."
