"""The operations under their public names, which are TensorFlow's where it has one.

Those of one meaning are the operations of the table themselves; where TensorFlow's arguments or
defaults differ there is a function.
"""

from __future__ import annotations

from typing import Any

from agir.ir import ops as _ops
from agir.ir.dispatch import TABLE as _TABLE
from agir.ir.ops.creation import (
    full_like,
    linspace,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from agir.ir.types import as_dtype as _as_dtype
from agir.ir.types import float32 as _float32
from agir.ir.types import int32 as _int32
from agir.ir.types import int64 as _int64
from agir.ordering import argsort, sort
from agir.runtime.tensor import convert_to_tensor as _tensor

# Arithmetic.

abs = _TABLE["abs"]
add = _TABLE["add"]
divide = _TABLE["divide"]
floor_divide = _TABLE["floor_divide"]
floordiv = _TABLE["floor_divide"]
mod = _TABLE["remainder"]
multiply = _TABLE["multiply"]
negative = _TABLE["negative"]
positive = _TABLE["positive"]
pow = _TABLE["power"]
power = _TABLE["power"]
remainder = _TABLE["remainder"]
subtract = _TABLE["subtract"]

# Comparison, logic, bits.

bitwise_and = _TABLE["bitwise_and"]
bitwise_invert = _TABLE["bitwise_invert"]
bitwise_left_shift = _TABLE["bitwise_left_shift"]
bitwise_or = _TABLE["bitwise_or"]
bitwise_right_shift = _TABLE["bitwise_right_shift"]
bitwise_xor = _TABLE["bitwise_xor"]
equal = _TABLE["equal"]
greater = _TABLE["greater"]
greater_equal = _TABLE["greater_equal"]
left_shift = _TABLE["bitwise_left_shift"]
less = _TABLE["less"]
less_equal = _TABLE["less_equal"]
logical_and = _TABLE["logical_and"]
logical_not = _TABLE["logical_not"]
logical_or = _TABLE["logical_or"]
logical_xor = _TABLE["logical_xor"]
not_equal = _TABLE["not_equal"]
right_shift = _TABLE["bitwise_right_shift"]
where = _TABLE["where"]

# Mathematics.

acos = _TABLE["acos"]
acosh = _TABLE["acosh"]
angle = _TABLE["angle"]
asin = _TABLE["asin"]
asinh = _TABLE["asinh"]
atan = _TABLE["atan"]
atan2 = _TABLE["atan2"]
atanh = _TABLE["atanh"]
cbrt = _TABLE["cbrt"]
ceil = _TABLE["ceil"]
clip = _TABLE["clip"]
clip_by_value = _TABLE["clip"]
conj = _TABLE["conj"]
copysign = _TABLE["copysign"]
cos = _TABLE["cos"]
cosh = _TABLE["cosh"]
erf = _TABLE["erf"]
erfc = _TABLE["erfc"]
exp = _TABLE["exp"]
exp2 = _TABLE["exp2"]
expm1 = _TABLE["expm1"]
floor = _TABLE["floor"]
fmax = _TABLE["fmax"]
fmin = _TABLE["fmin"]
hypot = _TABLE["hypot"]
imag = _TABLE["imag"]
isfinite = _TABLE["isfinite"]
isinf = _TABLE["isinf"]
isnan = _TABLE["isnan"]
log = _TABLE["log"]
log10 = _TABLE["log10"]
log1p = _TABLE["log1p"]
log2 = _TABLE["log2"]
maximum = _TABLE["maximum"]
minimum = _TABLE["minimum"]
real = _TABLE["real"]
reciprocal = _TABLE["reciprocal"]
rint = _TABLE["rint"]
round = _TABLE["round"]
rsqrt = _TABLE["rsqrt"]
sigmoid = _TABLE["sigmoid"]
sign = _TABLE["sign"]
sin = _TABLE["sin"]
sinh = _TABLE["sinh"]
sqrt = _TABLE["sqrt"]
square = _TABLE["square"]
tan = _TABLE["tan"]
tanh = _TABLE["tanh"]
trunc = _TABLE["trunc"]

# Contractions.

dot = _TABLE["dot"]
einsum = _TABLE["einsum"]
inner = _TABLE["inner"]
matmul = _TABLE["matmul"]
outer = _TABLE["outer"]
tensordot = _TABLE["tensordot"]
vdot = _TABLE["vdot"]

# Shapes.

broadcast_to = _TABLE["broadcast_to"]
cast = _TABLE["cast"]
concat = _TABLE["concat"]
expand_dims = _TABLE["expand_dims"]
eye = _TABLE["eye"]
full = _TABLE["full"]
flip = _TABLE["flip"]
identity = _TABLE["copy"]
moveaxis = _TABLE["moveaxis"]
pad = _TABLE["pad"]
permute_dims = _TABLE["transpose"]
rank = _TABLE["rank"]
ravel = _TABLE["ravel"]
repeat = _TABLE["repeat"]
reshape = _TABLE["reshape"]
reverse = _TABLE["flip"]
roll = _TABLE["roll"]
shape = _TABLE["shape"]
size = _TABLE["size"]
split = _TABLE["split"]
squeeze = _TABLE["squeeze"]
stack = _TABLE["stack"]
swapaxes = _TABLE["swapaxes"]
take = _TABLE["numpy_take"]
tile = _TABLE["tile"]
unstack = _TABLE["unstack"]

# Reductions that NumPy names.

count_nonzero = _TABLE["count_nonzero"]
mean = _TABLE["mean"]
prod = _TABLE["prod"]
std = _TABLE["std"]
var = _TABLE["var"]


# Where TensorFlow's arguments or defaults are its own.


def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None) -> Any:
    """The numbers from ``start`` (0 where only one bound is given) to ``limit``, ``delta`` apart.

    Python ints give int32 and floats float32.  A loop over the result counts without storing it.
    """
    given = [v for v in (start, limit, delta) if v is not None]
    if dtype is None and all(type(v) in (int, float) for v in given):
        dtype = _int32 if all(type(v) is int for v in given) else _float32
    return _TABLE["range"](start, limit, delta, dtype)


def fill(dims: Any, value: Any) -> Any:
    """A tensor of the shape ``dims`` filled with the value, in the value's dtype."""
    return _TABLE["full"](dims, _tensor(value))


def transpose(x: Any, perm: Any = None, conjugate: bool = False) -> Any:
    """The dimensions in the order ``perm``, in reverse order where it is None."""
    turned = _TABLE["transpose"](x, perm)
    return _TABLE["conj"](turned) if conjugate else turned


def gather(params: Any, indices: Any, axis: int = 0) -> Any:
    """The slices of ``params`` at the indices along an axis; each must lie inside it."""
    return _TABLE["gather"](params, indices, axis)


def _in_same_dtype(name: str, x: Any, axis: Any, keepdims: bool) -> Any:
    tensor = _tensor(x)
    return _TABLE[name](tensor, axis, None if tensor.dtype.kind == "b" else tensor.dtype, keepdims)


def reduce_sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum over the axes (all where None), in the dtype of ``x``."""
    return _in_same_dtype("sum", x, axis, keepdims)


def reduce_prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The product over the axes (all where None), in the dtype of ``x``."""
    return _in_same_dtype("prod", x, axis, keepdims)


def reduce_max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The greatest element over the axes; NaN where there is one."""
    return _TABLE["max"](_tensor(x), axis, keepdims)


def reduce_min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The least element over the axes; NaN where there is one."""
    return _TABLE["min"](_tensor(x), axis, keepdims)


def reduce_mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean over the axes in the dtype of ``x``: of integers, rounded towards zero."""
    tensor = _tensor(x)
    mean_of = _TABLE["mean"](tensor, axis, keepdims=keepdims)
    return _TABLE["cast"](mean_of, tensor.dtype) if tensor.dtype.is_integer else mean_of


def reduce_any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """True where an element over the axes is true."""
    return _TABLE["any"](_tensor(x), axis, keepdims)


def reduce_all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """True where every element over the axes is true."""
    return _TABLE["all"](_tensor(x), axis, keepdims)


def reduce_variance(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The variance over the axes."""
    return _TABLE["var"](_tensor(x), axis, keepdims=keepdims)


def reduce_std(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The standard deviation over the axes."""
    return _TABLE["std"](_tensor(x), axis, keepdims=keepdims)


def argmax(x: Any, axis: Any = 0, output_type: Any = _int64) -> Any:
    """The index of the first greatest element along the axis."""
    found = _TABLE["argmax"](_tensor(x), axis)
    return found if _as_dtype(output_type) == _int64 else _TABLE["cast"](found, output_type)


def argmin(x: Any, axis: Any = 0, output_type: Any = _int64) -> Any:
    """The index of the first least element along the axis."""
    found = _TABLE["argmin"](_tensor(x), axis)
    return found if _as_dtype(output_type) == _int64 else _TABLE["cast"](found, output_type)


__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "angle",
    "argmax",
    "argmin",
    "argsort",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "broadcast_to",
    "cast",
    "cbrt",
    "ceil",
    "clip",
    "clip_by_value",
    "concat",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "count_nonzero",
    "divide",
    "dot",
    "einsum",
    "equal",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expand_dims",
    "expm1",
    "eye",
    "fill",
    "flip",
    "floor",
    "floor_divide",
    "floordiv",
    "fmax",
    "fmin",
    "full",
    "full_like",
    "gather",
    "greater",
    "greater_equal",
    "hypot",
    "identity",
    "imag",
    "inner",
    "isfinite",
    "isinf",
    "isnan",
    "left_shift",
    "less",
    "less_equal",
    "linspace",
    "log",
    "log1p",
    "log2",
    "log10",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "maximum",
    "mean",
    "minimum",
    "mod",
    "moveaxis",
    "multiply",
    "negative",
    "not_equal",
    "ones",
    "ones_like",
    "outer",
    "pad",
    "permute_dims",
    "positive",
    "pow",
    "power",
    "prod",
    "range",
    "rank",
    "ravel",
    "real",
    "reciprocal",
    "reduce_all",
    "reduce_any",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_std",
    "reduce_sum",
    "reduce_variance",
    "remainder",
    "repeat",
    "reshape",
    "reverse",
    "right_shift",
    "rint",
    "roll",
    "round",
    "rsqrt",
    "shape",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "size",
    "sort",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "std",
    "subtract",
    "swapaxes",
    "take",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "transpose",
    "trunc",
    "unstack",
    "var",
    "vdot",
    "where",
    "zeros",
    "zeros_like",
]
del _ops
