"""Which function in Python stands for which function in C."""

from __future__ import annotations

import bisect
import builtins
import functools
import heapq
import itertools
import math
import queue
import statistics
import sys
from collections.abc import Callable
from typing import Any

from agir.ir.plain import (
    averages,
    bisection,
    exits,
    floats,
    heaps,
    integers,
    iterators,
    keys,
    waiting_queues,
)

_IN_PLACE = (
    (heapq, heaps, "heappush heappop heapreplace heappushpop heapify"),
    (bisect, bisection, "bisect_left bisect_right insort_left insort_right"),
)
_MODULES = (
    *_IN_PLACE,
    (heapq, heaps, "nlargest nsmallest"),
    (
        itertools,
        iterators,
        "accumulate islice chain pairwise starmap compress filterfalse zip_longest "
        "product combinations combinations_with_replacement permutations",
    ),
)

TWINS: dict[Any, Callable[..., Any]] = {
    **{getattr(module, name): getattr(plain, name)
       for module, plain, names in _MODULES for name in names.split()},
    itertools.chain.from_iterable: iterators.from_iterable,
    functools.reduce: iterators.reduce,
    math.fsum: floats.fsum,
    statistics.fmean: averages.fmean,
    statistics.mean: averages.mean,
    statistics.median: averages.median,
    statistics.median_high: averages.median_high,
    statistics.median_low: averages.median_low,
    statistics.pstdev: averages.pstdev,
    statistics.pvariance: averages.pvariance,
    statistics.stdev: averages.stdev,
    statistics.variance: averages.variance,
}  # fmt: skip
"""Where an argument is, or holds, what only the run time knows."""

OF_SEQUENCES = frozenset(
    getattr(module, name) for module, _, names in _IN_PLACE for name in names.split()
)
"""Those that take a list as it is, and a value: neither is iterated over."""

ALWAYS: dict[Any, Callable[..., Any]] = {
    sys.exit: exits.leave,
    functools.cmp_to_key: keys.from_comparison,
    queue.Queue: waiting_queues.first_in_first_out,
    queue.LifoQueue: waiting_queues.last_in_first_out,
    queue.PriorityQueue: waiting_queues.least_first,
    queue.SimpleQueue: waiting_queues.simple,
    **{getattr(builtins, name): exits.leave
       for name in ("exit", "quit") if hasattr(builtins, name)},
}  # fmt: skip
"""Wherever they are called: what C does happens while tracing."""

OF_INTEGERS: dict[Any, Callable[..., Any]] = {
    getattr(math, name): getattr(integers, name) for name in ("factorial", "perm", "comb", "lcm")
}
"""Those of `math` that take nothing but integers."""

OF_FLOATS: dict[Any, Callable[..., Any]] = {
    getattr(math, name): getattr(floats, name)
    for name in ("gamma", "lgamma", "frexp", "nextafter", "ulp", "remainder")
}
"""Those that take nothing but floats."""
