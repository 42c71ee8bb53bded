"""Windows that move over arrays: where convolution and pooling read, and how far they get.

A size is an int, or a symbolic scalar where only the run time knows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from agir.ir.emission import emit
from agir.ir.tensors import dispatch
from agir.ir.tensors.symbolic import Dim, SymbolicTensor
from agir.ir.tracing.trace import Trace


class Motion(NamedTuple):
    """A window along one axis: its size, its step, and the distance of what it reads."""

    size: Any
    stride: int
    dilation: int

    def span(self) -> Any:
        """The size from the first to the last element that the window reads."""
        return (self.size - 1) * self.dilation + 1


def layout(data_format: str | None, rank: int, name: str) -> bool:
    """True where channels come before the spatial axes; ``ValueError`` for other letters."""
    last = "N" + "DHW"[3 - rank :] + "C"
    first = "NC" + last[1:-1]
    if data_format in (None, last):
        return False
    if data_format == first:
        return True
    raise ValueError(f"{name}(): data_format is {last!r} or {first!r}, not {data_format!r}")


def spatial(value: Any, rank: int, channels_first: bool, what: str, name: str) -> tuple[int, ...]:
    """Strides, dilations or a window as one positive int for each spatial axis.

    Given is one for all, one for each of them, or one for each axis of the array, where those of
    batch and channels must be 1.
    """
    given = [value] if isinstance(value, int) else [int(v) for v in value]
    if len(given) == 1:
        given = given * rank
    if len(given) == rank + 2:
        kept = given[2:] if channels_first else given[1:-1]
        rest = given[:2] if channels_first else [given[0], given[-1]]
        if rest != [1, 1]:
            raise ValueError(f"{name}(): {what} of batch and channels must be 1, not {rest}")
        given = kept
    if len(given) != rank or min(given) < 1:
        raise ValueError(f"{name}(): {what} takes {rank} positive integers, not {value!r}")
    return tuple(given)


def _at_least_zero(value: Any) -> Any:
    return max(value, 0) if isinstance(value, int) else dispatch.call("maximum", value, 0)


def _same(size: Any, motion: Motion) -> tuple[Any, Any]:
    """The padding with which there is a window for each ``stride`` elements."""
    count = (size + (motion.stride - 1)) // motion.stride
    total = _at_least_zero((count - 1) * motion.stride + motion.span() - size)
    return total // 2, total - total // 2


def paddings(
    padding: Any, sizes: Sequence[Any], motions: Sequence[Motion], channels_first: bool, name: str
) -> list[tuple[Any, Any]]:
    """(before, after) for each spatial axis of a padding by name, or of pairs of ints."""
    if isinstance(padding, str):
        kind = padding.upper()
        if kind == "VALID":
            return [(0, 0)] * len(motions)
        if kind == "SAME":
            return [_same(e, m) for e, m in zip(sizes, motions, strict=True)]
        raise ValueError(f"{name}(): padding is 'SAME', 'VALID' or pairs of ints, not {padding!r}")
    pairs = [tuple(int(width) for width in pair) for pair in padding]
    if len(pairs) == len(motions) + 2:
        rest = pairs[:2] if channels_first else [pairs[0], pairs[-1]]
        if rest != [(0, 0), (0, 0)]:
            raise ValueError(f"{name}(): batch and channels are not padded, not by {rest}")
        pairs = pairs[2:] if channels_first else pairs[1:-1]
    if len(pairs) != len(motions) or any(len(p) != 2 or min(p) < 0 for p in pairs):
        raise ValueError(f"{name}(): padding takes a pair for each axis, not {padding!r}")
    return pairs  # type: ignore[return-value]


def pad(value: Any, axes: Sequence[int], widths: Sequence[tuple[Any, Any]], fill: Any) -> Any:
    """The array with more elements around it along the axes."""
    if all(type(w) is int and w == 0 for pair in widths for w in pair):
        return value
    every: list[Any] = [(0, 0)] * dispatch.type_of(value).rank
    for axis, pair in zip(axes, widths, strict=True):
        every[axis] = pair
    return dispatch.call("pad", value, every, "constant", fill)


def count(size: int | None, motion: Motion, name: str) -> int | None:
    """How many windows fit into the size; None where it is not known while tracing."""
    if size is None or isinstance(motion.size, SymbolicTensor) or motion.size is None:
        return None
    if motion.size < 1:
        raise ValueError(f"{name}(): the window is empty")
    if size < motion.span():
        raise ValueError(
            f"{name}(): a window that spans {motion.span()} elements does not fit into {size}"
        )
    return (size - int(motion.span())) // motion.stride + 1


def count_dim(trace: Trace, dim_size: int | Dim, size: int | Dim, motion: Motion, name: str) -> Any:
    """How many windows fit, as a dimension; checked at run time to be one at least."""
    if isinstance(dim_size, int) and isinstance(size, int):
        return count(dim_size, motion._replace(size=size), name)
    index = trace.index_type()
    whole, wide = emit.dim_value(trace, dim_size), emit.dim_value(trace, size)
    one = trace.index(1)
    steps = trace.op("arith.subi", index, wide, one)
    steps = trace.op("arith.muli", index, steps, trace.index(motion.dilation))
    span = trace.op("arith.addi", index, steps, one)
    site = trace.site("shape", f"{name}(): the span of the window does not fit into the size")
    fits = trace.compare("sle", span, whole)
    filled = trace.compare("sge", wide, one)
    ok = trace.op("arith.andi", fits.type, fits, filled)
    trace.guard(ok, site, emit.from_index(trace, span), emit.from_index(trace, whole))
    rest = trace.op("arith.subi", index, whole, span)
    iterations = trace.op("arith.divui", index, rest, trace.index(motion.stride))
    iterations = trace.op("arith.addi", index, iterations, one)
    return Dim(value=emit.select(trace, ok, iterations, trace.index(0)))


def reading(axis: int, window: int, motion: Motion) -> str:
    """The affine expression of the element that a window reads."""
    return f"d{axis} * {motion.stride} + d{window} * {motion.dilation}"
