"""Numba's typed containers: Python's own lists and dicts, which agir compiles as they are."""

from __future__ import annotations

from typing import Any

from agir.numba.modules import module

__ag_convert__ = True


def List(*args: Any, lsttype: Any = None, **_: Any) -> Any:  # noqa: N802 - Numba's name
    """A list."""
    return list(*args)


def Dict(*args: Any, dcttype: Any = None, **kwargs: Any) -> Any:  # noqa: N802 - Numba's name
    """A dict."""
    return dict(*args, **kwargs)


def _empty_list(item_type: Any = None, allocated: int = 0) -> Any:
    """A list without items, of any type."""
    return []


def _empty(key_type: Any = None, value_type: Any = None, n_keys: int = 0) -> Any:
    """A dict without keys, of any types."""
    return {}


List.empty_list = _empty_list  # type: ignore[attr-defined]
Dict.empty = _empty  # type: ignore[attr-defined]
typedlist = module("typed.typedlist", List=List)
typeddict = module("typed.typeddict", Dict=Dict)
