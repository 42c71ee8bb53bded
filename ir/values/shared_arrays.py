"""Names that branches and loops bind to one new array, or to parts of it.

::

    if n > 2:
        u = v = np.zeros(3)
    else:
        u = v = np.ones(3)
    u[0] = 1                # in v, too

An array that a region makes leaves it as the elements that it has there, a copy for every name.  Names
that are one array on every path stay one.  Where only some paths say so, nothing can be written into
them: the others would not see it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agir.autograph.operators import Undefined
from agir.ir.symbolic import Fixed, Owned, SymbolicTensor
from agir.ir.trace import Trace
from agir.ir.values.one_of import root_of
from agir.ir.values.slots import MaybeUnbound

Path = Sequence[Any]


def together(trace: Trace, paths: Sequence[Path], made: Sequence[Any]) -> tuple[Any, ...]:
    """What statements leave in variables, of which the paths bind some to one new array."""
    if not trace.convention.arrays_are_mutable:
        return tuple(made)
    found = list(made)
    for at in range(len(found)):
        others = [first for first in range(at) if _share(trace, paths, first, at)]
        leaders = [first for first in others if _leads(paths, first, at)]
        if leaders:
            found[at] = _named_like(found[at], found[leaders[0]])
            continue
        followers = [first for first in others if _leads(paths, at, first)]
        for each in followers:
            found[each] = _named_like(found[each], found[at])
        if len(followers) < len(others):
            for each in (at, *others):
                _make_fixed(trace, found[each])
    return tuple(found)


def _share(trace: Trace, paths: Sequence[Path], one: int, other: int) -> bool:
    """Whether two values have elements of one array that is new on a path."""
    return any(
        isinstance(path[one], SymbolicTensor)
        and isinstance(path[other], SymbolicTensor)
        and bool(path[one].dims)
        and root_of(path[one]) is root_of(path[other])
        and not trace.scope.encloses(root_of(path[one]).storage.home)
        for path in paths
    )


def _leads(paths: Sequence[Path], one: int, other: int) -> bool:
    """Whether the second name, wherever it is bound, is bound to the array of the first."""
    return all(isinstance(path[other], Undefined) or path[one] is path[other] for path in paths)


def _named_like(old: Any, leader: Any) -> Any:
    """The array of the leader, bound where the old value is."""
    array = leader.value if isinstance(leader, MaybeUnbound) else leader
    if isinstance(old, MaybeUnbound):
        return MaybeUnbound(old.trace, old.name, old.bound, array)
    return array


def _make_fixed(trace: Trace, value: Any) -> None:
    """Let nothing be written into an array from now on."""
    array = value.value if isinstance(value, MaybeUnbound) else value
    if isinstance(array, SymbolicTensor) and isinstance(array.storage, Owned):
        array.storage = Fixed(trace.scope, array.ssa)
        array.shared = True
