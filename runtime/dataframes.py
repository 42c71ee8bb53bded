"""Decorators as engines of pandas: ``df.apply(f, engine=ag.jit)``, ``series.map(f, engine=ag.jit)``.

pandas 3 hands the data to the class that a decorator has as ``__pandas_udf__``.  The loop over rows,
columns or elements is compiled together with the function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from agir.errors import OperandTypeError
from agir.ir.plain import applied
from agir.runtime.blame import at_caller


@functools.lru_cache(maxsize=64)
def _compiled(make: Callable[..., Any], function: Any, decorator: Any) -> Any:
    """The loop, decorated; the same for the same function, so that it is compiled once."""
    return decorator(make(function))


class Engine:
    """What pandas calls where one of agir's decorators is its engine."""

    @staticmethod
    def map(data: Any, func: Any, args: Any, kwargs: Any, decorator: Any, skip_na: bool) -> Any:
        """The function of each element of a Series."""
        if not len(data):
            return data.map(func)
        if not (_is_number(data.dtype) or data.dtype == bool or _is_text(data)):
            raise OperandTypeError(
                at_caller(
                    f"a compiled engine maps numbers and text, and no elements of {data.dtype}"
                )
            )
        loop = _compiled(applied.of_elements, func, decorator)
        if not skip_na:
            return loop(data.tolist(), args, kwargs)
        there = data.notna().to_numpy()
        found = iter(loop(data[there].tolist(), args, kwargs) if there.any() else ())
        pairs = zip(data.tolist(), there.tolist(), strict=True)
        return [next(found) if is_there else value for value, is_there in pairs]

    @staticmethod
    def apply(data: Any, func: Any, args: Any, kwargs: Any, decorator: Any, axis: Any) -> Any:
        """The function of each column or row: an array with ``raw=True``, else rows as records."""
        by_row = axis in (1, "columns")
        if isinstance(data, np.ndarray):
            loop = _compiled(applied.of_rows, func, decorator)
            found = loop(data if by_row else np.ascontiguousarray(data.T), args, kwargs)
            return found if by_row or found.ndim == 1 else found.T
        if not by_row:
            raise OperandTypeError(
                at_caller(
                    "with a compiled engine the function of a column gets an array, whose methods "
                    "are NumPy's and not those of a Series (std, mean of NaN): say raw=True"
                )
            )
        loop = _compiled(applied.of_rows, func, decorator)
        found = loop(_records(data), args, kwargs)
        return data._constructor_sliced(found, index=data.index)


def _records(data: Any) -> Any:
    """The rows, whose values pandas would have in the common dtype of the columns, if there is one."""
    if not all(isinstance(name, str) for name in data.columns):
        raise OperandTypeError(
            at_caller("the columns of the frame have names that are no text: say raw=True")
        )
    common = np.result_type(*data.dtypes) if all(map(_is_number, data.dtypes)) else None
    return (data if common is None else data.astype(common)).to_records(index=False)


def _is_text(data: Any) -> bool:
    """Whether a Series is of text, in which some may be missing."""
    return data.dtype.name in ("str", "string") or (
        data.dtype == object and all(isinstance(each, str) for each in data.dropna())
    )


def _is_number(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iufc"
