"""Why functions of NumPy's are not recorded, and what to do; and those that need not be."""

from __future__ import annotations

from agir.ir.ops.calls.not_recorded import REASONS as REASONS

_MEMORY = "where elements lie in memory is settled by the compiler; ask the arrays outside"
_FILE = "reads or writes files: do that outside, and pass the array"
_OBJECTS = "matrices, records, text and objects have no dtype here; use arrays of numbers"

METHODS: dict[str, str] = {
    "base": _MEMORY, "ctypes": _MEMORY, "data": _MEMORY, "flags": _MEMORY, "strides": _MEMORY,
    "setflags": _MEMORY, "device": _MEMORY, "to_device": _MEMORY, "byteswap": _MEMORY,
    "dump": _FILE, "dumps": _FILE, "tobytes": _FILE, "tofile": _FILE,
    "getfield": _OBJECTS, "setfield": _OBJECTS,
    "resize": "memory does not grow: `np.resize(x, shape)` gives a new array",
}  # fmt: skip
INPLACE = {"fill": "y.fill(2.5)", "sort": "y.sort(axis=0)", "put": "y.put([0, -1], [7.0, 8.0])",
           "partition": "y.partition(0)"}  # fmt: skip
"""Methods that write into ``y``, a copy of ``x``."""
