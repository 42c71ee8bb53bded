"""Functions with explicit signatures: arguments become of the types that are declared."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agir.ir.tensors.tensor import Tensor
from agir.numba import types
from agir.numba.types import Signature

__ag_convert__ = True


def converting(function: Callable[..., Any], signatures: Sequence[Any]) -> Callable[..., Any]:
    """A function that converts numbers to the first signature that they fit, and the result back."""

    @functools.wraps(function)
    def called(*args: Any) -> Any:
        found = _chosen(signatures, [_kind(each) for each in args])
        given = [_as(kind, each) for kind, each in zip(found.args, args, strict=True)]
        result = function(*given)
        return result if found.return_type is None else _as(found.return_type, result)

    return called


def _as(kind: Any, value: Any) -> Any:
    if isinstance(kind, types.Number) and not (value is None or isinstance(value, np.ndarray)):
        return types.converted(kind.dtype, value)
    return value


def _kind(value: Any) -> Any:
    """What signatures are compared with: the dtype of a number, dtype and rank of an array."""
    if isinstance(value, (np.ndarray, Tensor)):
        return (np.dtype(getattr(value.dtype, "numpy", value.dtype)), len(value.shape))
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return (np.asarray(value).dtype, 0)
    return None


def _chosen(signatures: Sequence[Any], kinds: Sequence[Any]) -> Signature:
    several = [
        each if isinstance(each, Signature) else Signature(None, each) for each in signatures
    ]
    for casting in ("no", "safe", "same_kind", "unsafe"):
        for each in several:
            if len(each.args) == len(kinds) and all(
                _fits(kind, given, casting) for kind, given in zip(each.args, kinds, strict=True)
            ):
                return each
    shown = ", ".join([_shown(each) for each in kinds])
    raise TypeError(f"no signature takes ({shown}): there are {', '.join(map(str, several))}")


def _shown(kind: Any) -> str:
    if kind is None:
        return "an object"
    dtype, rank = kind
    return f"array({dtype}, {rank}d)" if rank else str(dtype)


def _fits(kind: Any, given: Any, casting: Any) -> bool:
    if not isinstance(kind, (types.Number, types.Array)):
        return True
    if given is None:
        return False
    dtype, rank = given
    if isinstance(kind, types.Array):
        return rank == kind.ndim and bool(dtype == kind.dtype.dtype)
    loses = dtype.kind == "c" and kind.dtype.kind != "c"
    return rank == 0 and not loses and bool(np.can_cast(dtype, kind.dtype, casting))
