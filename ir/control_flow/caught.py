"""What ``except E as e`` binds for a failure that happens at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from agir.errors import StagingError
from agir.ir.building.checks import Site
from agir.ir.control_flow import raised_hosts
from agir.ir.emission import failing
from agir.ir.tracing.trace import Trace, current


def exception_for(
    trace: Trace, numbers: Sequence[int], classes: Sequence[type[BaseException]]
) -> BaseException:
    """The exception of these sites, of which one has failed; ``classes`` are those that are caught.

    It is the one that was raised while tracing, where there is only one such; else it stands for
    them, and has no details before the run time.
    """
    sites = [trace.sites[number - 1] for number in numbers]
    known = [_known(site) for site in sites]
    first = known[0]
    if first is not None and all(e is not None and _alike(first, e) for e in known):
        return first
    kinds: list[type[BaseException]] = []
    for site in sites:
        kind = failing.class_of(site)
        # what a Python function raises is of one of the classes, and no less than an Exception
        kinds += (
            [_narrower(kind, each) for each in classes] if site.kind == failing.HOST else [kind]
        )
    return _stand_in(kinds)


def _narrower(left: type[BaseException], right: type[BaseException]) -> type[BaseException]:
    return left if issubclass(left, right) else right


def _known(site: Site) -> BaseException | None:
    """The exception of a site, where all of it is known while tracing."""
    if site.kind == failing.RAISE and not site.deferred:
        error: BaseException = site.extra[0]
        return error
    if site.kind == "assert":
        return None if site.deferred else AssertionError(*site.extra)
    return None


def _alike(left: BaseException, right: BaseException) -> bool:
    """True where two exceptions cannot be told apart."""
    if left is right:
        return True
    return (
        type(left) is type(right)
        and _same(left.args, right.args)
        and _same(tuple(vars(left).items()), tuple(vars(right).items()))
        and left.__cause__ is right.__cause__
    )


def _same(left: Any, right: Any) -> bool:
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    return isinstance(left, (str, bytes, int, float, complex)) and repr(left) == repr(right)


def _stand_in(kinds: Sequence[type[BaseException]]) -> BaseException:
    """An exception of the nearest class that all have in common."""
    common = next(each for each in kinds[0].__mro__ if all(issubclass(k, each) for k in kinds))
    made = failing.STAND_INS.get(common)
    if made is None:
        made = failing.STAND_INS[common] = type(common.__name__, (common,), dict(_DETAILS))
        made.__module__, made.__qualname__ = common.__module__, common.__qualname__
    return made.__new__(made)


def _refuse(self: BaseException, *_: object) -> NoReturn:
    trace = current()
    message = (
        f"the details of a {type(self).__name__} that is raised at run time are not known while "
        "tracing: which check fails, and with which values, depends on run-time values; it can be "
        "raised again, but not looked into"
    )
    raise StagingError(message if trace is None else trace.explain(message))


def _staged_text(self: BaseException, conversion: str, spec: str) -> Any:
    """What a Python function's exception says, which the host knows when the program runs."""
    trace = current()
    caught = None if trace is None else trace.caught.get(id(self))
    sites = [] if trace is None or caught is None else [trace.sites[n - 1] for n in caught.sites]
    if trace is None or caught is None or any(site.kind != failing.HOST for site in sites):
        _refuse(self)
    return raised_hosts.text(trace, caught.record, conversion, spec)


def _lacks(self: BaseException, name: str) -> NoReturn:
    if name.startswith("__"):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
    _refuse(self)


_DETAILS: dict[str, Any] = {
    "__staged_text__": _staged_text,
    "is_staged": True,
    "__str__": _refuse,
    "__repr__": _refuse,
    "__getattr__": _lacks,
    "args": property(_refuse),
}
