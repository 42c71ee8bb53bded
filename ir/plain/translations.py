"""Tables of ``str.translate`` that are known while tracing, as constant arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

Rows = tuple[Any, Any, Any]


def rows_of(table: Any) -> Rows | None:
    """Keys, where the code points of each begin, and all code points; None for what is not known."""
    if type(table) is not dict or not all(type(key) is int for key in table):
        return None
    parts = list(map(_codes_of, table.values()))
    if any(part is None for part in parts):
        return None
    codes = [code for part in parts if part is not None for code in part]
    ends = np.cumsum([0, *(len(part) for part in parts if part is not None)])
    return np.array(list(table), np.int64), ends, np.array([*codes, 0], np.int64)


def _codes_of(value: Any) -> list[int] | None:
    if value is None:
        return []
    if type(value) is int:
        return [value]
    return list(map(ord, value)) if type(value) is str else None
