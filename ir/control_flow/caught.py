"""What ``except E as e`` binds for a failure that happens at run time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType
from typing import Any, NoReturn

from agir.autograph.operators.objects import in_class
from agir.errors import StagingError
from agir.ir.building.checks import Site
from agir.ir.control_flow import raised_hosts, raised_values
from agir.ir.control_flow.raised_values import Details
from agir.ir.emission import failing
from agir.ir.recording import explained
from agir.ir.tracing.trace import Trace, current
from agir.ir.values.text import joined, text_of


def exception_for(
    trace: Trace, numbers: Sequence[int], classes: Sequence[type[BaseException]]
) -> BaseException:
    """The exception of these sites, of which one has failed; ``classes`` are those that are caught.

    It is the one that was raised while tracing, where there is only one such; else it stands for
    them, and holds what the one which has failed does, if the trace has that.
    """
    sites = [trace.sites[number - 1] for number in numbers]
    known = [_known(site) for site in sites]
    first = known[0]
    if first is not None and all(e is not None and _alike(first, e) for e in known):
        return first
    kinds: list[type[BaseException]] = []
    for site in sites:
        kind = failing.public_class(site)
        # what a Python function raises is of one of the classes, and no less than an Exception
        kinds += (
            [_narrower(kind, each) for each in classes] if site.kind == failing.HOST else [kind]
        )
    return _stand_in(kinds, raised_values.details(trace, numbers))


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


def _stand_in(
    kinds: Sequence[type[BaseException]], details: dict[int, Details] | None
) -> BaseException:
    """An exception of the nearest class that all have in common."""
    common = next(each for each in kinds[0].__mro__ if all(issubclass(k, each) for k in kinds))
    made = failing.STAND_INS.get(common)
    if made is None:
        said = _DETAILS if type(common.__str__) is FunctionType else {**_DETAILS, **_TEXT}
        made = failing.STAND_INS[common] = type(common.__name__, (common,), dict(said))
        made.__module__, made.__qualname__ = common.__module__, common.__qualname__
    error = made.__new__(made)
    object.__setattr__(error, _HELD, details)
    return error


_HELD = "_agir_details"


def _refuse(self: BaseException, *_: object) -> NoReturn:
    message = (
        f"the details of a {type(self).__name__} that is raised at run time are not known while "
        "tracing: which check fails, and with which values, depends on run-time values; it can be "
        "raised again, but not looked into"
    )
    raise StagingError(explained(message))


def _of_the_failed(self: BaseException, get: Callable[[Details], Any]) -> Any:
    """What one asks of what the exception holds that has failed."""
    trace, details = current(), vars(self)[_HELD]
    caught = None if trace is None else trace.caught.get(id(self))
    if trace is None or caught is None or details is None:
        _refuse(self)
    return raised_values.of_the_failed(trace, caught, details, get)


def _staged_text(self: BaseException, conversion: str, spec: str) -> Any:
    """What it says; the host knows, when the program runs, what a Python function's exception says."""
    trace = current()
    caught = None if trace is None else trace.caught.get(id(self))
    sites = [] if trace is None or caught is None else [trace.sites[n - 1] for n in caught.sites]
    if trace is None or caught is None or any(site.kind != failing.HOST for site in sites):
        made = _of_the_failed(self, lambda details: _written(details, conversion))
        return text_of(made, "", spec) if spec else made
    return raised_hosts.text(trace, caught.record, conversion, spec)


def _written(details: Details, conversion: str) -> Any:
    """What ``str`` or ``repr`` makes of an exception."""
    kind, args = details.kind, details.args
    if conversion == "r":
        said = text_of(args[0] if len(args) == 1 else args, "r", "")
        return joined([kind.__name__, *(["(", said, ")"] if len(args) == 1 else [said])])
    if len(args) == 1:
        return text_of(args[0], "r" if issubclass(kind, KeyError) else "s", "")
    return text_of(args, "r", "") if args else ""


def _get(self: BaseException, name: str) -> Any:
    """An attribute: what only one that has failed holds is asked of it."""
    if name.startswith("_") or name in vars(self) or name in vars(type(self)):
        return object.__getattribute__(self, name)
    details = vars(self)[_HELD] or {}
    if any(name in each.attributes for each in details.values()):
        return _of_the_failed(self, lambda each: _attribute(each, name))
    found = in_class(self, name)
    if isinstance(found, MemberDescriptorType | GetSetDescriptorType):  # made of the arguments
        return _of_the_failed(self, lambda each: getattr(each.kind(*each.args), name))
    is_bound = hasattr(type(found), "__get__")
    return object.__getattribute__(self, name) if is_bound else _refuse(self)


def _attribute(details: Details, name: str) -> Any:
    if name in details.attributes:
        return details.attributes[name]
    return getattr(details.kind, name)


_DETAILS: dict[str, Any] = {
    "__repr__": lambda self: _staged_text(self, "r", ""),
    "__getattribute__": _get,
    "args": property(lambda self: _of_the_failed(self, lambda details: details.args)),
}
_TEXT: dict[str, Any] = {
    "__staged_text__": _staged_text,
    "is_staged": True,
    "__str__": lambda self: _staged_text(self, "s", ""),
}
"""Unless the class has a way of its own to say it."""
