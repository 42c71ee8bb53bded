"""The exceptions that a traced function's own code raises, raised anew by each call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from agir.ir.building.checks import Site
from agir.ir.building.locations import Position
from agir.ir.emission import failing
from agir.ir.tensors import structure
from agir.ir.tensors.staged import Staged
from agir.ir.tensors.symbolic import SymbolicTensor


def again(site: Site, details: tuple[Any, Any] | None = None) -> BaseException:
    """The exception of a site, for one call: the one made while tracing is the pattern.

    ``details`` are its arguments and attributes, where they hold values of the failing moment.
    """
    error = _copy(site.extra[0])
    if details is not None:
        args, attributes = details
        _fill(error, args)
        error.__dict__.update(attributes)
    if site.place is not None:
        _annotate(error, site.place, site.text)
    return error


def _copy(pattern: BaseException) -> BaseException:
    """An exception like the pattern, without running the user's constructor again."""
    kind = type(pattern)
    if _is_builtin(kind):
        # `copy` asks a registry first, in which libraries put ways of theirs that lose attributes.
        made, args, *state = cast("tuple[Any, ...]", pattern.__reduce__())
        new: BaseException = made(*args)
        for each in state:
            new.__setstate__(each)  # attributes that are no entries of its dict are set, too
    else:
        new = kind.__new__(kind, *pattern.args)
        new.__dict__.update(pattern.__dict__)
        new.args = pattern.args
    new.__dict__.pop("__notes__", None)  # a list, which the copy shares
    for note in getattr(pattern, "__notes__", ()):
        _note(new, note)
    new.__cause__ = pattern.__cause__
    new.__context__ = _details(pattern.__context__)
    new.__suppress_context__ = pattern.__suppress_context__
    return new


def _fill(error: BaseException, args: tuple[Any, ...]) -> None:
    """Give an exception other arguments; those of Python's have attributes made of them."""
    kind: Any = type(error)
    if _is_builtin(kind):
        kind.__init__(error, *args)
    error.args = args


def _is_builtin(kind: type) -> bool:
    return kind.__module__ == "builtins"


def _details(context: BaseException | None) -> BaseException | None:
    """The exception that was handled when another was raised; None where only its class is known."""
    while context is not None and failing.is_stand_in(context):
        context = context.__context__
    return context


def _annotate(error: BaseException, place: Position, text: str) -> None:
    """Add the user's line: a note, where Python has them."""
    note = f"at {place}, in {place.function}: {text}"
    if hasattr(error, "add_note"):
        _note(error, note)
    elif _shows_its_message(error):
        error.args = (f"{error.args[0]}\n  {note}",)


def _note(error: Any, note: str) -> None:
    error.add_note(note)


def _shows_its_message(error: Any) -> bool:
    """Whether the only argument of an exception is the text that it shows."""
    show: Any = type(error).__str__
    return show is BaseException.__str__ and len(error.args) == 1 and isinstance(error.args[0], str)


def let_go(sites: Sequence[Site]) -> None:
    """Have the exceptions of a finished trace hold no tensors of it.

    Arguments that hold some are made anew for each call.
    """
    for site in sites:
        if site.kind == failing.RAISE and site.deferred:
            error = site.extra[0]
            args, attributes = structure.transform(_constant, failing.details_of(error))
            _fill(error, args)
            error.__dict__.update(attributes)


def _constant(leaf: Any) -> Any:
    varies = isinstance(leaf, SymbolicTensor) or (isinstance(leaf, Staged) and leaf.is_staged)
    return None if varies else leaf
