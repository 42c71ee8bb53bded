"""``GradientTape``: notes what is computed, and differentiates it afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from agir.ir.gradients.traced_tape import TracedTape
from agir.ir.state.variables import Variable
from agir.ir.tensors import structure
from agir.ir.tensors.tensor import Tensor
from agir.ir.tracing import trace as tracing
from agir.runtime.blame import at_user
from agir.runtime.gradients.eager import EagerTape

_UNCONNECTED = ("none", "zero")


def is_leaf(value: Any) -> bool:
    """Whether a value is one that can be watched."""
    return isinstance(value, (Tensor, Variable)) or hasattr(value, "__array__")


def leaves(value: Any, what: str) -> list[Any]:
    """The tensors of a structure."""
    found = structure.flatten(value)[0]
    for leaf in found:
        if not is_leaf(leaf):
            raise TypeError(
                at_user(f"{what}: expected a tensor, a Variable or an array, got {leaf!r}")
            )
    return found


def _check_seed(target: Any, seed: Any) -> None:
    """Refuse an element of ``output_gradients`` that has not the shape of its target."""
    if seed is None:
        return
    own, given = (tuple(getattr(v, "shape", np.shape(v))) for v in (target, seed))
    pairs = zip(own, given, strict=False)
    if len(own) != len(given) or any(None not in pair and pair[0] != pair[1] for pair in pairs):
        raise ValueError(
            at_user(
                f"gradient(): output_gradients of shape {list(given)} for a target of shape {list(own)}"
            )
        )


def _one_target(value: Any, what: str) -> Any:
    found = leaves(value, what)
    if len(found) != 1:
        raise TypeError(at_user(f"{what} of {len(found)} targets: it takes one tensor"))
    return found[0]


class GradientTape:
    """Notes the operations that are done while it is on, for gradients.

    >>> x = ag.constant(3.0)
    >>> with ag.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> float(tape.gradient(y, x))
    6.0

    It works around operations on values, around calls of decorated functions, which are
    differentiated as compiled wholes, and inside decorated functions.  Tensors have to be watched;
    trainable Variables are watched when they are used, unless ``watch_accessed_variables`` is False.
    A tape that is not ``persistent`` gives gradients once.  Gradients that are computed while another
    tape is on can be differentiated in turn.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._accessed = watch_accessed_variables
        self._side: TracedTape | EagerTape | None = None
        self._on = False
        self._used = False

    # When it is on.

    def __enter__(self) -> GradientTape:
        if self._on:
            raise ValueError(at_user("the tape is on already"))
        if self._side is None or self._used:
            self.reset_side()
        self._start()
        return self

    def reset_side(self) -> None:
        """Begin anew, in the trace that is being recorded or outside of traces."""
        current = tracing.current()
        if current is None:
            self._side = EagerTape(self._accessed, self._persistent)
        else:
            self._side = TracedTape(current, self._accessed)
        self._used = False

    def __exit__(self, *exception: object) -> None:
        if self._on:
            self._stop()

    def _start(self) -> None:
        assert self._side is not None
        self._on = True
        self._side.start()

    def _stop(self) -> None:
        assert self._side is not None
        self._on = False
        self._side.stop()

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """A context in which the tape is off."""
        if not self._on:
            raise ValueError(at_user("stop_recording() of a tape that is not on"))
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Forget everything that was noted and watched."""
        on = self._on
        if on:
            self._stop()
        self.reset_side()
        if on:
            self._start()

    # What is watched.

    def watch(self, tensor: Any) -> None:
        """Make gradients with respect to a tensor, or the tensors in a structure, available."""
        if self._side is None:
            self.reset_side()
        assert self._side is not None
        for leaf in leaves(tensor, "watch()"):
            if leaf.dtype.kind not in "fc" and "float" not in str(leaf.dtype):
                raise TypeError(
                    at_user(
                        f"watch() of {leaf.dtype} values: only floating-point and complex ones have "
                        "gradients"
                    )
                )
            self._side.watch(leaf)

    def watched_variables(self) -> tuple[Variable, ...]:
        """The Variables that were watched or used."""
        return tuple(self._side.watched_variables()) if self._side is not None else ()

    # Gradients.

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = "none",
    ) -> Any:
        """The gradient of the target, in the structure of the sources.

        Several targets, and elements of one, are added up, each times its element of
        ``output_gradients``.  A source that the target does not depend on has the gradient None, or
        zero with ``unconnected_gradients="zero"``.
        """
        side = self._ask("gradient()")
        targets = leaves(target, "gradient()")
        found = leaves(sources, "gradient()")
        seeds = [None] * len(targets)
        if output_gradients is not None:
            seeds = structure.flatten(output_gradients)[0]
            if len(seeds) != len(targets):
                raise ValueError(
                    at_user(
                        f"gradient() of {len(targets)} targets with {len(seeds)} output_gradients"
                    )
                )
        for whole, seed in zip(targets, seeds, strict=True):
            _check_seed(whole, seed)
        zero = self._fills(unconnected_gradients)
        gradients = side.gradient(targets, seeds, found)
        supply = iter(self._filled(side, found, gradients, zero))
        return structure.transform(lambda _: next(supply), sources)

    def _ask(self, what: str) -> TracedTape | EagerTape:
        if self._side is None:
            raise RuntimeError(at_user(f"{what} of a tape that was never on"))
        if self._used and not self._persistent:
            raise RuntimeError(
                at_user(
                    f"{what} of a tape that has given its gradients: make it with persistent=True to "
                    "ask it several times"
                )
            )
        self._used = True
        return self._side

    @staticmethod
    def _fills(unconnected: Any) -> bool:
        name = str(getattr(unconnected, "value", unconnected)).lower()
        if name not in _UNCONNECTED:
            raise ValueError(
                at_user(f"unconnected_gradients is 'none' or 'zero', not {unconnected!r}")
            )
        return name == "zero"

    @staticmethod
    def _filled(
        side: TracedTape | EagerTape, sources: Sequence[Any], values: Sequence[Any], zero: bool
    ) -> list[Any]:
        pairs = zip(sources, values, strict=True)
        return [side.zeros(s) if zero and value is None else value for s, value in pairs]

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivatives of every element of the target with respect to every one of each source.

        The dimensions of the target, then those of the source.
        """
        side = self._ask("jacobian()")
        zero = self._fills(unconnected_gradients)
        whole = _one_target(target, "jacobian()")
        found = leaves(sources, "jacobian()")
        values = [side.jacobian(whole, each) for each in found]
        if zero:
            values = [
                side.zero_jacobian(whole, s) if v is None else v
                for s, v in zip(found, values, strict=True)
            ]
        supply = iter(values)
        return structure.transform(lambda _: next(supply), sources)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: Any = "none",
        parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The Jacobian of each row of the target with respect to the same row of the source.

        The first dimensions of the two are the same, and a row depends on its own row only.
        """
        side = self._ask("batch_jacobian()")
        whole, one = (_one_target(each, "batch_jacobian()") for each in (target, source))
        return side.batch_jacobian(whole, one, self._fills(unconnected_gradients))
