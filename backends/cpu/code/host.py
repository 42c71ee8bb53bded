"""What the processor that code is made for has of vectors: the one place that asks."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path

from agir.records import dataclass

_AVX_512 = frozenset({"avx512f", "avx512bw", "avx512dq", "avx512vl"})


@dataclass(frozen=True)
class Vectors:
    """The vector registers: their bytes, how many there are, and whether loads can be masked."""

    bytes: int
    registers: int
    masks: bool

    def lanes(self, bits: int) -> int:
        """How many elements of so many bits a register holds."""
        return 8 * self.bytes // bits


AVX_512 = Vectors(64, 32, masks=True)
AVX_2 = Vectors(32, 16, masks=True)
SSE = Vectors(16, 16, masks=False)
NEON = Vectors(16, 32, masks=False)


@cache
def vectors() -> Vectors:
    """The host's, for which LLVM makes code as well."""
    if platform.machine().lower() in ("arm64", "aarch64"):
        return NEON
    return of_flags(_flags())


def of_flags(flags: frozenset[str]) -> Vectors:
    """The vectors of an x86-64 processor with these features."""
    if flags >= _AVX_512:
        return AVX_512
    return AVX_2 if {"avx2", "fma"} <= flags else SSE


def _flags() -> frozenset[str]:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:  # another system than Linux
        return frozenset()
    lines = (line.partition(":") for line in text.splitlines())
    return frozenset(next((v.split() for k, _, v in lines if k.strip() == "flags"), ()))
