"""Mathematics: TensorFlow's ``tf.math``."""

from __future__ import annotations

import typing as _typing

from agir.families.special import bessel_i0 as bessel_i0
from agir.families.special import bessel_i0e as bessel_i0e
from agir.families.special import bessel_i1 as bessel_i1
from agir.families.special import bessel_i1e as bessel_i1e
from agir.families.special import digamma as digamma
from agir.families.special import erfcinv as erfcinv
from agir.families.special import erfinv as erfinv
from agir.families.special import lbeta as lbeta
from agir.families.special import lgamma as lgamma
from agir.families.special import log_sigmoid as log_sigmoid
from agir.families.special import ndtri as ndtri
from agir.families.special import nextafter as nextafter
from agir.families.special import softplus as softplus
from agir.families.special import softsign as softsign
from agir.names import public as _public
from agir.operations import abs as abs
from agir.operations import acos as acos
from agir.operations import acosh as acosh
from agir.operations import add as add
from agir.operations import add_n as _accumulate_n
from agir.operations import add_n as add_n
from agir.operations import angle as angle
from agir.operations import argmax as argmax
from agir.operations import argmin as argmin
from agir.operations import asin as asin
from agir.operations import asinh as asinh
from agir.operations import atan as atan
from agir.operations import atan2 as atan2
from agir.operations import atanh as atanh
from agir.operations import bincount as bincount
from agir.operations import ceil as ceil
from agir.operations import confusion_matrix as confusion_matrix
from agir.operations import conj as conj
from agir.operations import cos as cos
from agir.operations import cosh as cosh
from agir.operations import count_nonzero as count_nonzero
from agir.operations import cumprod as cumprod
from agir.operations import cumsum as cumsum
from agir.operations import cumulative_logsumexp as cumulative_logsumexp
from agir.operations import divide as divide
from agir.operations import divide_no_nan as divide_no_nan
from agir.operations import equal as equal
from agir.operations import erf as erf
from agir.operations import erfc as erfc
from agir.operations import exp as exp
from agir.operations import expm1 as expm1
from agir.operations import floor as floor
from agir.operations import floordiv as floordiv
from agir.operations import floormod as floormod
from agir.operations import greater as greater
from agir.operations import greater_equal as greater_equal
from agir.operations import imag as imag
from agir.operations import in_top_k as in_top_k
from agir.operations import invert_permutation as invert_permutation
from agir.operations import is_non_decreasing as is_non_decreasing
from agir.operations import is_strictly_increasing as is_strictly_increasing
from agir.operations import isfinite as _is_finite
from agir.operations import isinf as _is_inf
from agir.operations import isnan as _is_nan
from agir.operations import l2_normalize as l2_normalize
from agir.operations import less as less
from agir.operations import less_equal as less_equal
from agir.operations import log as log
from agir.operations import log1p as log1p
from agir.operations import logical_and as logical_and
from agir.operations import logical_not as logical_not
from agir.operations import logical_or as logical_or
from agir.operations import logical_xor as logical_xor
from agir.operations import maximum as maximum
from agir.operations import minimum as minimum
from agir.operations import mod as mod
from agir.operations import multiply as multiply
from agir.operations import multiply_no_nan as multiply_no_nan
from agir.operations import negative as negative
from agir.operations import not_equal as not_equal
from agir.operations import polyval as polyval
from agir.operations import pow as pow
from agir.operations import real as real
from agir.operations import reciprocal as reciprocal
from agir.operations import reciprocal_no_nan as reciprocal_no_nan
from agir.operations import reduce_all as reduce_all
from agir.operations import reduce_any as reduce_any
from agir.operations import reduce_euclidean_norm as reduce_euclidean_norm
from agir.operations import reduce_logsumexp as reduce_logsumexp
from agir.operations import reduce_max as reduce_max
from agir.operations import reduce_mean as reduce_mean
from agir.operations import reduce_min as reduce_min
from agir.operations import reduce_prod as reduce_prod
from agir.operations import reduce_std as reduce_std
from agir.operations import reduce_sum as reduce_sum
from agir.operations import reduce_variance as reduce_variance
from agir.operations import rint as rint
from agir.operations import round as round
from agir.operations import rsqrt as rsqrt
from agir.operations import scalar_mul as scalar_mul
from agir.operations import segment_max as segment_max
from agir.operations import segment_mean as segment_mean
from agir.operations import segment_min as segment_min
from agir.operations import segment_prod as segment_prod
from agir.operations import segment_sum as segment_sum
from agir.operations import sigmoid as sigmoid
from agir.operations import sign as sign
from agir.operations import sin as sin
from agir.operations import sinh as sinh
from agir.operations import sqrt as sqrt
from agir.operations import square as square
from agir.operations import squared_difference as squared_difference
from agir.operations import subtract as subtract
from agir.operations import tan as tan
from agir.operations import tanh as tanh
from agir.operations import top_k as top_k
from agir.operations import truediv as truediv
from agir.operations import unsorted_segment_max as unsorted_segment_max
from agir.operations import unsorted_segment_mean as unsorted_segment_mean
from agir.operations import unsorted_segment_min as unsorted_segment_min
from agir.operations import unsorted_segment_prod as unsorted_segment_prod
from agir.operations import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from agir.operations import unsorted_segment_sum as unsorted_segment_sum
from agir.operations import xdivy as xdivy
from agir.operations import xlog1py as xlog1py
from agir.operations import xlogy as xlogy
from agir.operations import zero_fraction as zero_fraction

accumulate_n = _accumulate_n
is_finite = _is_finite
is_inf = _is_inf
is_nan = _is_nan

if not _typing.TYPE_CHECKING:  # type checkers go by the imports, and know literal lists only
    __all__ = _public(globals())

    def __dir__() -> list[str]:
        return __all__
