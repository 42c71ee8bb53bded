"""Tile sizes that are measured: one schedule of the transform dialect for each, and the fastest is
kept.

`tuned` compiles a function with its kernels (``linalg.generic`` on buffers) tiled in each of
several sizes, runs each on the arguments, and gives the fastest, which gives the same results.
"""

import time
from dataclasses import dataclass
from itertools import product

import numpy as np

import agir as ag
from agir.plugins import Pass, Schedule

SIZES = (0, 16, 64)
"""Those that are tried along each dimension; 0 leaves it whole."""

TEXT = """
module attributes {{transform.with_named_sequence}} {{
  transform.named_sequence @__transform_main(%module: !transform.any_op {{transform.readonly}}) {{
    %kernels = transform.structured.match ops{{["linalg.generic"]}}
      attributes {{iterator_types = [{kinds}]}} in %module : (!transform.any_op) -> !transform.any_op
    transform.foreach %kernels : !transform.any_op {{
    ^bb0(%kernel: !transform.any_op):
      %tiled, %loops:{count} = transform.structured.tile_using_for %kernel tile_sizes [{sizes}]
        : (!transform.any_op) -> (!transform.any_op, {handles})
    }}
    transform.yield
  }}
}}
"""
PARALLEL = "#linalg.iterator_type<parallel>"


def tiling(*sizes):
    """The pass that tiles the kernels of as many parallel dimensions, by a schedule."""
    count = sum(size > 0 for size in sizes)
    text = TEXT.format(
        kinds=", ".join([PARALLEL] * len(sizes)),
        count=count,
        sizes=", ".join(map(str, sizes)),
        handles=", ".join(["!transform.any_op"] * count),
    )
    name = "tile-" + "-".join(map(str, sizes))
    return Pass(Schedule(text), name=name, stage="loops", before="linalg-generalize-named-ops")


@dataclass
class Trial:
    """A function with tiles of these sizes, and the seconds of its fastest call."""

    sizes: tuple
    seconds: float
    function: object


def trials(function, *args, dimensions=2, sizes=SIZES, repeat=5):
    """What each choice of sizes takes, the fastest one first."""
    wanted = ag.jit(function)(*args)
    found = []
    for chosen in product(sizes, repeat=dimensions):
        compiled = ag.jit(function, passes=[tiling(*chosen)] if any(chosen) else [])
        np.testing.assert_array_equal(compiled(*args), wanted)
        found.append(Trial(chosen, best_of(compiled, args, repeat), compiled))
    return sorted(found, key=lambda trial: trial.seconds)


def best_of(function, args, repeat):
    """The seconds of the fastest call of some."""
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        function(*args)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def tuned(function, *args, **options):
    """The function in the tile sizes with which it is the fastest on these arguments."""
    return trials(function, *args, **options)[0].function
