"""What this machine could do: its roofline, measured.

Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for multicore
architectures", Communications of the ACM 52 (2009).
"""

from __future__ import annotations

import time
from functools import cache

import numpy as np

from agir.backends.cpu.engine import Executable
from agir.backends.stages import Compilation

_SECONDS = 0.01
_ITERATIONS = 100_000
_CHAINS = 16
_VECTOR = 64
"""Bytes of a vector; on narrower machines LLVM splits it."""


@cache
def flops_per_second(dtype: str) -> float:
    """The most multiplications and additions of ``f32`` or ``f64`` in a second, on one core."""
    lanes = _VECTOR // int(dtype[1:]) * 8
    run = Executable(Compilation.from_text(_multiply_add(dtype, lanes), "loops"), "peak")
    best = min(_timed(run) for _ in range(5))
    return 2 * lanes * _CHAINS * _ITERATIONS / best


def bytes_per_second(size: int) -> float:
    """How fast ``size`` bytes are read and written in all, where they fit in caches or not."""
    return _bandwidth(1 << max(12, min(28, (max(size, 1) - 1).bit_length())))


@cache
def _bandwidth(size: int) -> float:
    source = np.ones(size // 16)
    target = np.empty_like(source)
    np.copyto(target, source)
    runs, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < _SECONDS:
        for _ in range(1 + (1 << 18) // size):
            np.copyto(target, source)
            runs += 1
    return runs * size / passed


def _timed(run: Executable) -> float:
    start = time.perf_counter()
    run([])
    return time.perf_counter() - start


def _multiply_add(dtype: str, lanes: int) -> str:
    """Chains of dependent multiply-adds, as many as keep the units busy."""
    vector = f"vector<{lanes}x{dtype}>"
    names = [f"%v{i}" for i in range(_CHAINS)]
    carried = ", ".join(f"{name} = %c" for name in names)
    kinds = ", ".join([vector] * _CHAINS)
    body = "\n".join(f"    %n{i} = math.fma %v{i}, %f, %c : {vector}" for i in range(_CHAINS))
    results = ", ".join(f"%n{i}" for i in range(_CHAINS))
    sums = [f"  %s0 = arith.addf %r#0, %r#1 : {vector}"] + [
        f"  %s{i} = arith.addf %s{i - 1}, %r#{i + 1} : {vector}" for i in range(1, _CHAINS - 1)
    ]
    return f"""
func.func @peak() -> {dtype} {{
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant {_ITERATIONS} : index
  %f = arith.constant dense<0.5> : {vector}
  %c = arith.constant dense<1.0> : {vector}
  %r:{_CHAINS} = scf.for %i = %zero to %n step %one iter_args({carried}) -> ({kinds}) {{
{body}
    scf.yield {results} : {kinds}
  }}
{chr(10).join(sums)}
  %x = vector.reduction <add>, %s{_CHAINS - 2} : {vector} into {dtype}
  return %x : {dtype}
}}"""
