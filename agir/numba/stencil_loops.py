"""The loops of stencils (`stencils`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__ag_convert__ = True


class Relative:
    """An array as a kernel sees it: index 0 is the element that is computed."""

    def __init__(self, array: Any, at: tuple[Any, ...]) -> None:
        self.array = array
        self.at = at

    def __getitem__(self, index: Any) -> Any:
        steps = index if isinstance(index, tuple) else (index,)
        return self.array[tuple([n + step for n, step in zip(self.at, steps, strict=True)])]


def applied(
    kernel: Callable[..., Any],
    names: tuple[str, ...],
    usual: tuple[str, ...],
    reach: tuple[tuple[int, int], ...],
    cval: Any,
) -> Callable[..., Any]:
    """A function of arrays that applies a kernel to each element that is far enough from the border."""
    low = tuple([-first for first, _ in reach])
    high = tuple([last for _, last in reach])

    def value(arrays: Any, at: Any) -> Any:
        given = [
            each if name in usual or not isinstance(each, np.ndarray) else Relative(each, at)
            for name, each in zip(names, arrays, strict=True)
        ]
        return kernel(*given)

    def run(*arrays: Any, out: Any = None) -> Any:
        first = arrays[0]
        if out is None:
            sizes = tuple([a + b + 1 for a, b in zip(low, high, strict=True)])
            probes = [
                np.ones(sizes, each.dtype)
                if isinstance(each, np.ndarray) and name not in usual
                else each
                for name, each in zip(names, arrays, strict=True)
            ]
            kind = np.asarray(value(probes, low)).dtype
            out = np.full(first.shape, cval, dtype=kind)
        inner = tuple([max(0, n - a - b) for n, a, b in zip(first.shape, low, high, strict=True)])
        for index in np.ndindex(inner):
            at = tuple([n + a for n, a in zip(index, low, strict=True)])
            out[at] = value(arrays, at)
        return out

    return run
