"""Derivatives of the `linalg` dialect: of the named operations by their structure, as generic ones."""

from __future__ import annotations

from typing import Any

from agir.ir.building import attributes
from agir.ir.gradients.core import structured
from agir.ir.gradients.core.sums import summed
from agir.ir.gradients.core.sweep import RULES, Sweep

NAMED = (
    "generic map reduce contract matmul batch_matmul batch_reduce_matmul matvec vecmat dot "
    "batch_matvec batch_vecmat conv_1d conv_2d conv_3d conv_1d_nwc_wcf conv_1d_ncw_fcw "
    "conv_2d_nhwc_hwcf conv_2d_nchw_fchw depthwise_conv_2d_nhwc_hwc pooling_nhwc_sum "
    "pooling_nhwc_max pooling_nhwc_min pooling_nchw_sum pooling_nchw_max "
    "abs add ceil copy div erf exp floor log max min mul negf powf reciprocal round "
    "rsqrt select sqrt square sub tanh elementwise"
)
for _name in NAMED.split():
    RULES[f"linalg.{_name}"] = structured.backward


def _broadcast(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    source, _ = operation.operands
    added = list(operation.attributes["dimensions"])
    if sweep.wants(source):
        sweep.add(source, summed(sweep.trace, cotangents[0], added))


def _transpose(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    source, _ = operation.operands
    trace = sweep.trace
    (received,) = cotangents
    permutation = list(operation.attributes["permutation"])
    back = [permutation.index(axis) for axis in range(len(permutation))]
    init = structured.empty_of(trace, source.type, [(received, axis) for axis in back])
    made = trace.create(
        "linalg.transpose",
        (init.type,),
        (received, init),
        {"permutation": attributes.i64_array(back)},
    )
    structured.yield_first(trace, made)
    sweep.add(source, made.result)


def _fill(sweep: Sweep, operation: Any, cotangents: list[Any]) -> None:
    sweep.add(operation.operands[0], summed(sweep.trace, cotangents[0]))


RULES["linalg.broadcast"] = _broadcast
RULES["linalg.transpose"] = _transpose
RULES["linalg.fill"] = _fill
