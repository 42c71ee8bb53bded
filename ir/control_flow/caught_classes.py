"""What is asked of an exception that is caught at run time: its class depends on the site."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agir.errors import StagingError
from agir.ir.control_flow import raised_hosts, raised_values
from agir.ir.emission import failing
from agir.ir.emission.failing import Caught
from agir.ir.emission.truth import of_python
from agir.ir.tracing.trace import Trace


def find(trace: Trace, function: object, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What stands for the builtin, where it is asked of an exception that stands for several."""
    if function is issubclass and len(args) == 2 and isinstance(args[0], type):
        return _of_a_class(trace, args[0])
    if not args or not isinstance(args[0], BaseException) or not failing.is_stand_in(args[0]):
        return None
    caught = trace.caught.get(id(args[0]))
    if caught is None:
        return None
    if function is isinstance and len(args) == 2:
        return functools.partial(_isinstance, trace, caught)
    if function is type and len(args) == 1:
        return functools.partial(_type, trace, caught)
    return None


_ERROR = "_stands_for"


def class_like(error: BaseException) -> type[BaseException]:
    """What stands for the class of an exception where ``__exit__`` is told of it."""
    kind = type(error)
    return type(kind.__name__, (kind,), {_ERROR: error, "__module__": kind.__module__})


def _of_a_class(trace: Trace, kind: type) -> Callable[..., Any] | None:
    error: Any = vars(kind).get(_ERROR)
    caught = None if error is None else trace.caught.get(id(error))
    if caught is None:
        return None
    return lambda _, classes: _isinstance(trace, caught, error, classes)


def _isinstance(trace: Trace, caught: Caught, error: BaseException, classes: Any) -> Any:
    if isinstance(error, classes):
        return True
    known = {n: trace.sites[n - 1] for n in caught.sites}
    hosts = [n for n, site in known.items() if site.kind == failing.HOST]
    matched = [
        n for n, s in known.items() if n not in hosts and issubclass(failing.class_of(s), classes)
    ]
    if len(matched) == len(known):
        return True
    if not matched and not hosts:
        return False
    with trace.at_user_line():
        fits = raised_hosts.is_any(trace, matched, hosts, classes, caught.record)
        return of_python(trace, fits)


def _type(trace: Trace, caught: Caught, error: BaseException) -> Any:
    sites = {n: trace.sites[n - 1] for n in caught.sites}
    if any(site.kind == failing.HOST for site in sites.values()):
        raise StagingError(
            trace.explain(
                "the class of this exception is known only at run time; ask with isinstance(), or "
                "write an except clause for each class"
            )
        )
    kinds = {n: failing.public_class(site) for n, site in sites.items()}
    if len(set(kinds.values())) == 1:
        return next(iter(kinds.values()))
    return raised_values.of_the_failed(trace, caught, kinds, lambda kind: kind)
