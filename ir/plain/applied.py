"""Loops around a function of the user's, compiled together with it (`agir.runtime.dataframes`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__ag_convert__ = True


def of_elements(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of each element of a list."""

    def loop(items: Any, args: Any, kwargs: Any) -> Any:
        return [function(item, *args, **kwargs) for item in items]

    return loop


def of_rows(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of each row of an array."""

    def loop(rows: Any, args: Any, kwargs: Any) -> Any:
        return np.array([function(row, *args, **kwargs) for row in rows])

    return loop
