"""Where a sequence repeats itself: iterations of equal length that stand one after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import NamedTuple

_NEIGHBOURS = 8
"""How many of its like a landmark is compared with: as many may stand in one iteration."""
_OF_EACH = 2
_CANDIDATES = 8


class Run(NamedTuple):
    """A part of a sequence in which each item is the one that stands a period before it."""

    start: int
    end: int
    period: int

    @property
    def iterations(self) -> int:
        """How often the period is there in full."""
        return (self.end - self.start) // self.period


def runs(keys: Sequence[Hashable], landmarks: Collection[int], least: int) -> list[Run]:
    """The runs of at least so many iterations, none of which overlap; the longest are taken first.

    Landmarks are positions, of which there is one in each iteration at least.
    """
    found = [run for period in _periods(keys, landmarks) for run in of_period(keys, period)]
    taken: list[Run] = []
    for run in sorted(found, key=lambda run: (run.start - run.end, run.period)):
        if run.iterations >= least and all(run.end <= o.start or o.end <= run.start for o in taken):
            taken.append(run)
    return taken


def shortest_period(keys: Sequence[Hashable]) -> int:
    """The least distance at which all of a sequence repeats itself; its length if at none."""
    borders = [0]
    for key in keys[1:]:
        length = borders[-1]
        while length and key != keys[length]:
            length = borders[length - 1]
        borders.append(length + (key == keys[length]))
    return len(keys) - borders[-1]


def _periods(keys: Sequence[Hashable], landmarks: Collection[int]) -> list[int]:
    """The distances at which equal landmarks stand most often."""
    alike: defaultdict[Hashable, list[int]] = defaultdict(list)
    for position in sorted(landmarks):
        alike[keys[position]].append(position)
    found: Counter[int] = Counter()
    for positions in alike.values():
        for distance, times in _distances(positions):
            found[distance] += times
    return [distance for distance, _ in found.most_common(_CANDIDATES)]


def _distances(positions: Sequence[int]) -> list[tuple[int, int]]:
    """The distances that come most often between positions, none of them a multiple of another."""
    counted = Counter(
        later - earlier
        for n in range(1, _NEIGHBOURS + 1)
        for earlier, later in zip(positions, positions[n:], strict=False)
    )
    found: list[tuple[int, int]] = []
    for distance, times in counted.most_common():
        if len(found) < _OF_EACH and all(distance % known for known, _ in found):
            found.append((distance, times))
    return found


def of_period(keys: Sequence[Hashable], period: int) -> Iterator[Run]:
    """The runs of a period."""
    start = None
    for position in range(len(keys) - period + 1):
        repeats = position + period < len(keys) and keys[position] == keys[position + period]
        if repeats and start is None:
            start = position
        elif not repeats and start is not None:
            yield Run(start, position + period, period)
            start = None
