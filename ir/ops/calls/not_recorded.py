"""NumPy's functions that are not recorded: why, and what to do in their place."""

from __future__ import annotations

from typing import Any

import numpy as np

_MEMORY = "where elements lie in memory is settled by the compiler; ask the arrays outside"
_FILE = "it reads or writes files: do that outside, and pass the array"
_TEXT = "print and f-strings show arrays of a decorated function when it runs"
_SETTING = "it is a setting of NumPy; make it outside"
_VALUES = "it takes values that are known while tracing, and is evaluated then"
_DATES = "dates and times have no dtype here"
_OBJECTS = "matrices, records, text and objects have no dtype here; use arrays of numbers"

_GROUPS: dict[str, str] = {
    "may_share_memory shares_memory isfortran nested_iters": _MEMORY,
    "fromfile load loadtxt genfromtxt fromregex save savetxt savez savez_compressed": _FILE,
    "array2string array_repr array_str format_float_positional format_float_scientific base_repr "
    "binary_repr printoptions get_printoptions set_printoptions": _TEXT,
    "seterr geterr seterrcall geterrcall setbufsize getbufsize show_config show_runtime get_include "
    "info test": _SETTING,
    "promote_types mintypecode isdtype issubdtype typename": "about dtypes: it is evaluated while "
    "tracing, and takes `x.dtype`",
    "frombuffer fromstring from_dlpack broadcast_shapes einsum_path mask_indices": _VALUES,
    "busday_count busday_offset is_busday datetime_as_string datetime_data isnat": _DATES,
    "asmatrix bmat frompyfunc": _OBJECTS,
}
_SINGLE: dict[str, str] = {
    "real_if_close": "the dtype of its result depends on the values: use `.real`",
}
REASONS = _SINGLE | {name: why for names, why in _GROUPS.items() for name in names.split()}
"""By the name in NumPy's namespace."""

ADVICE: dict[Any, str] = {
    getattr(np, name): why for name, why in REASONS.items() if hasattr(np, name)
}
"""By the function."""
ADVICE[np.lib.stride_tricks.as_strided] = (
    "use slices, or np.lib.stride_tricks.sliding_window_view, which is recorded"
)


def message(function: Any) -> str:
    """What to say of a function that met a run-time value."""
    name = getattr(function, "__name__", repr(function))
    space = getattr(function, "__module__", None) or "numpy"  # ufuncs say no module
    why = ADVICE.get(function)
    known = "docs/numpy_functions.md lists what can be recorded"
    return f"{space}.{name} cannot be recorded: " + (f"{why} ({known})" if why else known)
