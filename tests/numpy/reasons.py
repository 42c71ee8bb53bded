"""Why functions of NumPy's are not recorded, and what to do; and those that need not be."""

from __future__ import annotations

_MEMORY = "where elements lie in memory is settled by the compiler; ask the arrays outside"
_FILE = "reads or writes files: do that outside, and pass the array"
_TEXT = "print and f-strings show arrays of a decorated function when it runs"
_SETTING = "a setting of NumPy; make it outside"
_TYPES = "about dtypes: evaluated while tracing, takes `x.dtype`"
_VALUES = "takes values that are known while tracing, and is evaluated then"
_DATES = "dates and times have no dtype here"
_OBJECTS = "matrices, records, text and objects have no dtype here; use arrays of numbers"
_WINDOW = "of an int that is known while tracing; NumPy computes it then"
_POLY = "needs the number of coefficients that are not zero, or eigenvalues: call it outside"
_BITS = "write it with shifts and masks"

GROUPS: dict[str, str] = {
    "may_share_memory shares_memory isfortran require nested_iters": _MEMORY,
    "fromfile load loadtxt genfromtxt fromregex save savetxt savez savez_compressed": _FILE,
    "array2string array_repr array_str format_float_positional format_float_scientific base_repr "
    "binary_repr printoptions get_printoptions set_printoptions": _TEXT,
    "seterr geterr seterrcall geterrcall setbufsize getbufsize show_config show_runtime get_include "
    "info test": _SETTING,
    "result_type can_cast promote_types min_scalar_type common_type mintypecode isdtype issubdtype "
    "typename": _TYPES,
    "frombuffer fromstring fromiter from_dlpack broadcast_shapes einsum_path isscalar iterable "
    "mask_indices": _VALUES,
    "busday_count busday_offset is_busday datetime_as_string datetime_data isnat": _DATES,
    "asmatrix bmat frompyfunc": _OBJECTS,
    "bartlett blackman hamming hanning kaiser": _WINDOW,
    "poly polydiv polyfit roots": _POLY,
    "packbits unpackbits bitwise_count": _BITS,
}
SINGLE: dict[str, str] = {
    "real_if_close": "the dtype of its result depends on the values: use `.real`",
    "i0": "use a polynomial approximation, or call SciPy outside",
    "gcd": "write Euclid's algorithm as a loop, which is recorded",
    "lcm": "`a // gcd * b`, with a loop for the greatest common divisor",
    "frexp": "use `np.floor(np.log2(np.abs(x)))`",
    "spacing": "the distance to the next number: change the bits of `x.view(np.int64)`",
}
REASONS = SINGLE | {name: why for names, why in GROUPS.items() for name in names.split()}

METHODS: dict[str, str] = {
    "base": _MEMORY, "ctypes": _MEMORY, "data": _MEMORY, "flags": _MEMORY, "strides": _MEMORY,
    "setflags": _MEMORY, "device": _MEMORY, "to_device": _MEMORY, "byteswap": _MEMORY,
    "dump": _FILE, "dumps": _FILE, "tobytes": _FILE, "tofile": _FILE,
    "getfield": _OBJECTS, "setfield": _OBJECTS,
    "resize": "memory does not grow: `np.resize(x, shape)` gives a new array",
    "trace": "write `np.trace(x)`",
}  # fmt: skip
INPLACE = {"fill": "y.fill(2.5)", "sort": "y.sort(axis=0)", "put": "y.put([0, -1], [7.0, 8.0])",
           "partition": "y.partition(0)"}  # fmt: skip
"""Methods that write into ``y``, a copy of ``x``."""
