"""``ForwardAccumulator``: changes in one direction of what a context computes."""

from __future__ import annotations

from typing import Any

from agir.ir.tensors import structure
from agir.runtime.blame import at_caller
from agir.runtime.gradients.tape import GradientTape
from agir.runtime.tensor import convert_to_tensor


class ForwardAccumulator:
    """What is computed in the context has changes in the direction of the tangents.

    >>> x = ag.constant([1.0, 2.0])
    >>> with ag.ForwardAccumulator(x, ag.constant([1.0, 0.0])) as accumulator:
    ...     y = ag.reduce_sum(x * x)
    >>> float(accumulator.jvp(y))
    2.0

    The primals are tensors or Variables, in any structure; the tangents have the same one.  The
    change is that of :func:`jvp`, which is the better choice for a function: here it is the way
    back of the way back.
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._primals = structure.flatten(primals)[0]
        self._tangents = structure.flatten(tangents)[0]
        if len(self._primals) != len(self._tangents):
            raise ValueError(
                at_caller(
                    f"ForwardAccumulator() of {len(self._primals)} primals and "
                    f"{len(self._tangents)} tangents: each primal has one"
                )
            )
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)

    def __enter__(self) -> ForwardAccumulator:
        self._tape.__enter__()
        self._tape.watch(self._primals)
        return self

    def __exit__(self, *error: Any) -> None:
        self._tape.__exit__(*error)

    def jvp(self, primals: Any, unconnected_gradients: Any = "none") -> Any:
        """The changes of what was computed, in its structure; None (or zero) where there are none."""
        zero = str(getattr(unconnected_gradients, "value", unconnected_gradients)).lower() == "zero"
        return structure.transform(lambda leaf: self._change(leaf, zero), primals)

    def _change(self, leaf: Any, zero: bool) -> Any:
        """A cotangent that goes back to the primals is linear: its own way back is the change."""
        like = convert_to_tensor(leaf) * 0
        with GradientTape() as outer:
            outer.watch(like)
            found = self._tape.gradient(leaf, self._primals, output_gradients=like)
        pairs = [(g, t) for g, t in zip(found, self._tangents, strict=True) if g is not None]
        if not pairs:
            return like if zero else None
        change = outer.gradient([g for g, _ in pairs], like, [t for _, t in pairs])
        return like if change is None and zero else change
