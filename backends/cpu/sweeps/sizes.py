"""Whether it is worth while to share loops, and how many iterations of them are made at once.

Of a shared loop that memory follows (the last dimension of most buffers) as many iterations are made at
once as keep the data in the nearest cache; of the others one.  Where memory follows a loop inside,
a loop around which repeats everything, as ``k`` does in a sweep along the last axis, gets
neighbouring iterations of the last shared loop at once: they do not wait for each other.  Where the
operations themselves go along memory, their iterations do not wait either.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from agir.backends.cpu.sweeps.buffers import item_bytes, static_bytes
from agir.backends.cpu.sweeps.groups import Group
from agir.backends.cpu.sweeps.statements import Access

NEAR = 32 * 1024  # bytes: the first cache, with some room left
FAR = 1024 * 1024  # bytes: the cache behind it
FEWEST, MOST = (
    64,
    2048,
)  # iterations of a loop that memory follows, at once: LLVM unrolls shorter ones
COLUMNS = 32  # bytes: neighbouring iterations of a loop that memory does not follow
_UNKNOWN = 64  # iterations of a loop of which nothing is known


@dataclass(frozen=True)
class Sizes:
    """The shared loops that are made (by number), and of which how many iterations are made at once."""

    loops: tuple[int, ...]
    blocked: int | None = None
    size: int = 1


def sizes(group: Group) -> Sizes | None:
    """How to tile a group; None if that is of no use."""
    repeats = any(leaf.repeated for leaf in group.leaves)
    if _footprint(group) <= NEAR // 4 or not (repeats or _meets_again(group)):
        return None
    every = tuple(range(len(group.loops)))
    along = _followed(group)
    if along is None:
        return _by_rows(group, every, repeats)
    unit = sum(_unit_bytes(access, group) for access in _distinct(group))
    size = min(MOST, max(FEWEST, _power_of_two(NEAR // max(1, unit))))
    if size * unit > FAR:
        return None  # what a block needs would not stay in any near cache
    loop_size = group.leaves[0].loop_size(group.loops[along][0])
    if loop_size is not None and loop_size <= size:
        rest = tuple(loop for loop in every if loop != along)
        return Sizes(rest) if rest else None
    return Sizes(every, along, _even(size, loop_size))


def _even(size: int, loop_size: int | None) -> int:
    """A size that leaves no iterations over, if there is one that is not much smaller."""
    choices = range(size, size // 2, -8)
    return next((each for each in choices if loop_size is not None and loop_size % each == 0), size)


def _power_of_two(number: int) -> int:
    """The greatest that is not greater, or 1."""
    return 1 << max(1, number).bit_length() - 1


def _by_rows(group: Group, every: tuple[int, ...], repeats: bool) -> Sizes:
    if repeats and not _go_along_memory(group):
        largest = max(item_bytes(base.type) for base in group.bases)
        return Sizes(every, every[-1], max(2, COLUMNS // largest))
    return Sizes(every)


def _go_along_memory(group: Group) -> bool:
    """Whether most operations have a loop of their own that runs along memory."""
    followed = [_contiguous_loop(access) is not None for _, access in _accesses(group)]
    return sum(followed) * 2 > len(followed)


def _meets_again(group: Group) -> bool:
    """Whether several operations go over the same buffer, and it is none of the smaller ones.

    One that touches a part of each row (``z[:, :, 0] = x`` after ``z = np.zeros((n, n, 3))``) goes
    over it as well.
    """
    accesses = list(_accesses(group))
    most = max(_counters(access) for _, access in accesses)
    leaves: dict[Any, set[int]] = {a.base: set() for _, a in accesses if _counters(a) == most}
    for n, access in accesses:
        if access.base in leaves and (_counters(access) == most or _goes_down(access)):
            leaves[access.base].add(n)
    return any(len(each) > 1 for each in leaves.values())


def _goes_down(access: Access) -> bool:
    """Whether it goes along the first dimensions of a buffer, and stays where it is in others."""
    along = [place.counter is not None for place in access.places]
    return along[0] and along == sorted(along, reverse=True)


def _accesses(group: Group) -> Iterator[tuple[int, Access]]:
    for n, leaf in enumerate(group.leaves):
        for access in leaf.accesses:
            yield n, access


def _footprint(group: Group) -> float:
    """The bytes that a group touches, as far as they are known."""
    known = [static_bytes(base.type) for base in group.bases]
    return float("inf") if None in known else float(sum(size for size in known if size))


def _followed(group: Group) -> int | None:
    """The shared loop that runs along memory in most places, if it does in most."""
    votes = dict.fromkeys(range(len(group.loops)), 0)
    others = 0
    accesses = list(_accesses(group))
    most = max(_counters(access) for _, access in accesses)
    for n, access in accesses:
        if _counters(access) == most:
            along = _contiguous_loop(access)
            shared = [i for i, loop in enumerate(group.loops) if loop[n] == along]
            if shared:
                votes[shared[0]] += 1
            else:
                others += 1
    best = max(votes, key=lambda loop: votes[loop])
    return best if votes[best] > others else None


def _counters(access: Access) -> int:
    return len({place.counter for place in access.places} - {None})


def _contiguous_loop(access: Access) -> int | None:
    strides = access.base.type.get_strides_and_offset()[0]
    if not strides or strides[-1] != 1 or access.places[-1].step != 1:
        return None
    return access.places[-1].counter


def _distinct(group: Group) -> list[tuple[Any, Access, int]]:
    found: dict[Any, tuple[Any, Access, int]] = {}
    for n, access in _accesses(group):
        found.setdefault(access.base, (access.base, access, n))
    return list(found.values())


def _unit_bytes(each: tuple[Any, Access, int], group: Group) -> int:
    """The bytes of a buffer that belong to one iteration of all shared loops."""
    base, access, n = each
    shared = {loop[n] for loop in group.loops}
    loop_sizes = [
        _UNKNOWN if base.type.is_dynamic_dim(axis) else base.type.get_dim_size(axis)
        for axis, place in enumerate(access.places)
        if place.counter not in shared
    ]
    return int(prod(loop_sizes)) * item_bytes(base.type)
