"""The operations under their public names, which are TensorFlow's where it has one.

Those of one meaning are the operations of the table themselves; where TensorFlow's arguments or
defaults differ there is a function.
"""

from __future__ import annotations

import typing as _typing

import agir.families.indexing as _indexing
from agir.families.arrays import *  # noqa: F403
from agir.families.functions import *  # noqa: F403
from agir.families.indexing import *  # noqa: F403
from agir.families.ordering import *  # noqa: F403
from agir.families.reductions import *  # noqa: F403
from agir.families.segments import *  # noqa: F403
from agir.families.shapes import broadcast_dynamic_shape as broadcast_dynamic_shape
from agir.families.shapes import broadcast_static_shape as broadcast_static_shape
from agir.families.signatures import renamed as _renamed
from agir.ir import ops as _ops
from agir.ir.ops.linalg.matrix_products import tensordot as tensordot
from agir.ir.ops.shapes.creation import full_like as full_like
from agir.ir.table import TABLE as _TABLE
from agir.names import public as _public

slice = _indexing.slice_

# Arithmetic.

abs = _TABLE["abs"]
add = _TABLE["add"]
divide = _TABLE["divide"]
floor_divide = _TABLE["floor_divide"]
floordiv = _TABLE["floor_divide"]
floormod = _TABLE["remainder"]
mod = _TABLE["remainder"]
multiply = _TABLE["multiply"]
negative = _TABLE["negative"]
positive = _TABLE["positive"]
realdiv = _TABLE["divide"]
truediv = _TABLE["divide"]
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

# Mathematics.

acos = _TABLE["acos"]
acosh = _TABLE["acosh"]
angle = _renamed("angle", "input")
asin = _TABLE["asin"]
asinh = _TABLE["asinh"]
atan = _TABLE["atan"]
atan2 = _renamed("atan2", "y x")
atanh = _TABLE["atanh"]
cbrt = _TABLE["cbrt"]
ceil = _TABLE["ceil"]
clip = _TABLE["clip"]
complex = _renamed("complex", "real imag")
clip_by_value = _renamed("clip", "t clip_value_min clip_value_max")
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
imag = _renamed("imag", "input")
isfinite = _TABLE["isfinite"]
isinf = _TABLE["isinf"]
isnan = _TABLE["isnan"]
log = _TABLE["log"]
log10 = _TABLE["log10"]
log1p = _TABLE["log1p"]
log2 = _TABLE["log2"]
maximum = _TABLE["maximum"]
minimum = _TABLE["minimum"]
real = _renamed("real", "input")
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
outer = _TABLE["outer"]
vdot = _TABLE["vdot"]

# Shapes.

broadcast_to = _renamed("broadcast_to", "input shape")
concat = _renamed("concat", "values axis")
expand_dims = _renamed("expand_dims", "input axis")
full = _TABLE["full"]
flip = _TABLE["flip"]
identity = _renamed("copy", "input")
moveaxis = _TABLE["moveaxis"]
pad = _renamed("pad", "tensor paddings mode constant_values")
parallel_stack = _renamed("stack", "values")
permute_dims = _TABLE["transpose"]
rank = _renamed("rank", "input")
ravel = _TABLE["ravel"]
reshape = _renamed("reshape", "tensor shape")
reverse = _renamed("flip", "tensor axis")
roll = _renamed("roll", "input shift axis")
shape = _renamed("shape", "input out_type")
size = _renamed("size", "input out_type")
squeeze = _renamed("squeeze", "input axis")
stack = _renamed("stack", "values axis")
swapaxes = _TABLE["swapaxes"]
take = _TABLE["numpy_take"]
tile = _renamed("tile", "input multiples")

diff = _TABLE["diff"]
median = _TABLE["median"]
nonzero = _TABLE["nonzero"]
percentile = _TABLE["percentile"]
quantile = _TABLE["quantile"]
take_along_axis = _TABLE["take_along_axis"]

# Reductions that NumPy names.

mean = _TABLE["mean"]
prod = _TABLE["prod"]
std = _TABLE["std"]
var = _TABLE["var"]


if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

del _ops
