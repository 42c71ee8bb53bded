"""The calls that plain Python runs, of functions with ``fallback=True``: which ones, and why.

What agir refuses, Python runs at once.  What tracing has raised may be the program's own error, or one
that Python would not meet: Python runs the call and tells.  What a compiled function has raised is the
program's, but for the few checks that Python has none of.  A call that has printed, drawn a random
number or called a function of Python's is not run twice.
"""

from __future__ import annotations

import inspect
import logging
import threading
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from agir.errors import FallbackWarning, InvalidArgumentError, OverlappingArgumentsError, message
from agir.ir.building import locations
from agir.ir.building.locations import Position
from agir.ir.tracing.trace import without_place
from agir.runtime.blame import caller
from agir.runtime.recording.retracing import History
from agir.runtime.recording.traced import TracedFunction
from agir.runtime.signatures.trace_types import BY_VALUE, CallType, Constant, Identity

if TYPE_CHECKING:
    from agir.backends.cpu.explaining.explanation import Explanation
    from agir.backends.cpu.explaining.report import Fallback

_log = logging.getLogger("agir.fallback")

_KEPT = 1024
"""So many types of calls are remembered to be Python's, and so many of their quick keys."""
_ENOUGH = 8
"""After so many types in a row that differ in Python values only, others like them are not tried."""


class Reason:
    """Why plain Python runs calls: what was raised, at which line, for arguments of which types."""

    def __init__(self, error: str, said: str, file: str, line: int) -> None:
        self.error = error
        self.said = said
        self.file = file
        self.line = line
        self.arguments = ""
        """The types of the first call."""
        self.calls = 0
        self.is_told = False


class Plan(NamedTuple):
    """How a call is to be run by plain Python."""

    reason: Reason
    kind: CallType | None
    """The type of calls that are Python's from now on; None where the compiled function goes on."""
    doubt: type[BaseException] | None = None
    """What tracing has raised, which may be the program's own; None where agir has refused."""
    is_known: bool = False
    """Whether an earlier call has told, or will."""


class KnownError(Exception):
    """A call is of a type that is known to be Python's; no user sees it."""

    def __init__(self, kind: CallType, reason: Reason) -> None:
        super().__init__(reason.said)
        self.kind = kind
        self.reason = reason


class Fallbacks:
    """Those of one function.

    They hold text and types of calls, and nothing alive.
    """

    def __init__(self, traced: TracedFunction, history: History) -> None:
        self._traced = traced
        self._history = history
        self._lock = threading.RLock()
        self._reasons: dict[tuple[str, int, str], Reason] = {}
        self._kinds: dict[CallType, Reason] = {}
        self._keys: dict[Any, CallType] = {}
        self._alike: dict[Any, list[Reason]] = {}
        """Why types that differ in Python values only could not be recorded, the last ones."""

    def __len__(self) -> int:
        return len(self._reasons)

    def listed(self) -> list[Fallback]:
        """All of them, for explanations."""
        from agir.backends.cpu.explaining.report import Fallback

        return [
            Fallback(each.file, each.line, each.error, each.said, each.arguments, each.calls)
            for each in list(self._reasons.values())
        ]

    def explanation(self) -> Explanation:
        """That of a function that could not be recorded."""
        from agir.backends.cpu.explaining.explanation import Explanation

        return Explanation(
            self._traced.symbol,
            [],
            [],
            [],
            note="run by plain Python",
            fallbacks=self.listed(),
            is_recorded=False,
        )

    def clear(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._reasons.clear()
            self._kinds.clear()
            self._keys.clear()
            self._alike.clear()

    def known(self, key: Any) -> Plan | None:
        """How to run a call with this quick key; None where it is not known to be Python's."""
        kind = self._keys.get(key)
        reason = None if kind is None else self._kinds.get(kind)
        if reason is None or not self._traced.falls_back:
            return None
        return Plan(reason, None, is_known=True)

    def check(self, kind: CallType, is_new: bool) -> None:
        """Raise what says that calls of this type are Python's, if they are.

        Of one that ``is_new``, for which there is no trace, types like it may tell.
        """
        reason = self._kinds.get(kind)
        if reason is None and is_new:
            before = self._alike.get(_without_values(kind), [])
            reason = before[-1] if len(before) >= _ENOUGH else None
        if reason is not None and self._traced.falls_back:
            raise KnownError(kind, reason)

    def note_trace(self, kind: CallType) -> None:
        """A trace was made for calls of this type: types like it are tried again."""
        self._alike.pop(_without_values(kind), None)

    def plan(self, error: Any, args: Any, kwargs: Any) -> Plan | None:
        """How Python is to run the call that has ended in an error; None where the error stands."""
        if not self._traced.falls_back:
            return None
        if isinstance(error, KnownError):
            return Plan(error.reason, error.kind, is_known=True)
        if getattr(error, "has_acted", False):
            _explain(error)
            return None
        signature = self._traced.signature
        try:
            signature.bind(args, kwargs)
        except Exception:  # the caller's mistake, which has been raised
            return None
        try:
            kind, _ = signature.split(signature.bound(args, kwargs))
        except Exception:  # what agir cannot take as an argument
            return Plan(self._reason(error, "these arguments"), None)
        return self._planned(error, kind)

    def _planned(self, error: Any, kind: CallType) -> Plan | None:
        """The same for a call of a type."""
        is_of_tracing = getattr(error, "is_of_tracing", False)
        is_refusal = getattr(error, "is_refusal", False)
        if not (is_of_tracing or is_refusal or getattr(error, "is_deferred", False)):
            return None
        reason = self._reason(error, self._history.shown(kind))
        of_one_call = isinstance(error, InvalidArgumentError | OverlappingArgumentsError)
        is_lasting = is_of_tracing or (is_refusal and not of_one_call)
        return Plan(reason, kind if is_lasting else None, None if is_refusal else type(error))

    def _reason(self, error: BaseException, arguments: str) -> Reason:
        """The reason that an error is; the same for all of its class and line."""
        file, line = self._place(error)
        what = type(error).__name__
        with self._lock:
            found = self._reasons.get((file, line, what))
            if found is None:
                found = self._reasons[file, line, what] = Reason(what, _said(error), file, line)
                found.arguments = arguments
        return found

    def _place(self, error: BaseException) -> tuple[str, int]:
        place: Position | None = getattr(error, "place", None) or locations.raised_at(error)
        if getattr(error, "is_of_tracing", False):
            place = place or self._definition()
        place = place or caller()
        return ("unknown", 0) if place is None else (place.file, place.line)

    def _definition(self) -> Position | None:
        code = getattr(inspect.unwrap(self._traced.python_function), "__code__", None)
        if code is None:
            return None
        return Position(code.co_filename, code.co_firstlineno, 1, code.co_name)

    def run(self, plan: Plan, key: Any, call: Callable[[], Any]) -> Any:
        """What plain Python gives; ``key`` is the quick key of the call, or None."""
        if plan.doubt is None and not plan.is_known:
            self._tell(plan.reason)
        if plan.kind is not None:
            self._remember(plan, plan.kind, key)
        plan.reason.calls += 1
        try:
            result = self._traced.run_by_python(call)
        except Exception as own:
            if plan.doubt is not None and issubclass(plan.doubt, type(own)):
                self._roll_back(plan)
            elif plan.doubt is not None:
                self._tell(plan.reason)
            raise
        if plan.doubt is not None:
            self._tell(plan.reason)
        return result

    def _remember(self, plan: Plan, kind: CallType, key: Any) -> None:
        """Have calls of that type be Python's: what it calls may come back to them."""
        for known in (self._kinds, self._keys, self._alike):
            if len(known) >= _KEPT:
                known.clear()
        if not plan.is_known:
            alike = self._alike.setdefault(_without_values(kind), [])
            alike[:] = [*(each for each in alike if each is plan.reason), plan.reason][-_ENOUGH:]
        if not _holds_objects(kind):
            self._kinds[kind] = plan.reason
            if key is not None:
                self._keys[key] = kind

    def _roll_back(self, plan: Plan) -> None:
        """It was the program's own error: what the next call of that type does is not known."""
        plan.reason.calls -= 1
        if plan.kind is not None:
            self._kinds.pop(plan.kind, None)
            self._alike.pop(_without_values(plan.kind), None)
        if not plan.reason.calls and not plan.reason.is_told:
            with self._lock:
                place = plan.reason.file, plan.reason.line, plan.reason.error
                self._reasons.pop(place, None)

    def _tell(self, reason: Reason) -> None:
        """Warn, once for each reason."""
        if reason.is_told:
            return
        with self._lock:
            if reason.is_told:
                return
            name, said = self._traced.signature.name, reason.said
            _log.info(
                "%s: plain Python, for %s: %s: %s", name, reason.arguments, reason.error, said
            )
            warnings.warn_explicit(
                f"{name} is run by plain Python for {reason.arguments}: {said}",
                FallbackWarning,
                reason.file,
                reason.line,
            )
            reason.is_told = True  # a warning that is an error is given again


def _said(error: BaseException) -> str:
    """What an error says, without the line; its class where that is made of values of a trace."""
    try:
        return without_place(message(error)) or type(error).__name__
    except Exception:  # what a symbol raises
        return type(error).__name__


def _without_values(kind: CallType) -> Any:
    """A type with the classes of Python values in the place of these."""
    return kind.structure, tuple(map(_class_of, kind.parts)), kind.leaves


def _class_of(part: Any) -> Any:
    if isinstance(part, Identity):
        return part.kind
    return type(part.value if isinstance(part, Constant) else part)


def _holds_objects(kind: CallType) -> bool:
    """Whether a type keeps objects alive, which has them for want of weak references."""
    return any(isinstance(p, Constant) and not isinstance(p.value, BY_VALUE) for p in kind.parts)


def _explain(error: Any) -> None:
    """Say why an error stands."""
    said = "plain Python has not run the call again, which has printed, drawn or called already"
    if hasattr(error, "add_note") and said not in getattr(error, "__notes__", ()):
        error.add_note(said)
