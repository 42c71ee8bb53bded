"""What a type checker knows of decorated functions; `make mypy` checks it, nobody runs it.

Each comment that lets an error pass is itself an error where there is none.
"""

from __future__ import annotations

from typing_extensions import assert_type

import agir as ag
import agir.numba as numba


@ag.jit
def scaled(x: float, n: int = 3) -> float:
    """A function with arguments by name and by position."""
    return x * n


@ag.jit(static=["mode"])
def chosen(x: list[float], *, mode: str) -> tuple[float, str]:
    """A function of which the decorator is told something."""
    return sum(x), mode


@ag.function
def added(x: int) -> int:
    """A function under TensorFlow's conventions."""
    return x + 1


class Model:
    """A class with a decorated method."""

    factor = 2.0

    @ag.jit
    def step(self, x: float) -> float:
        """A method."""
        return x * self.factor


assert_type(scaled(1.0), float)
assert_type(scaled(1.0, n=2), float)
assert_type(chosen([1.0], mode="a"), tuple[float, str])
assert_type(added(1), int)
assert_type(scaled.python_function(1.0), float)
assert_type(Model().step(1.0), float)
scaled("text")  # type: ignore[arg-type]
scaled(1.0, m=2)  # type: ignore[call-arg]
chosen([1.0], "a")  # type: ignore[call-arg]
Model().step("text")  # type: ignore[arg-type]
Model().step(1.0, 2.0)  # type: ignore[call-arg]
assert numba.njit is not None
